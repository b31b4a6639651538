#include "logitchain/testing/conformance/checks.h"

#include "absl/types/span.h"

namespace logitchain {

absl::Span<const Check> AllChecks() {
  static constexpr Check kChecks[] = {
      {"ASampleDoesSomething", ASampleDoesSomething},
      {"ATokenStays", ATokenStays},
      {"RemovedStaysRemoved", RemovedStaysRemoved},
      {"FiniteStaysFinite", FiniteStaysFinite},
      {"OffIsTheIdentity", OffIsTheIdentity},
      {"NumbersOfTokensDoNotMatter", NumbersOfTokensDoNotMatter},
      {"DenseAndSparseAgree", DenseAndSparseAgree},
      {"ABatchChangesNothing", ABatchChangesNothing},
      {"ACloneIsIndependent", ACloneIsIndependent},
      {"ResetStartsAnew", ResetStartsAnew},
      {"RollbackTakesBack", RollbackTakesBack},
      {"ReplayRepeats", ReplayRepeats},
      {"UniformsAreAsDeclared", UniformsAreAsDeclared},
      {"ConfigRoundTrips", ConfigRoundTrips},
      {"RangesAreRight", RangesAreRight},
      {"TheExampleIsRight", TheExampleIsRight},
      {"EndsOfRangesAreTaken", EndsOfRangesAreTaken},
      {"ValuesOutsideRangesAreRefused", ValuesOutsideRangesAreRefused},
      {"ValuesAtTheEndsOfRangesAreSafe", ValuesAtTheEndsOfRangesAreSafe},
      {"NothingIsAllocatedInSteadyState", NothingIsAllocatedInSteadyState},
      {"WorkIsLinearInTheVocabulary", WorkIsLinearInTheVocabulary},
      {"WorkIsLinearInTheHistory", WorkIsLinearInTheHistory},
  };
  return kChecks;
}

}  // namespace logitchain
