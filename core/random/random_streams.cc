#include "logitchain/core/random/random_streams.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/algorithm/container.h"

namespace logitchain {
namespace {

// Seeking back may be costly even where it leads nowhere.
void MoveTo(UniformGenerator& generator, uint64_t position) {
  if (generator.position() != position) generator.Seek(position);
}

}  // namespace

RandomStreams::RandomStreams(const RandomStreams& other)
    : begin_(other.begin_), earlier_(other.earlier_) {
  for (const auto& generator : other.generators_) generators_.push_back(generator->Clone());
}

size_t RandomStreams::Add(std::unique_ptr<UniformGenerator> generator) {
  begin_.push_back(generator->position());
  generators_.push_back(std::move(generator));
  return generators_.size() - 1;
}

RandomStreams::Generators RandomStreams::CopiesAtStepBegin() const {
  Generators copies;
  for (size_t i = 0; i < generators_.size(); ++i) {
    copies.push_back(generators_[i]->Clone());
    MoveTo(*copies[i], begin_[i]);
  }
  return copies;
}

uint64_t RandomStreams::taken() const {
  uint64_t taken = 0;
  for (const auto& generator : generators_) taken += generator->position();
  return taken;
}

void RandomStreams::RestartStep() {
  for (size_t i = 0; i < generators_.size(); ++i) MoveTo(*generators_[i], begin_[i]);
}

void RandomStreams::BeginStep() {
  for (size_t i = 0; i < generators_.size(); ++i) begin_[i] = generators_[i]->position();
}

void RandomStreams::EndStep() {
  earlier_.insert(earlier_.end(), begin_.begin(), begin_.end());
  BeginStep();
}

void RandomStreams::Rollback(int32_t n) {
  if (n > 0) {
    const auto oldest = earlier_.end() - n * static_cast<ptrdiff_t>(begin_.size());
    begin_.assign(oldest, oldest + begin_.size());
    earlier_.erase(oldest, earlier_.end());
  }
  RestartStep();
}

void RandomStreams::Reset() {
  absl::c_fill(begin_, 0);
  earlier_.clear();
  RestartStep();
}

}  // namespace logitchain
