#ifndef LOGITCHAIN_TESTS_CONFORMANCE_BROKEN_RULES_H_
#define LOGITCHAIN_TESTS_CONFORMANCE_BROKEN_RULES_H_

#include "logitchain/registry/processor_registry.h"

namespace logitchain {

// A registry of the rules in broken_rules.proto.
ProcessorRegistry BrokenRules();

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_CONFORMANCE_BROKEN_RULES_H_
