// Documents that are written by the masks of a schema, over a vocabulary of byte pairs, satisfy the
// schema; and documents that are a change away from them may come exactly if they satisfy it. What
// satisfies it is asked of a validator that shares nothing with the grammars. schemas.json has the
// schemas.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/core/vocabulary_files/vocabulary_file.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/matcher.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/json_schema/json_schema.h"
#include "logitchain/grammar/vocab/longest_tokens.h"
#include "logitchain/tests/grammar/engine/mask_words.h"
#include "logitchain/tests/grammar/json_schema/document_writer.h"
#include "logitchain/tests/grammar/testing/schema_validator.h"
#include "logitchain/tests/testing/status_matchers.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using Json = nlohmann::json;

constexpr TokenId kStop = 1000;
constexpr int kDocuments = 60;
// Others took too long, have a name twice, or numbers that the validator cannot judge.
constexpr int kLeastJudged = 5;
constexpr int kChanges = 8;

std::string DataPath(absl::string_view name) {
  return absl::StrCat(std::getenv("TEST_SRCDIR"), "/", std::getenv("TEST_WORKSPACE"),
                      "/tests/grammar/", name);
}

struct NamedSchema {
  std::string name;
  Json schema;

  friend void PrintTo(const NamedSchema& named, std::ostream* out) { *out << named.name; }
};

std::vector<NamedSchema> ReadSchemas() {
  std::ifstream file(DataPath("json_schema/schemas.json"));
  std::vector<NamedSchema> schemas;
  const Json all = Json::parse(file);
  for (const auto& [name, schema] : all.items()) schemas.push_back({name, schema});
  return schemas;
}

// Names that come twice are none of the validator's business: it sees the last of them.
std::optional<Json> ReadDocument(const std::string& text) {
  std::vector<std::set<std::string>> open;
  bool repeats = false;
  const auto look = [&](int, Json::parse_event_t event, Json& part) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key) {
      repeats = repeats || !open.back().insert(part.get<std::string>()).second;
    }
    return true;
  };
  const Json document = Json::parse(text, look, /*allow_exceptions=*/false);
  EXPECT_FALSE(document.is_discarded()) << text;
  return document.is_discarded() || repeats ? std::nullopt : std::optional<Json>(document);
}

// The names of properties and the strings that are listed.
void CollectWords(const Json& schema, std::vector<std::string>& words) {
  if (!schema.is_structured()) return;
  for (const auto& [key, part] : schema.items()) {
    if (key == "properties") {
      for (const auto& property : part.items()) words.push_back(property.key());
    }
    for (const Json& value : key == "enum" ? part : Json::array({part})) {
      if ((key == "enum" || key == "const") && value.is_string()) words.push_back(value);
    }
    CollectWords(part, words);
  }
}

// Whether a validator that knows doubles can judge its numbers.
bool HasShortNumbers(const Json& value) {
  if (value.is_structured()) return absl::c_all_of(value, HasShortNumbers);
  return !value.is_number() || value.dump().size() <= 16;
}

// Whether its numbers are written without exponents, which those with bounds may not have, and are
// short enough for the validator.
bool HasPlainNumbers(const Json& value) {
  if (value.is_structured()) return absl::c_all_of(value, HasPlainNumbers);
  if (!value.is_number()) return true;
  const std::string text = value.dump();
  return text.size() <= 10 && !absl::StrContains(text, "e");
}

class DifferentialTest : public testing::TestWithParam<NamedSchema> {
 protected:
  DifferentialTest()
      : vocabulary_(
            ReadVocabularyFile(DataPath("engine/small_vocabulary.tiktoken"), {.stop_ids = {kStop}})
                .value()),
        tokens_(*vocabulary_) {}

  // Whether the masks let the text come and end.
  bool MayCome(Matcher matcher, const std::string& text) const {
    std::vector<TokenId> ids = tokens_.Split(text);
    ids.push_back(kStop);
    std::vector<int32_t> mask((vocabulary_->size() + 31) / 32);
    for (const TokenId id : ids) {
      absl::c_fill(mask, 0);
      EXPECT_THAT(matcher.FillMask(absl::MakeSpan(mask)), IsOk());
      const bool is_allowed = (mask[id / 32] >> (id % 32)) & 1;
      EXPECT_EQ(matcher.Accept(id).ok(), is_allowed) << text << " at " << vocabulary_->bytes(id);
      if (!is_allowed) return false;
    }
    return true;
  }

  std::shared_ptr<const Vocabulary> vocabulary_;
  LongestTokens tokens_;
};

TEST_P(DifferentialTest, MasksAllowWhatTheValidatorAccepts) {
  const Json& schema = GetParam().schema;
  const absl::StatusOr<JsonSchemaGrammar> compiled = CompileJsonSchema(schema.dump(), {});
  ASSERT_THAT(compiled, IsOk());
  EXPECT_TRUE(compiled->ignored.empty());
  const Matcher matcher =
      MatcherOf(compiled->grammar, std::make_shared<const TokenIndex>(vocabulary_));
  const SchemaValidator validator(schema);
  std::vector<std::string> words;
  CollectWords(schema, words);
  DocumentWriter writer(*vocabulary_, words, absl::c_accumulate(GetParam().name, uint64_t{0}));
  int written = 0;
  int refused = 0;
  for (int i = 0; i < kDocuments; ++i) {
    const std::optional<std::string> text = writer.Write(matcher);
    if (!text) continue;
    const std::optional<Json> document = ReadDocument(*text);
    if (!document || !HasShortNumbers(*document)) continue;
    ++written;
    ASSERT_TRUE(validator.Accepts(*document)) << *text;
    if (!HasPlainNumbers(*document)) continue;
    ASSERT_TRUE(MayCome(matcher, document->dump())) << document->dump();
    Json changed = *document;
    for (int change = 0; change < kChanges; ++change) {
      // Half of them are more than one change away.
      changed = writer.Changed(change % 2 == 0 ? *document : changed);
      if (!HasPlainNumbers(changed)) continue;
      const bool is_valid = validator.Accepts(changed);
      refused += is_valid ? 0 : 1;
      ASSERT_EQ(MayCome(matcher, changed.dump()), is_valid) << changed.dump();
    }
  }
  EXPECT_GE(written, kLeastJudged);
  EXPECT_TRUE(schema == true || refused >= kChanges) << refused;
}

INSTANTIATE_TEST_SUITE_P(Schemas, DifferentialTest, testing::ValuesIn(ReadSchemas()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace logitchain
