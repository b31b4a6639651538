#ifndef LOGITCHAIN_TESTS_TESTING_SCRIPTED_UNIFORMS_H_
#define LOGITCHAIN_TESTS_TESTING_SCRIPTED_UNIFORMS_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "logitchain/core/random/generator.h"

namespace logitchain {

// A generator whose uniforms are given; it repeats them for ever.
class ScriptedUniforms final : public UniformGenerator {
 public:
  explicit ScriptedUniforms(std::vector<double> uniforms) : uniforms_(std::move(uniforms)) {}

  double NextUniform() override { return uniforms_[position_++ % uniforms_.size()]; }
  uint64_t position() const override { return position_; }
  void Seek(uint64_t position) override { position_ = position; }
  std::unique_ptr<UniformGenerator> Clone() const override {
    return std::make_unique<ScriptedUniforms>(*this);
  }

 private:
  std::vector<double> uniforms_;
  uint64_t position_ = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_SCRIPTED_UNIFORMS_H_
