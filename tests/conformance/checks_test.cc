// Each check of the conformance kit finds a rule that breaks what it checks, and finds nothing in a
// good one. No rule can break ValuesOutsideRangesAreRefused, since ranges are checked before it is
// built; see parameters_test for the values.

#include "logitchain/testing/conformance/checks.h"

#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/testing/conformance/sample_configs.pb.h"
#include "logitchain/testing/conformance/subject.h"
#include "logitchain/tests/conformance/broken_rules.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using testing::HasSubstr;

// What a check says of a rule in broken_rules.proto, in dialect SPEC.
absl::Status RunCheck(const Check& check, absl::string_view rule, absl::string_view sample_fields) {
  static const auto* const registry = new ProcessorRegistry(BrokenRules());
  SampleConfig sample;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      absl::StrCat("processor { plugin { [type.googleapis.com/logitchain.broken.", rule, " } } ",
                   sample_fields),
      &sample));
  const absl::StatusOr<Subject> subject = Subject::Create(sample, ChainConfig::SPEC, *registry);
  return subject.ok() ? check.run(*subject) : subject.status();
}

const Check& CheckNamed(absl::string_view name) {
  const absl::Span<const Check> checks = AllChecks();
  return *absl::c_find_if(checks, [name](const Check& check) { return check.name == name; });
}

struct BrokenCase {
  std::string check;
  std::string rule;
  std::string message;
  std::string sample_fields;
};

class ChecksTest : public testing::TestWithParam<BrokenCase> {};

TEST_P(ChecksTest, FindsABrokenRule) {
  const absl::Status status =
      RunCheck(CheckNamed(GetParam().check), GetParam().rule, GetParam().sample_fields);
  if (absl::IsUnimplemented(status)) GTEST_SKIP() << status.message();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().message));
}

const BrokenCase kCases[] = {
    {"ASampleDoesSomething", "Broken] { strength: 0 }", "the rule changes nothing"},
    {"ATokenStays", "Broken] { fault: REMOVES_ALL }", "removed the only candidate"},
    {"RemovedStaysRemoved", "Broken] { fault: REVIVES }", "removed tokens stay removed"},
    {"FiniteStaysFinite", "Broken] { fault: WRITES_NAN }", "would become nan"},
    {"OffIsTheIdentity", "Broken] { fault: ACTS_WHEN_OFF }", "at step 0 the logit of token"},
    {"NumbersOfTokensDoNotMatter", "Broken] { fault: PREFERS_LOW_IDS }", "; as token "},
    {"NumbersOfTokensDoNotMatter", "Broken] { fault: PREFERS_LOW_IDS }",
     "if the rule is about certain ids, let its sample say so with knows_ids: true"},
    {"DenseAndSparseAgree", "Broken] { fault: TAKES_A_SHORTCUT }", "of sparse candidates: at step"},
    {"ABatchChangesNothing", "Broken] { fault: SHARES_STATE_WITH_ALL }", "of a batch: at step 0"},
    {"ACloneIsIndependent", "Broken] { fault: SHARES_STATE_WITH_CLONES }",
     "a clone, after its original went elsewhere: at step"},
    {"ACloneIsIndependent", "Broken] { fault: SHARES_PARITY_WITH_CLONES }",
     "a clone, after its original went elsewhere: at step"},
    {"ResetStartsAnew", "Broken] { fault: FORGETS_RESET }", "after a reset: at step 0"},
    {"RollbackTakesBack", "Broken] { fault: FORGETS_ROLLBACK }", "after a rollback by 5: at step"},
    {"ReplayRepeats", "Broken] { fault: COUNTS_CALLS }",
     "called again in the same step, it gives another answer: at step 0"},
    {"UniformsAreAsDeclared", "Broken] { fault: DRAWS_TWICE }",
     "a token took 2 random numbers, beside that of the draw; declared are 1", "uniforms: 1"},
    {"ConfigRoundTrips",
     "AnyWithin] { any { [type.googleapis.com/google.protobuf.Any] {"
     " type_url: 'type.googleapis.com/logitchain.broken.Broken' } } }",
     "its own text:"},
    {"RangesAreRight", "BadRange] {}", "logitchain.broken.BadRange.p: range "},
    {"RangesAreRight", "RangeOfText] {}", "has a range and is no number"},
    {"RangesAreRight", "DefaultOutside] {}", "the default 2 is outside its range [0, 1]"},
    {"RangesAreRight", "OffOutside] {}", "the off value 0 is outside its range [1, inf)"},
    {"RangesAreRight", "EmptyRange] {}", "logitchain.broken.EmptyRange.p: range [5, 1] is empty"},
    {"RangesAreRight", "EmptyRangeOfIntegers] {}", "range (0, 1) is empty"},
    {"RangesAreRight", "UnsetOutside] {}",
     "logitchain.broken.UnsetOutside.k: unset it is 0, which is outside its range [1, 10]; it "
     "needs "
     "a default, or the option (unset)"},
    {"TheExampleIsRight", "UnreadableExample] {}", "its example \"nope: [\" cannot be read: "},
    {"TheExampleIsRight", "ExampleOutside] {}",
     "its example \"p: 2\" is refused: "
     "processors[0].plugin[logitchain.broken.ExampleOutside].p is 2"},
    {"EndsOfRangesAreTaken", "Broken] { fault: REFUSES_THE_END strength: 1 }",
     "strength = 0: it is refused, and its range includes it: is 0; it must be more"},
    {"ValuesAtTheEndsOfRangesAreSafe", "Broken] { fault: FAILS_AT_THE_END }",
     "strength = 0: processors[0].plugin[logitchain.broken.Broken]: took a random number"},
    {"NothingIsAllocatedInSteadyState", "Broken] { fault: ALLOCATES }",
     "8 steps allocate 8 times; declared are 0"},
    {"WorkIsLinearInTheVocabulary", "Broken] { fault: IS_QUADRATIC_IN_THE_VOCABULARY }",
     "a vocabulary of 64 takes"},
    {"WorkIsLinearInTheHistory", "Broken] { fault: IS_QUADRATIC_IN_THE_HISTORY }",
     "a history of 64 takes"},
};

INSTANTIATE_TEST_SUITE_P(, ChecksTest, testing::ValuesIn(kCases), [](const auto& info) {
  return absl::StrCat(info.param.check, "_", info.index);
});

TEST(ChecksOfAGoodRuleTest, FindNothing) {
  for (const Check& check : AllChecks()) {
    const absl::Status status = RunCheck(check, "Broken] { fault: NONE }", "");
    EXPECT_TRUE(status.ok() || absl::IsUnimplemented(status)) << check.name << ": " << status;
  }
}

TEST(AllChecksTest, EachHasABrokenRule) {
  for (const Check& check : AllChecks()) {
    const auto is_of_check = [&](const BrokenCase& broken) { return broken.check == check.name; };
    EXPECT_TRUE(absl::c_any_of(kCases, is_of_check) ||
                check.name == "ValuesOutsideRangesAreRefused")
        << check.name;
  }
}

TEST(SubjectTest, ASampleMustNameARegisteredRule) {
  const ProcessorRegistry registry;
  EXPECT_THAT(Subject::Create(SampleConfig(), ChainConfig::SPEC, registry),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "the sample is empty; it must have a processor or a draw"));
  SampleConfig sample;
  sample.mutable_processor()->mutable_top_k();
  EXPECT_THAT(Subject::Create(sample, ChainConfig::SPEC, registry),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("is not linked")));
}

}  // namespace
}  // namespace logitchain
