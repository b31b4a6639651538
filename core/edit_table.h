#ifndef LOGITCHAIN_CORE_EDIT_TABLE_H_
#define LOGITCHAIN_CORE_EDIT_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// New logits of a few tokens, kept beside the caller's. All operations cost O(1) on average, Clear
// O(edits); memory is kept from step to step.
class EditTable {
 public:
  struct Edit {
    TokenId id;
    uint32_t slot;  // Where slots_ points here.
    double logit;
  };

  // Sets the logit of a token; true if it is the token's first edit.
  bool Set(TokenId id, double logit);

  // Null if the token was not edited.
  const double* Find(TokenId id) const;

  void Clear();

  // In the order of the tokens' first edits.
  absl::Span<const Edit> edits() const { return edits_; }
  absl::Span<Edit> edits() { return absl::MakeSpan(edits_); }

 private:
  // The slot that points to the token's edit, or the empty one where it belongs.
  uint32_t SlotOf(TokenId id) const;
  void Grow();

  std::vector<Edit> edits_;
  std::vector<int32_t> slots_;  // Indices of edits_, or −1; a power of two, at most half used.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_EDIT_TABLE_H_
