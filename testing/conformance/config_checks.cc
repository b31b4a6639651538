// Checks of a rule's config message.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/util/message_differencer.h"
#include "logitchain/core/chain.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/proto/options.pb.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/rule_config.h"
#include "logitchain/testing/conformance/checks.h"
#include "logitchain/testing/conformance/first_error.h"
#include "logitchain/testing/conformance/parameters.h"
#include "logitchain/testing/conformance/steps.h"
#include "logitchain/testing/conformance/subject.h"

namespace logitchain {
namespace {

using google::protobuf::Message;

// As people write it: plugins by name.
std::string TextOf(const ChainConfig& config) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetExpandAny(true);
  std::string text;
  printer.PrintToString(config, &text);
  return text;
}

absl::Status ExpectSameRule(const Subject& subject, const ChainConfig& config) {
  const absl::StatusOr<RuleConfig> rule = subject.RuleOf(config);
  if (!rule.ok()) return rule.status();
  if (google::protobuf::util::MessageDifferencer::Equals(subject.rule(), *rule->message)) {
    return absl::OkStatus();
  }
  return Failure(absl::StrCat("it comes back as ", rule->message->ShortDebugString()));
}

// Calls `judge` with a config for each of the values of each parameter.
template <typename Values, typename Judge>
absl::Status JudgeParameters(const Subject& subject, Values values, Judge judge) {
  const std::unique_ptr<Message> probe(subject.rule().New());
  probe->CopyFrom(subject.rule());
  const size_t parameters = ParametersOf(*probe, subject.path()).size();
  for (size_t i = 0; i < parameters; ++i) {
    for (const std::string& value :
         values(ParametersOf(*probe, subject.path())[i], subject.dialect())) {
      const std::unique_ptr<Message> changed(subject.rule().New());
      changed->CopyFrom(subject.rule());
      const std::string path = SetParameter(ParametersOf(*changed, subject.path())[i], value);
      const absl::Status status = judge(path, value, subject.ConfigWith(*changed));
      if (!status.ok()) return At(absl::StrCat(path, " = ", value), status);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ConfigRoundTrips(const Subject& subject) {
  ChainConfig binary;
  if (!binary.ParseFromString(subject.config().SerializeAsString())) {
    return Failure("its bytes are not read back");
  }
  const absl::Status status = At("in binary", ExpectSameRule(subject, binary));
  if (!status.ok()) return status;
  const absl::StatusOr<ChainText> text = ParseChainText(TextOf(subject.config()), "its own text");
  if (!text.ok()) return text.status();
  return At("as text", ExpectSameRule(subject, text->config));
}

absl::Status RangesAreRight(const Subject& subject) {
  return CheckOptions(*subject.rule().GetDescriptor());
}

absl::Status TheExampleIsRight(const Subject& subject) {
  const auto& options = subject.rule().GetDescriptor()->options();
  if (!options.HasExtension(example)) return absl::OkStatus();
  const std::string& text = options.GetExtension(example);
  const std::unique_ptr<Message> rule(subject.rule().New());
  FirstError error;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  if (!parser.ParseFromString(text, rule.get())) {
    return Failure(absl::StrCat("its example \"", text, "\" cannot be read: ", error.message()));
  }
  // It may name any token.
  const auto problems = subject.Problems(subject.ConfigWith(*rule), /*vocab_size=*/std::nullopt);
  if (problems.empty()) return absl::OkStatus();
  return Failure(absl::StrCat("its example \"", text, "\" is refused: ", problems.front().path, " ",
                              problems.front().message));
}

absl::Status EndsOfRangesAreTaken(const Subject& subject) {
  return JudgeParameters(
      subject, IncludedEnds,
      [&](const std::string& path, const std::string&, const ChainConfig& config) -> absl::Status {
        for (const ConfigProblem& problem : subject.Problems(config)) {
          if (problem.path != path) continue;
          return Failure(
              absl::StrCat("it is refused, and its range includes it: ", problem.message));
        }
        return absl::OkStatus();
      });
}

absl::Status ValuesOutsideRangesAreRefused(const Subject& subject) {
  return JudgeParameters(
      subject, ValuesOutside,
      [&](const std::string& path, const std::string&, const ChainConfig& config) -> absl::Status {
        const auto names_it = [&](const ConfigProblem& problem) { return problem.path == path; };
        if (absl::c_any_of(subject.Problems(config), names_it)) {
          return absl::OkStatus();
        }
        return Failure("it is not refused by name");
      });
}

absl::Status ValuesAtTheEndsOfRangesAreSafe(const Subject& subject) {
  return JudgeParameters(
      subject, ValuesAtTheEnds,
      [&](const std::string&, const std::string&, const ChainConfig& config) -> absl::Status {
        const auto chain = subject.NewChain(config);
        // It may be refused for what the other parameters are, and a step for what it overflows.
        if (!chain.ok()) return absl::OkStatus();
        for (const std::vector<float>& row : RowsWithHoles(80, 2)) {
          const auto step = TakeStep(**chain, row);
          if (step.status().code() == absl::StatusCode::kInternal) return step.status();
        }
        return absl::OkStatus();
      });
}

}  // namespace logitchain
