#ifndef LOGITCHAIN_TESTS_TESTING_SCRIPTED_RULES_H_
#define LOGITCHAIN_TESTS_TESTING_SCRIPTED_RULES_H_

#include <functional>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/transform.h"

namespace logitchain {

// Rules without state that do what a function says, good or bad.

class ScriptedTransform final : public Cloneable<Transform, ScriptedTransform> {
 public:
  using Script = std::function<absl::Status(const StepContext&, LogitEditor&)>;

  explicit ScriptedTransform(Script script) : script_(std::move(script)) {}

  absl::Status Apply(const StepContext& step, LogitEditor& editor) const override {
    return script_(step, editor);
  }

 private:
  Script script_;
};

class ScriptedFilter final : public Cloneable<Filter, ScriptedFilter> {
 public:
  using Script = std::function<absl::Status(const StepContext&, CandidateSelector&)>;

  explicit ScriptedFilter(Script script) : script_(std::move(script)) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override {
    return script_(step, selector);
  }

 private:
  Script script_;
};

// From a function that cannot fail.
inline std::unique_ptr<Processor> MakeTransform(std::function<void(LogitEditor&)> script) {
  return std::make_unique<ScriptedTransform>(
      [script = std::move(script)](const StepContext&, LogitEditor& editor) {
        script(editor);
        return absl::OkStatus();
      });
}

inline std::unique_ptr<Processor> MakeFilter(std::function<void(CandidateSelector&)> script) {
  return std::make_unique<ScriptedFilter>(
      [script = std::move(script)](const StepContext&, CandidateSelector& selector) {
        script(selector);
        return absl::OkStatus();
      });
}

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_SCRIPTED_RULES_H_
