#ifndef LOGITCHAIN_PROCESSORS_CHECKED_IDS_H_
#define LOGITCHAIN_PROCESSORS_CHECKED_IDS_H_

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/build_context.h"

namespace logitchain {

// The ids of a repeated field. Adds an error for each that is not in the vocabulary.
template <typename Ids>
std::vector<TokenId> CheckedIds(const Ids& ids, absl::string_view field, BuildContext& context) {
  for (int i = 0; i < ids.size(); ++i) {
    context.CheckTokenId(absl::StrCat(field, "[", i, "]"), ids[i]);
  }
  return std::vector<TokenId>(ids.begin(), ids.end());
}

// The same, and an error if there is none.
template <typename Ids>
std::vector<TokenId> RequiredIds(const Ids& ids, absl::string_view field, BuildContext& context) {
  if (ids.empty()) context.AddError(field, "is empty; it must have at least one token id");
  return CheckedIds(ids, field, context);
}

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_CHECKED_IDS_H_
