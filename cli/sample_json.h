#ifndef LOGITCHAIN_CLI_SAMPLE_JSON_H_
#define LOGITCHAIN_CLI_SAMPLE_JSON_H_

#include <string>

#include "logitchain/core/sample.h"
#include "nlohmann/json.hpp"

namespace logitchain {

// A sample as JSON: id, the probability and log-probabilities that there are, kept, greedy, and the
// uniform. Numbers are written so that they are read back to the bit; null is an infinity, or the
// uniform of a greedy sample.
nlohmann::ordered_json SampleAsJson(const Sample& sample);

// In one line, without a newline; bytes that are not UTF-8 become U+FFFD.
std::string JsonLine(const nlohmann::ordered_json& json);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_SAMPLE_JSON_H_
