#include "logitchain/tests/grammar/testing/string_formats.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace logitchain {
namespace {

bool AllOf(absl::string_view text, bool (*is_one)(unsigned char)) {
  return std::all_of(text.begin(), text.end(),
                     [is_one](char c) { return is_one(static_cast<unsigned char>(c)); });
}

bool IsAllIn(absl::string_view text, absl::string_view others) {
  return std::all_of(text.begin(), text.end(), [others](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || absl::StrContains(others, c);
  });
}

// The number that so many digits make; -1 if they are none.
int Digits(absl::string_view text, size_t count) {
  int number = -1;
  if (text.size() != count || !AllOf(text, absl::ascii_isdigit)) return -1;
  return absl::SimpleAtoi(text, &number) ? number : -1;
}

bool IsDate(const std::string& text) {
  const std::vector<std::string> parts = absl::StrSplit(text, '-');
  if (parts.size() != 3) return false;
  const int year = Digits(parts[0], 4);
  const int month = Digits(parts[1], 2);
  const int day = Digits(parts[2], 2);
  if (year < 0 || month < 1 || month > 12) return false;
  const bool is_leap_year = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  const int days_of_months[] = {31, is_leap_year ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return day >= 1 && day <= days_of_months[month - 1];
}

// Minutes of "hh:mm"; -1 if it is something else.
int MinutesOf(absl::string_view text) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits(':', 1));
  const int hours = Digits(parts.first, 2);
  const int minutes = Digits(parts.second, 2);
  const bool is_right = hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60;
  return is_right ? 60 * hours + minutes : -1;
}

bool IsTime(absl::string_view text) {
  if (text.size() < 9 || text[5] != ':') return false;
  const int minutes = MinutesOf(text.substr(0, 5));
  const int seconds = Digits(text.substr(6, 2), 2);
  text.remove_prefix(8);
  if (text[0] == '.') {
    const size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
    if (end == 1) return false;
    text.remove_prefix(end);
  }
  if (text.empty()) return false;
  int offset = 0;
  if (text != "Z" && text != "z") {
    if (text[0] != '+' && text[0] != '-') return false;
    offset = MinutesOf(text.substr(1));
    if (offset < 0) return false;
    if (text[0] == '-') offset = -offset;
  }
  if (minutes < 0 || seconds < 0 || seconds > 60) return false;
  constexpr int kDay = 24 * 60;
  return seconds < 60 || (minutes - offset + kDay) % kDay == kDay - 1;
}

bool IsDateTime(const std::string& text) {
  return text.size() > 11 && (text[10] == 'T' || text[10] == 't') && IsDate(text.substr(0, 10)) &&
         IsTime(absl::string_view(text).substr(11));
}

bool IsUuid(const std::string& text) {
  const std::vector<std::string> parts = absl::StrSplit(text, '-');
  const size_t sizes[] = {8, 4, 4, 4, 12};
  if (parts.size() != 5) return false;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].size() != sizes[i] || !AllOf(parts[i], absl::ascii_isxdigit)) return false;
  }
  return true;
}

bool IsAddress(int family, const std::string& text) {
  in6_addr address;
  return !absl::StrContains(text, '\0') && inet_pton(family, text.c_str(), &address) == 1;
}

bool IsDomainName(absl::string_view text) {
  for (const absl::string_view label : absl::StrSplit(text, '.')) {
    if (label.empty() || label.size() > 63 || !IsAllIn(label, "-")) return false;
    if (label.front() == '-' || label.back() == '-') return false;
    // Whether such a label is a name hangs on Punycode; the grammars leave them out.
    if (label.size() > 3 && label[2] == '-' && label[3] == '-') return false;
  }
  return true;
}

bool IsLocalPart(absl::string_view text) {
  if (!absl::StartsWith(text, "\"")) {
    for (const absl::string_view atom : absl::StrSplit(text, '.')) {
      if (atom.empty() || !IsAllIn(atom, "!#$%&'*+-/=?^_`{|}~")) return false;
    }
    return true;
  }
  if (text.size() < 2 || text.back() != '"') return false;
  for (size_t i = 1; i + 1 < text.size(); ++i) {
    const bool is_escaped = text[i] == '\\';
    if (is_escaped) ++i;
    if (i + 1 == text.size() || !absl::ascii_isprint(static_cast<unsigned char>(text[i]))) {
      return false;
    }
    if (text[i] == '"' && !is_escaped) return false;
  }
  return true;
}

bool IsEmail(const std::string& text) {
  const size_t at = text.rfind('@');
  if (at == text.npos || !IsLocalPart(absl::string_view(text).substr(0, at))) return false;
  const std::string domain = text.substr(at + 1);
  if (domain.empty() || domain[0] != '[') return IsDomainName(domain);
  if (domain.back() != ']') return false;
  const std::string literal = domain.substr(1, domain.size() - 2);
  if (absl::StartsWith(literal, "IPv6:")) return IsAddress(AF_INET6, literal.substr(5));
  return IsAddress(AF_INET, literal);
}

// Of characters that a URI has unescaped, these beside letters and digits, and of %XX.
bool IsUriText(absl::string_view text, absl::string_view others) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      const absl::string_view hex = text.substr(i + 1, 2);
      if (hex.size() != 2 || !AllOf(hex, absl::ascii_isxdigit)) return false;
      i += 2;
    } else if (!IsAllIn(text.substr(i, 1), others)) {
      return false;
    }
  }
  return true;
}

constexpr absl::string_view kUnreservedAndDelimiters = "-._~!$&'()*+,;=";

bool IsHost(absl::string_view host) {
  if (!absl::StartsWith(host, "[")) return IsUriText(host, kUnreservedAndDelimiters);
  if (host.size() < 2 || host.back() != ']') return false;
  const absl::string_view literal = host.substr(1, host.size() - 2);
  if (!absl::StartsWithIgnoreCase(literal, "v")) return IsAddress(AF_INET6, std::string(literal));
  const size_t dot = literal.find('.');
  return dot != literal.npos && dot > 1 &&
         AllOf(literal.substr(1, dot - 1), absl::ascii_isxdigit) && dot + 1 < literal.size() &&
         IsAllIn(literal.substr(dot + 1), absl::StrCat(kUnreservedAndDelimiters, ":"));
}

bool IsAuthority(absl::string_view authority) {
  const size_t at = authority.find('@');
  if (at != authority.npos) {
    if (!IsUriText(authority.substr(0, at), absl::StrCat(kUnreservedAndDelimiters, ":"))) {
      return false;
    }
    authority.remove_prefix(at + 1);
  }
  const size_t bracket = authority.rfind(']');
  const size_t colon = authority.find(':', bracket == authority.npos ? 0 : bracket);
  if (colon == authority.npos) return IsHost(authority);
  return IsHost(authority.substr(0, colon)) &&
         AllOf(authority.substr(colon + 1), absl::ascii_isdigit);
}

// RFC 3986, appendix B, and then each part.
bool IsUri(absl::string_view text) {
  const size_t hash = std::min(text.find('#'), text.size());
  const std::string in_path = absl::StrCat(kUnreservedAndDelimiters, ":@/");
  const std::string in_query = absl::StrCat(in_path, "?");
  if (hash < text.size() && !IsUriText(text.substr(hash + 1), in_query)) return false;
  text = text.substr(0, hash);
  const size_t question = std::min(text.find('?'), text.size());
  if (question < text.size() && !IsUriText(text.substr(question + 1), in_query)) return false;
  text = text.substr(0, question);
  const size_t colon = text.find(':');
  if (colon == text.npos || colon == 0 || !absl::ascii_isalpha(text[0])) return false;
  if (!IsAllIn(text.substr(0, colon), "+-.")) return false;
  text.remove_prefix(colon + 1);
  if (absl::StartsWith(text, "//")) {
    text.remove_prefix(2);
    const size_t slash = std::min(text.find('/'), text.size());
    if (!IsAuthority(text.substr(0, slash))) return false;
    text.remove_prefix(slash);
  }
  return IsUriText(text, in_path);
}

}  // namespace

std::optional<bool> HasFormat(absl::string_view format, const std::string& text) {
  if (format == "date") return IsDate(text);
  if (format == "time") return IsTime(text);
  if (format == "date-time") return IsDateTime(text);
  if (format == "uuid") return IsUuid(text);
  if (format == "ipv4") return IsAddress(AF_INET, text);
  if (format == "ipv6") return IsAddress(AF_INET6, text);
  if (format == "hostname") return text.size() <= 253 && IsDomainName(text);
  if (format == "email") return IsEmail(text);
  if (format == "uri") return IsUri(text);
  return std::nullopt;
}

}  // namespace logitchain
