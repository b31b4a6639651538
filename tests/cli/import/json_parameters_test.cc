#include "logitchain/cli/import/json_parameters.h"

#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/cli/import/source_value.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Described(absl::string_view text) {
  const absl::StatusOr<std::vector<SourceParameter>> parameters = ParseJsonParameters(text, "f");
  EXPECT_THAT(parameters, IsOk());
  std::vector<std::string> lines;
  if (!parameters.ok()) return lines;
  for (const SourceParameter& parameter : *parameters) {
    lines.push_back(Prefix("f", parameter.location) + parameter.name + " " +
                    CompactText(parameter.value));
  }
  return lines;
}

TEST(JsonParametersTest, KeepsOrderPlacesAndEveryDigit) {
  EXPECT_THAT(Described("{\"b\": 0.30000000000000004,\n"
                        "  \"a\": 18446744073709551615, \"c\":-5e-1}"),
              ElementsAre("f:1:2: /b 0.30000000000000004", "f:2:3: /a 18446744073709551615",
                          "f:2:30: /c -5e-1"));
}

TEST(JsonParametersTest, ReadsEveryKindOfValue) {
  EXPECT_THAT(
      Described(R"({"n": null, "t": true, "f": false, "s": "x\ny", "l": [1, [2]],
"o": {"k": {"d": 0.5}}})"),
      ElementsAre("f:1:2: /n null", "f:1:13: /t true", "f:1:24: /f false", "f:1:36: /s \"x\\ny\"",
                  "f:1:49: /l [1,[2]]", "f:2:1: /o {\"k\":{\"d\":0.5}}"));
}

TEST(JsonParametersTest, NamesAreJsonPointers) {
  EXPECT_THAT(Described(R"({"a/b~c": 1, "say \"hi\"": 2, "": 3})"),
              ElementsAre("f:1:2: /a~1b~0c 1", "f:1:14: /say \\\"hi\\\" 2", "f:1:31: / 3"));
}

TEST(JsonParametersTest, SkipsAByteOrderMark) {
  EXPECT_THAT(Described("\xEF\xBB\xBF{\"a\": 1}"), ElementsAre("f:1:5: /a 1"));
}

struct ErrorCase {
  std::string name;
  std::string text;
  std::string message;

  friend void PrintTo(const ErrorCase& param, std::ostream* out) { *out << param.name; }
};

class JsonErrorTest : public testing::TestWithParam<ErrorCase> {};

TEST_P(JsonErrorTest, SaysWhatAndWhere) {
  EXPECT_THAT(ParseJsonParameters(GetParam().text, "f"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(
    All, JsonErrorTest,
    testing::ValuesIn<ErrorCase>({
        {"Empty", "", "f:1:1: is not JSON: "},
        {"NoJson", "temperature = 1", "f:1:2: is not JSON: "},
        {"CutShort", "{\"a\": 1,\n", "f:1:9: is not JSON: "},
        {"NaN", "{\n  \"a\": NaN}", "f:2:8: is not JSON: "},
        {"Infinity", "{\"a\": Infinity}", "f:1:7: is not JSON: "},
        {"TooBigForADouble", "{\"a\": 1e999}",
         "is a number too large for a double; they go up to 1.797e308"},
        {"TwoValues", "{} {}", "f:1:4: is not JSON: "},
        {"BadUtf8", "{\"a\": \"\xFF\"}", "f:1:8: is not JSON: "},
        {"Comment", "{} // none", "f:1:4: is not JSON: "},
        {"List", "[1]", "f: is [1]; it must be a JSON object"},
        {"Number", "1", "f: is 1; it must be a JSON object"},
        {"Null", "null", "f: is null; it must be a JSON object"},
        {"Twice", "{\"a\": 1,\n \"b\": 2, \"a\": 1}", "f:2:10: /a is given twice"},
        {"TwiceInside", R"({"a": [{}, {"b/c": 1, "b/c": 2}]})", "/a/1/b~1c is given twice"},
        {"TooDeep", "{\"a\": " + std::string(100000, '['), "is nested deeper than 64 levels"},
    }),
    [](const auto& info) { return info.param.name; });

TEST(JsonParametersTest, AllowsSomeNesting) {
  EXPECT_THAT(
      ParseJsonParameters("{\"a\": " + std::string(63, '[') + std::string(63, ']') + "}", "f"),
      IsOk());
}

}  // namespace
}  // namespace logitchain
