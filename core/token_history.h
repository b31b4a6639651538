#ifndef LOGITCHAIN_CORE_TOKEN_HISTORY_H_
#define LOGITCHAIN_CORE_TOKEN_HISTORY_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/token_counts.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// A part of the history: the last `last` tokens of the output, or of prompt and output together,
// without the first `skip` tokens of the whole.
struct TokenScope {
  static constexpr int32_t kAll = INT32_MAX;

  bool output_only = false;
  int32_t last = kAll;
  int32_t skip = 0;

  friend bool operator==(const TokenScope&, const TokenScope&) = default;
};

// The tokens of one sequence, prompt and output kept apart, with counts over the scopes that rules
// asked for. Appending and dropping a token costs O(scopes). It belongs to a chain; rules read it.
class TokenHistory {
 public:
  // Names the counts of a scope.
  class CountsId {
   private:
    friend class TokenHistory;
    explicit CountsId(size_t index) : index_(index) {}
    size_t index_;
  };

  // Keeps counts of `scope` from now on. The history must be empty.
  CountsId Track(TokenScope scope);

  // Replaces everything by this prompt.
  void Reset(absl::Span<const TokenId> prompt);

  // Appends a token to the output.
  void Append(TokenId id);

  // Drops the last token of the output, which must not be empty.
  void DropLast();

  absl::Span<const TokenId> all() const { return tokens_; }
  absl::Span<const TokenId> prompt() const { return all().first(prompt_size_); }
  absl::Span<const TokenId> output() const { return all().subspan(prompt_size_); }

  // The last n tokens of prompt and output, or fewer where there are fewer.
  absl::Span<const TokenId> Last(int32_t n) const;

  const TokenCounts& counts(CountsId id) const { return tracked_[id.index_].counts; }

 private:
  struct Tracked {
    TokenScope scope;
    TokenCounts counts;
  };

  void Push(TokenId id, bool is_output);

  // Whether the token at `position` is never in the scope.
  static bool IsSkipped(const TokenScope& scope, size_t position) {
    return scope.last == 0 || position < static_cast<size_t>(scope.skip);
  }

  // Whether the token that stands `scope.last` before position `end` is within the scope's reach,
  // and so leaves its window when the token at `end` enters.
  bool HasLeaver(const TokenScope& scope, size_t end) const;

  std::vector<TokenId> tokens_;
  size_t prompt_size_ = 0;
  std::vector<Tracked> tracked_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_TOKEN_HISTORY_H_
