#include "logitchain/cli/import/sampler_order.h"

#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/source_value.h"

namespace logitchain {
namespace {

std::vector<std::string> Listed(const SourceValue& value) {
  std::vector<std::string> names;
  for (const char letter : value.text) names.emplace_back(1, letter);
  for (const SourceValue& element : value.elements) {
    names.emplace_back(absl::StripAsciiWhitespace(element.text));
  }
  return names;
}

}  // namespace

SamplerOrder ReadSamplerOrder(const SourceValue& value, const ImportTable& table) {
  const bool are_letters = value.kind == SourceValue::Kind::kString;
  SamplerOrder order;
  for (const std::string& name : Listed(value)) {
    const auto* row = absl::c_find_if(table.samplers, [&](const SamplerRow& row) {
      const std::vector<absl::string_view> names = absl::StrSplit(row.names, ' ');
      return are_letters ? row.letter == name : absl::c_linear_search(names, name);
    });
    if (row == table.samplers.end() || row->group.empty()) {
      order.refused.push_back(name);
    } else {
      order.groups.emplace_back(row->group);
    }
  }
  return order;
}

std::string SamplerNames(const ImportTable& table) {
  std::vector<std::string> names;
  for (const SamplerRow& row : table.samplers) {
    const std::vector<std::string> spellings = absl::StrSplit(row.names, ' ');
    if (!row.group.empty()) names.push_back(absl::StrCat(row.letter, " (", spellings[0], ")"));
  }
  return absl::StrJoin(names, ", ");
}

}  // namespace logitchain
