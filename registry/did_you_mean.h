#ifndef LOGITCHAIN_REGISTRY_DID_YOU_MEAN_H_
#define LOGITCHAIN_REGISTRY_DID_YOU_MEAN_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace logitchain {

// " (did you mean top_k?)" for the known name that is closest to `name`, if one is close; else "".
std::string DidYouMean(absl::string_view name, absl::Span<const std::string> known);

// The same for names of which at most `max_wrong` letters are wrong.
std::string DidYouMean(absl::string_view name, absl::Span<const std::string> known,
                       size_t max_wrong);

}  // namespace logitchain

#endif  // LOGITCHAIN_REGISTRY_DID_YOU_MEAN_H_
