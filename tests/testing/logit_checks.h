#ifndef LOGITCHAIN_TESTS_TESTING_LOGIT_CHECKS_H_
#define LOGITCHAIN_TESTS_TESTING_LOGIT_CHECKS_H_

#include <vector>

namespace logitchain {

// The ids whose logit is not −∞, ascending.
std::vector<int> KeptIds(const std::vector<double>& logits);

// Fails the test unless each of the expected logits is met within `tolerance` of its size; −∞ is
// met by −∞ only. Further logits must be −∞.
void ExpectLogits(const std::vector<double>& actual, const std::vector<double>& expected,
                  double tolerance);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_LOGIT_CHECKS_H_
