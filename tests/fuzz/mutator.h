#ifndef LOGITCHAIN_TESTS_FUZZ_MUTATOR_H_
#define LOGITCHAIN_TESTS_FUZZ_MUTATOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "logitchain/core/random/pcg32.h"

namespace logitchain {

// Changes the inputs of a corpus at random; the same for a seed on every machine.
class Mutator {
 public:
  // The corpus is not empty.
  Mutator(std::vector<std::string> corpus, uint64_t seed)
      : corpus_(std::move(corpus)), random_(seed) {}

  // One of the inputs with one to four changes.
  std::string Next();

  // A change: another number or byte, or a piece of this or another input in or out.
  void Change(std::string& input);

  size_t Below(size_t n) { return random_.Next() % n; }

 private:
  const std::string& AnyInput() { return corpus_[Below(corpus_.size())]; }
  std::string Piece(const std::string& text);
  void ReplaceNumber(size_t place, std::string& input);

  std::vector<std::string> corpus_;
  Pcg32 random_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_FUZZ_MUTATOR_H_
