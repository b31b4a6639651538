#ifndef LOGITCHAIN_GRAMMAR_JSON_JSON_TREE_BUILDER_H_
#define LOGITCHAIN_GRAMMAR_JSON_JSON_TREE_BUILDER_H_

#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"

namespace logitchain {

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
std::string JsonErrorReason(const nlohmann::json::exception& error);

// Builds a tree of values from nlohmann's events over a text, with numbers as they are written. A
// Value has a kind, a text, and keys and elements in the order of the text. What is left to derive
// are booleans, keys, and what becomes of an error.
template <typename Value, typename Value::Kind kArray>
class JsonTreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  using Kind = typename Value::Kind;

  bool null() final { return Add({}); }
  bool number_integer(number_integer_t value) final { return AddNumber(absl::StrCat(value)); }
  bool number_unsigned(number_unsigned_t value) final { return AddNumber(absl::StrCat(value)); }
  bool number_float(number_float_t, const string_t& text) final { return AddNumber(text); }
  bool string(string_t& text) final { return Add({.kind = Kind::kString, .text = text}); }
  bool binary(binary_t&) final { return Fail("is not JSON"); }
  bool start_object(size_t) final { return Open(Kind::kObject); }
  bool start_array(size_t) final { return Open(kArray); }
  bool end_object() final { return Close(); }
  bool end_array() final { return Close(); }
  bool parse_error(size_t, const std::string&, const nlohmann::json::exception& error) final {
    constexpr int kNumberOverflow = 406;
    return Fail(error.id == kNumberOverflow
                    ? "is a number too large for a double; they go up to 1.797e308"
                    : absl::StrCat("is not JSON: ", JsonErrorReason(error)));
  }

 protected:
  // An array or object that has not ended.
  struct Frame {
    Value value;
    absl::flat_hash_set<std::string> keys;
  };

  JsonTreeBuilder(absl::string_view text, size_t max_nesting)
      : text_(text), max_nesting_(max_nesting) {}

  void Run() {
    const CountingIterator begin(text_.data(), &read_);
    const CountingIterator end(text_.data() + text_.size(), &read_);
    nlohmann::json::sax_parse(begin, end, this);
  }

  // Takes note of an error at what was read last. A handler that returns false ends the parsing.
  virtual bool Fail(absl::string_view message) = 0;

  bool Add(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else {
      open_.back().value.elements.push_back(std::move(value));
    }
    return true;
  }

  absl::string_view text() const { return text_; }
  // Bytes so far.
  size_t read() const { return read_; }
  size_t last_read() const { return read_ == 0 ? 0 : read_ - 1; }
  // From the outermost one on.
  std::vector<Frame>& open() { return open_; }
  const std::vector<Frame>& open() const { return open_; }
  Value& root() { return root_; }

 private:
  bool AddNumber(std::string text) { return Add({.kind = Kind::kNumber, .text = std::move(text)}); }

  bool Open(Kind kind) {
    if (open_.size() == max_nesting_) {
      return Fail(absl::StrCat("is nested deeper than ", max_nesting_, " levels"));
    }
    open_.push_back({.value = {.kind = kind}});
    return true;
  }

  bool Close() {
    Value value = std::move(open_.back().value);
    open_.pop_back();
    return Add(std::move(value));
  }

  absl::string_view text_;
  size_t max_nesting_;
  size_t read_ = 0;
  std::vector<Frame> open_;
  Value root_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_JSON_TREE_BUILDER_H_
