#include "logitchain/tests/grammar/json_schema/document_writer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/grammar/engine/matcher.h"
#include "logitchain/tests/grammar/engine/mask_words.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using Json = nlohmann::json;

// From so many bytes on, the text is brought to an end.
constexpr size_t kLongText = 150;
constexpr size_t kMostTokens = 400;

// Whether the number at the end of the text, if there is one, is one that a validator reads
// exactly.
bool EndsPlainly(absl::string_view text) {
  const size_t last = text.find_last_not_of("0123456789.eE+-");
  const absl::string_view number = last == text.npos ? text : text.substr(last + 1);
  const size_t exponent = number.find_first_of("eE");
  return number.size() <= 9 && (exponent == number.npos || number.size() - exponent <= 2);
}

bool BeginsWithOneOf(absl::string_view text, absl::string_view bytes) {
  return !text.empty() && bytes.find(text[0]) != bytes.npos;
}

template <typename Keeps>
std::vector<TokenId> Those(absl::Span<const TokenId> ids, Keeps keeps) {
  std::vector<TokenId> kept;
  absl::c_copy_if(ids, std::back_inserter(kept), keeps);
  return kept.empty() ? std::vector<TokenId>(ids.begin(), ids.end()) : kept;
}

void CollectParts(Json& value, std::vector<Json*>& parts) {
  parts.push_back(&value);
  if (!value.is_structured()) return;
  for (Json& part : value) CollectParts(part, parts);
}

}  // namespace

std::optional<std::string> DocumentWriter::Write(Matcher matcher) {
  std::string text;
  for (size_t i = 0; i < kMostTokens; ++i) {
    if (absl::EndsWith(text, "\"") && Chance(0.8)) TryWord(matcher, text);
    const std::vector<TokenId> allowed = Allowed(matcher, vocabulary_.size());
    if (allowed.empty()) {
      ADD_FAILURE() << "no token may follow " << text;
      return std::nullopt;
    }
    const TokenId id = Choose(allowed, text);
    EXPECT_THAT(matcher.Accept(id), IsOk()) << text;
    if (absl::c_linear_search(vocabulary_.stop_ids(), id)) return text;
    absl::StrAppend(&text, BytesOf(id));
  }
  return std::nullopt;
}

void DocumentWriter::TryWord(Matcher& matcher, std::string& text) {
  constexpr int kTries = 4;
  for (int i = 0; i < kTries && !words_.empty(); ++i) {
    const std::string word = absl::StrCat(OneOf(words_), "\"");
    Matcher with_word = matcher;
    const std::vector<TokenId> ids = tokens_.Split(word);
    if (!absl::c_all_of(ids, [&](TokenId id) { return with_word.Accept(id).ok(); })) continue;
    matcher = with_word;
    absl::StrAppend(&text, word);
    return;
  }
}

TokenId DocumentWriter::Choose(absl::Span<const TokenId> allowed, const std::string& text) {
  // No number is longer.
  const absl::string_view end =
      absl::string_view(text).substr(text.size() - std::min<size_t>(text.size(), 20));
  std::vector<TokenId> ids =
      Those(allowed, [&](TokenId id) { return EndsPlainly(absl::StrCat(end, BytesOf(id))); });
  if (Chance(0.9)) {
    ids = Those(ids, [this](TokenId id) { return !BeginsWithOneOf(BytesOf(id), " \t\n\r"); });
  }
  // What is structure is rare among tokens; stop tokens have no bytes.
  if (text.size() > kLongText) {
    ids = Those(ids, [this](TokenId id) {
      return BytesOf(id).empty() ||
             (BytesOf(id).size() == 1 && BeginsWithOneOf(BytesOf(id), "\"]}"));
    });
  } else if (Chance(0.3)) {
    ids = Those(ids, [this](TokenId id) {
      return BytesOf(id).empty() || BeginsWithOneOf(BytesOf(id), "\"]},:\\");
    });
  }
  return OneOf(ids);
}

Json DocumentWriter::Changed(Json document) {
  std::vector<Json*> parts;
  CollectParts(document, parts);
  Change(*OneOf(parts));
  return document;
}

void DocumentWriter::Change(Json& value) {
  if (Chance(0.2)) {
    value = Replacement();
  } else if (value.is_number()) {
    ChangeNumber(value);
  } else if (value.is_string()) {
    ChangeString(value);
  } else if (value.is_array()) {
    ChangeArray(value);
  } else if (value.is_object()) {
    ChangeObject(value);
  } else {
    value = Replacement();
  }
}

Json DocumentWriter::Replacement() {
  static const auto* const values = new std::vector<Json>(
      {nullptr, true, false, 0, -1, 7, 2.5, 100, "", "a", "abc", Json::array(), Json::object(),
       Json::array({1}), Json::array({"a", nullptr}), Json::object({{"a", 1}})});
  return OneOf(*values);
}

void DocumentWriter::ChangeNumber(Json& number) {
  const double value = number;
  const std::vector<double> others = {value + 1, value - 1,   value + 0.5, -value,    2 * value,
                                      value / 2, value + 100, value - 100, value + 5, value + 0.01};
  number = OneOf(others);
}

void DocumentWriter::ChangeString(Json& string) {
  std::string text = string;
  static const auto* const pieces = new std::vector<std::string>(
      {"a", "Z", "0", "-", ".", " ", "\"", "\\", "\n", "é", "日", "@"});
  // Between characters.
  size_t place = Below(text.size() + 1);
  while (place < text.size() && (text[place] & 0xC0) == 0x80) ++place;
  size_t size = place < text.size() ? 1 : 0;
  while (place + size < text.size() && (text[place + size] & 0xC0) == 0x80) ++size;
  const size_t change = Below(3);
  if (change != 0) text.erase(place, size);
  if (change != 1) text.insert(place, OneOf(*pieces));
  string = text;
}

void DocumentWriter::ChangeArray(Json& array) {
  if (array.empty() || Chance(0.3)) {
    array.push_back(Replacement());
  } else if (Chance(0.5)) {
    array.erase(Below(array.size()));
  } else {
    array.push_back(Json(array[Below(array.size())]));
  }
}

void DocumentWriter::ChangeObject(Json& object) {
  static const auto* const names =
      new std::vector<std::string>({"a", "b", "x-a", "name", "kind", "A_B", "n_", ""});
  if (object.empty() || Chance(0.3)) {
    object[OneOf(*names)] = Replacement();
    return;
  }
  const auto member = std::next(object.begin(), static_cast<std::ptrdiff_t>(Below(object.size())));
  if (Chance(0.5)) object[absl::StrCat(member.key(), "s")] = Json(member.value());
  object.erase(member.key());
}

}  // namespace logitchain
