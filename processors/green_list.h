#ifndef LOGITCHAIN_PROCESSORS_GREEN_LIST_H_
#define LOGITCHAIN_PROCESSORS_GREEN_LIST_H_

#include <cmath>
#include <cstdint>

#include "logitchain/core/random/sub_stream.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Which tokens are green after another one, for a watermark and its detector.
//
// With G = 0x9E3779B97F4A7C15, modulo 2^64, token t is green after token p if
//   Mix64(Mix64(key + (p + 1)·G) + (t + 1)·G) < γ·2^64
// that is, by the outputs of the generator SplitMix64: output p of the one seeded with the key
// seeds another one, whose output t decides. Each token is green with probability γ on its own, so
// that the lists' sizes vary around γ·V by about √(γ(1 − γ)V). The hash is fast and mixes well, but
// is no cryptographic one: who sees enough marked text, and wants to, can find the key.
class GreenList {
 public:
  // 0 < gamma < 1.
  GreenList(uint64_t key, double gamma, TokenId previous)
      : seed_(Mix64(key + Offset(previous))), bound_(Bound(gamma)) {}

  bool IsGreen(TokenId id) const { return Mix64(seed_ + Offset(id)) < bound_; }

 private:
  static uint64_t Offset(TokenId id) {
    return (static_cast<uint64_t>(id) + 1) * 0x9E3779B97F4A7C15u;
  }
  static uint64_t Bound(double gamma) { return static_cast<uint64_t>(std::ldexp(gamma, 64)); }

  uint64_t seed_;
  uint64_t bound_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_GREEN_LIST_H_
