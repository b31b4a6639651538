#include "logitchain/processors/grammar_mask.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/kernels/scan.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/text_end.h"
#include "logitchain/core/token_id.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/matcher.h"
#include "logitchain/grammar/engine/triggered_matcher.h"
#include "logitchain/grammar/source/grammar_cache.h"
#include "logitchain/grammar/source/grammar_source.h"
#include "logitchain/processors/checked_ids.h"
#include "logitchain/processors/grammar_config.h"
#include "logitchain/processors/token_bitmask.h"
#include "logitchain/proto/masks.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/environment.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status FixedMask::Apply(const StepContext&, CandidateSelector& selector) const {
  selector.KeepAllowed(words_);
  return absl::OkStatus();
}

absl::Status ProvidedMask::Apply(const StepContext&, CandidateSelector& selector) const {
  words_.assign(WordCount(selector.vocab_size()), 0);
  if (absl::Status status = provider_->FillMask(absl::MakeSpan(words_)); !status.ok()) {
    return status;
  }
  if (absl::c_all_of(words_, [](int32_t word) { return word == 0; })) {
    const std::string why = provider_->WhyNone();
    const std::string message = absl::StrCat("allows no token", why.empty() ? "" : ": ", why);
    if (provider_->MayEnd()) return TextEndError(message);
    if (!why.empty()) return absl::InvalidArgumentError(message);
  }
  selector.KeepAllowed(words_);
  return absl::OkStatus();
}

namespace {

bool AreInVocabulary(const GrammarMaskConfig& config, int32_t vocab_size) {
  const auto is_inside = [vocab_size](TokenId id) { return id < vocab_size; };
  return absl::c_all_of(config.allowed_ids(), is_inside) &&
         absl::c_all_of(config.banned_ids(), is_inside);
}

void AddFixedMask(const GrammarMaskConfig& config, int32_t vocab_size, BuildContext& context) {
  std::vector<int32_t> words(WordCount(vocab_size), -1);
  if (!config.allowed_ids().empty()) AllowOnly(config.allowed_ids(), vocab_size, words);
  BanTokens(config.banned_ids(), words);
  context.Add(std::make_unique<FixedMask>(std::move(words)));
}

void AddProvidedMask(const std::string& name, const Environment& environment,
                     BuildContext& context) {
  const auto found = environment.mask_providers.find(name);
  if (found != environment.mask_providers.end() && found->second == nullptr) {
    return context.AddError("provider", absl::StrCat("is \"", name, "\", which is null"));
  }
  if (found != environment.mask_providers.end()) {
    return context.Add(std::make_unique<ProvidedMask>(found->second->Clone()));
  }
  const std::string known =
      absl::StrJoin(environment.mask_providers, ", ",
                    [](std::string* out, const auto& entry) { out->append(entry.first); });
  context.AddError("provider", absl::StrCat("is \"", name, "\"; the environment has ",
                                            known.empty() ? "no providers" : known));
}

// Nullopt, and an error for each, where some are wrong.
std::optional<GrammarTriggers> TriggersOf(const GrammarMaskConfig& config, BuildContext& context) {
  GrammarTriggers triggers;
  bool are_right = true;
  const Environment* environment = context.environment();
  for (int i = 0; i < config.triggers_size(); ++i) {
    const GrammarTriggerConfig& trigger = config.triggers(i);
    const std::string field = absl::StrCat("triggers[", i, "]");
    if (!trigger.has_id() && trigger.text().empty()) {
      context.AddError(field, "must have an id or a text");
      are_right = false;
    }
    if (trigger.has_id()) {
      context.CheckTokenId(absl::StrCat(field, ".id"), trigger.id());
      are_right &= environment == nullptr || trigger.id() < environment->vocab_size;
      triggers.ids.push_back(trigger.id());
    }
    if (!trigger.text().empty()) triggers.texts.push_back(trigger.text());
  }
  if (!are_right) return std::nullopt;
  return triggers;
}

// What is wrong with a grammar; of a file with its path before the place, FILE:LINE:COLUMN.
void AddGrammarError(const GivenGrammar& given, const absl::Status& status, BuildContext& context) {
  const std::string message =
      given.path.empty() ? std::string(status.message()) : ErrorBehind(given.path, status);
  context.AddError(given.field, absl::StrCat("is wrong: ", message));
}

void AddGrammar(const GivenGrammar& given, const GrammarMaskConfig& config, BuildContext& context) {
  const GrammarSource& source = *given.source;
  const std::string& field = given.field;
  const std::optional<GrammarTriggers> triggers = TriggersOf(config, context);
  const Environment* environment = context.environment();
  if (environment == nullptr) {
    const absl::StatusOr<ParsedGrammar> grammar = ParseGrammar(source);
    if (!grammar.ok()) AddGrammarError(given, grammar.status(), context);
    return;
  }
  if (environment->vocabulary == nullptr) {
    return context.AddError(
        field,
        "needs a vocabulary, to know the tokens' texts, and there is none; give it in C++ as "
        "Environment::vocabulary and to `logitchain sample` with --vocab, while `logitchain "
        "generate` has its model's");
  }
  const absl::StatusOr<std::shared_ptr<const CompiledGrammar>> compiled =
      GrammarCache::Shared().Compile(source, environment->vocabulary);
  if (!compiled.ok()) return AddGrammarError(given, compiled.status(), context);
  if (config.triggers().empty()) {
    return context.Add(std::make_unique<ProvidedMask>(std::make_unique<Matcher>(*compiled)));
  }
  if (!triggers) return;
  absl::StatusOr<std::unique_ptr<TriggeredMatcher>> matcher =
      TriggeredMatcher::Create(*compiled, *triggers);
  if (!matcher.ok()) {
    return context.AddError("triggers", absl::StrCat("are wrong: ", matcher.status().message()));
  }
  context.Add(std::make_unique<ProvidedMask>(*std::move(matcher)));
}

void BuildGrammarMask(const GrammarMaskConfig& config, BuildContext& context) {
  const bool has_ids = !config.allowed_ids().empty() || !config.banned_ids().empty();
  const GivenGrammar given =
      ReadGrammarConfig(config, [&context](absl::string_view field, absl::string_view message) {
        context.AddError(field, message);
      });
  if (!has_ids && !config.has_provider() && !given.is_given) {
    return context.AddError("",
                            "masks nothing; it must have allowed_ids, banned_ids, provider, or a "
                            "grammar: gbnf, regex, json_schema, json or choice");
  }
  CheckedIds(config.allowed_ids(), "allowed_ids", context);
  CheckedIds(config.banned_ids(), "banned_ids", context);
  const Environment* environment = context.environment();
  if (given.source) AddGrammar(given, config, context);
  if (environment == nullptr || !AreInVocabulary(config, environment->vocab_size)) return;
  if (has_ids) AddFixedMask(config, environment->vocab_size, context);
  if (config.has_provider()) AddProvidedMask(config.provider(), *environment, context);
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildGrammarMask,
                              {.summary = "leaves only the tokens that a grammar allows",
                               .stage = Stage::kMask});

}  // namespace
}  // namespace logitchain
