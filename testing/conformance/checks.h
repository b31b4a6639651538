#ifndef LOGITCHAIN_TESTING_CONFORMANCE_CHECKS_H_
#define LOGITCHAIN_TESTING_CONFORMANCE_CHECKS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/testing/conformance/subject.h"

namespace logitchain {

// One thing that every rule must hold to. The result says how the subject breaks it; Unimplemented
// says that this machine or build cannot tell.
struct Check {
  absl::string_view name;
  absl::Status (*run)(const Subject& subject);
};

// Of values at a step.
absl::Status ASampleDoesSomething(const Subject& subject);
absl::Status ATokenStays(const Subject& subject);
absl::Status RemovedStaysRemoved(const Subject& subject);
absl::Status FiniteStaysFinite(const Subject& subject);
absl::Status OffIsTheIdentity(const Subject& subject);
absl::Status NumbersOfTokensDoNotMatter(const Subject& subject);
absl::Status DenseAndSparseAgree(const Subject& subject);

// Of state and randomness.
absl::Status ABatchChangesNothing(const Subject& subject);
absl::Status ACloneIsIndependent(const Subject& subject);
absl::Status ResetStartsAnew(const Subject& subject);
absl::Status RollbackTakesBack(const Subject& subject);
absl::Status ReplayRepeats(const Subject& subject);
absl::Status UniformsAreAsDeclared(const Subject& subject);

// Of the config.
absl::Status ConfigRoundTrips(const Subject& subject);
absl::Status RangesAreRight(const Subject& subject);
absl::Status TheExampleIsRight(const Subject& subject);
absl::Status EndsOfRangesAreTaken(const Subject& subject);
absl::Status ValuesOutsideRangesAreRefused(const Subject& subject);
absl::Status ValuesAtTheEndsOfRangesAreSafe(const Subject& subject);

// Of cost. Memory is counted if the program is linked with heap_counter; the work is counted in
// instructions, on x86-64.
absl::Status NothingIsAllocatedInSteadyState(const Subject& subject);
absl::Status WorkIsLinearInTheVocabulary(const Subject& subject);
absl::Status WorkIsLinearInTheHistory(const Subject& subject);

// All of them.
absl::Span<const Check> AllChecks();

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTING_CONFORMANCE_CHECKS_H_
