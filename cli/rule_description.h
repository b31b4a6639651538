#ifndef LOGITCHAIN_CLI_RULE_DESCRIPTION_H_
#define LOGITCHAIN_CLI_RULE_DESCRIPTION_H_

#include <string>
#include <vector>

#include "logitchain/core/dialect.h"
#include "logitchain/core/stage.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

// A field of a rule's config, as its proto describes it.
struct ParameterDescription {
  std::string name;       // Of a field within a message: "entries.token".
  std::string full_name;  // "logitchain.TopKConfig.k"
  std::string
      type;  // "double", "int32", "bool", "string", "enum", …; "message" if within itself or empty.
  bool repeated = false;
  std::vector<std::string> values;  // Of an enum.
  // As written in textproto; empty where there is none.
  std::string default_value;
  std::string off;
  // See proto/options.proto; empty where there is none.
  std::string range;
  std::string unset;
};

// A rule or terminal that chains can be built with.
struct RuleDescription {
  // How a chain names it: "top_k", or the full name of a plugin's config.
  std::string name;
  bool is_plugin = false;
  const ProcessorEntry* entry = nullptr;
  std::vector<ParameterDescription> parameters;
};

// The rules of the registry and the two terminals that need no registration, with the ranges of the
// dialect, in the order of its stages; within a stage by name.
std::vector<RuleDescription> DescribeRules(const ProcessorRegistry& registry,
                                           const Dialect& dialect);

// "double", "int32 list".
std::string TypeText(const ParameterDescription& parameter);

// "LLAMA_CPP: (-inf, inf)" for each dialect that has another range for the parameter.
std::string RangesElsewhere(const ParameterDescription& parameter);

// How the rule is written in a chain: with its example, or else with each parameter that has a
// default.
std::string RuleAsText(const RuleDescription& rule);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_RULE_DESCRIPTION_H_
