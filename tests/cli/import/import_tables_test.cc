// The tables must hold together, or a parameter would be mapped to nothing.

#include "logitchain/cli/import/import_tables.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/rule_fields.h"
#include "logitchain/cli/import/source_value.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/interval.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using ::testing::UnorderedElementsAre;

std::vector<std::string> Words(absl::string_view text) {
  return absl::StrSplit(text, ' ', absl::SkipEmpty());
}

// Keys of parameters and of what is no part of a chain.
std::vector<std::string> Keys(const ImportTable& table) {
  std::vector<std::string> keys;
  for (const ParameterRow& row : table.parameters) keys.emplace_back(row.key);
  for (const OtherRow& row : table.others) {
    for (const std::string& key : Words(row.keys)) keys.push_back(key);
  }
  return keys;
}

class ImportTablesTest : public testing::TestWithParam<const ImportTable*> {
 protected:
  const ImportTable& table() const { return *GetParam(); }
};

TEST(AllImportTablesTest, AreThoseOfTheCommand) {
  std::vector<std::string> names;
  for (const ImportTable* table : ImportTables()) names.emplace_back(table->name);
  EXPECT_THAT(names, UnorderedElementsAre("openai", "huggingface", "llama_cpp", "vllm", "minfer"));
}

TEST_P(ImportTablesTest, KeysAndFlagsAreUnique) {
  absl::flat_hash_set<std::string> seen;
  for (const std::string& key : Keys(table())) EXPECT_TRUE(seen.insert(key).second) << key;
  for (const FlagRow& row : table().flags) {
    for (const std::string& name : Words(row.names)) {
      EXPECT_TRUE(seen.insert(name).second) << name;
      EXPECT_TRUE(absl::StartsWith(name, "-")) << name;
    }
  }
}

TEST_P(ImportTablesTest, FlagsHaveKeys) {
  const std::vector<std::string> keys = Keys(table());
  for (const FlagRow& row : table().flags) {
    EXPECT_TRUE(row.key.empty() || absl::c_linear_search(keys, row.key)) << row.names;
  }
}

SourceValue ListOf(std::vector<SourceValue> elements) {
  return {.kind = SourceValue::Kind::kList, .elements = std::move(elements)};
}

// A value of the parameter's kind.
SourceValue ValueOf(ValueKind kind) {
  const SourceValue one = {.kind = SourceValue::Kind::kNumber, .text = "1"};
  switch (kind) {
    case ValueKind::kBiases:
      return ListOf({ListOf({one, one})});
    case ValueKind::kSequences:
      return ListOf({ListOf({one, one})});
    case ValueKind::kBiasedSequences:
      return ListOf({ListOf({ListOf({one, one}), one})});
    case ValueKind::kTexts:
      return ListOf({{.kind = SourceValue::Kind::kString, .text = "x"}});
    default:
      return one;
  }
}

TEST_P(ImportTablesTest, TargetsAreFields) {
  for (const ParameterRow& row : table().parameters) {
    for (const std::string& target : Words(row.targets)) {
      const absl::string_view path = absl::StripSuffix(target, "=true");
      absl::string_view in_draw = path;
      ProcessorConfig rule;
      DrawConfig draw;
      const absl::Status status = absl::ConsumePrefix(&in_draw, "draw.")
                                      ? SetField(in_draw, ValueOf(row.kind), draw)
                                      : SetField(path, ValueOf(row.kind), rule);
      EXPECT_THAT(status, IsOk()) << target;
    }
  }
}

TEST_P(ImportTablesTest, TerminalsNameWhatThereIs) {
  for (const TerminalRow& row : table().terminals) {
    EXPECT_NE(DrawConfig::descriptor()->FindFieldByName(std::string(row.field)), nullptr);
    const std::vector<std::string> keys = Keys(table());
    EXPECT_TRUE(absl::c_linear_search(keys, row.key)) << row.key;
    for (const std::string& part : Words(row.leaves_out)) {
      EXPECT_TRUE(absl::c_linear_search(keys, part) ||
                  absl::c_any_of(table().samplers,
                                 [&](const SamplerRow& sampler) { return sampler.group == part; }))
          << part;
    }
  }
}

TEST_P(ImportTablesTest, IntervalsCanBeRead) {
  for (const ParameterRow& row : table().parameters) {
    const bool is_number = row.kind == ValueKind::kNumber || row.kind == ValueKind::kWhole;
    if (is_number && !row.neutral.empty()) {
      EXPECT_THAT(ParseInterval(row.neutral), IsOk()) << row.key;
    }
    for (const std::string& interval : Words(row.refused)) {
      EXPECT_THAT(ParseInterval(interval), IsOk()) << row.key;
    }
  }
}

TEST_P(ImportTablesTest, MastersStandAbove) {
  absl::flat_hash_set<std::string> above;
  for (const ParameterRow& row : table().parameters) {
    for (const std::string& master : Words(row.masters)) {
      EXPECT_TRUE(above.contains(master)) << row.key << " " << master;
    }
    above.insert(std::string(row.key));
  }
}

TEST_P(ImportTablesTest, GroupsAreKnown) {
  absl::flat_hash_set<std::string> groups;
  if (!table().sampling_switch.empty()) groups.insert("sampling");
  for (const SamplerRow& row : table().samplers) groups.insert(std::string(row.group));
  for (const ParameterRow& row : table().parameters) {
    EXPECT_TRUE(row.group.empty() || groups.contains(row.group)) << row.key;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ImportTablesTest,
                         testing::ValuesIn(ImportTables().begin(), ImportTables().end()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace logitchain
