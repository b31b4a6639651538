#include "logitchain/core/decode/trace_writer.h"

#include <cstdint>
#include <ostream>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "google/protobuf/util/json_util.h"
#include "logitchain/core/decode/decode_observer.h"
#include "logitchain/core/decode/utf8.h"
#include "logitchain/core/sample.h"
#include "logitchain/proto/trace.pb.h"

namespace logitchain {
namespace {

void SetSample(const Sample& sample, TraceToken& line) {
  line.set_id(sample.token);
  line.set_greedy(sample.greedy);
  if (sample.uniform) line.set_u(*sample.uniform);
  if (sample.probability) line.set_probability(*sample.probability);
  line.set_kept(sample.kept);
  if (sample.raw_logprob) line.set_raw_logprob(*sample.raw_logprob);
  if (sample.penalised_logprob) line.set_penalised_logprob(*sample.penalised_logprob);
  if (sample.processed_logprob) line.set_processed_logprob(*sample.processed_logprob);
}

void WriteJsonLine(const TraceToken& line, std::ostream& out) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string json;
  // Every TraceToken has a JSON form.
  static_cast<void>(google::protobuf::util::MessageToJsonString(line, &json, options));
  out << json << '\n';
}

}  // namespace

TraceWriter::TraceWriter(std::ostream& out, int32_t completion)
    : out_(out), completion_(completion) {}

void TraceWriter::OnPart(absl::string_view name, int32_t kept, absl::Duration) {
  TracePart& part = *line_.add_parts();
  part.set_name(std::string(name));
  part.set_kept(kept);
}

void TraceWriter::OnToken(const TokenRecord& token, const StepTimes&) {
  line_.set_completion(completion_);
  line_.set_step(token.step);
  line_.set_bytes(token.bytes);
  if (IsUtf8(token.bytes)) line_.set_text(token.bytes);
  line_.set_is_stop_token(token.is_stop_token);
  SetSample(token.sample, line_);
  WriteJsonLine(line_, out_);
  line_.Clear();
}

}  // namespace logitchain
