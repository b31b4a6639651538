#include "logitchain/grammar/engine/components.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace logitchain {
namespace {

constexpr int32_t kUnseen = -1;

class Tarjan {
 public:
  explicit Tarjan(absl::Span<const std::vector<int32_t>> successors)
      : successors_(successors),
        number_(successors.size(), kUnseen),
        low_(successors.size()),
        result_{.of = std::vector<int32_t>(successors.size(), kUnseen)} {}

  Components Run() {
    for (size_t vertex = 0; vertex < successors_.size(); ++vertex) {
      if (number_[vertex] == kUnseen) Search(static_cast<int32_t>(vertex));
    }
    return std::move(result_);
  }

 private:
  struct Visit {
    int32_t vertex;
    size_t next_edge = 0;
  };

  void Search(int32_t root) {
    Enter(root);
    while (!visits_.empty()) {
      Visit& visit = visits_.back();
      const int32_t vertex = visit.vertex;
      if (visit.next_edge == successors_[vertex].size()) {
        visits_.pop_back();
        if (low_[vertex] == number_[vertex]) Close(vertex);
        if (!visits_.empty()) {
          int32_t& low = low_[visits_.back().vertex];
          low = std::min(low, low_[vertex]);
        }
        continue;
      }
      const int32_t target = successors_[vertex][visit.next_edge++];
      if (number_[target] == kUnseen) {
        Enter(target);
      } else if (result_.of[target] == kUnseen) {
        low_[vertex] = std::min(low_[vertex], number_[target]);
      }
    }
  }

  void Enter(int32_t vertex) {
    number_[vertex] = low_[vertex] = next_number_++;
    open_.push_back(vertex);
    visits_.push_back({vertex});
  }

  // `root` was entered first of its component; what is open behind it belongs to it.
  void Close(int32_t root) {
    std::vector<int32_t> members;
    do {
      members.push_back(open_.back());
      open_.pop_back();
      result_.of[members.back()] = static_cast<int32_t>(result_.members.size());
    } while (members.back() != root);
    result_.members.push_back(std::move(members));
  }

  absl::Span<const std::vector<int32_t>> successors_;
  std::vector<int32_t> number_;
  std::vector<int32_t> low_;
  std::vector<int32_t> open_;
  std::vector<Visit> visits_;
  int32_t next_number_ = 0;
  Components result_;
};

}  // namespace

Components FindComponents(absl::Span<const std::vector<int32_t>> successors) {
  return Tarjan(successors).Run();
}

}  // namespace logitchain
