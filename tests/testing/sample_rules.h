#ifndef LOGITCHAIN_TESTS_TESTING_SAMPLE_RULES_H_
#define LOGITCHAIN_TESTS_TESTING_SAMPLE_RULES_H_

#include <string>
#include <vector>

namespace logitchain {

// The samples of tests/conformance/samples.textproto, made for SampleEnvironment: the rules as they
// stand in processors { … }, of each rule at least one, and each fit for every dialect.
std::vector<std::string> SampleRules();

// The terminals of draw { … }, greedy and categorical among them.
std::vector<std::string> SampleTerminals();

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_SAMPLE_RULES_H_
