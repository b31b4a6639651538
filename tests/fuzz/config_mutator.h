#ifndef LOGITCHAIN_TESTS_FUZZ_CONFIG_MUTATOR_H_
#define LOGITCHAIN_TESTS_FUZZ_CONFIG_MUTATOR_H_

#include <cstdint>

#include "google/protobuf/message.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {

// Changes a chain at random such that most often it is a chain still: rules come and go, and their
// numbers are those at which ranges end.
class ConfigMutator {
 public:
  explicit ConfigMutator(uint64_t seed) : random_(seed) {}

  void Change(ChainConfig& config);

 private:
  int Below(int n) { return static_cast<int>(random_.Next() % n); }

  void AddRule(ChainConfig& config);
  void RemoveRule(ChainConfig& config);
  // Sets a number, a switch or an enum somewhere in a message.
  void ChangeField(ChainConfig::Dialect dialect, google::protobuf::Message& message);
  void ChangeNumber(ChainConfig::Dialect dialect, google::protobuf::Message& message);
  void ChangeChoice(google::protobuf::Message& message);
  void ChangeRule(ChainConfig& config);
  void ChangeDraw(ChainConfig& config);

  Pcg32 random_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_FUZZ_CONFIG_MUTATOR_H_
