#include "logitchain/grammar/engine/regex_fingerprint.h"

#include <cstdint>
#include <random>

#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

struct Keys {
  uint64_t high;
  uint64_t low;
};

const Keys& ProcessKeys() {
  static const Keys keys = [] {
    std::random_device random;
    const auto odd = [&] { return (uint64_t{random()} << 32 | random()) | 1; };
    return Keys{.high = odd(), .low = odd()};
  }();
  return keys;
}

// Folds the product of 128 bits, as wyhash does.
uint64_t Mix(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

class Hasher {
 public:
  explicit Hasher(uint64_t kind) { Add(kind); }

  void Add(uint64_t word) {
    state_.high = Mix(state_.high ^ word ^ 0x9E3779B97F4A7C15, ProcessKeys().high) + word;
    state_.low = Mix(state_.low ^ word ^ 0xC2B2AE3D27D4EB4F, ProcessKeys().low) - word;
  }
  void Add(const RegexFingerprint& operand) {
    Add(operand.high);
    Add(operand.low);
  }

  RegexFingerprint fingerprint() const { return state_; }

 private:
  RegexFingerprint state_;
};

}  // namespace

RegexFingerprint RegexFingerprints::Compute(RegexId id) const {
  using Kind = RegexArena::Kind;
  Hasher hasher(static_cast<uint64_t>(arena_.kind(id)));
  switch (arena_.kind(id)) {
    case Kind::kBytes:
      for (const uint64_t word : arena_.bytes(id).words()) hasher.Add(word);
      break;
    case Kind::kEmptyString:
      break;
    case Kind::kConcat:
      hasher.Add(known_[arena_.operand(id)]);
      hasher.Add(known_[arena_.tail(id)]);
      break;
    case Kind::kEither:
    case Kind::kBoth: {
      // Their order is that of the ids, which differ between arenas.
      RegexFingerprint sum;
      for (const RegexId operand : arena_.operands(id)) {
        Hasher term(1);
        term.Add(known_[operand]);
        sum.high += term.fingerprint().high;
        sum.low += term.fingerprint().low;
      }
      hasher.Add(sum);
      break;
    }
    case Kind::kNot:
      hasher.Add(known_[arena_.operand(id)]);
      break;
    case Kind::kMultiples:
      hasher.Add(static_cast<uint64_t>(arena_.operand(id)));  // The modulus.
      hasher.Add(static_cast<uint64_t>(arena_.tail(id)));     // The remainder.
      hasher.Add(static_cast<uint64_t>(arena_.min(id)));
      hasher.Add(static_cast<uint64_t>(arena_.max(id)));
      break;
    case Kind::kRepeat:
      hasher.Add(known_[arena_.operand(id)]);
      hasher.Add(static_cast<uint64_t>(arena_.min(id)));
      hasher.Add(static_cast<uint64_t>(arena_.max(id)));
      break;
  }
  return hasher.fingerprint();
}

}  // namespace logitchain
