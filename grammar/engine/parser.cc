#include "logitchain/grammar/engine/parser.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/grammar/engine/closure.h"
#include "logitchain/grammar/engine/network.h"
#include "logitchain/grammar/engine/return_sets.h"
#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/vocab/trie_walk.h"

namespace logitchain {

namespace {

uint64_t PairKey(int32_t first, int32_t second) {
  return uint64_t{static_cast<uint32_t>(first)} << 32 | static_cast<uint32_t>(second);
}

// At most in what follows their rule.
bool DifferInReturns(const Thread& a, const Thread& b) {
  return a.lexer_state == b.lexer_state && a.item == b.item;
}

}  // namespace

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
  content_ = {.threads = found.threads,
              .accepts = found.ends_text || network.rules[network.start].is_nullable};
  start_ = Intern(content_);
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
  const uint64_t key = PairKey(thread.item, thread.returns);
  if (const auto known = behind_.find(key); known != behind_.end()) return known->second;
  if (!status().ok()) return kDeadState;
  closure_.Clear();
  closure_.Add(thread.item, thread.returns);
  const Closure::Found found = closure_.Find();
  if (found.too_large) {
    status_ = absl::ResourceExhaustedError("the grammar has too many ways to go on at one place");
    return kDeadState;
  }
  Content content = {.threads = found.threads, .accepts = found.ends_text};
  const int32_t state = Intern(content);
  behind_.emplace(key, state);
  CheckSize();
  return state;
}

int32_t Parser::Compute(int32_t state, uint8_t byte) {
  if (!status().ok()) return kDeadState;
  Step(states_[state].threads, byte, content_);
  const int32_t target = Intern(content_);
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

std::optional<int32_t> Parser::Followed(int32_t state, TokenId token) const {
  const auto known = followed_.find(PairKey(state, token));
  return known == followed_.end() ? std::nullopt : std::optional<int32_t>(known->second);
}

int32_t Parser::Follow(int32_t state, TokenId token, absl::string_view bytes) {
  const int32_t behind = ComputeBehind(state, bytes);
  CheckSize();
  if (!status().ok()) return kDeadState;
  if (followed_.emplace(PairKey(state, token), behind).second) {
    memory_ += static_cast<int64_t>(sizeof(*followed_.begin()));
  }
  return behind;
}

int32_t Parser::ComputeBehind(int32_t state, absl::string_view bytes) {
  absl::Span<const Thread> threads = states_[state].threads;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (!status().ok()) return kDeadState;
    Step(threads, static_cast<uint8_t>(bytes[i]), next_content_);
    std::swap(content_, next_content_);
    if (i + 1 == bytes.size()) return Intern(content_);
    Merge(content_.threads);
    threads = content_.threads;
  }
  return state;
}

void Parser::Step(absl::Span<const Thread> threads, uint8_t byte, Content& content) {
  content.threads.clear();
  content.accepts = false;
  ended_.clear();
  for (const Thread& thread : threads) {
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
  if (threads.size() < 2) return;
  std::sort(threads.begin(), threads.end());
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  if (absl::c_adjacent_find(threads, DifferInReturns) == threads.end()) return;
  size_t count = 0;
  std::vector<int32_t> returns;
  for (size_t begin = 0, end = 0; begin < threads.size(); begin = end) {
    returns.clear();
    const Thread thread = threads[begin];
    for (; end < threads.size() && DifferInReturns(thread, threads[end]); ++end) {
      returns.push_back(threads[end].returns);
    }
    threads[count] = thread;
    if (returns.size() > 1) threads[count].returns = return_sets_.Union(returns);
    ++count;
  }
  threads.resize(count);
}

int32_t Parser::Intern(Content& content) {
  Merge(content.threads);
  if (content.threads.empty() && !content.accepts) return kDeadState;
  const auto [known, is_new] =
      state_ids_.try_emplace(content, static_cast<int32_t>(states_.size()));
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
