#include "logitchain/cli/dialect_name.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "logitchain/cli/usage_error.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/did_you_mean.h"

namespace logitchain {

std::vector<std::string> DialectNames() {
  std::vector<std::string> names;
  const google::protobuf::EnumDescriptor& dialects = *ChainConfig::Dialect_descriptor();
  for (int i = 0; i < dialects.value_count(); ++i) names.push_back(dialects.value(i)->name());
  return names;
}

absl::StatusOr<ChainConfig::Dialect> ParseDialectName(absl::string_view name) {
  const std::string capitals = absl::AsciiStrToUpper(name);
  ChainConfig::Dialect dialect;
  if (ChainConfig::Dialect_Parse(capitals, &dialect)) return dialect;
  return UsageError(absl::StrCat("there is no dialect \"", name, "\"",
                                 DidYouMean(capitals, DialectNames()), "; there are ",
                                 absl::StrJoin(DialectNames(), ", ")));
}

}  // namespace logitchain
