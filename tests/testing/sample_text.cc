#include "logitchain/tests/testing/sample_text.h"

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "logitchain/core/sample.h"

namespace logitchain {
namespace {

std::string Bits(const std::optional<double>& number) {
  return number ? absl::StrFormat("%a", *number) : "none";
}

}  // namespace

std::string SampleText(const absl::StatusOr<Sample>& sample) {
  if (!sample.ok()) return sample.status().ToString();
  return absl::StrCat("token ", sample->token, ", kept ", sample->kept, ", greedy ", sample->greedy,
                      ", probability ", Bits(sample->probability), ", uniform ",
                      Bits(sample->uniform), ", logprobs ", Bits(sample->raw_logprob), " ",
                      Bits(sample->penalised_logprob), " ", Bits(sample->processed_logprob));
}

}  // namespace logitchain
