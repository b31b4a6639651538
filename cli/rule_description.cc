#include "logitchain/cli/rule_description.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/dynamic_message.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "logitchain/cli/dialect_name.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/proto/options.pb.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/registry/rule_config.h"

namespace logitchain {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

std::string DefaultValue(const FieldDescriptor& field) {
  if (!field.has_default_value()) return "";
  google::protobuf::DynamicMessageFactory factory;
  const std::unique_ptr<google::protobuf::Message> message(
      factory.GetPrototype(field.containing_type())->New());
  std::string text;
  google::protobuf::TextFormat::PrintFieldValueToString(*message, &field, -1, &text);
  return text;
}

std::vector<std::string> EnumValues(const FieldDescriptor& field) {
  std::vector<std::string> values;
  if (field.cpp_type() != FieldDescriptor::CPPTYPE_ENUM) return values;
  for (int i = 0; i < field.enum_type()->value_count(); ++i) {
    values.push_back(field.enum_type()->value(i)->name());
  }
  return values;
}

class ParameterLister {
 public:
  explicit ParameterLister(const Dialect& dialect) : dialect_(dialect) {}

  void List(const Descriptor& message, const std::string& prefix) {
    around_.push_back(&message);
    for (int i = 0; i < message.field_count(); ++i) {
      const FieldDescriptor& field = *message.field(i);
      const std::string name = absl::StrCat(prefix, field.name());
      // A message may contain itself, or say by being there all that it says.
      const Descriptor* within = field.message_type();
      if (within == nullptr || within->field_count() == 0 ||
          absl::c_linear_search(around_, within)) {
        parameters_.push_back(Describe(field, name));
      } else {
        List(*within, absl::StrCat(name, "."));
      }
    }
    around_.pop_back();
  }

  std::vector<ParameterDescription> Take() { return std::move(parameters_); }

 private:
  ParameterDescription Describe(const FieldDescriptor& field, const std::string& name) const {
    const google::protobuf::FieldOptions& options = field.options();
    return {.name = name,
            .full_name = field.full_name(),
            .type = field.type_name(),
            .repeated = field.is_repeated(),
            .values = EnumValues(field),
            .default_value = DefaultValue(field),
            .off = options.GetExtension(logitchain::off),
            .range = std::string(
                RangeOf(dialect_, field.full_name(), options.GetExtension(logitchain::range))),
            .unset = options.GetExtension(logitchain::unset)};
  }

  const Dialect& dialect_;
  std::vector<const Descriptor*> around_;  // The messages that are being listed.
  std::vector<ParameterDescription> parameters_;
};

// What the chain itself does where no rule does it.
absl::Span<const ProcessorEntry> OwnTerminals() {
  static const auto* const kTerminals = new std::vector<ProcessorEntry>{
      {.config = CategoricalDraw::descriptor(),
       .info = {.summary = "draws from the distribution that the rules leave",
                .stage = Stage::kDraw},
       .source = "core/terminal.cc"},
      {.config = GreedyDraw::descriptor(),
       .info = {.summary = "takes the most likely token", .stage = Stage::kDraw},
       .source = "core/terminal.cc"}};
  return *kTerminals;
}

bool IsTerminal(const ProcessorEntry& entry) { return entry.info.stage == Stage::kDraw; }

RuleDescription DescribeRule(const ProcessorEntry& entry, const Dialect& dialect) {
  const FieldDescriptor* field = BuiltInField(*entry.config);
  ParameterLister lister(dialect);
  lister.List(*entry.config, "");
  return {.name = field == nullptr ? entry.config->full_name() : field->name(),
          .is_plugin = field == nullptr,
          .entry = &entry,
          .parameters = lister.Take()};
}

std::string ExampleFields(const RuleDescription& rule) {
  const auto& options = rule.entry->config->options();
  if (options.HasExtension(example)) return absl::StrCat(options.GetExtension(example), " ");
  std::string fields;
  for (const ParameterDescription& parameter : rule.parameters) {
    if (parameter.default_value.empty() || absl::StrContains(parameter.name, '.')) continue;
    absl::StrAppend(&fields, parameter.name, ": ", parameter.default_value, " ");
  }
  return fields.empty() && !rule.parameters.empty() ? "... " : fields;
}

}  // namespace

std::vector<RuleDescription> DescribeRules(const ProcessorRegistry& registry,
                                           const Dialect& dialect) {
  std::vector<RuleDescription> rules;
  for (const ProcessorEntry& terminal : OwnTerminals()) {
    rules.push_back(DescribeRule(terminal, dialect));
  }
  for (const std::string& name : registry.Names()) {
    rules.push_back(DescribeRule(*registry.Find(name), dialect));
  }
  const std::vector<Stage> order = StageOrder(dialect);
  const auto key = [&order](const RuleDescription& rule) {
    return std::make_pair(absl::c_find(order, rule.entry->info.stage), rule.name);
  };
  absl::c_sort(rules, [&key](const auto& a, const auto& b) { return key(a) < key(b); });
  return rules;
}

std::string TypeText(const ParameterDescription& parameter) {
  return absl::StrCat(parameter.type, parameter.repeated ? " list" : "");
}

std::string RangesElsewhere(const ParameterDescription& parameter) {
  std::vector<std::string> others;
  for (const std::string& name : DialectNames()) {
    const Dialect& dialect = GetDialect(*ParseDialectName(name));
    const absl::string_view range = RangeOf(dialect, parameter.full_name, parameter.range);
    if (range != parameter.range) others.push_back(absl::StrCat(name, ": ", range));
  }
  return absl::StrJoin(others, "; ");
}

std::string RuleAsText(const RuleDescription& rule) {
  const std::string fields = ExampleFields(rule);
  const absl::string_view place = IsTerminal(*rule.entry) ? "draw" : "processors";
  if (!rule.is_plugin) return absl::StrCat(place, " { ", rule.name, " { ", fields, "} }");
  return absl::StrCat(place, " { plugin { [type.googleapis.com/", rule.name, "] { ", fields,
                      "} } }");
}

}  // namespace logitchain
