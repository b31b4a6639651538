#include "logitchain/grammar/json_schema/string_format.h"

#include <array>
#include <iterator>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/syntax/regex_tree.h"

namespace logitchain {
namespace {

// RFC 3339, appendix C, says which years are leap years.
constexpr absl::string_view kDate =
    "(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))"
    "|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)";

constexpr absl::string_view kTime =
    "(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)";

// Two-digit numbers a and b(a) around :60 and a sign, for a from `first` to `last`.
template <typename Partner>
std::string Pairs(int first, int last, absl::string_view between, Partner partner) {
  std::vector<std::string> pairs;
  for (int a = first; a <= last; ++a) {
    pairs.push_back(absl::StrFormat("%02d%s%02d", a, between, partner(a)));
  }
  return absl::StrCat("(?:", absl::StrJoin(pairs, "|"), ")");
}

// A leap second is at 23:59:60 UTC. Local time is UTC and the offset: 59 + m minutes and 23 + h
// hours, and one more if m > 0; or 59 - m minutes and 23 - h hours.
std::string LeapSecond() {
  constexpr absl::string_view kSeconds = ":60(?:\\.\\d+)?";
  const std::string hours_to_plus = absl::StrCat(":[0-5]\\d", kSeconds, "\\+");
  const std::string hours_to_minus = absl::StrCat(":[0-5]\\d", kSeconds, "-");
  const std::string minutes_to_plus = absl::StrCat(kSeconds, "\\+\\d\\d:");
  const std::string minutes_to_minus = absl::StrCat(kSeconds, "-\\d\\d:");
  const auto from_23 = [](int a) { return 23 - a; };
  const auto from_59 = [](int a) { return 59 - a; };
  return absl::StrCat(
      "23:59", kSeconds, "[Zz]|",
      Pairs(0, 23, absl::StrCat(":59", kSeconds, "\\+"), [](int a) { return (a + 1) % 24; }),
      ":00|(?=", Pairs(0, 23, hours_to_plus, [](int a) { return a; }),
      ":)\\d\\d:", Pairs(0, 58, minutes_to_plus, [](int a) { return a + 1; }),
      "|(?=", Pairs(0, 23, hours_to_minus, from_23),
      ":)\\d\\d:", Pairs(0, 59, minutes_to_minus, from_59));
}

std::string Time() { return absl::StrCat("(?:", kTime, "|", LeapSecond(), ")"); }

// RFC 3339, appendix A.
constexpr absl::string_view kDuration =
    "P(?:\\d+W|(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)(?:T{time})?|T{time})";
constexpr absl::string_view kDurationTime = "(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)";

// RFC 2673, section 3.2.
constexpr absl::string_view kIpv4 =
    "(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

// RFC 3986, appendix A.
constexpr absl::string_view kIpv6 =
    "(?:(?:{h}:){6}{l}|::(?:{h}:){5}{l}|(?:{h})?::(?:{h}:){4}{l}"
    "|(?:(?:{h}:){0,1}{h})?::(?:{h}:){3}{l}|(?:(?:{h}:){0,2}{h})?::(?:{h}:){2}{l}"
    "|(?:(?:{h}:){0,3}{h})?::{h}:{l}|(?:(?:{h}:){0,4}{h})?::{l}"
    "|(?:(?:{h}:){0,5}{h})?::{h}|(?:(?:{h}:){0,6}{h})?::)";

std::string Ipv6() {
  constexpr absl::string_view kGroup = "[0-9A-Fa-f]{1,4}";
  return absl::StrReplaceAll(
      kIpv6, {{"{h}", kGroup}, {"{l}", absl::StrCat("(?:", kGroup, ":", kGroup, "|", kIpv4, ")")}});
}

// RFC 1123, section 2.1: letters, digits, and hyphens inside; at most 63 of them.
constexpr absl::string_view kLabel =
    "[A-Za-z0-9](?:[A-Za-z0-9]?|[A-Za-z0-9-][A-Za-z0-9]"
    "|[A-Za-z0-9-][A-Za-z0-9][A-Za-z0-9-]{0,59}[A-Za-z0-9]"
    "|[A-Za-z0-9-]-[A-Za-z0-9](?:[A-Za-z0-9-]{0,58}[A-Za-z0-9])?)";

std::string DomainName() { return absl::StrCat(kLabel, "(?:\\.", kLabel, ")*"); }

std::string Hostname() { return absl::StrCat("(?=.{1,253}$)", DomainName()); }

// RFC 5321, section 4.1.2.
std::string Email() {
  constexpr absl::string_view kAtom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
  return absl::StrCat("(?:", kAtom, "(?:\\.", kAtom,
                      ")*|\"(?:[ !#-\\[\\]-~]|\\\\[ -~])*\")@(?:", DomainName(), "|\\[(?:", kIpv4,
                      "|IPv6:", Ipv6(), ")\\])");
}

// RFC 3986, appendix A: {u} is the inside of the class of unreserved characters.
constexpr absl::string_view kAuthority =
    "//(?:(?:[{u}!$&'()*+,;=:]|{pct})*@)?"
    "(?:\\[(?:{ipv6}|[vV][0-9A-Fa-f]+\\.[{u}!$&'()*+,;=:]+)\\]|(?:[{u}!$&'()*+,;=]|{pct})*)"
    "(?::\\d*)?(?:/{pchar}*)*";
constexpr absl::string_view kPathAbsolute = "/(?:{pchar}+(?:/{pchar}*)*)?";
constexpr absl::string_view kPathRootless = "{pchar}+(?:/{pchar}*)*";
constexpr absl::string_view kPathNoScheme = "(?:[{u}!$&'()*+,;=@]|{pct})+(?:/{pchar}*)*";
constexpr absl::string_view kQueryAndFragment =
    "(?:\\?(?:{pchar}|[/?{private}])*)?(?:#(?:{pchar}|[/?])*)?";

constexpr absl::string_view kAsciiUnreserved = "A-Za-z0-9._~\\-";
// RFC 3987, section 2.2: ucschar and iprivate.
constexpr absl::string_view kUcschar =
    "\\u00A0-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFEF\\u{10000}-\\u{1FFFD}\\u{20000}-\\u{2FFFD}"
    "\\u{30000}-\\u{3FFFD}\\u{40000}-\\u{4FFFD}\\u{50000}-\\u{5FFFD}\\u{60000}-\\u{6FFFD}"
    "\\u{70000}-\\u{7FFFD}\\u{80000}-\\u{8FFFD}\\u{90000}-\\u{9FFFD}\\u{A0000}-\\u{AFFFD}"
    "\\u{B0000}-\\u{BFFFD}\\u{C0000}-\\u{CFFFD}\\u{D0000}-\\u{DFFFD}\\u{E1000}-\\u{EFFFD}";
constexpr absl::string_view kIprivate =
    "\\uE000-\\uF8FF\\u{F0000}-\\u{FFFFD}\\u{100000}-\\u{10FFFD}";

// URIs or, with more characters, IRIs; only absolute ones, or references as well.
std::string Uri(bool international, bool reference) {
  std::string pattern = absl::StrCat("(?:[A-Za-z][A-Za-z0-9+.\\-]*:(?:", kAuthority, "|",
                                     kPathAbsolute, "|", kPathRootless, "|)");
  if (reference) {
    absl::StrAppend(&pattern, "|", kAuthority, "|", kPathAbsolute, "|", kPathNoScheme, "|");
  }
  absl::StrAppend(&pattern, ")", kQueryAndFragment);
  const std::string unreserved =
      absl::StrCat(kAsciiUnreserved, international ? kUcschar : absl::string_view());
  pattern = absl::StrReplaceAll(pattern, {{"{pchar}", "(?:[{u}!$&'()*+,;=:@]|{pct})"}});
  return absl::StrReplaceAll(pattern, {{"{u}", unreserved},
                                       {"{private}", international ? kIprivate : ""},
                                       {"{pct}", "%[0-9A-Fa-f]{2}"},
                                       {"{ipv6}", Ipv6()}});
}

// RFC 6570, section 2.
std::string UriTemplate() {
  constexpr absl::string_view kVariable =
      "(?:\\w|%[0-9A-Fa-f]{2})(?:\\.?(?:\\w|%[0-9A-Fa-f]{2}))*(?::[1-9]\\d{0,3}|\\*)?";
  const std::string literal =
      absl::StrCat("[!#$&-;=?-\\[\\]_a-z~", kUcschar, kIprivate, "]|%[0-9A-Fa-f]{2}");
  return absl::StrCat("(?:", literal, "|\\{[+#./;?&=,!@|]?", kVariable, "(?:,", kVariable,
                      ")*\\})*");
}

constexpr absl::string_view kJsonPointer = "(?:/(?:[^~/]|~[01])*)*";

using PatternMaker = std::string (*)();

struct Format {
  absl::string_view name;
  PatternMaker make;  // Null if there is no pattern.
};

constexpr Format kFormats[] = {
    {"date", [] { return std::string(kDate); }},
    {"date-time", [] { return absl::StrCat(kDate, "[Tt]", Time()); }},
    {"duration",
     [] {
       return absl::StrReplaceAll(kDuration, {{"{time}", kDurationTime}});
     }},
    {"email", Email},
    {"hostname", Hostname},
    {"idn-email", nullptr},
    {"idn-hostname", nullptr},
    {"ipv4", [] { return std::string(kIpv4); }},
    {"ipv6", Ipv6},
    {"iri", [] { return Uri(/*international=*/true, /*reference=*/false); }},
    {"iri-reference", [] { return Uri(/*international=*/true, /*reference=*/true); }},
    {"json-pointer", [] { return std::string(kJsonPointer); }},
    {"regex", nullptr},
    {"relative-json-pointer",
     [] { return absl::StrCat("(?:0|[1-9]\\d*)(?:#|", kJsonPointer, ")"); }},
    {"time", Time},
    {"uri", [] { return Uri(/*international=*/false, /*reference=*/false); }},
    {"uri-reference", [] { return Uri(/*international=*/false, /*reference=*/true); }},
    {"uri-template", UriTemplate},
    {"uuid", [] { return std::string("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"); }},
};

const Format* FindFormat(absl::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

}  // namespace

FormatSupport SupportOfFormat(absl::string_view format) {
  const Format* found = FindFormat(format);
  if (found == nullptr) return FormatSupport::kUnknown;
  return found->make == nullptr ? FormatSupport::kUnsupported : FormatSupport::kSupported;
}

const FormatPattern& PatternOfFormat(absl::string_view format) {
  struct Entry {
    std::once_flag once;
    FormatPattern pattern;
  };
  static auto* const entries = new std::array<Entry, std::size(kFormats)>();
  const Format* const found = FindFormat(format);
  Entry& entry = (*entries)[found - kFormats];
  std::call_once(entry.once, [&] {
    entry.pattern.text = found->make();
    entry.pattern.tree = ParseRegexTree(entry.pattern.text).value();
  });
  return entry.pattern;
}

}  // namespace logitchain
