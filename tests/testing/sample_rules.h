#ifndef LOGITCHAIN_TESTS_TESTING_SAMPLE_RULES_H_
#define LOGITCHAIN_TESTS_TESTING_SAMPLE_RULES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "logitchain/registry/environment.h"

namespace logitchain {

// Configs at which the rules of logitchain do something, as they stand in processors { … }; of each
// rule at least one, and each fit for every dialect. Filters are harsh.
std::vector<std::string> SampleRules();

// The terminals of draw { … }.
std::vector<std::string> SampleTerminals();

// What the samples are made for.
inline constexpr int32_t kSampleVocabSize = 40;
Environment SampleEnvironment();

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_SAMPLE_RULES_H_
