#include "logitchain/testing/conformance/steps.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/sample.h"

namespace logitchain {
namespace {

constexpr float kOut = -std::numeric_limits<float>::infinity();

bool SameBits(double a, double b) {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

// "" where all are the same.
std::string Difference(absl::string_view what, const std::vector<double>& expected,
                       const std::vector<double>& actual) {
  if (expected.size() != actual.size()) return absl::StrCat("the number of ", what);
  for (size_t id = 0; id < expected.size(); ++id) {
    if (SameBits(expected[id], actual[id])) continue;
    return absl::StrFormat("the %s of token %d is %.17g in place of %.17g", what, id, actual[id],
                           expected[id]);
  }
  return "";
}

std::string Difference(const Sample& expected, const Sample& actual) {
  if (expected.token != actual.token) {
    return absl::StrCat("token ", actual.token, " was drawn in place of ", expected.token);
  }
  if (expected.kept != actual.kept) {
    return absl::StrCat(actual.kept, " tokens were kept in place of ", expected.kept);
  }
  if (expected.uniform != actual.uniform) return "it drew by another random number";
  return expected.probability == actual.probability ? "" : "the probability";
}

std::string Difference(const Step& expected, const Step& actual) {
  std::string found = Difference("logit", expected.processed, actual.processed);
  if (found.empty()) {
    found = Difference("probability", expected.distribution, actual.distribution);
  }
  return found.empty() ? Difference(expected.sample, actual.sample) : found;
}

}  // namespace

Rows FullRows(uint64_t seed, int count, int32_t vocab_size) {
  Pcg32 random(seed);
  Rows rows(count, std::vector<float>(vocab_size));
  for (std::vector<float>& row : rows) {
    for (float& logit : row) logit = static_cast<float>(random.NextUniform() * 16 - 8);
  }
  return rows;
}

Rows RowsWithHoles(uint64_t seed, int count) {
  Rows rows = FullRows(seed, count);
  for (std::vector<float>& row : rows) {
    for (size_t id = 0; id < row.size(); id += 5) row[id] = kOut;
  }
  return rows;
}

Rows OddRows() {
  Rows rows(4, std::vector<float>(kSampleVocabSize, 1));
  for (int32_t id = 0; id < kSampleVocabSize; ++id) {
    rows[1][id] = id % 2 == 0 ? -2 : 2;
    rows[3][id] = static_cast<float>(10 * id - 200);
  }
  rows[2][17] = 60;
  return rows;
}

Rows NarrowRows() {
  Rows rows(3, std::vector<float>(kSampleVocabSize, kOut));
  rows[0][19] = -3;
  rows[1][17] = rows[1][19] = 0;
  rows[2][17] = 5;
  rows[2][23] = -5;
  return rows;
}

absl::StatusOr<Step> TakeStep(Chain& chain, absl::Span<const float> row) {
  absl::StatusOr<std::vector<double>> processed = chain.Process(row);
  if (!processed.ok()) return processed.status();
  absl::StatusOr<std::vector<double>> distribution = chain.Distribution(row);
  if (!distribution.ok()) return distribution.status();
  const absl::StatusOr<Sample> sample = chain.Sample(row);
  if (!sample.ok()) return sample.status();
  return Step{*std::move(processed), *std::move(distribution), *sample};
}

absl::StatusOr<std::vector<Step>> TakeSteps(Chain& chain, const Rows& rows) {
  std::vector<Step> steps;
  for (const std::vector<float>& row : rows) {
    absl::StatusOr<Step> step = TakeStep(chain, row);
    if (!step.ok()) return step.status();
    steps.push_back(*std::move(step));
  }
  return steps;
}

absl::Status ExpectSame(absl::string_view what, const std::vector<Step>& expected,
                        const std::vector<Step>& actual) {
  if (expected.size() != actual.size()) return Failure(absl::StrCat(what, ": steps are missing"));
  for (size_t i = 0; i < expected.size(); ++i) {
    const std::string difference = Difference(expected[i], actual[i]);
    if (!difference.empty()) {
      return Failure(absl::StrCat(what, ": at step ", i, " ", difference));
    }
  }
  return absl::OkStatus();
}

absl::Status Failure(absl::string_view message) { return absl::FailedPreconditionError(message); }

absl::Status At(absl::string_view where, const absl::Status& status) {
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat(where, ": ", status.message()));
}

}  // namespace logitchain
