#ifndef LOGITCHAIN_TESTING_CONFORMANCE_SAMPLE_ENVIRONMENT_H_
#define LOGITCHAIN_TESTING_CONFORMANCE_SAMPLE_ENVIRONMENT_H_

#include <cstdint>

#include "logitchain/registry/environment.h"

namespace logitchain {

// Number of tokens that samples are made for.
inline constexpr int32_t kSampleVocabSize = 40;

// What sample_configs.proto says that there is, for a vocabulary of at least that size.
Environment SampleEnvironment(int32_t vocab_size = kSampleVocabSize);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTING_CONFORMANCE_SAMPLE_ENVIRONMENT_H_
