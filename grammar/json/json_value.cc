#include "logitchain/grammar/json/json_value.h"

#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/syntax/text_cursor.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using Json = nlohmann::json;

// Goes through a text and tells how far the parser has read.
class CountingIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* next, size_t* read) : next_(next), read_(read) {}

  reference operator*() const { return *next_; }
  CountingIterator& operator++() {
    ++next_;
    ++*read_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return next_ == other.next_; }

 private:
  const char* next_;
  size_t* read_;
};

// What nlohmann says of an error, without its own name and place of it.
std::string Reason(const nlohmann::detail::exception& error) {
  absl::string_view what = error.what();
  what.remove_prefix(what.find(']') + 1);  // "[json.exception.parse_error.101]"; npos + 1 is 0.
  what = absl::StripLeadingAsciiWhitespace(what);
  const size_t place_end = what.find(": ");
  if (absl::StartsWith(what, "parse error at ") && place_end != what.npos) {
    what.remove_prefix(place_end + 2);
  }
  return absl::StrReplaceAll(absl::Utf8SafeCEscape(what), {{"\\'", "'"}, {"\\\"", "\""}});
}

// Builds a value from the parser's events. A handler that returns false ends the parsing.
class ValueBuilder final : public nlohmann::json_sax<Json> {
 public:
  explicit ValueBuilder(absl::string_view text) : text_(text) {}

  absl::StatusOr<JsonValue> Parse() {
    const CountingIterator begin(text_.data(), &read_);
    const CountingIterator end(text_.data() + text_.size(), &read_);
    Json::sax_parse(begin, end, this);
    if (!status_.ok()) return status_;
    return std::move(root_);
  }

  bool null() override { return Add({}); }
  bool boolean(bool value) override {
    return Add({.kind = JsonValue::Kind::kBool, .boolean = value});
  }
  bool number_integer(number_integer_t value) override { return AddNumber(absl::StrCat(value)); }
  bool number_unsigned(number_unsigned_t value) override { return AddNumber(absl::StrCat(value)); }
  bool number_float(number_float_t, const string_t& text) override { return AddNumber(text); }
  bool string(string_t& text) override {
    return Add({.kind = JsonValue::Kind::kString, .text = std::move(text)});
  }
  bool binary(binary_t&) override { return Fail("is not JSON"); }
  bool start_object(size_t) override { return Open(JsonValue::Kind::kObject); }
  bool start_array(size_t) override { return Open(JsonValue::Kind::kArray); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }

  bool key(string_t& key) override {
    if (!open_.back().keys.insert(key).second) {
      return Fail(absl::StrCat("the key \"", absl::Utf8SafeCEscape(key), "\" is given twice"));
    }
    open_.back().value.keys.push_back(std::move(key));
    return true;
  }

  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception& error) override {
    return Fail(absl::StrCat("is not JSON: ", Reason(error)));
  }

 private:
  // An array or object that has not ended.
  struct Frame {
    JsonValue value;
    absl::flat_hash_set<std::string> keys;
  };

  bool AddNumber(std::string text) {
    return Add({.kind = JsonValue::Kind::kNumber, .text = std::move(text)});
  }

  bool Add(JsonValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else {
      open_.back().value.elements.push_back(std::move(value));
    }
    return true;
  }

  bool Open(JsonValue::Kind kind) {
    if (open_.size() == kMaxJsonNesting) {
      return Fail(absl::StrCat("is nested deeper than ", kMaxJsonNesting, " levels"));
    }
    open_.push_back({.value = {.kind = kind}});
    return true;
  }

  bool Close() {
    JsonValue value = std::move(open_.back().value);
    open_.pop_back();
    return Add(std::move(value));
  }

  bool Fail(absl::string_view message) {
    status_ = SyntaxError(text_, read_ == 0 ? 0 : read_ - 1, message);
    return false;
  }

  absl::string_view text_;
  size_t read_ = 0;
  std::vector<Frame> open_;
  JsonValue root_;
  absl::Status status_;
};

}  // namespace

const JsonValue* JsonValue::Find(absl::string_view key) const {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == key) return &elements[i];
  }
  return nullptr;
}

absl::string_view KindName(JsonValue::Kind kind) {
  switch (kind) {
    case JsonValue::Kind::kNull:
      return "null";
    case JsonValue::Kind::kBool:
      return "a boolean";
    case JsonValue::Kind::kNumber:
      return "a number";
    case JsonValue::Kind::kString:
      return "a string";
    case JsonValue::Kind::kArray:
      return "an array";
    case JsonValue::Kind::kObject:
      return "an object";
  }
  return "";
}

std::string JsonPointerStep(absl::string_view key) {
  return absl::StrCat("/", absl::StrReplaceAll(key, {{"~", "~0"}, {"/", "~1"}}));
}

absl::StatusOr<JsonValue> ParseJson(absl::string_view text) { return ValueBuilder(text).Parse(); }

}  // namespace logitchain
