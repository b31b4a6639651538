#ifndef LOGITCHAIN_REGISTRY_BUILD_CONTEXT_H_
#define LOGITCHAIN_REGISTRY_BUILD_CONTEXT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/environment.h"

namespace logitchain {

// What a rule's build function works with: it asks here what the chain is like, and adds here what
// the rule consists of. A config that does nothing adds nothing. Fields with a range are checked
// before the build function is called.
class BuildContext {
 public:
  // A part of a rule, at its stage.
  struct Part {
    Stage stage;
    std::unique_ptr<Processor> processor;
  };

  // `path` names the rule in the config; `stage` is the one that it registered.
  BuildContext(const Dialect& dialect, const Environment* environment, std::string path,
               Stage stage, TokenHistory& history, std::vector<ConfigProblem>& problems)
      : dialect_(dialect),
        environment_(environment),
        path_(std::move(path)),
        stage_(stage),
        history_(history),
        problems_(problems) {}

  const Dialect& dialect() const { return dialect_; }

  // Null when the config is only checked, as by `logitchain lint`: vocabulary and providers are
  // then not known.
  const Environment* environment() const { return environment_; }

  // Has the chain keep counts of these tokens.
  TokenHistory::CountsId Count(TokenScope scope) { return history_.Track(scope); }

  // Adds a part at the rule's own stage, or at another.
  void Add(std::unique_ptr<Processor> processor) { Add(stage_, std::move(processor)); }
  void Add(Stage stage, std::unique_ptr<Processor> processor) {
    parts_.push_back({stage, std::move(processor)});
  }

  // Makes the terminal draw greedy.
  void MakeGreedy() { greedy_ = true; }

  // Refuses the config: `field` is a field of the rule, such as "p" or "banned_ids[3]", or "" for
  // the rule as a whole; the message reads on after it.
  void AddError(absl::string_view field, absl::string_view message) {
    problems_.push_back(
        {field.empty() ? path_ : absl::StrCat(path_, ".", field), std::string(message)});
  }

  // Adds an error unless `id`, the value of `field`, is in the vocabulary.
  void CheckTokenId(absl::string_view field, TokenId id) {
    if (environment_ == nullptr || (id >= 0 && id < environment_->vocab_size)) return;
    AddError(field, absl::StrCat("is ", id, "; it must be in the vocabulary, [0, ",
                                 environment_->vocab_size, ")"));
  }

  bool greedy() const { return greedy_; }
  std::vector<Part> TakeParts() { return std::move(parts_); }

 private:
  const Dialect& dialect_;
  const Environment* environment_;
  std::string path_;
  Stage stage_;
  TokenHistory& history_;
  std::vector<ConfigProblem>& problems_;
  std::vector<Part> parts_;
  bool greedy_ = false;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_REGISTRY_BUILD_CONTEXT_H_
