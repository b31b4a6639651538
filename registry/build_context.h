#ifndef LOGITCHAIN_REGISTRY_BUILD_CONTEXT_H_
#define LOGITCHAIN_REGISTRY_BUILD_CONTEXT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/random/sub_stream.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/terminal.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/environment.h"

namespace logitchain {

// What a rule's build function works with: it asks here what the chain is like, and adds here what
// the rule consists of. A config that does nothing adds nothing. Fields with a range are checked
// before the build function is called. A terminal is built in the same way, and sets itself.
class BuildContext {
 public:
  // A part of a rule, at its stage.
  struct Part {
    Stage stage;
    std::unique_ptr<Processor> processor;
    std::unique_ptr<UniformGenerator> generator;  // Null: takes no randomness.
  };

  // Which rule of the chain is built.
  struct Subject {
    std::string path;    // As errors name it: "processors[3].xtc".
    std::string name;    // Of its config message: "logitchain.XtcConfig".
    int occurrence = 0;  // How many rules with this config message come before it.
    Stage stage;         // The one that it registered.
  };

  // `seed` is the chain's.
  BuildContext(const Dialect& dialect, const Environment* environment,
               std::optional<int32_t> vocab_size, Subject subject, uint64_t seed,
               TokenHistory& history, std::vector<ConfigProblem>& problems)
      : dialect_(dialect),
        environment_(environment),
        vocab_size_(vocab_size),
        subject_(std::move(subject)),
        seed_(seed),
        history_(history),
        problems_(problems) {}

  const Dialect& dialect() const { return dialect_; }

  // Null when the config is only checked, as by `logitchain lint`: providers are then not known.
  const Environment* environment() const { return environment_; }

  // The seed of the chain's draw.
  uint64_t seed() const { return seed_; }

  // Has the chain keep counts of these tokens.
  TokenHistory::CountsId Count(TokenScope scope) { return history_.Track(scope); }

  // Adds a part at the rule's own stage, or at another.
  void Add(std::unique_ptr<Processor> processor) { Add(subject_.stage, std::move(processor)); }
  void Add(Stage stage, std::unique_ptr<Processor> processor) {
    parts_.push_back({stage, std::move(processor), nullptr});
  }

  // Adds a part that takes randomness, with a generator that is its alone: by default the
  // sub-stream of `seed` for the purpose "<config message>#<occurrence>/<part>", so that other
  // rules in the chain make no difference to it; or what the dialect says (see RuleStream). An
  // error of the field "seed" if the generator does not take it.
  void AddRandom(std::unique_ptr<Processor> processor, uint64_t seed) {
    absl::StatusOr<std::unique_ptr<UniformGenerator>> generator = MakeRuleGenerator(seed);
    if (!generator.ok()) {
      return AddError("seed", absl::StripPrefix(generator.status().message(), "seed "));
    }
    parts_.push_back({subject_.stage, std::move(processor), *std::move(generator)});
  }

  // Ends the chain with this; for messages that are registered for Stage::kDraw.
  void SetTerminal(std::unique_ptr<Terminal> terminal) { terminal_ = std::move(terminal); }

  // Makes the terminal draw greedy.
  void MakeGreedy() { greedy_ = true; }

  // Refuses the config: `field` is a field of the rule, such as "p" or "banned_ids[3]", or "" for
  // the rule as a whole; the message reads on after it.
  void AddError(absl::string_view field, absl::string_view message) {
    problems_.push_back({field.empty() ? subject_.path : absl::StrCat(subject_.path, ".", field),
                         std::string(message)});
  }

  // Adds an error unless `id`, the value of `field`, is in the vocabulary, where that is known.
  void CheckTokenId(absl::string_view field, TokenId id) {
    if (!vocab_size_ || (id >= 0 && id < *vocab_size_)) return;
    AddError(field,
             absl::StrCat("is ", id, "; it must be in the vocabulary, [0, ", *vocab_size_, ")"));
  }

  bool greedy() const { return greedy_; }
  std::vector<Part> TakeParts() { return std::move(parts_); }
  std::unique_ptr<Terminal> TakeTerminal() { return std::move(terminal_); }

 private:
  absl::StatusOr<std::unique_ptr<UniformGenerator>> MakeRuleGenerator(uint64_t seed) const {
    if (dialect_.rule_stream == RuleStream::kMt19937Floats) {
      return MakeGenerator(GeneratorKind::kMt19937Floats, seed);
    }
    return MakeSubStreamGenerator(
        seed,
        PurposeNamed(absl::StrCat(subject_.name, "#", subject_.occurrence, "/", parts_.size())));
  }

  const Dialect& dialect_;
  const Environment* environment_;
  std::optional<int32_t> vocab_size_;
  Subject subject_;
  uint64_t seed_;
  TokenHistory& history_;
  std::vector<ConfigProblem>& problems_;
  std::vector<Part> parts_;
  std::unique_ptr<Terminal> terminal_;
  bool greedy_ = false;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_REGISTRY_BUILD_CONTEXT_H_
