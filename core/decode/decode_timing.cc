#include "logitchain/core/decode/decode_timing.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "logitchain/core/counted.h"
#include "logitchain/core/decode/decode_observer.h"

namespace logitchain {
namespace {

using Part = DecodeTiming::Part;
using Token = DecodeTiming::Token;

// With which every draw begins.
constexpr absl::string_view kFirstPart = "logits";

void AddRun(Part& part, absl::Duration spent, int32_t kept) {
  ++part.runs;
  part.total += spent;
  part.longest = std::max(part.longest, spent);
  part.kept += kept;
}

// One side of all tokens' times, as if it were a part.
Part AddUp(absl::string_view name, absl::Duration StepTimes::*side,
           absl::Span<const Token> tokens) {
  Part sum = {.name = std::string(name)};
  for (const Token& token : tokens) AddRun(sum, token.times.*side, token.kept);
  return sum;
}

double Mean(double sum, int64_t count) { return count == 0 ? 0 : sum / count; }

class Table {
 public:
  explicit Table(size_t name_width) : name_width_(static_cast<int>(name_width)) {}

  void AddHeader(absl::string_view name) {
    absl::StrAppendFormat(&text_, "%-*s %12s %12s %12s %12s\n", name_width_, name, "mean us",
                          "longest us", "total ms", "mean kept");
  }

  void AddRow(const Part& part, bool has_kept) {
    const std::string kept =
        has_kept ? absl::StrFormat("%.1f", Mean(static_cast<double>(part.kept), part.runs)) : "";
    absl::StrAppendFormat(&text_, "%-*s %12.1f %12.1f %12.3f %12s\n", name_width_, part.name,
                          Mean(absl::ToDoubleMicroseconds(part.total), part.runs),
                          absl::ToDoubleMicroseconds(part.longest),
                          absl::ToDoubleMilliseconds(part.total), kept);
  }

  const std::string& text() const { return text_; }

 private:
  int name_width_;
  std::string text_;
};

}  // namespace

std::string DecodeTiming::Summary() const {
  const std::string title = Counted(tokens_.size(), "token");
  size_t width = title.size();
  for (const Part& part : parts_) width = std::max(width, part.name.size() + 2);

  Table table(width);
  table.AddHeader(title);
  table.AddRow(AddUp("model", &StepTimes::model, tokens_), /*has_kept=*/false);
  table.AddRow(AddUp("sampling", &StepTimes::sampling, tokens_), /*has_kept=*/false);
  for (Part part : parts_) {
    part.name.insert(0, "  ");
    table.AddRow(part, /*has_kept=*/true);
  }
  return table.text();
}

void DecodeTiming::OnPart(absl::string_view name, int32_t kept, absl::Duration spent) {
  AddRun(FindPart(name), spent, kept);
}

void DecodeTiming::OnToken(const TokenRecord& token, const StepTimes& times) {
  tokens_.push_back({times, token.sample.kept});
}

DecodeTiming::Part& DecodeTiming::FindPart(absl::string_view name) {
  if (name == kFirstPart) next_part_ = 0;
  auto part = std::find_if(parts_.begin() + static_cast<ptrdiff_t>(next_part_), parts_.end(),
                           [name](const Part& part) { return part.name == name; });
  if (part == parts_.end()) part = parts_.insert(part, {.name = std::string(name)});
  next_part_ = part - parts_.begin() + 1;
  return *part;
}

}  // namespace logitchain
