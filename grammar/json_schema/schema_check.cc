#include "logitchain/grammar/json_schema/schema_check.h"

#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/keyword_values.h"
#include "logitchain/grammar/json_schema/reference_loops.h"
#include "logitchain/grammar/json_schema/schema_context.h"
#include "logitchain/grammar/json_schema/schema_reader.h"
#include "logitchain/registry/did_you_mean.h"

namespace logitchain {
namespace {

// What the value of a keyword must be.
enum class Form { kAny, kSchema, kCount, kString, kObject, kDialect };

struct SilentKeyword {
  absl::string_view name;
  Form form;
};

// Keywords that say nothing of values by themselves.
constexpr SilentKeyword kSilentKeywords[] = {{"$anchor", Form::kString},
                                             {"$comment", Form::kAny},
                                             {"$defs", Form::kObject},
                                             {"$dynamicAnchor", Form::kString},
                                             {"$id", Form::kString},
                                             {"$recursiveAnchor", Form::kAny},
                                             {"$schema", Form::kDialect},
                                             {"$vocabulary", Form::kAny},
                                             {"additionalItems", Form::kSchema},
                                             {"contentEncoding", Form::kAny},
                                             {"contentMediaType", Form::kAny},
                                             {"contentSchema", Form::kAny},
                                             {"default", Form::kAny},
                                             {"definitions", Form::kObject},
                                             {"deprecated", Form::kAny},
                                             {"description", Form::kAny},
                                             {"else", Form::kSchema},
                                             {"example", Form::kAny},
                                             {"examples", Form::kAny},
                                             {"id", Form::kAny},
                                             {"maxContains", Form::kCount},
                                             {"minContains", Form::kCount},
                                             {"readOnly", Form::kAny},
                                             {"then", Form::kSchema},
                                             {"title", Form::kAny},
                                             {"writeOnly", Form::kAny}};

// The drafts of which the keywords are known; "/schema" is the latest.
constexpr absl::string_view kDialects[] = {
    "json-schema.org/draft-04/", "json-schema.org/draft-05/",      "json-schema.org/draft-06/",
    "json-schema.org/draft-07/", "json-schema.org/draft/2019-09/", "json-schema.org/draft/2020-12/",
    "json-schema.org/schema"};

// Elsewhere the keywords may mean something else.
absl::Status CheckDialect(SchemaContext& context, const JsonValue& uri) {
  absl::Status status = CheckKind(context, uri, JsonValue::Kind::kString);
  const auto names = [&](absl::string_view dialect) {
    return absl::StrContains(uri.text, dialect);
  };
  if (!status.ok() || absl::c_any_of(kDialects, names)) return status;
  return context.Unsupported(uri,
                             absl::StrCat("is \"", absl::Utf8SafeCHexEscape(uri.text),
                                          "\"; json-schema.org's drafts 4 to 2020-12 are read"));
}

absl::Status CheckForm(SchemaContext& context, const JsonValue& value, Form form) {
  switch (form) {
    case Form::kAny:
      return absl::OkStatus();
    case Form::kSchema:
      return CheckIsSchema(context, value);
    case Form::kCount:
      return ReadCount(context, value).status();
    case Form::kString:
      return CheckKind(context, value, JsonValue::Kind::kString);
    case Form::kObject:
      return CheckKind(context, value, JsonValue::Kind::kObject);
    case Form::kDialect:
      return CheckDialect(context, value);
  }
  return absl::OkStatus();
}

// Those whose loss would let more values through.
std::vector<std::string> NamesToMistake() {
  std::vector<std::string> names = KeywordNames();
  names.insert(names.end(), {"then", "else", "minContains", "maxContains"});
  absl::c_sort(names);
  return names;
}

// The same for all ways to join words: any_of, any-of, AnyOf.
std::string Joined(absl::string_view name) {
  return absl::StrReplaceAll(absl::AsciiStrToLower(name), {{"_", ""}, {"-", ""}});
}

class KeywordSuggestions {
 public:
  KeywordSuggestions() : names_(NamesToMistake()) {
    for (const std::string& name : names_) by_joined_.emplace(Joined(name), name);
    // What is like a shorter one, as "note" is, is hardly meant by it.
    constexpr size_t kShortest = 4;
    std::erase_if(names_, [](const std::string& name) { return name.size() < kShortest; });
  }

  std::string For(absl::string_view key) const {
    const auto joined = by_joined_.find(Joined(key));
    if (joined != by_joined_.end()) return DidYouMean(key, {joined->second}, key.size());
    constexpr size_t kLong = 8;
    return DidYouMean(key, names_, /*max_wrong=*/key.size() < kLong ? 1 : 2);
  }

 private:
  std::vector<std::string> names_;
  absl::flat_hash_map<std::string, std::string> by_joined_;
};

// Anyone may add keys of their own, so only what differs in a letter or two is suspicious; and a
// sign before a keyword, as in "_format" and "//pattern", takes it out on purpose.
std::string Suggestion(absl::string_view key) {
  if (key.empty() || !(absl::ascii_isalpha(key[0]) || key[0] == '$')) return "";
  static const auto* const suggestions = new KeywordSuggestions();
  return suggestions->For(key);
}

absl::Status CheckKey(SchemaContext& context, absl::string_view key, const JsonValue& value) {
  if (IsKeyword(key)) return absl::OkStatus();
  const auto* const silent = absl::c_find_if(
      kSilentKeywords, [&](const SilentKeyword& keyword) { return keyword.name == key; });
  if (silent != std::end(kSilentKeywords)) return CheckForm(context, value, silent->form);
  const std::string suggestion = Suggestion(key);
  if (suggestion.empty()) return absl::OkStatus();
  return context.Unsupported(value, absl::StrCat("is no keyword of JSON Schema", suggestion));
}

}  // namespace

absl::Status CheckSchemas(SchemaContext& context) {
  for (const JsonValue* schema : context.document().schemas()) {
    for (size_t i = 0; i < schema->keys.size(); ++i) {
      const absl::Status status = CheckKey(context, schema->keys[i], schema->elements[i]);
      if (!status.ok()) return status;
    }
  }
  return CheckReferenceLoops(context);
}

}  // namespace logitchain
