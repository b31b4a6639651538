#include "logitchain/tests/fuzz/config_mutator.h"

#include <string>
#include <vector>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "logitchain/core/dialect.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/registry/rule_config.h"
#include "logitchain/testing/conformance/parameters.h"

namespace logitchain {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::OneofDescriptor;

constexpr int kMaxRules = 12;

const OneofDescriptor& OnlyOneof(const Message& message) {
  return *message.GetDescriptor()->oneof_decl(0);
}

// The rule's or terminal's own message; null for a plugin, or if there is none.
Message* BuiltIn(Message& config) {
  const FieldDescriptor* set =
      config.GetReflection()->GetOneofFieldDescriptor(config, &OnlyOneof(config));
  if (set == nullptr || set->name() == "plugin") return nullptr;
  return config.GetReflection()->MutableMessage(&config, set);
}

void SortRules(ChainConfig& config) {
  const ChainConfig unsorted = config;
  config.clear_processors();
  for (const int index : DialectOrder(unsorted)) {
    *config.add_processors() = unsorted.processors(index);
  }
}

}  // namespace

void ConfigMutator::Change(ChainConfig& config) {
  switch (Below(8)) {
    case 0:
    case 1:
      AddRule(config);
      break;
    case 2:
      RemoveRule(config);
      break;
    case 3:
      ChangeChoice(config);
      break;
    case 4:
      ChangeDraw(config);
      break;
    default:
      ChangeRule(config);
  }
  if (Below(8) != 0) SortRules(config);
}

void ConfigMutator::AddRule(ChainConfig& config) {
  if (config.processors_size() >= kMaxRules) return;
  ProcessorConfig& rule = *config.add_processors();
  const OneofDescriptor& rules = OnlyOneof(rule);
  // The plugin comes last.
  const FieldDescriptor* field = rules.field(Below(rules.field_count() - 1));
  Message& message = *rule.GetReflection()->MutableMessage(&rule, field);
  for (int changes = Below(4); changes > 0; --changes) ChangeField(config.dialect(), message);
}

void ConfigMutator::RemoveRule(ChainConfig& config) {
  if (config.processors().empty()) return;
  config.mutable_processors()->DeleteSubrange(Below(config.processors_size()), 1);
}

void ConfigMutator::ChangeRule(ChainConfig& config) {
  if (config.processors().empty()) return AddRule(config);
  Message* rule = BuiltIn(*config.mutable_processors(Below(config.processors_size())));
  if (rule != nullptr) ChangeField(config.dialect(), *rule);
}

void ConfigMutator::ChangeDraw(ChainConfig& config) {
  DrawConfig& draw = *config.mutable_draw();
  if (Message* terminal = BuiltIn(draw); terminal != nullptr && Below(2) == 0) {
    return ChangeField(config.dialect(), *terminal);
  }
  const OneofDescriptor& terminals = OnlyOneof(draw);
  if (Below(2) == 0) return ChangeChoice(draw);
  draw.GetReflection()->MutableMessage(&draw, terminals.field(Below(terminals.field_count() - 1)));
}

void ConfigMutator::ChangeField(ChainConfig::Dialect dialect, Message& message) {
  if (Below(4) == 0) return ChangeChoice(message);
  ChangeNumber(dialect, message);
}

void ConfigMutator::ChangeNumber(ChainConfig::Dialect dialect, Message& message) {
  const std::vector<Parameter> parameters = ParametersOf(message, "");
  if (parameters.empty()) return;
  const Parameter& parameter = parameters[Below(static_cast<int>(parameters.size()))];
  std::vector<std::string> values = {"0.5", "1", "2", "3", "7", "0.01", "1.5", "40"};
  if (parameter.field->cpp_type() != FieldDescriptor::CPPTYPE_DOUBLE)
    values = {"1", "2", "7", "33"};
  if (Below(2) == 0) values = ValuesAtTheEnds(parameter, GetDialect(dialect));
  if (Below(16) == 0) values = ValuesOutside(parameter, GetDialect(dialect));
  if (values.empty()) return;
  SetParameter(parameter, values[Below(static_cast<int>(values.size()))]);
}

void ConfigMutator::ChangeChoice(Message& message) {
  const int fields = message.GetDescriptor()->field_count();
  if (fields == 0) return;
  const FieldDescriptor* field = message.GetDescriptor()->field(Below(fields));
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  if (field->is_repeated()) return;
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_BOOL) {
    reflection.SetBool(&message, field, Below(2) == 0);
  } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_ENUM) {
    reflection.SetEnum(&message, field,
                       field->enum_type()->value(Below(field->enum_type()->value_count())));
  }
}

}  // namespace logitchain
