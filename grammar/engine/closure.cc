#include "logitchain/grammar/engine/closure.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/grammar/engine/items.h"
#include "logitchain/grammar/engine/network.h"
#include "logitchain/grammar/engine/return_sets.h"

namespace logitchain {

void Closure::Clear() {
  steps_.clear();
  reached_.clear();
  called_count_ = 0;
  index_of_rule_.clear();
  threads_.clear();
  ends_text_ = false;
  step_count_ = 0;
}

void Closure::AddBehind(int32_t returns) {
  for (const Return& entry : return_sets_.of(returns)) {
    if (entry.item == ReturnSets::kEndOfText) {
      ends_text_ = true;
    } else {
      Reach(entry.item, entry.parent);
    }
  }
}

Closure::Found Closure::Find() {
  while (!steps_.empty() && step_count_ <= kMaxSteps) {
    const Step step = steps_.back();
    steps_.pop_back();
    Take(step);
  }
  FinishReturns();
  for (Thread& thread : threads_) {
    if (IsPending(thread.returns)) thread.returns = called_[IndexOf(thread.returns)].set;
  }
  return {.threads = threads_, .ends_text = ends_text_, .too_large = step_count_ > kMaxSteps};
}

void Closure::Reach(int32_t item, int32_t returns) {
  const uint64_t key = uint64_t{static_cast<uint32_t>(item)} << 32 | static_cast<uint32_t>(returns);
  if (reached_.insert(key).second) steps_.push_back({item, returns});
}

void Closure::Take(const Step& step) {
  const Items::View view = items_.Get(step.item);
  step_count_ += 1 + view.terminals.end - view.terminals.begin + view.calls.end - view.calls.begin;
  for (int32_t i = view.terminals.begin; i < view.terminals.end; ++i) {
    const Items::Terminal& terminal = items_.terminal(i);
    threads_.push_back({terminal.lexer_state, terminal.target, step.returns});
  }
  for (int32_t i = view.calls.begin; i < view.calls.end; ++i) {
    Call(items_.call(i), step.returns);
  }
  for (int32_t i = view.skips.begin; i < view.skips.end; ++i) {
    Reach(items_.skip(i), step.returns);
  }
  // What a rule that is called here derives without a byte, the caller's edges have skipped.
  if (view.ends && !IsPending(step.returns)) AddBehind(step.returns);
}

void Closure::Call(const CallEdge& edge, int32_t returns) {
  Called& called = called_[CalledIndex(edge.rule)];
  if (!edge.is_tail) {
    called.returns.push_back({edge.target, returns});
  } else if (IsPending(returns)) {
    called.heirs_of.push_back(IndexOf(returns));
  } else {
    const absl::Span<const Return> inherited = return_sets_.of(returns);
    step_count_ += static_cast<int64_t>(inherited.size());
    called.returns.insert(called.returns.end(), inherited.begin(), inherited.end());
  }
}

int32_t Closure::CalledIndex(int32_t rule) {
  const int32_t next = static_cast<int32_t>(called_count_);
  const auto [known, is_new] = index_of_rule_.try_emplace(rule, next);
  if (!is_new) return known->second;
  if (called_.size() == called_count_) called_.emplace_back();
  Called& called = called_[called_count_++];
  called.rule = rule;
  called.left_group = items_.LeftGroupOf(rule);
  called.returns.clear();
  called.heirs_of.clear();
  Reach(items_.StartOf(rule), Pending(next));
  return next;
}

void Closure::FinishReturns() {
  order_.resize(called_count_);
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [this](int32_t a, int32_t b) {
    const Called& first = called_[a];
    const Called& second = called_[b];
    if (first.left_group != second.left_group) return first.left_group < second.left_group;
    return first.rule < second.rule;
  });
  for (size_t begin = 0; begin < order_.size();) {
    size_t end = begin + 1;
    while (end < order_.size() &&
           called_[order_[end]].left_group == called_[order_[begin]].left_group) {
      ++end;
    }
    FinishGroup(&order_[begin], order_.data() + end);
    begin = end;
  }
}

// Callers outside of the group have their sets already.
void Closure::FinishGroup(const int32_t* begin, const int32_t* end) {
  const auto place_in_group = [&](int32_t index) {
    return static_cast<int32_t>(std::find(begin, end, index) - begin);
  };
  const int32_t size = static_cast<int32_t>(end - begin);
  group_.resize(size);
  for (int32_t k = 0; k < size; ++k) {
    std::vector<Return>& returns = group_[k];
    returns.clear();
    std::vector<int32_t> inherited = {begin[k]};
    for (size_t i = 0; i < inherited.size(); ++i) {
      const Called& called = called_[inherited[i]];
      returns.insert(returns.end(), called.returns.begin(), called.returns.end());
      for (const int32_t from : called.heirs_of) {
        if (place_in_group(from) == size) {
          const absl::Span<const Return> known = return_sets_.of(called_[from].set);
          returns.insert(returns.end(), known.begin(), known.end());
        } else if (std::find(inherited.begin(), inherited.end(), from) == inherited.end()) {
          inherited.push_back(from);
        }
      }
    }
    for (Return& entry : returns) {
      if (!IsPending(entry.parent)) continue;
      const int32_t caller = IndexOf(entry.parent);
      const int32_t place = place_in_group(caller);
      entry.parent = place == size ? called_[caller].set : ReturnSets::InGroup(place);
    }
    std::sort(returns.begin(), returns.end());
    returns.erase(std::unique(returns.begin(), returns.end()), returns.end());
  }
  ids_.resize(size);
  return_sets_.Intern(group_, absl::MakeSpan(ids_));
  for (int32_t k = 0; k < size; ++k) called_[begin[k]].set = ids_[k];
}

}  // namespace logitchain
