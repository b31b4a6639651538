#include "logitchain/tests/fuzz/mutator.h"

#include <cstddef>
#include <iterator>
#include <string>

#include "absl/strings/string_view.h"

namespace logitchain {
namespace {

// Numbers at which something ends.
constexpr absl::string_view kNumbers[] = {
    "0",        "-0",       "1",          "-1",
    "2",        "63",       "64",         "1048577",
    "0.5",      "1e-9",     "1e-320",     "1e38",
    "1e300",    "-1e300",   "2147483647", "-2147483648",
    "3.5e38",   "-1e-46",   "inf",        "-inf",
    "nan",      "16777216", "4294967296", "9223372036854775807",
    "1000",     "1024",     "1e18",       "0x10",
    "0.999999", "16777217", "-3",         "18446744073709551615",
};

constexpr absl::string_view kBytes("\0\n\x7f\x80\xc3\xff{}[]()\"'\\-*", 17);

constexpr char kDigits[] = "0123456789";

}  // namespace

std::string Mutator::Next() {
  std::string input = AnyInput();
  for (size_t changes = 1 + Below(4); changes > 0; --changes) Change(input);
  return input;
}

void Mutator::Change(std::string& input) {
  const size_t place = Below(input.size() + 1);
  switch (Below(8)) {
    case 0:
    case 1:
      ReplaceNumber(place, input);
      break;
    case 2:
      input.insert(place, Piece(AnyInput()));
      break;
    case 3:
      input.insert(place, Piece(input));
      break;
    case 4:
      input.erase(place, 1 + Below(1 + Below(40)));
      break;
    case 5:
      input.insert(place, 1, kBytes[Below(kBytes.size())]);
      break;
    case 6:
      if (place < input.size()) input[place] = static_cast<char>(Below(256));
      break;
    case 7:
      if (place < input.size()) input[place] ^= static_cast<char>(1 << Below(8));
      break;
  }
}

std::string Mutator::Piece(const std::string& text) {
  return text.substr(Below(text.size() + 1), 1 + Below(100));
}

void Mutator::ReplaceNumber(size_t place, std::string& input) {
  const size_t begin = input.find_first_of(kDigits, place);
  if (begin == input.npos) return;
  size_t end = input.find_first_not_of(kDigits, begin);
  if (end == input.npos) end = input.size();
  const absl::string_view number = kNumbers[Below(std::size(kNumbers))];
  input.replace(begin, end - begin, number.data(), number.size());
}

}  // namespace logitchain
