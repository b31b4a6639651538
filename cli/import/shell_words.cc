#include "logitchain/cli/import/shell_words.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/cli/import/source_value.h"

namespace logitchain {
namespace {

class WordSplitter {
 public:
  WordSplitter(absl::string_view text, absl::string_view filename)
      : text_(text), filename_(filename) {}

  absl::StatusOr<std::vector<ShellWord>> Split() {
    while (SkipBetweenWords()) {
      word_ = {.text = "", .location = LocationOf(text_, next_)};
      if (absl::Status status = ReadWord(); !status.ok()) return status;
      words_.push_back(std::move(word_));
    }
    return std::move(words_);
  }

 private:
  bool AtEnd() const { return next_ == text_.size(); }

  // False at the end of the text.
  bool SkipBetweenWords() {
    while (!AtEnd()) {
      if (text_[next_] == '#') {
        next_ = std::min(text_.find('\n', next_), text_.size());
      } else if (absl::ascii_isspace(text_[next_])) {
        ++next_;
      } else if (!SkipLineContinuation()) {
        return true;
      }
    }
    return false;
  }

  // Skips a backslash with the line end behind it, if they are next.
  bool SkipLineContinuation() {
    for (const absl::string_view continuation : {"\\\n", "\\\r\n"}) {
      if (!absl::StartsWith(text_.substr(next_), continuation)) continue;
      next_ += continuation.size();
      return true;
    }
    return false;
  }

  absl::Status ReadWord() {
    while (!AtEnd() && !absl::ascii_isspace(text_[next_])) {
      if (SkipLineContinuation()) continue;
      const char c = text_[next_];
      if (c == '\'' || c == '"') {
        if (absl::Status status = ReadQuoted(); !status.ok()) return status;
      } else {
        if (c == '\\' && next_ + 1 < text_.size()) ++next_;
        word_.text += text_[next_++];
      }
    }
    return absl::OkStatus();
  }

  absl::Status ReadQuoted() {
    const size_t begin = next_++;
    const char quote = text_[begin];
    while (!AtEnd() && text_[next_] != quote) {
      if (quote == '"' && SkipLineContinuation()) continue;
      if (quote == '"' && IsEscapeInQuotes()) ++next_;
      word_.text += text_[next_++];
    }
    if (AtEnd()) {
      return absl::InvalidArgumentError(absl::StrCat(Prefix(filename_, LocationOf(text_, begin)),
                                                     "a ", absl::string_view(&quote, 1),
                                                     " that begins here does not end"));
    }
    ++next_;
    return absl::OkStatus();
  }

  // Within "…" a backslash stands for itself before any other character.
  bool IsEscapeInQuotes() const {
    return text_[next_] == '\\' && next_ + 1 < text_.size() &&
           absl::StrContains("\\\"$`", text_[next_ + 1]);
  }

  absl::string_view text_;
  absl::string_view filename_;
  size_t next_ = 0;
  ShellWord word_;
  std::vector<ShellWord> words_;
};

}  // namespace

absl::StatusOr<std::vector<ShellWord>> SplitShellWords(absl::string_view text,
                                                       absl::string_view filename) {
  return WordSplitter(text, filename).Split();
}

}  // namespace logitchain
