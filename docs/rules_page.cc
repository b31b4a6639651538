#include "logitchain/docs/rules_page.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "logitchain/cli/rule_description.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/stage.h"
#include "logitchain/docs/proto_comments.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {
namespace {

constexpr char kHead[] =
    R"(<!-- Written by `bazel run //docs:write_rules_page` from proto/*.proto. -->

# Rules

Every rule, by stage, in the order of dialect SPEC. l is a logit, q a probability: of softmax over
the candidates that are left when the rule runs. "Off at" is the value at which a parameter does
nothing. [dialects.md](dialects.md) has what differs between dialects in precision, order and ties.
`logitchain list RULE` prints the parameters.
)";

constexpr absl::string_view kLabels[] = {"Boundaries and ties", "Cost", "Source", "Peers"};

// "**`p`** (double in [0, 1], default 1, off at 1)"
std::string ParameterHead(const ParameterDescription& parameter) {
  std::vector<std::string> facts = {
      absl::StrCat(TypeText(parameter), parameter.range.empty() ? "" : " in ", parameter.range)};
  if (!parameter.values.empty()) facts[0] = absl::StrJoin(parameter.values, " or ");
  if (!parameter.default_value.empty()) {
    facts.push_back(absl::StrCat("default ", parameter.default_value));
  }
  if (!parameter.off.empty()) facts.push_back(absl::StrCat("off at ", parameter.off));
  if (!parameter.unset.empty()) facts.push_back(absl::StrCat("unset: ", parameter.unset));
  const std::string elsewhere = RangesElsewhere(parameter);
  if (!elsewhere.empty()) facts.push_back(elsewhere);
  return absl::StrCat("**`", parameter.name, "`** (", absl::StrJoin(facts, "; "), ")");
}

class Page {
 public:
  explicit Page(const ProtoComments& comments) : comments_(comments) {}

  void AddStage(Stage stage) { absl::StrAppend(&text_, "\n## ", StageName(stage), "\n"); }

  void AddRule(const std::string& name, const std::string& config,
               const std::vector<ParameterDescription>& parameters) {
    const ProtoComment comment = ParseProtoComment(comments_.Of(config));
    if (comment.blocks.empty()) AddGap(config, "has no comment");
    absl::StrAppend(&text_, "\n### ", name, "\n");
    for (const ProtoComment::Block& block : comment.blocks) AddBlock(block);
    AddParameters(config, parameters);
    AddLabelled(config, comment);
  }

  absl::StatusOr<std::string> Take() {
    if (gaps_.empty()) return std::move(text_);
    return absl::InvalidArgumentError(absl::StrJoin(gaps_, "\n"));
  }

 private:
  void AddGap(const std::string& name, absl::string_view what) {
    gaps_.push_back(absl::StrCat(name, " ", what));
  }

  void AddBlock(const ProtoComment::Block& block) {
    if (block.is_formula) {
      absl::StrAppend(&text_, "\n```\n", block.text, "\n```\n");
    } else {
      absl::StrAppend(&text_, "\n", block.text, "\n");
    }
  }

  void AddParameters(const std::string& config,
                     const std::vector<ParameterDescription>& parameters) {
    if (!parameters.empty()) absl::StrAppend(&text_, "\nParameters:\n\n");
    std::string around;
    for (const ParameterDescription& parameter : parameters) {
      // "sequences" of "sequences.ids"
      const size_t dot = parameter.name.find('.');
      const std::string outer = dot == parameter.name.npos ? "" : parameter.name.substr(0, dot);
      if (outer != around && !outer.empty()) {
        AddParameter(absl::StrCat("**`", outer, "`**"), absl::StrCat(config, ".", outer));
      }
      around = outer;
      AddParameter(ParameterHead(parameter), parameter.full_name);
    }
  }

  void AddParameter(const std::string& head, const std::string& full_name) {
    std::string meaning;
    for (const ProtoComment::Block& block : ParseProtoComment(comments_.Of(full_name)).blocks) {
      absl::StrAppend(&meaning, meaning.empty() ? "" : " ", block.text);
    }
    if (meaning.empty()) AddGap(full_name, "has no comment");
    absl::StrAppend(&text_, "- ", head, ": ", meaning, "\n");
  }

  void AddLabelled(const std::string& config, const ProtoComment& comment) {
    for (const absl::string_view label : kLabels) {
      const auto found = absl::c_find_if(
          comment.labelled, [label](const auto& labelled) { return labelled.first == label; });
      if (found == comment.labelled.end()) {
        AddGap(config, absl::StrCat("has no paragraph \"", label, ":\""));
        continue;
      }
      absl::StrAppend(&text_, "\n**", label, ":** ", found->second, "\n");
    }
  }

  const ProtoComments& comments_;
  std::string text_ = kHead;
  std::vector<std::string> gaps_;
};

}  // namespace

absl::StatusOr<std::string> RulesPage(const ProcessorRegistry& registry,
                                      const ProtoComments& comments) {
  const Dialect& spec = GetDialect(ChainConfig::SPEC);
  const std::vector<RuleDescription> rules = DescribeRules(registry, spec);
  Page page(comments);
  for (const Stage stage : StageOrder(spec)) {
    page.AddStage(stage);
    for (const RuleDescription& rule : rules) {
      if (rule.entry->info.stage != stage) continue;
      page.AddRule(rule.name, rule.entry->config->full_name(), rule.parameters);
    }
  }
  return page.Take();
}

}  // namespace logitchain
