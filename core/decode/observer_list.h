#ifndef LOGITCHAIN_CORE_DECODE_OBSERVER_LIST_H_
#define LOGITCHAIN_CORE_DECODE_OBSERVER_LIST_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "logitchain/core/decode/decode_observer.h"

namespace logitchain {

// Tells several observers, in the order in which they were added.
class ObserverList final : public DecodeObserver {
 public:
  // `observer` must outlive the list.
  void Add(DecodeObserver* observer) { observers_.push_back(observer); }

  bool empty() const { return observers_.empty(); }

  void OnPart(absl::string_view name, int32_t kept, absl::Duration spent) override {
    for (DecodeObserver* observer : observers_) observer->OnPart(name, kept, spent);
  }
  void OnToken(const TokenRecord& token, const StepTimes& times) override {
    for (DecodeObserver* observer : observers_) observer->OnToken(token, times);
  }

 private:
  std::vector<DecodeObserver*> observers_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DECODE_OBSERVER_LIST_H_
