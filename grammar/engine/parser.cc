#include "logitchain/grammar/engine/parser.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/grammar/engine/closure.h"
#include "logitchain/grammar/engine/network.h"
#include "logitchain/grammar/engine/return_sets.h"
#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/vocab/trie_walk.h"

namespace logitchain {

Parser::Parser(const Network& network, int64_t max_memory)
    : max_memory_(max_memory),
      lexer_(network.regexes),
      items_(network, lexer_),
      closure_(items_, return_sets_) {
  closure_.Clear();
  const int32_t item = items_.StartOf(network.start);
  closure_.Add(item, ReturnSets::kBottom);
  const Closure::Found found = closure_.Find();
  if (found.too_large) {
    status_ = absl::ResourceExhaustedError("the grammar has too many ways to begin");
    return;
  }
  start_ = Intern({.threads = found.threads,
                   .accepts = found.ends_text || network.rules[network.start].is_nullable});
}

ByteSet Parser::live_bytes(int32_t state) {
  if (!states_[state].has_live_bytes) {
    ByteSet bytes;
    for (const Thread& thread : states_[state].threads) {
      bytes |= lexer_.live_bytes(thread.lexer_state);
    }
    states_[state].live_bytes = bytes;
    states_[state].has_live_bytes = true;
  }
  return states_[state].live_bytes;
}

int32_t Parser::StateBehind(const Thread& thread) {
  const uint64_t key =
      uint64_t{static_cast<uint32_t>(thread.item)} << 32 | static_cast<uint32_t>(thread.returns);
  if (const auto known = behind_.find(key); known != behind_.end()) return known->second;
  if (!status().ok()) return kDeadState;
  closure_.Clear();
  closure_.Add(thread.item, thread.returns);
  const Closure::Found found = closure_.Find();
  if (found.too_large) {
    status_ = absl::ResourceExhaustedError("the grammar has too many ways to go on at one place");
    return kDeadState;
  }
  const int32_t state = Intern({.threads = found.threads, .accepts = found.ends_text});
  behind_.emplace(key, state);
  CheckSize();
  return state;
}

int32_t Parser::Compute(int32_t state, uint8_t byte) {
  if (!status().ok()) return kDeadState;
  Content content;
  ended_.clear();
  for (const Thread& thread : states_[state].threads) {
    const int32_t lexer_state = lexer_.Next(thread.lexer_state, byte);
    if (lexer_state == kDeadState) continue;
    const Thread next = {lexer_state, thread.item, thread.returns};
    if (lexer_.accepts(lexer_state)) {
      ended_.push_back(next);
      if (lexer_.live_bytes(lexer_state).empty()) continue;
    }
    content.threads.push_back(next);
  }
  AddBehind(ended_, content);
  const int32_t target = Intern(std::move(content));
  CheckSize();
  if (!status().ok()) return kDeadState;
  std::unique_ptr<Row>& row = states_[state].row;
  if (row == nullptr) {
    row = std::make_unique<Row>();
    row->fill(kUnknown);
    memory_ += sizeof(Row);
  }
  (*row)[byte] = target;
  return target;
}

void Parser::AddBehind(std::vector<Thread>& ended, Content& content) {
  for (Thread& thread : ended) thread.lexer_state = 0;
  std::sort(ended.begin(), ended.end());
  ended.erase(std::unique(ended.begin(), ended.end()), ended.end());
  if (ended.empty()) return;
  if (ended.size() == 1) {
    const int32_t state = StateBehind(ended.front());
    if (state == kDeadState) return;
    const absl::Span<const Thread> threads = states_[state].threads;
    content.threads.insert(content.threads.end(), threads.begin(), threads.end());
    content.accepts = states_[state].accepts;
    return;
  }
  closure_.Clear();
  for (const Thread& thread : ended) closure_.Add(thread.item, thread.returns);
  const Closure::Found found = closure_.Find();
  if (found.too_large) {
    status_ = absl::ResourceExhaustedError("the text has too many readings");
    return;
  }
  content.threads.insert(content.threads.end(), found.threads.begin(), found.threads.end());
  content.accepts = found.ends_text;
}

void Parser::Merge(std::vector<Thread>& threads) {
  std::sort(threads.begin(), threads.end());
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  size_t count = 0;
  std::vector<int32_t> returns;
  for (size_t begin = 0, end = 0; begin < threads.size(); begin = end) {
    returns.clear();
    const Thread thread = threads[begin];
    for (; end < threads.size() && threads[end].lexer_state == thread.lexer_state &&
           threads[end].item == thread.item;
         ++end) {
      returns.push_back(threads[end].returns);
    }
    threads[count] = thread;
    if (returns.size() > 1) threads[count].returns = return_sets_.Union(returns);
    ++count;
  }
  threads.resize(count);
}

int32_t Parser::Intern(Content content) {
  const std::vector<Thread>& threads = content.threads;
  Merge(content.threads);
  if (threads.empty() && !content.accepts) return kDeadState;
  const auto [known, is_new] =
      state_ids_.try_emplace(std::move(content), static_cast<int32_t>(states_.size()));
  if (!is_new) return known->second;
  memory_ +=
      static_cast<int64_t>(sizeof(State) + 100 + known->first.threads.size() * sizeof(Thread));
  states_.push_back({.threads = known->first.threads, .accepts = known->first.accepts});
  return known->second;
}

void Parser::CheckSize() {
  if (!status().ok()) return;
  const int64_t memory = memory_ + lexer_.memory() + items_.memory() + return_sets_.memory();
  if (memory <= max_memory_) return;
  status_ = absl::ResourceExhaustedError(
      absl::StrCat("the parser would take more than ", max_memory_, " bytes of memory"));
}

}  // namespace logitchain
