#include "logitchain/registry/create_chain.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/limits.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/terminal.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/environment.h"
#include "logitchain/registry/error_lines.h"
#include "logitchain/registry/field_checks.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/registry/rule_config.h"

namespace logitchain {
namespace {

// The place of each stage in a dialect's order.
class StageRanks {
 public:
  explicit StageRanks(const Dialect& dialect) {
    int rank = 0;
    for (const Stage stage : StageOrder(dialect)) ranks_[static_cast<int>(stage)] = rank++;
  }
  int operator[](Stage stage) const { return ranks_[static_cast<int>(stage)]; }

 private:
  std::array<int, kStageCount> ranks_;
};

GeneratorKind GeneratorOf(const DrawConfig& config, const Dialect& dialect) {
  switch (config.generator()) {
    case DrawConfig::PCG32:
      return GeneratorKind::kPcg32SampleStream;
    case DrawConfig::CHACHA12:
      return GeneratorKind::kChaCha12;
    case DrawConfig::MT19937:
      return GeneratorKind::kMt19937;
    case DrawConfig::DIALECT_GENERATOR:
      return dialect.generator;
  }
  return dialect.generator;
}

bool IsCategorical(const DrawConfig& config) {
  return config.has_categorical() || config.terminal_case() == DrawConfig::TERMINAL_NOT_SET;
}

class ChainBuilder {
 public:
  // A null environment only checks the config, for a vocabulary of this size or for any.
  ChainBuilder(const ChainConfig& config, const Environment* environment,
               std::optional<int32_t> vocab_size, const ProcessorRegistry& registry)
      : config_(config),
        environment_(environment),
        vocab_size_(vocab_size),
        registry_(registry),
        dialect_(GetDialect(config.dialect())) {}

  ChainParts Build() {
    CheckEnvironment();
    ResolveRules();
    for (const RuleConfig& rule : rules_) BuildRule(rule);
    CheckOrder();
    SortSteps();
    BuildDraw();
    return std::move(parts_);
  }

  std::vector<ConfigProblem>& problems() { return problems_; }

 private:
  void AddProblem(std::string path, std::string message) {
    problems_.push_back({std::move(path), std::move(message)});
  }

  void CheckEnvironment() {
    if (!registry_.status().ok()) AddProblem("", std::string(registry_.status().message()));
    if (!vocab_size_) return;
    if (*vocab_size_ < 1 || *vocab_size_ > kMaxVocabSize) {
      AddProblem("", absl::StrCat("the vocabulary has ", *vocab_size_,
                                  " tokens; it must be in [1, ", kMaxVocabSize, "]"));
    }
    const Vocabulary* vocabulary =
        environment_ == nullptr ? nullptr : environment_->vocabulary.get();
    if (vocabulary != nullptr && vocabulary->size() > *vocab_size_) {
      AddProblem("", absl::StrCat("the vocabulary's texts are of ", vocabulary->size(),
                                  " tokens, more than the ", *vocab_size_, " of the logits"));
    }
  }

  void ResolveRules() {
    if (config_.processors_size() > kMaxProcessors) {
      return AddProblem("processors",
                        absl::StrCat("has ", config_.processors_size(), " rules; at most ",
                                     kMaxProcessors, " are allowed"));
    }
    for (int i = 0; i < config_.processors_size(); ++i) {
      std::optional<RuleConfig> rule = ResolveRule(config_, i, registry_, problems_);
      if (!rule) continue;
      CheckFields(*rule->message, dialect_, rule->path, problems_);
      if (rule->entry->info.stage == Stage::kDraw) {
        AddProblem(rule->path, "is a terminal; it stands in draw { … }, after all rules");
        continue;
      }
      rules_.push_back(*std::move(rule));
    }
  }

  // Reports the first rule that stands after one that it must precede. Comes after BuildRule, which
  // skips rules that have a problem already.
  void CheckOrder() {
    if (config_.order() == ChainConfig::AS_LISTED) return CheckMasksComeFirst();
    const StageRanks ranks(dialect_);
    const RuleConfig* latest = nullptr;
    for (const RuleConfig& rule : rules_) {
      const Stage stage = rule.entry->info.stage;
      if (latest != nullptr && ranks[stage] < ranks[latest->entry->info.stage]) {
        return ReportOrder(rule, *latest);
      }
      latest = &rule;
    }
  }

  void CheckMasksComeFirst() {
    const RuleConfig* filter = nullptr;
    for (const RuleConfig& rule : rules_) {
      const Stage stage = rule.entry->info.stage;
      if (filter == nullptr && IsFilterStage(stage)) filter = &rule;
      if (filter != nullptr && stage == Stage::kMask) ReportMaskAfterFilter(rule, *filter);
    }
  }

  void ReportOrder(const RuleConfig& rule, const RuleConfig& latest) {
    std::vector<std::string> order;
    for (const int index : DialectOrder(config_, registry_)) {
      std::vector<ConfigProblem> ignored;
      const auto resolved = ResolveRule(config_, index, registry_, ignored);
      if (resolved) order.push_back(resolved->label);
    }
    AddProblem(
        rule.path,
        absl::StrCat("must come before ", latest.path, " in dialect ",
                     ChainConfig::Dialect_Name(dialect_.name), "; the right order is ",
                     absl::StrJoin(order, ", "),
                     " (`logitchain lint --fix` writes it, `order: AS_LISTED` keeps yours)"));
  }

  void ReportMaskAfterFilter(const RuleConfig& rule, const RuleConfig& filter) {
    AddProblem(rule.path, absl::StrCat("must come before ", filter.path,
                                       "; masks come before every filter in any order"));
  }

  void BuildRule(const RuleConfig& rule) {
    const ProcessorInfo& info = rule.entry->info;
    // A build function may rely on what the fields' ranges promise.
    const size_t before = problems_.size();
    if (HasProblemIn(rule.path)) return;
    BuildContext context = ContextOf(rule);
    rule.entry->build(*rule.message, context);
    if (problems_.size() > before) return;
    if (context.greedy()) {
      greedy_rule_ = &rule;
    } else if (greedy_rule_ != nullptr && IsFilterStage(info.stage)) {
      if (!info.keeps_argmax) ReportFilterAfterGreedy(rule);
      return;
    }
    AddSteps(rule, context);
  }

  BuildContext ContextOf(const RuleConfig& rule) {
    const auto same = [&rule](const RuleConfig& other) { return other.entry == rule.entry; };
    const auto self =
        absl::c_find_if(rules_, [&rule](const RuleConfig& other) { return &other == &rule; });
    return BuildContext(dialect_, environment_, vocab_size_,
                        {.path = rule.path,
                         .name = rule.entry->config->full_name(),
                         .occurrence = static_cast<int>(std::count_if(rules_.begin(), self, same)),
                         .stage = rule.entry->info.stage},
                        config_.draw().seed(), parts_.history, problems_);
  }

  // A mask that belongs to a rule of a later stage goes first where rules run as listed: it must
  // precede every filter.
  void AddSteps(const RuleConfig& rule, BuildContext& context) {
    for (BuildContext::Part& part : context.TakeParts()) {
      if (part.processor == nullptr) return AddProblem(rule.path, "is built of a null part");
      ChainStep step = {rule.path, part.stage, std::move(part.processor)};
      if (part.generator != nullptr) {
        step.stream = parts_.rule_streams.Add(std::move(part.generator));
      }
      const bool first = part.stage == Stage::kMask && rule.entry->info.stage != Stage::kMask;
      parts_.steps.insert(first ? parts_.steps.begin() : parts_.steps.end(), std::move(step));
    }
  }

  bool HasProblemIn(absl::string_view path) const {
    return absl::c_any_of(problems_, [path](const ConfigProblem& problem) {
      return absl::StartsWith(problem.path, path);
    });
  }

  void ReportFilterAfterGreedy(const RuleConfig& rule) {
    AddProblem(rule.path,
               absl::StrCat("may remove the most likely token, which ", greedy_rule_->path,
                            " makes the draw return; remove one of "
                            "the two"));
  }

  void SortSteps() {
    if (config_.order() == ChainConfig::AS_LISTED) return;
    const StageRanks ranks(dialect_);
    absl::c_stable_sort(parts_.steps, [&](const ChainStep& a, const ChainStep& b) {
      return ranks[a.stage] < ranks[b.stage];
    });
  }

  void BuildDraw() {
    const DrawConfig& draw = config_.draw();
    parts_.dialect = &dialect_;
    parts_.vocab_size = vocab_size_.value_or(0);
    CheckFields(draw, dialect_, "draw", problems_);
    parts_.terminal = BuildTerminal();
    if (draw.minfer_last_id_fallback() && !IsCategorical(draw)) {
      AddProblem("draw.minfer_last_id_fallback", "is for a categorical draw only");
    }
    auto generator = MakeGenerator(GeneratorOf(draw, dialect_), draw.seed());
    if (generator.ok()) {
      parts_.generator = *std::move(generator);
    } else {
      AddProblem("draw.seed",
                 std::string(absl::StripPrefix(generator.status().message(), "seed ")));
    }
    parts_.on_bad_logits = config_.on_bad_logits();
    parts_.wants_raw_logprob = WantsLogprob(ChainConfig::RAW);
    parts_.wants_penalised_logprob = WantsLogprob(ChainConfig::PENALISED);
    parts_.wants_processed_logprob = WantsLogprob(ChainConfig::PROCESSED);
  }

  std::unique_ptr<Terminal> BuildTerminal() {
    const DrawConfig& draw = config_.draw();
    switch (draw.terminal_case()) {
      case DrawConfig::kGreedy:
        return std::make_unique<GreedyTerminal>();
      case DrawConfig::kCategorical:
      case DrawConfig::TERMINAL_NOT_SET:
        if (greedy_rule_ != nullptr) return std::make_unique<GreedyTerminal>();
        return std::make_unique<CategoricalTerminal>(draw.minfer_last_id_fallback());
      default:
        return BuildRegisteredTerminal();
    }
  }

  std::unique_ptr<Terminal> BuildRegisteredTerminal() {
    const auto rule = ResolveTerminal(config_.draw(), registry_, problems_);
    if (!rule) return nullptr;
    parts_.terminal_name = rule->path;
    if (rule->entry->info.stage != Stage::kDraw) {
      AddProblem(rule->path, "is not a terminal; it is one of the processors");
    }
    if (greedy_rule_ != nullptr) ReportGreedyTerminal(*rule);
    // Those of a built-in terminal are checked as a part of `draw`.
    if (rule->unpacked != nullptr) CheckFields(*rule->message, dialect_, rule->path, problems_);
    if (HasProblemIn(rule->path)) return nullptr;
    BuildContext context = ContextOf(*rule);
    rule->entry->build(*rule->message, context);
    std::unique_ptr<Terminal> terminal = context.TakeTerminal();
    if (terminal == nullptr && !HasProblemIn(rule->path)) {
      AddProblem(rule->path,
                 absl::StrCat("set no terminal when it was built, in ", rule->entry->source));
    }
    return terminal;
  }

  void ReportGreedyTerminal(const RuleConfig& terminal) {
    AddProblem(terminal.path, absl::StrCat("does not draw greedily, as ", greedy_rule_->path,
                                           " demands; remove one of the two"));
  }

  bool WantsLogprob(ChainConfig::Logprob kind) const {
    return absl::c_linear_search(config_.logprobs(), kind);
  }

  const ChainConfig& config_;
  const Environment* environment_;
  std::optional<int32_t> vocab_size_;
  const ProcessorRegistry& registry_;
  const Dialect& dialect_;
  std::vector<RuleConfig> rules_;
  const RuleConfig* greedy_rule_ = nullptr;
  ChainParts parts_;
  std::vector<ConfigProblem> problems_;
};

template <typename Describe>
absl::StatusOr<std::unique_ptr<Chain>> Create(const ChainConfig& config,
                                              const Environment& environment,
                                              const ProcessorRegistry& registry,
                                              Describe describe) {
  ChainBuilder builder(config, &environment, environment.vocab_size, registry);
  ChainParts parts = builder.Build();
  if (builder.problems().empty()) return std::make_unique<Chain>(std::move(parts));
  std::vector<std::string> errors;
  for (const ConfigProblem& problem : builder.problems()) errors.push_back(describe(problem));
  return absl::InvalidArgumentError(ErrorLines(errors));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Chain>> CreateChain(const ChainConfig& config,
                                                   const Environment& environment,
                                                   const ProcessorRegistry& registry) {
  return Create(config, environment, registry, [](const ConfigProblem& problem) {
    return problem.path.empty() ? problem.message
                                : absl::StrCat(problem.path, " ", problem.message);
  });
}

absl::StatusOr<std::unique_ptr<Chain>> CreateChain(const ChainText& text,
                                                   const Environment& environment,
                                                   const ProcessorRegistry& registry) {
  return Create(text.config, environment, registry,
                [&text](const ConfigProblem& problem) { return text.Describe(problem); });
}

std::vector<ConfigProblem> CheckChain(const ChainConfig& config, std::optional<int32_t> vocab_size,
                                      const ProcessorRegistry& registry) {
  ChainBuilder builder(config, nullptr, vocab_size, registry);
  builder.Build();
  return std::move(builder.problems());
}

std::vector<int> DialectOrder(const ChainConfig& config, const ProcessorRegistry& registry) {
  const StageRanks ranks(GetDialect(config.dialect()));
  std::vector<ConfigProblem> ignored;
  std::vector<int> keys;
  for (int i = 0; i < config.processors_size(); ++i) {
    const auto rule = ResolveRule(config, i, registry, ignored);
    keys.push_back(rule ? ranks[rule->entry->info.stage] : kStageCount);
  }
  std::vector<int> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  absl::c_stable_sort(order, [&](int a, int b) { return keys[a] < keys[b]; });
  return order;
}

bool NeedsSmallSeed(const ChainConfig& config) {
  const Dialect& dialect = GetDialect(config.dialect());
  return GeneratorOf(config.draw(), dialect) == GeneratorKind::kMt19937 ||
         dialect.rule_stream == RuleStream::kMt19937Floats;
}

}  // namespace logitchain
