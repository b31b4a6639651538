#include "logitchain/cli/npy_dict.h"

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace logitchain {
namespace {

// Functions that take something from the front of the text skip the whitespace before it, and
// return false after they have set the error. TryTake sets none.
class DictParser {
 public:
  explicit DictParser(absl::string_view text) : text_(text), rest_(text) {}

  absl::StatusOr<NpyDict> Parse() {
    if (!TakePairs() || !TakeEnd()) return error_;
    return dict_;
  }

 private:
  struct Key {
    const char* name;
    bool (DictParser::*take_value)();
    bool given = false;
  };

  bool TakePairs() {
    if (!TakeList('{', '}', &DictParser::TakePair)) return false;
    for (const Key& key : keys_) {
      if (!key.given) return Fail(absl::StrCat("the key '", key.name, "' is missing"));
    }
    return true;
  }

  bool TakePair() {
    std::string name;
    if (!TakeString(&name)) return false;
    for (Key& key : keys_) {
      if (name != key.name) continue;
      if (key.given) return Fail(absl::StrCat("the key '", name, "' is given twice"));
      key.given = true;
      return Take(':') && (this->*key.take_value)();
    }
    return Fail(absl::StrCat("the key ", QuoteNpyBytes(name),
                             " is none of 'descr', 'fortran_order' and 'shape'"));
  }

  bool TakeDescr() {
    SkipSpace();
    if (absl::StartsWith(rest_, "[")) {
      return Fail("'descr' lists the fields of a record; it must be one floating-point type");
    }
    return TakeString(&dict_.descr);
  }

  bool TakeFortranOrder() {
    SkipSpace();
    dict_.fortran_order = absl::ConsumePrefix(&rest_, "True");
    return dict_.fortran_order || absl::ConsumePrefix(&rest_, "False") || Expected("True or False");
  }

  bool TakeShape() {
    if (!TakeList('(', ')', &DictParser::TakeSize)) return false;
    // Without the comma, Python takes it for a number in parentheses.
    return dict_.shape.size() != 1 || ends_with_comma_ || Fail("(V) is not a tuple; (V,) is");
  }

  bool TakeSize() {
    SkipSpace();
    size_t digits = 0;
    while (digits < rest_.size() && absl::ascii_isdigit(rest_[digits])) ++digits;
    if (digits == 0) return Expected("a size");
    int64_t size;
    if (!absl::SimpleAtoi(rest_.substr(0, digits), &size)) {
      return Fail("the size that begins here is above 2^63 - 1");
    }
    rest_.remove_prefix(digits);
    dict_.shape.push_back(size);
    return true;
  }

  // Takes `open`, items with commas between them and perhaps behind the last, and `close`.
  bool TakeList(char open, char close, bool (DictParser::*take_item)()) {
    if (!Take(open)) return false;
    bool comma = true;  // Behind the item before; the first needs none.
    while (!TryTake(close)) {
      if (!comma) return Expected(absl::StrCat("',' or '", std::string(1, close), "'"));
      if (!(this->*take_item)()) return false;
      comma = TryTake(',');
    }
    ends_with_comma_ = comma;
    return true;
  }

  bool TakeString(std::string* value) {
    SkipSpace();
    if (!absl::StartsWith(rest_, "'") && !absl::StartsWith(rest_, "\"")) {
      return Expected("a string in quotes");
    }
    const size_t end = rest_.find(rest_.front(), 1);
    if (end == absl::string_view::npos) return Fail("the string that begins here does not end");
    *value = std::string(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return true;
  }

  bool TakeEnd() {
    SkipSpace();
    return rest_.empty() || Expected("the end of the header");
  }

  bool Take(char wanted) {
    return TryTake(wanted) || Expected(absl::StrCat("'", std::string(1, wanted), "'"));
  }

  bool TryTake(char wanted) {
    SkipSpace();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void SkipSpace() { rest_ = absl::StripLeadingAsciiWhitespace(rest_); }

  bool Expected(absl::string_view wanted) {
    const std::string found = rest_.empty() ? "the end" : QuoteNpyBytes(rest_.substr(0, 12));
    return Fail(absl::StrCat(found, " stands where ", wanted, " must be"));
  }

  bool Fail(absl::string_view what) {
    error_ = absl::InvalidArgumentError(
        absl::StrCat("byte ", text_.size() - rest_.size(), " of the header dict: ", what));
    return false;
  }

  const absl::string_view text_;
  absl::string_view rest_;
  Key keys_[3] = {{"descr", &DictParser::TakeDescr},
                  {"fortran_order", &DictParser::TakeFortranOrder},
                  {"shape", &DictParser::TakeShape}};
  bool ends_with_comma_ = false;  // Whether the last list did, if it had items.
  NpyDict dict_;
  absl::Status error_;
};

}  // namespace

std::string QuoteNpyBytes(absl::string_view bytes) {
  const std::string escaped = absl::CHexEscape(bytes.substr(0, 40));
  return absl::StrCat("\"", absl::StrReplaceAll(escaped, {{"\\'", "'"}}), "\"");
}

absl::StatusOr<NpyDict> ParseNpyDict(absl::string_view text) { return DictParser(text).Parse(); }

}  // namespace logitchain
