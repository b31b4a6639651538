#ifndef LOGITCHAIN_CORE_DECODE_DECODE_TIMING_H_
#define LOGITCHAIN_CORE_DECODE_DECODE_TIMING_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "logitchain/core/decode/decode_observer.h"

namespace logitchain {

// Adds up where the time of one or more decode loops goes.
//
//   DecodeTiming timing;
//   loop->AddObserver(&timing);
//   …
//   std::cerr << timing.Summary();
//
// Also usable as the observer of a chain alone, set_observer(&timing); it then knows the parts of
// the draws and nothing of tokens. Memory is O(tokens).
class DecodeTiming final : public DecodeObserver {
 public:
  // A part of the draws; see ChainObserver::OnPart.
  struct Part {
    std::string name;
    int64_t runs = 0;
    absl::Duration total;
    absl::Duration longest;
    int64_t kept = 0;  // Candidates that were left, summed over the runs.
  };

  // A token; stop tokens are here too.
  struct Token {
    StepTimes times;
    int32_t kept = 0;  // Candidates that it was drawn from.
  };

  // In the order in which they run. A config message that builds several parts has several of its
  // name.
  absl::Span<const Part> parts() const { return parts_; }

  absl::Span<const Token> tokens() const { return tokens_; }

  // A table for people: for the model, for sampling and for each of its parts the mean and the
  // longest time that a token took, the total, and the mean number of candidates that were left.
  // What sampling takes beside its parts is mostly the commit.
  std::string Summary() const;

  void OnPart(absl::string_view name, int32_t kept, absl::Duration spent) override;
  void OnToken(const TokenRecord& token, const StepTimes& times) override;

 private:
  Part& FindPart(absl::string_view name);

  std::vector<Part> parts_;
  size_t next_part_ = 0;  // Where the part that follows is found, unless chains differ.
  std::vector<Token> tokens_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DECODE_DECODE_TIMING_H_
