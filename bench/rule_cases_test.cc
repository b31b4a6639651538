// No rule is forgotten: each one that is registered has a case in which it runs alone.

#include <set>
#include <string>

#include "google/protobuf/message.h"
#include "gtest/gtest.h"
#include "logitchain/bench/chain_cases.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {
namespace {

// The full name of the config message that is set in this oneof; empty if none is.
std::string NameOfSet(const google::protobuf::Message& message, const std::string& oneof) {
  const auto* field = message.GetReflection()->GetOneofFieldDescriptor(
      message, message.GetDescriptor()->FindOneofByName(oneof));
  return field == nullptr ? "" : std::string(field->message_type()->full_name());
}

std::set<std::string> RulesWithCase() {
  std::set<std::string> rules;
  for (const ChainCase& rule_case : RuleCases()) {
    const auto text = ParseChainText(rule_case.chain, rule_case.name);
    EXPECT_TRUE(text.ok()) << text.status();
    if (!text.ok()) continue;
    EXPECT_LE(text->config.processors_size(), 1) << rule_case.name;
    for (const ProcessorConfig& rule : text->config.processors()) {
      rules.insert(NameOfSet(rule, "rule"));
    }
    rules.insert(NameOfSet(text->config.draw(), "terminal"));
  }
  return rules;
}

TEST(RuleCasesTest, EachRegisteredRuleHasOne) {
  const std::set<std::string> rules = RulesWithCase();
  for (const std::string& name : ProcessorRegistry::Global().Names()) {
    EXPECT_TRUE(rules.contains(name)) << name << " has no case in bench/chain_cases.cc";
  }
}

}  // namespace
}  // namespace logitchain
