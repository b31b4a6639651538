#ifndef LOGITCHAIN_CORE_DECODE_TRACE_WRITER_H_
#define LOGITCHAIN_CORE_DECODE_TRACE_WRITER_H_

#include <cstdint>
#include <ostream>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "logitchain/core/decode/decode_observer.h"
#include "logitchain/proto/trace.pb.h"

namespace logitchain {

// Writes a line of JSON for each token of a decode loop, the stop token included: a TraceToken (see
// proto/trace.proto), with the proto's field names. It holds no times: a trace is as reproducible
// as the tokens.
//
//   TraceWriter trace(file);
//   loop->AddObserver(&trace);
class TraceWriter final : public DecodeObserver {
 public:
  // Writes to `out`, which must outlive the writer. Look at its state for errors of writing.
  explicit TraceWriter(std::ostream& out, int32_t completion = 0);

  void OnPart(absl::string_view name, int32_t kept, absl::Duration spent) override;
  void OnToken(const TokenRecord& token, const StepTimes& times) override;

 private:
  std::ostream& out_;
  const int32_t completion_;
  TraceToken line_;  // Of the step that is under way.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DECODE_TRACE_WRITER_H_
