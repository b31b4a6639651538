#include "logitchain/cli/import/import_chain.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "logitchain/cli/import/commented_chain.h"
#include "logitchain/cli/import/given_parameters.h"
#include "logitchain/cli/import/import_notes.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/parameter_checks.h"
#include "logitchain/cli/import/rule_fields.h"
#include "logitchain/cli/import/sampler_order.h"
#include "logitchain/cli/import/source_value.h"
#include "logitchain/core/dialect.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/registry/error_lines.h"

namespace logitchain {
namespace {

// The group that a table's sampling_switch leaves out.
constexpr absl::string_view kSamplingGroup = "sampling";
constexpr absl::string_view kDrawPrefix = "draw.";
// Behind a target that becomes true.
constexpr absl::string_view kTrue = "=true";

std::vector<std::string> Words(absl::string_view text) {
  return absl::StrSplit(text, ' ', absl::SkipEmpty());
}

// The parameter, or each of the values that it adds up from.
absl::Span<const SourceParameter> PartsOf(const SourceParameter& parameter) {
  return parameter.parts.empty() ? absl::MakeConstSpan(&parameter, 1)
                                 : absl::MakeConstSpan(parameter.parts);
}

// The part that an element such as "[1].bias" comes from.
const SourceParameter& PartAt(const SourceParameter& parameter, absl::string_view element) {
  size_t index = 0;
  if (!absl::ConsumePrefix(&element, "[") ||
      !absl::SimpleAtoi(element.substr(0, element.find(']')), &index)) {
    return parameter;
  }
  for (const SourceParameter& part : parameter.parts) {
    if (index < part.value.elements.size()) return part;
    index -= part.value.elements.size();
  }
  return parameter;
}

// A schema as a text, if it is not one already.
SourceValue TextOf(const SourceValue& json) {
  if (json.kind == SourceValue::Kind::kString) return json;
  return {.kind = SourceValue::Kind::kString, .text = JsonText(json)};
}

// A rule of the chain with what it comes from.
struct ImportedRule {
  std::string name;   // "top_k"
  std::string group;  // Of the parameters that made it.
  ProcessorConfig config;
  std::vector<std::string> sources;
};

class ChainImporter {
 public:
  ChainImporter(const ImportTable& table, const ImportOptions& options, GivenParameters given)
      : table_(table),
        options_(options),
        given_(std::move(given)),
        notes_{.others = given_.others} {}

  absl::StatusOr<ImportResult> Import() {
    result_.config.set_dialect(table_.dialect);
    for (const SourceParameter& unknown : given_.unknown) {
      Refuse(unknown, DescribeUnknown(unknown, table_));
    }
    ReadSwitch();
    ReadTerminal();
    ReadSamplers();
    for (const ParameterRow& row : table_.parameters) {
      if (absl::Status status = Apply(row); !status.ok()) return status;
    }
    JoinTemperatures();
    AllowSmallTemperature();
    ArrangeRules();
    FinishDraw();
    CheckResult();
    NameSupported();
    if (!errors_.empty()) return absl::InvalidArgumentError(ErrorLines(errors_));
    result_.text = CommentedChain(result_.config, Comments());
    return std::move(result_);
  }

 private:
  void AddError(const SourceParameter& parameter, absl::string_view message) {
    errors_.push_back(
        absl::StrCat(Prefix(options_.filename, parameter.location), parameter.name, " ", message));
  }

  // For what is not known or cannot be honoured.
  void Refuse(const SourceParameter& parameter, absl::string_view message) {
    if (!options_.ignore_unknown) return AddError(parameter, message);
    const std::string text = absl::StrCat(parameter.name, " ", message);
    result_.ignored.push_back(absl::StrCat(Prefix(options_.filename, parameter.location), text));
    notes_.ignored.push_back(text);
  }

  // Once for all parameters that are unknown.
  void NameSupported() {
    if (given_.unknown.empty() || errors_.empty()) return;
    const bool is_flag = absl::StartsWith(given_.unknown.front().name, "-");
    errors_.push_back(
        absl::StrCat(options_.filename, ": supported are ", SupportedNames(is_flag, table_)));
  }

  const SourceParameter* Given(absl::string_view key) const {
    const auto found = given_.known.find(key);
    return found == given_.known.end() ? nullptr : &found->second;
  }

  // Whether the value may be read on.
  bool CheckType(const ParameterRow& row, const SourceParameter& given) {
    bool is_right = true;
    for (const SourceParameter& part : PartsOf(given)) {
      const absl::string_view expected = TypeMismatch(row, part);
      if (expected.empty()) continue;
      AddError(part, absl::StrCat("is ", ShownValue(part), "; it must be ", expected));
      is_right = false;
    }
    if (is_right && !IsInRange(row, given.value)) {
      AddError(given, absl::StrCat("is ", ShownValue(given), "; it must be in ", row.range));
      is_right = false;
    }
    return is_right;
  }

  void ReadSwitch() {
    if (table_.sampling_switch.empty()) return;
    const SourceParameter* given = Given(table_.sampling_switch);
    if (given != nullptr && given->value.text == "true") return;
    left_out_[kSamplingGroup] = absl::StrCat(table_.sampling_switch, " is not true");
    result_.config.mutable_draw()->mutable_greedy();
  }

  void ReadTerminal() {
    for (const TerminalRow& row : table_.terminals) {
      const SourceParameter* given = Given(row.key);
      if (given == nullptr || given->value.text != row.value) continue;
      for (const std::string& part : Words(row.leaves_out)) {
        left_out_[part] = absl::StrCat(Spelled(*given), " leaves it out");
      }
      terminal_ = &row;
    }
  }

  void ReadSamplers() {
    const auto* row = absl::c_find_if(table_.parameters, [](const ParameterRow& row) {
      return row.kind == ValueKind::kSamplers;
    });
    if (row == table_.parameters.end()) return;
    const SourceParameter* given = Given(row->key);
    if (given != nullptr && left_out_.contains(row->key)) {
      return notes_.AddUnused(*given, left_out_.at(row->key));
    }
    // A wrong type is reported with the other parameters' ones.
    if (given != nullptr && given->value.kind != SourceValue::Kind::kNull &&
        TypeMismatch(*row, *given).empty()) {
      samplers_ = ReadSamplerOrder(given->value, table_);
      for (const std::string& name : samplers_->refused) {
        Refuse(*given, absl::StrCat("has ", Shown(name), "; supported are ", SamplerNames(table_)));
      }
    }
    for (const SamplerRow& sampler : table_.samplers) {
      if (sampler.group.empty() || IsListed(sampler)) continue;
      left_out_.emplace(sampler.group,
                        samplers_ ? absl::StrCat(given->name, " leaves it out")
                                  : absl::StrCat("only if ", row->key, " lists ", sampler.group));
    }
  }

  bool IsListed(const SamplerRow& sampler) const {
    return samplers_ ? absl::c_linear_search(samplers_->groups, sampler.group) : !sampler.is_extra;
  }

  absl::Status Apply(const ParameterRow& row) {
    const SourceParameter* given = Given(row.key);
    const bool is_null = given != nullptr && given->value.kind == SourceValue::Kind::kNull;
    if (is_null && table_.null_is_off) {
      notes_.neutral.push_back(Spelled(*given));
      return absl::OkStatus();
    }
    if (given != nullptr && !is_null) {
      return IsToBeSet(row, *given) ? SetFields(row, *given, Spelled(*given)) : absl::OkStatus();
    }
    const bool has_default = !row.default_value.empty() && WhyLeftOut(row).empty();
    if (!has_default || !HasActiveMaster(row)) return absl::OkStatus();
    const SourceParameter by_default = {
        .key = std::string(row.key), .name = std::string(row.key), .value = DefaultOf(row)};
    return SetFields(
        row, by_default,
        absl::StrCat(table_.system, "'s default of ", row.key, ": ", Shown(by_default.value)));
  }

  static SourceValue DefaultOf(const ParameterRow& row) {
    if (row.kind != ValueKind::kTexts) {
      return {.kind = SourceValue::Kind::kNumber, .text = std::string(row.default_value)};
    }
    SourceValue texts = {.kind = SourceValue::Kind::kList};
    for (const std::string& text : Words(row.default_value)) {
      texts.elements.push_back({.kind = SourceValue::Kind::kString, .text = text});
    }
    return texts;
  }

  // Otherwise it is noted why it is not.
  bool IsToBeSet(const ParameterRow& row, const SourceParameter& given) {
    if (!CheckType(row, given)) return false;
    if (row.kind == ValueKind::kSamplers || row.key == table_.sampling_switch) return false;
    if (const std::string reason = WhyLeftOut(row); !reason.empty()) {
      notes_.AddUnused(given, reason);
      return false;
    }
    if (IsRefused(row, given.value)) {
      Refuse(given, absl::StrCat("is ", ShownValue(given), "; ", row.why));
      return false;
    }
    if (DoesNothing(row, given.value)) {
      notes_.neutral.push_back(Spelled(given));
      return false;
    }
    if (!HasActiveMaster(row) && row.is_shared) {
      notes_.others.push_back(given.name);
      return false;
    }
    if (!HasActiveMaster(row)) {
      notes_.AddUnused(
          given, absl::StrCat("nothing to do without ", absl::StrJoin(Words(row.masters), " or ")));
      return false;
    }
    if (const std::string lack = WhyLacking(row); !lack.empty()) {
      if (row.is_idle_alone) {
        notes_.AddUnused(given, absl::StrCat("nothing to do without ", row.needs));
      } else {
        Refuse(given, absl::StrCat("is ", ShownValue(given), "; it needs ", row.needs, lack));
      }
      return false;
    }
    if (!row.generate_flag.empty()) {
      notes_.AddGenerateFlag(row, given);
      return false;
    }
    const bool is_terminal = terminal_ != nullptr && terminal_->key == row.key;
    if (row.targets.empty() && !is_terminal) {
      Refuse(given, Unsupported(row, given));
      return false;
    }
    return true;
  }

  // "" if it is not.
  std::string WhyLeftOut(const ParameterRow& row) const {
    for (const absl::string_view part : {row.group, row.key}) {
      if (const auto found = left_out_.find(part); found != left_out_.end()) return found->second;
    }
    for (const std::string& key : Words(row.overridden_by)) {
      if (given_.keys.contains(key)) return absl::StrCat(key, " takes its place");
    }
    return "";
  }

  // What has become of the parameter that this one needs; "" if it is there.
  std::string WhyLacking(const ParameterRow& row) const {
    if (row.needs.empty()) return "";
    const auto* needed = absl::c_find_if(
        table_.parameters, [&row](const ParameterRow& other) { return other.key == row.needs; });
    if (const std::string reason = WhyLeftOut(*needed); !reason.empty()) {
      return absl::StrCat(" (", reason, ")");
    }
    const SourceParameter* given = Given(row.needs);
    const bool is_there =
        given == nullptr ? !needed->default_value.empty() : !DoesNothing(*needed, given->value);
    return is_there ? "" : ", which is not given";
  }

  bool HasActiveMaster(const ParameterRow& row) const {
    return row.masters.empty() || absl::c_any_of(Words(row.masters), [this](const auto& master) {
             return active_.contains(master);
           });
  }

  std::string Unsupported(const ParameterRow& row, const SourceParameter& given) const {
    const std::string supported = SupportedValues(row, table_);
    return absl::StrCat("is ", ShownValue(given), "; a chain cannot honour that: ",
                        row.why.empty() ? "`import` does not translate it" : row.why,
                        "; supported is only ", supported.empty() ? "to leave it out" : supported);
  }

  absl::Status SetFields(const ParameterRow& row, const SourceParameter& parameter,
                         const std::string& source) {
    active_.insert(std::string(row.key));
    if (terminal_ != nullptr && terminal_->key == row.key) MakeTerminal(source);
    const std::vector<std::string> targets = Words(row.targets);
    for (size_t i = 0; i < targets.size(); ++i) {
      const bool is_pair = row.kind == ValueKind::kPair;
      SourceParameter part = parameter;
      if (is_pair) part.value = parameter.value.elements[i];
      if (row.kind == ValueKind::kJson) part.value = TextOf(parameter.value);
      const absl::Status status = SetTarget(targets[i], row, part, source);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  void MakeTerminal(const std::string& source) {
    DrawConfig& draw = *result_.config.mutable_draw();
    const auto* field = draw.GetDescriptor()->FindFieldByName(std::string(terminal_->field));
    draw.GetReflection()->MutableMessage(&draw, field);
    notes_.draw.push_back(source);
  }

  absl::Status SetTarget(std::string target, const ParameterRow& row,
                         const SourceParameter& parameter, const std::string& source) {
    SourceValue value = parameter.value;
    if (absl::EndsWith(target, kTrue)) {
      target.resize(target.size() - kTrue.size());
      value = {.kind = SourceValue::Kind::kBool, .text = "true"};
    }
    google::protobuf::Message* message = MessageFor(target, row, source);
    if (message == nullptr) return absl::OkStatus();
    const bool is_draw = absl::StartsWith(target, kDrawPrefix);
    const std::string field = is_draw ? target.substr(kDrawPrefix.size()) : target;
    for (const SourceParameter& part : PartsOf(parameter)) {
      const absl::Status status =
          SetField(field, parameter.parts.empty() ? value : part.value, *message);
      if (absl::IsInvalidArgument(status)) {
        AddError(part, status.message());
      } else if (!status.ok()) {
        return absl::InternalError(status.message());
      }
    }
    origins_.insert_or_assign(target, parameter);
    return absl::OkStatus();
  }

  // What the target is a field of; null if it is of a rule that is not there.
  google::protobuf::Message* MessageFor(absl::string_view target, const ParameterRow& row,
                                        const std::string& source) {
    if (absl::StartsWith(target, kDrawPrefix)) {
      if (!row.masters.empty() && !HasTerminal(target)) return nullptr;
      notes_.draw.push_back(source);
      return result_.config.mutable_draw();
    }
    const std::string name(target.substr(0, target.find('.')));
    auto rule =
        absl::c_find_if(rules_, [&name](const ImportedRule& rule) { return rule.name == name; });
    if (rule == rules_.end()) {
      if (!row.masters.empty()) return nullptr;
      rules_.push_back({.name = name, .group = std::string(row.group)});
      rule = rules_.end() - 1;
    }
    if (!absl::c_linear_search(rule->sources, source)) rule->sources.push_back(source);
    return &rule->config;
  }

  // Whether the draw has the terminal of a target such as "draw.mirostat_v2.tau".
  bool HasTerminal(absl::string_view target) const {
    const DrawConfig& draw = result_.config.draw();
    const std::vector<std::string> steps = absl::StrSplit(target, '.');
    return draw.GetReflection()->HasField(draw, draw.GetDescriptor()->FindFieldByName(steps[1]));
  }

  // A range around a temperature makes it a dynamic one, which takes its place.
  void JoinTemperatures() {
    const auto dynamic = absl::c_find_if(
        rules_, [](const ImportedRule& rule) { return rule.config.has_dynamic_temperature(); });
    const auto fixed = absl::c_find_if(
        rules_, [](const ImportedRule& rule) { return rule.config.has_temperature(); });
    if (dynamic == rules_.end() || fixed == rules_.end()) return;
    dynamic->config.mutable_dynamic_temperature()->set_temperature(
        fixed->config.temperature().temperature());
    dynamic->sources.insert(dynamic->sources.begin(), fixed->sources.begin(), fixed->sources.end());
    rules_.erase(fixed);
  }

  // A dialect that raises small temperatures does so only where the chain says that it may.
  void AllowSmallTemperature() {
    const TemperatureRule& limits = GetDialect(table_.dialect).temperature;
    for (ImportedRule& rule : rules_) {
      if (!rule.config.has_temperature()) continue;
      TemperatureConfig& config = *rule.config.mutable_temperature();
      if (config.temperature() < limits.greedy_below || config.temperature() >= limits.smallest) {
        continue;
      }
      config.set_allow_small_temperature(true);
      rule.sources.push_back(absl::StrCat(table_.system, " raises it to ", limits.smallest));
    }
  }

  // Puts the rules into the chain: in the order that the file lists, or else in the dialect's.
  void ArrangeRules() {
    const std::vector<ImportedRule> rules = std::move(rules_);
    rules_.clear();
    for (const int index : OrderOf(rules)) {
      if (!samplers_ || !IsSampler(rules[index].group)) rules_.push_back(rules[index]);
    }
    for (const std::string& group : samplers_.value_or(SamplerOrder()).groups) {
      for (const int index : OrderOf(rules)) {
        if (rules[index].group == group) rules_.push_back(rules[index]);
      }
    }
    for (const ImportedRule& rule : rules_) *result_.config.add_processors() = rule.config;
    const std::vector<int> order = DialectOrder(result_.config);
    if (!absl::c_is_sorted(order)) result_.config.set_order(ChainConfig::AS_LISTED);
  }

  std::vector<int> OrderOf(const std::vector<ImportedRule>& rules) const {
    ChainConfig config;
    config.set_dialect(table_.dialect);
    for (const ImportedRule& rule : rules) *config.add_processors() = rule.config;
    return DialectOrder(config);
  }

  bool IsSampler(absl::string_view group) const {
    return !group.empty() && absl::c_any_of(table_.samplers, [group](const SamplerRow& row) {
      return row.group == group;
    });
  }

  void FinishDraw() {
    DrawConfig& draw = *result_.config.mutable_draw();
    if (!draw.has_greedy() && !draw.has_seed()) draw.set_seed(0);
  }

  // Names the parameters of values that the dialect's rules do not take.
  void CheckResult() {
    if (!errors_.empty()) return;
    for (const ConfigProblem& problem : CheckChain(result_.config)) {
      absl::string_view field = problem.path;
      if (absl::StartsWith(field, "processors[")) field.remove_prefix(field.find('.') + 1);
      const auto origin = origins_.find(field.substr(0, field.find('[')));
      if (origin == origins_.end()) {
        AddProblemOfRule(problem, field);
      } else {
        AddProblem(origin->second, field.substr(origin->first.size()), problem.message);
      }
    }
  }

  // A problem that is not of one parameter's value is told of the first that made the rule.
  void AddProblemOfRule(const ConfigProblem& problem, absl::string_view field) {
    const absl::string_view rule = field.substr(0, field.find('.'));
    const SourceParameter* first = nullptr;
    for (const auto& [target, origin] : origins_) {
      if (origin.location.line == 0) continue;  // It has its default.
      const bool is_earlier = first == nullptr || origin.location < first->location;
      if (absl::StartsWith(target, absl::StrCat(rule, ".")) && is_earlier) first = &origin;
    }
    const std::string message = absl::StrCat(field, " ", WithoutPaths(problem.message));
    if (first == nullptr) {
      errors_.push_back(absl::StrCat(options_.filename, ": the chain is not sound: ", message));
    } else {
      AddError(*first, absl::StrCat("makes a chain that is not sound: ", message));
    }
  }

  // "processors[2].top_k" as "top_k".
  std::string WithoutPaths(absl::string_view message) const {
    std::vector<std::pair<std::string, std::string>> names;
    for (size_t i = 0; i < rules_.size(); ++i) {
      names.emplace_back(absl::StrCat("processors[", i, "]."), "");
    }
    return absl::StrReplaceAll(message, names);
  }

  // `element` is behind the field that the parameter sets: "[1].bias", or "" without elements.
  void AddProblem(const SourceParameter& parameter, absl::string_view element,
                  const std::string& message) {
    const SourceParameter& part = PartAt(parameter, element);
    const size_t dot = element.find('.');
    if (!part.spelling || dot == element.npos) return AddError(part, message);
    AddError(part, absl::StrCat("is ", ShownValue(part), "; its ", element.substr(dot + 1), " ",
                                message));
  }

  ChainComments Comments() const {
    ChainComments comments;
    comments.head = notes_.Head(options_.filename, table_);
    comments.dialect = std::string(table_.dialect_comment);
    comments.order = "The file lists the rules in another order than the dialect's.";
    for (const ImportedRule& rule : rules_) {
      comments.rules.push_back(absl::StrCat(absl::StrJoin(rule.sources, ", "), "."));
    }
    comments.draw = DrawComment();
    return comments;
  }

  std::string DrawComment() const {
    if (result_.config.draw().has_greedy()) {
      return absl::StrCat(left_out_.at(kSamplingGroup), ": the most likely token is taken.");
    }
    return notes_.DrawComment(origins_.contains("draw.seed"), table_);
  }

  const ImportTable& table_;
  const ImportOptions& options_;
  const GivenParameters given_;
  ImportResult result_;
  std::vector<ImportedRule> rules_;
  std::optional<SamplerOrder> samplers_;
  const TerminalRow* terminal_ = nullptr;
  // Why, by group or key.
  absl::flat_hash_map<std::string, std::string> left_out_;
  // Keys of parameters that do something.
  absl::flat_hash_set<std::string> active_;
  // By target.
  absl::flat_hash_map<std::string, SourceParameter> origins_;
  std::vector<std::string> errors_;
  ImportNotes notes_;
};

}  // namespace

absl::StatusOr<ImportResult> ImportChain(absl::string_view text, const ImportTable& table,
                                         const ImportOptions& options) {
  if (text.size() > kMaxConfigBytes) {
    return absl::InvalidArgumentError(absl::StrCat(options.filename, ": has more than ",
                                                   kMaxConfigBytes, " bytes, the most allowed"));
  }
  absl::ConsumePrefix(&text, "\xEF\xBB\xBF");  // A byte order mark.
  if (absl::StripAsciiWhitespace(text).empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.filename, ": is empty; it must be ", table.input));
  }
  absl::StatusOr<GivenParameters> given = ReadParameters(text, options.filename, table);
  if (!given.ok()) return given.status();
  return ChainImporter(table, options, *std::move(given)).Import();
}

}  // namespace logitchain
