#ifndef LOGITCHAIN_GRAMMAR_ENGINE_REGEX_FINGERPRINT_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_REGEX_FINGERPRINT_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// Stands for the structure of an expression, whatever arena it is in. Two that differ have equal
// ones with a probability of 2^-128; the hash is keyed anew in each process, so that nobody can
// prepare such a pair.
struct RegexFingerprint {
  uint64_t high = 0;
  uint64_t low = 0;

  friend bool operator==(const RegexFingerprint&, const RegexFingerprint&) = default;

  template <typename H>
  friend H AbslHashValue(H state, const RegexFingerprint& fingerprint) {
    return H::combine(std::move(state), fingerprint.high, fingerprint.low);
  }
};

// The fingerprints of an arena's expressions, each computed once. The arena must outlive this.
class RegexFingerprints {
 public:
  explicit RegexFingerprints(const RegexArena* arena) : arena_(*arena) {}

  RegexFingerprint Of(RegexId id) {
    while (known_.size() <= static_cast<size_t>(id)) known_.push_back(Compute(known_.size()));
    return known_[id];
  }

 private:
  // Operands come before what is made of them.
  RegexFingerprint Compute(RegexId id) const;

  const RegexArena& arena_;
  std::vector<RegexFingerprint> known_;  // By RegexId.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_REGEX_FINGERPRINT_H_
