#include "logitchain/core/random/generator.h"

#include <cstdint>
#include <limits>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "logitchain/core/random/chacha12.h"
#include "logitchain/core/random/mt19937.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/random/sub_stream.h"

namespace logitchain {
namespace {

class Pcg32Generator final : public UniformGenerator {
 public:
  explicit Pcg32Generator(Pcg32 words) : words_(words) {}

  double NextUniform() override {
    ++position_;
    return words_.NextUniform();
  }

  uint64_t position() const override { return position_; }

  void Seek(uint64_t position) override {
    // A distance backwards wraps around, which is what Advance() wants.
    words_.Advance(kWordsPerUniform * (position - position_));
    position_ = position;
  }

  std::unique_ptr<UniformGenerator> Clone() const override {
    return std::make_unique<Pcg32Generator>(*this);
  }

 private:
  static constexpr uint64_t kWordsPerUniform = 2;

  Pcg32 words_;
  uint64_t position_ = 0;
};

class ChaCha12Generator final : public UniformGenerator {
 public:
  explicit ChaCha12Generator(uint64_t seed) : words_(seed) {}

  double NextUniform() override { return words_.NextUniformFloat(); }

  // One word makes one uniform, so the two positions are the same.
  uint64_t position() const override { return words_.position(); }
  void Seek(uint64_t position) override { words_.Seek(position); }

  std::unique_ptr<UniformGenerator> Clone() const override {
    return std::make_unique<ChaCha12Generator>(*this);
  }

 private:
  ChaCha12 words_;
};

double TakeDouble(Mt19937& words) { return words.NextCanonicalDouble(); }
double TakeFloat(Mt19937& words) { return words.NextCanonicalFloat(); }

template <double (*Take)(Mt19937&), int kWordsPerUniform>
class Mt19937Generator final : public UniformGenerator {
 public:
  explicit Mt19937Generator(uint32_t seed) : seed_(seed), words_(seed) {}

  double NextUniform() override {
    ++position_;
    return Take(words_);
  }

  uint64_t position() const override { return position_; }

  void Seek(uint64_t position) override {
    if (position < position_) Restart();
    // Word by word of a uniform: a multiple of a large distance would overflow.
    for (int i = 0; i < kWordsPerUniform; ++i) words_.Discard(position - position_);
    position_ = position;
  }

  std::unique_ptr<UniformGenerator> Clone() const override {
    return std::make_unique<Mt19937Generator>(*this);
  }

 private:
  void Restart() {
    words_ = Mt19937(seed_);
    position_ = 0;
  }

  uint32_t seed_;
  Mt19937 words_;
  uint64_t position_ = 0;
};

using Mt19937Doubles = Mt19937Generator<TakeDouble, 2>;
using Mt19937Floats = Mt19937Generator<TakeFloat, 1>;

template <typename Generator>
absl::StatusOr<std::unique_ptr<UniformGenerator>> MakeMt19937(uint64_t seed) {
  constexpr uint32_t kMaxSeed = std::numeric_limits<uint32_t>::max();
  if (seed > kMaxSeed) {
    return absl::InvalidArgumentError(
        absl::StrCat("seed is ", seed, "; the generator mt19937 takes one in [0, ", kMaxSeed, "]"));
  }
  return std::make_unique<Generator>(static_cast<uint32_t>(seed));
}

}  // namespace

absl::StatusOr<std::unique_ptr<UniformGenerator>> MakeGenerator(GeneratorKind kind, uint64_t seed) {
  switch (kind) {
    case GeneratorKind::kPcg32SampleStream:
      return MakeSubStreamGenerator(seed, Purpose::kSample);
    case GeneratorKind::kChaCha12:
      return std::make_unique<ChaCha12Generator>(seed);
    case GeneratorKind::kMt19937:
      return MakeMt19937<Mt19937Doubles>(seed);
    case GeneratorKind::kMt19937Floats:
      return MakeMt19937<Mt19937Floats>(seed);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("GeneratorKind ", static_cast<int>(kind), " is not a kind of generator"));
}

std::unique_ptr<UniformGenerator> MakeSubStreamGenerator(uint64_t seed, Purpose purpose) {
  return std::make_unique<Pcg32Generator>(SubStream(seed, purpose));
}

}  // namespace logitchain
