#ifndef LOGITCHAIN_TESTS_FUZZ_FUZZ_ENVIRONMENT_H_
#define LOGITCHAIN_TESTS_FUZZ_FUZZ_ENVIRONMENT_H_

#include <cstdint>
#include <memory>

#include "logitchain/core/vocabulary.h"
#include "logitchain/registry/environment.h"

namespace logitchain {

// Token 0 ends a text and token 1 is special. The others are characters, half of one, and from
// token 52 on two or three of these in a row. The same object for the same size.
std::shared_ptr<const Vocabulary> FuzzVocabulary(int32_t size);

// That vocabulary, with the mask provider "thirds" and the prefix constraint "primes" of the
// conformance tests.
Environment FuzzEnvironment(int32_t vocab_size);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_FUZZ_FUZZ_ENVIRONMENT_H_
