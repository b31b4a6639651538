#include "logitchain/cli/import/json_parameters.h"

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
#include "logitchain/cli/import/source_value.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using Json = nlohmann::json;

constexpr size_t kMaxNesting = 64;

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

// A step of a JSON pointer.
std::string PointerStep(absl::string_view key) {
  return absl::StrCat("/", absl::StrReplaceAll(key, {{"~", "~0"}, {"/", "~1"}}));
}

// What nlohmann says of an error, without its own name and place of it.
std::string Reason(const nlohmann::detail::exception& error) {
  absl::string_view what = error.what();
  what.remove_prefix(what.find(']') + 1);  // "[json.exception.parse_error.101]"; npos + 1 is 0.
  if (!what.empty() && what[0] == ' ') what.remove_prefix(1);
  const size_t place_end = what.find(": ");
  if (absl::StartsWith(what, "parse error at ") && place_end != what.npos) {
    what.remove_prefix(place_end + 2);
  }
  // Quotes are escaped as well, which a message has no need of.
  return absl::StrReplaceAll(absl::Utf8SafeCEscape(what), {{"\\'", "'"}, {"\\\"", "\""}});
}

// Builds a value from the parser's events. A handler that returns false ends the parsing.
class ValueBuilder final : public nlohmann::json_sax<Json> {
 public:
  ValueBuilder(absl::string_view text, absl::string_view filename)
      : text_(text), filename_(filename) {}

  absl::Status Parse() {
    const CountingIterator begin(text_.data(), &read_);
    const CountingIterator end(text_.data() + text_.size(), &read_);
    Json::sax_parse(begin, end, this);
    return status_;
  }

  SourceValue& root() { return root_; }

  // Of the root's keys.
  const std::vector<TextLocation>& locations() const { return locations_; }

  bool null() override { return Add({}); }
  bool boolean(bool value) override {
    return Add({.kind = SourceValue::Kind::kBool, .text = value ? "true" : "false"});
  }
  bool number_integer(number_integer_t value) override { return AddNumber(absl::StrCat(value)); }
  bool number_unsigned(number_unsigned_t value) override { return AddNumber(absl::StrCat(value)); }
  bool number_float(number_float_t, const string_t& text) override { return AddNumber(text); }
  bool string(string_t& text) override {
    return Add({.kind = SourceValue::Kind::kString, .text = text});
  }
  bool binary(binary_t&) override { return Fail("is not JSON"); }
  bool start_object(size_t) override { return Open(SourceValue::Kind::kObject); }
  bool start_array(size_t) override { return Open(SourceValue::Kind::kList); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }

  bool key(string_t& key) override {
    Frame& frame = open_.back();
    frame.value.keys.push_back(key);
    if (open_.size() == 1) locations_.push_back(LocationOf(text_, KeyBegin()));
    if (frame.keys.insert(key).second) return true;
    return FailAt(KeyBegin(), absl::StrCat(Shown(Pointer()), " is given twice"));
  }

  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception& error) override {
    return Fail(absl::StrCat("is not JSON: ", Reason(error)));
  }

 private:
  // A list or object that has not ended.
  struct Frame {
    SourceValue value;
    absl::flat_hash_set<std::string> keys;
  };

  bool AddNumber(std::string text) {
    return Add({.kind = SourceValue::Kind::kNumber, .text = std::move(text)});
  }

  bool Add(SourceValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else {
      open_.back().value.elements.push_back(std::move(value));
    }
    return true;
  }

  bool Open(SourceValue::Kind kind) {
    if (open_.size() == kMaxNesting) {
      return Fail(absl::StrCat("is nested deeper than ", kMaxNesting, " levels"));
    }
    open_.push_back({.value = {.kind = kind}});
    return true;
  }

  bool Close() {
    SourceValue value = std::move(open_.back().value);
    open_.pop_back();
    return Add(std::move(value));
  }

  // The JSON pointer of the key that was read last.
  std::string Pointer() const {
    std::string pointer;
    for (const Frame& frame : open_) {
      const bool is_list = frame.value.kind == SourceValue::Kind::kList;
      absl::StrAppend(&pointer, PointerStep(is_list ? absl::StrCat(frame.value.elements.size())
                                                    : frame.value.keys.back()));
    }
    return pointer;
  }

  // Where the string begins whose closing quote was read last.
  size_t KeyBegin() const {
    const size_t close = text_.rfind('"', read_ - 1);
    size_t begin = text_.rfind('"', close - 1);
    while (IsEscaped(begin)) begin = text_.rfind('"', begin - 1);
    return begin;
  }

  bool IsEscaped(size_t offset) const {
    size_t backslashes = 0;
    while (backslashes < offset && text_[offset - 1 - backslashes] == '\\') ++backslashes;
    return backslashes % 2 == 1;
  }

  bool Fail(absl::string_view message) { return FailAt(read_ == 0 ? 0 : read_ - 1, message); }

  bool FailAt(size_t offset, absl::string_view message) {
    status_ = absl::InvalidArgumentError(
        absl::StrCat(Prefix(filename_, LocationOf(text_, offset)), message));
    return false;
  }

  absl::string_view text_;
  absl::string_view filename_;
  size_t read_ = 0;
  std::vector<Frame> open_;
  SourceValue root_;
  std::vector<TextLocation> locations_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<std::vector<SourceParameter>> ParseJsonParameters(absl::string_view text,
                                                                 absl::string_view filename) {
  ValueBuilder builder(text, filename);
  if (absl::Status status = builder.Parse(); !status.ok()) return status;
  SourceValue& root = builder.root();
  if (root.kind != SourceValue::Kind::kObject) {
    return absl::InvalidArgumentError(
        absl::StrCat(filename, ": is ", Shown(root), "; it must be a JSON object of parameters"));
  }
  std::vector<SourceParameter> parameters;
  for (size_t i = 0; i < root.keys.size(); ++i) {
    parameters.push_back({.key = root.keys[i],
                          .name = Shown(PointerStep(root.keys[i])),
                          .value = std::move(root.elements[i]),
                          .location = builder.locations()[i]});
  }
  return parameters;
}

}  // namespace logitchain
