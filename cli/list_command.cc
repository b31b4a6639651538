#include "logitchain/cli/list_command.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/cli/command.h"
#include "logitchain/cli/dialect_name.h"
#include "logitchain/cli/flags.h"
#include "logitchain/cli/plugin.h"
#include "logitchain/cli/rule_description.h"
#include "logitchain/cli/text_layout.h"
#include "logitchain/cli/usage_error.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/did_you_mean.h"
#include "logitchain/registry/processor_registry.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using Json = nlohmann::ordered_json;

std::string StageOrderText(const Dialect& dialect) {
  return absl::StrJoin(StageOrder(dialect), ", ", [](std::string* out, Stage stage) {
    absl::StrAppend(out, StageName(stage));
  });
}

// Which values the parameter takes.
std::string ValuesText(const ParameterDescription& parameter) {
  if (!parameter.values.empty()) return absl::StrJoin(parameter.values, ", ");
  if (!parameter.range.empty()) return parameter.range;
  if (parameter.type == "double" || parameter.type == "float") return "finite";
  return parameter.type == "bool" ? "true, false" : "any";
}

// `text` behind `label`, or nothing without a text.
std::string Labelled(absl::string_view label, absl::string_view text) {
  return text.empty() ? "" : absl::StrCat(label, text);
}

Cells ParameterCells(const ParameterDescription& parameter) {
  return {parameter.name, TypeText(parameter), ValuesText(parameter),
          Labelled("off at ", parameter.off), Labelled("default ", parameter.default_value)};
}

std::string ParameterLines(const RuleDescription& rule) {
  std::vector<Cells> rows;
  for (const ParameterDescription& parameter : rule.parameters) {
    rows.push_back(ParameterCells(parameter));
  }
  const std::vector<Column> columns = ColumnsFor(rows);
  std::string lines;
  for (size_t i = 0; i < rows.size(); ++i) {
    absl::StrAppend(&lines, "  ", AlignedRow(rows[i], columns), "\n");
    // Too long for a column.
    const std::string& unset = rule.parameters[i].unset;
    if (!unset.empty()) absl::StrAppend(&lines, "    unset: ", unset, "\n");
  }
  return lines;
}

std::string AllAsText(absl::Span<const RuleDescription> rules, const Dialect& dialect) {
  std::string text = absl::StrCat("Stages of dialect ", ChainConfig::Dialect_Name(dialect.name),
                                  ", in order:\n", Paragraph(StageOrderText(dialect), "  "));
  const RuleDescription* previous = nullptr;
  for (const RuleDescription& rule : rules) {
    const Stage stage = rule.entry->info.stage;
    if (previous == nullptr || previous->entry->info.stage != stage) {
      absl::StrAppend(&text, "\n", StageName(stage), "\n");
    }
    absl::StrAppend(&text, "  ", rule.name, ": ", rule.entry->info.summary, "\n");
    previous = &rule;
  }
  absl::StrAppend(&text, "\n`logitchain list RULE` says more about one, and its parameters.\n");
  return text;
}

std::string PlaceText(const RuleDescription& rule, const Dialect& dialect) {
  const std::vector<Stage> order = StageOrder(dialect);
  const auto stage = absl::c_find(order, rule.entry->info.stage);
  return absl::StrCat(StageName(*stage), stage == order.begin() ? "" : ", after ",
                      stage == order.begin() ? "" : StageName(*(stage - 1)),
                      stage + 1 == order.end() ? "" : ", before ",
                      stage + 1 == order.end() ? "" : StageName(*(stage + 1)));
}

std::string OneAsText(const RuleDescription& rule, const Dialect& dialect) {
  std::vector<Cells> facts = {
      {"stage", absl::StrCat(PlaceText(rule, dialect), " (dialect ",
                             ChainConfig::Dialect_Name(dialect.name), ")")},
      {"config", rule.entry->config->full_name()},
      {"defined in", rule.entry->source},
  };
  if (IsFilterStage(rule.entry->info.stage)) {
    facts.push_back({"greedy", rule.entry->info.keeps_argmax ? "never removes the most likely token"
                                                             : "may remove the most likely token"});
  }
  std::string text = absl::StrCat(rule.name, ": ", rule.entry->info.summary, "\n\n");
  const std::vector<Column> fact_columns = ColumnsFor(facts);
  for (const Cells& fact : facts) {
    absl::StrAppend(&text, "  ", AlignedRow(fact, fact_columns), "\n");
  }
  absl::StrAppend(&text, "\nIn a chain:\n  ", RuleAsText(rule), "\n\nParameters:\n",
                  ParameterLines(rule));
  std::string notes;
  for (const ParameterDescription& parameter : rule.parameters) {
    const std::string others = RangesElsewhere(parameter);
    if (!others.empty()) absl::StrAppend(&notes, "  ", parameter.name, "  ", others, "\n");
  }
  if (!notes.empty()) absl::StrAppend(&text, "\nRanges in other dialects:\n", notes);
  return text;
}

// An empty text is no entry.
void AddText(const std::string& key, absl::string_view text, Json& json) {
  if (!text.empty()) json[key] = std::string(text);
}

Json ParameterAsJson(const ParameterDescription& parameter) {
  Json json = {{"name", parameter.name}, {"type", parameter.type}};
  json["repeated"] = parameter.repeated;
  if (!parameter.values.empty()) json["values"] = parameter.values;
  AddText("range", parameter.range, json);
  AddText("default", parameter.default_value, json);
  AddText("off", parameter.off, json);
  AddText("unset", parameter.unset, json);
  return json;
}

Json RuleAsJson(const RuleDescription& rule) {
  Json parameters = Json::array();
  for (const ParameterDescription& parameter : rule.parameters) {
    parameters.push_back(ParameterAsJson(parameter));
  }
  const ProcessorEntry& entry = *rule.entry;
  return {{"name", rule.name},
          {"stage", std::string(StageName(entry.info.stage))},
          {"summary", std::string(entry.info.summary)},
          {"plugin", rule.is_plugin},
          {"config", entry.config->full_name()},
          {"source", entry.source},
          {"keeps_argmax", entry.info.keeps_argmax},
          {"parameters", parameters}};
}

std::string AllAsJson(absl::Span<const RuleDescription> rules, const Dialect& dialect) {
  Json stages = Json::array();
  for (const Stage stage : StageOrder(dialect)) stages.push_back(std::string(StageName(stage)));
  Json list = Json::array();
  for (const RuleDescription& rule : rules) list.push_back(RuleAsJson(rule));
  const Json json = {
      {"dialect", ChainConfig::Dialect_Name(dialect.name)}, {"stages", stages}, {"rules", list}};
  return absl::StrCat(json.dump(2), "\n");
}

class ListCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.name = "list",
            .summary = "print the rules, or the parameters of one, with their ranges and defaults",
            .usage = "[RULE] [flags]",
            .description =
                "Prints the rules that chains can be built with, by stage, or what is known "
                "about one. Plugins that were linked in or loaded are there like any other.",
            .examples = {"logitchain list", "logitchain list top_k",
                         "logitchain list --dialect=LLAMA_CPP --json"},
            .max_arguments = 1};
  }

  std::vector<Flag> flags() override {
    return {
        {.name = "dialect",
         .value_name = "NAME",
         .help = absl::StrCat("whose order of stages and ranges to print: ",
                              absl::StrJoin(DialectNames(), ", ")),
         .target = &dialect_},
        {.name = "json", .help = "print JSON", .target = &json_},
        PluginFlag(&plugins_),
    };
  }

  absl::Status Run(absl::Span<const std::string> arguments, Console& console) override {
    if (absl::Status status = LoadPlugins(plugins_); !status.ok()) return status;
    // No chain can be built from rules of which one could not be registered.
    const ProcessorRegistry& registry = ProcessorRegistry::Global();
    if (!registry.status().ok()) return registry.status();
    const absl::StatusOr<ChainConfig::Dialect> name = ParseDialectName(dialect_);
    if (!name.ok()) return name.status();
    const Dialect& dialect = GetDialect(*name);
    std::vector<RuleDescription> rules = DescribeRules(registry, dialect);
    if (!arguments.empty()) {
      if (absl::Status status = KeepOne(arguments.front(), rules); !status.ok()) return status;
    }
    if (json_) {
      console.out << AllAsJson(rules, dialect);
    } else {
      console.out << (arguments.empty() ? AllAsText(rules, dialect)
                                        : OneAsText(rules.front(), dialect));
    }
    return absl::OkStatus();
  }

 private:
  // Rules are known by their name in chains and by that of their config.
  static absl::Status KeepOne(const std::string& name, std::vector<RuleDescription>& rules) {
    std::vector<std::string> names;
    for (const RuleDescription& rule : rules) names.push_back(rule.name);
    const auto found = absl::c_find_if(rules, [&name](const RuleDescription& rule) {
      return rule.name == name || rule.entry->config->full_name() == name;
    });
    if (found == rules.end()) {
      return UsageError(absl::StrCat("there is no rule \"", name, "\"", DidYouMean(name, names),
                                     "; there are ", absl::StrJoin(names, ", ")));
    }
    rules = {*found};
    return absl::OkStatus();
  }

  std::string dialect_ = "SPEC";
  bool json_ = false;
  std::vector<std::string> plugins_;
};

}  // namespace

std::unique_ptr<Command> MakeListCommand() { return std::make_unique<ListCommand>(); }

}  // namespace logitchain
