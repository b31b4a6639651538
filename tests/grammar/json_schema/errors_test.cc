// What is said of schemas that are none, or cannot be honoured.

#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/grammar/json_schema/json_schema.h"
#include "logitchain/tests/grammar/json_schema/schema_case.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

struct BadSchema {
  std::string schema;
  std::string message;

  friend void PrintTo(const BadSchema& c, std::ostream* out) { *out << absl::CHexEscape(c.schema); }
};

class MalformedSchemaTest : public testing::TestWithParam<BadSchema> {};

TEST_P(MalformedSchemaTest, NamesThePointer) {
  EXPECT_THAT(CompileJsonSchema(GetParam().schema, {}),
              StatusIs(absl::StatusCode::kInvalidArgument, GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Schemas, MalformedSchemaTest,
    testing::Values(
        BadSchema{"{\n\"a\": }",
                  "2:6: is not JSON: syntax error while parsing value - unexpected "
                  "'}'; expected '[', '{', or a literal"},
        BadSchema{R"({"minimum": 1e309})",
                  "1:18: is a number too large for a double; they go up to 1.797e308"},
        BadSchema{R"({"a": 1, "a": 2})", "1:12: the key \"a\" is given twice"},
        BadSchema{"[]", "# is an array; a schema must be an object or a boolean"},
        BadSchema{R"({"type": "any"})",
                  "#/type is \"any\"; it must be null, boolean, integer, number, string, array or "
                  "object"},
        BadSchema{R"({"type": 1})", "#/type is a number; it must be a string"},
        BadSchema{R"({"properties": {"a/b": {"type": ["null", "x"]}}})",
                  "#/properties/a~1b/type/1 is \"x\"; it must be null, boolean, integer, number, "
                  "string, array or object"},
        BadSchema{R"({"enum": 1})", "#/enum is a number; it must be an array"},
        BadSchema{R"({"enum": [1e-999999]})", "#/enum/0 has more than 400 digits"},
        BadSchema{R"({"minimum": "1"})", "#/minimum is a string; it must be a number"},
        BadSchema{R"({"multipleOf": 0})", "#/multipleOf is 0; it must be above 0"},
        BadSchema{R"({"minLength": -1})", "#/minLength is -1; it must be a whole number from 0 on"},
        BadSchema{R"({"maxItems": 1.5})", "#/maxItems is 1.5; it must be a whole number from 0 on"},
        BadSchema{R"({"pattern": 1})", "#/pattern is a number; it must be a string"},
        BadSchema{R"({"items": 1})", "#/items is a number; it must be an object or a boolean"},
        BadSchema{R"({"prefixItems": [1]})",
                  "#/prefixItems/0 is a number; it must be an object or a boolean"},
        BadSchema{R"({"prefixItems": "x"})", "#/prefixItems is a string; it must be an array"},
        BadSchema{R"({"additionalItems": 1})",
                  "#/additionalItems is a number; it must be an object or a boolean"},
        BadSchema{R"({"then": []})", "#/then is an array; it must be an object or a boolean"},
        BadSchema{R"({"else": 1})", "#/else is a number; it must be an object or a boolean"},
        BadSchema{R"({"minContains": "1"})", "#/minContains is a string; it must be a number"},
        BadSchema{R"({"properties": {"a": {"$defs": []}}})",
                  "#/properties/a/$defs is an array; it must be an object"},
        BadSchema{R"({"$id": 1})", "#/$id is a number; it must be a string"},
        BadSchema{R"({"$schema": 7})", "#/$schema is a number; it must be a string"},
        BadSchema{R"({"dependentRequired": {"a": "b"}})",
                  "#/dependentRequired/a is a string; it must be an array"},
        BadSchema{R"({"dependentRequired": {"a": {}}})",
                  "#/dependentRequired/a is an object; it must be an array"},
        BadSchema{R"({"dependentSchemas": {"a": ["b"]}})",
                  "#/dependentSchemas/a is an array; it must be an object or a boolean"},
        BadSchema{R"({"dependencies": {"a": "b"}})",
                  "#/dependencies/a is a string; it must be an array of names, or a schema: an "
                  "object or a boolean"},
        BadSchema{R"({"$ref": "#"})",
                  "#/$ref is \"#\", by which a schema applies itself to the same value"},
        BadSchema{R"({"$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]},
                               "b": {"anyOf": [{"type": "null"}, {"not": {"$ref": "#/$defs/a"}}]}}})",
                  "#/$defs/b/anyOf/1/not/$ref is \"#/$defs/a\", by which a schema applies itself "
                  "to the same value"},
        BadSchema{R"({"uniqueItems": 1})", "#/uniqueItems is a number; it must be a boolean"},
        BadSchema{R"({"properties": []})", "#/properties is an array; it must be an object"},
        BadSchema{R"({"properties": {"a": {"properties": {"b": 1}}}})",
                  "#/properties/a/properties/b is a number; it must be an object or a boolean"},
        BadSchema{R"({"required": true})", "#/required is a boolean; it must be an array"},
        BadSchema{R"({"required": [1]})", "#/required/0 is a number; it must be a string"},
        BadSchema{R"({"anyOf": []})", "#/anyOf is empty; it must have a schema"},
        BadSchema{R"({"not": 1})", "#/not is a number; it must be an object or a boolean"},
        BadSchema{R"({"$ref": "#/$defs/x"})",
                  "#/$ref is \"#/$defs/x\", which names nothing in this document"},
        BadSchema{R"({"$ref": "http://elsewhere/x"})",
                  "#/$ref is \"http://elsewhere/x\", which names nothing in this document"},
        BadSchema{"false", "# no value satisfies the schema"},
        BadSchema{R"({"type": "string", "enum": [1]})", "# no value satisfies the schema"},
        BadSchema{R"({"type": "integer", "minimum": 3, "maximum": 2})",
                  "# no value satisfies the schema"},
        BadSchema{R"({"type": "string", "pattern": "^a{5}$", "maxLength": 3})",
                  "# no value satisfies the schema"},
        BadSchema{R"({"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#"}}})",
                  "# no value satisfies the schema"},
        BadSchema{R"({"type": "array", "minItems": 1, "items": false})",
                  "# no value satisfies the schema"}));

class UnsupportedSchemaTest : public testing::TestWithParam<BadSchema> {};

TEST_P(UnsupportedSchemaTest, NamesThePointer) {
  EXPECT_THAT(CompileJsonSchema(GetParam().schema, {}),
              StatusIs(absl::StatusCode::kUnimplemented, GetParam().message));
}

TEST_P(UnsupportedSchemaTest, IsIgnoredAndListedIfLenient) {
  const absl::StatusOr<JsonSchemaGrammar> compiled =
      CompileJsonSchema(GetParam().schema, {.lenient = true});
  ASSERT_THAT(compiled, IsOk());
  EXPECT_THAT(compiled->ignored, ElementsAre(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Schemas, UnsupportedSchemaTest,
    testing::Values(
        BadSchema{
            R"({"properties": {"a": {"uniqueItems": true}}})",
            "#/properties/a/uniqueItems is not supported where the items are not of one enum"},
        BadSchema{R"({"contains": {"type": "null"}, "minContains": 2})",
                  "#/minContains is not supported"},
        BadSchema{R"({"contains": {"type": "null"}, "minContains": 0, "maxContains": 3})",
                  "#/maxContains is not supported"},
        BadSchema{R"({"contains": {"const": 1}, "items": {"enum": [1, 2]}, "uniqueItems": true})",
                  "#/uniqueItems is not supported together with schemas of single items"},
        BadSchema{R"({"unevaluatedItems": false})", "#/unevaluatedItems is not supported"},
        BadSchema{R"({"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false})",
                  "#/unevaluatedProperties is not supported beside schemas that are applied in "
                  "place"},
        BadSchema{R"({"items": {"propertees": {}}})",
                  "#/items/propertees is no keyword of JSON Schema (did you mean properties?)"},
        BadSchema{R"({"maxLenght": 1})",
                  "#/maxLenght is no keyword of JSON Schema (did you mean maxLength?)"},
        BadSchema{R"({"Type": "null"})",
                  "#/Type is no keyword of JSON Schema (did you mean type?)"},
        BadSchema{R"({"tyep": "null"})",
                  "#/tyep is no keyword of JSON Schema (did you mean type?)"},
        BadSchema{R"({"tehn": false})", "#/tehn is no keyword of JSON Schema (did you mean then?)"},
        BadSchema{R"({"$erf": "#"})", "#/$erf is no keyword of JSON Schema (did you mean $ref?)"},
        BadSchema{R"({"any_of": []})",
                  "#/any_of is no keyword of JSON Schema (did you mean anyOf?)"},
        BadSchema{R"({"not_": {}})", "#/not_ is no keyword of JSON Schema (did you mean not?)"},
        BadSchema{R"({"$schema": "https://example.com/own\n#"})",
                  "#/$schema is \"https://example.com/own\\n#\"; json-schema.org's drafts 4 to "
                  "2020-12 are read"},
        BadSchema{R"({"$schema": "http://json-schema.org/draft-03/schema#", "divisibleBy": 2})",
                  "#/$schema is \"http://json-schema.org/draft-03/schema#\"; json-schema.org's "
                  "drafts 4 to 2020-12 are read"},
        BadSchema{R"({"$dynamicRef": "#x"})", "#/$dynamicRef is not supported"},
        BadSchema{R"x({"pattern": "a(?<=b)"})x", "#/pattern at 1:2: look-behind is not supported"},
        BadSchema{R"x({"pattern": "(a"})x", "#/pattern at 1:1: there is no ) for this ("},
        BadSchema{R"x({"patternProperties": {"(": true}})x",
                  "#/patternProperties/( has a name that is no pattern, at 1:1: there is no ) for "
                  "this ("},
        BadSchema{R"({"format": "idn-email"})",
                  "#/format is \"idn-email\", which no regular expression describes"},
        BadSchema{R"({"multipleOf": 0.123456789012})",
                  "#/multipleOf is 0.123456789012, which has too many digits"},
        BadSchema{R"({"type": "array", "not": {"const": [1]}})",
                  "#/not/const cannot be negated, which `not`, `if`, or a `oneOf` of schemas that "
                  "overlap asks for"},
        BadSchema{R"({"allOf": [{"contains": {"const": 1}}, {"contains": {"const": 2}}]})",
                  "#/allOf/1/contains is not supported together with another schema that some item "
                  "needs"}));

TEST(JsonSchemaTest, AFormatThatIsNotDefinedIsListed) {
  const absl::StatusOr<JsonSchemaGrammar> compiled =
      CompileJsonSchema(R"({"format": "int32", "type": "integer"})", {});
  ASSERT_THAT(compiled, IsOk());
  EXPECT_THAT(compiled->ignored,
              ElementsAre("#/format is \"int32\", which JSON Schema does not define"));
  EXPECT_TRUE(ReferenceMatches(compiled->grammar, "5"));
}

TEST(JsonSchemaTest, WhatStandsBesideARefInOldDraftsIsListed) {
  const absl::StatusOr<JsonSchemaGrammar> compiled = CompileJsonSchema(
      R"({"$schema": "http://json-schema.org/draft-07/schema#",
          "items": {"$ref": "#/definitions/n", "maximum": 3},
          "definitions": {"n": {"type": "integer"}}})",
      {});
  ASSERT_THAT(compiled, IsOk());
  EXPECT_THAT(compiled->ignored,
              ElementsAre("#/items/maximum says nothing beside a $ref, up to draft 7"));
  EXPECT_TRUE(ReferenceMatches(compiled->grammar, "[5]"));
  EXPECT_FALSE(ReferenceMatches(compiled->grammar, "[5.5]"));
}

TEST(JsonSchemaTest, ALimitOfContainsThatIsIgnoredLeavesTheRest) {
  const absl::StatusOr<JsonSchemaGrammar> compiled = CompileJsonSchema(
      R"({"type": "array", "contains": {"const": 1}, "minContains": 2, "maxContains": 3})",
      {.lenient = true});
  ASSERT_THAT(compiled, IsOk());
  EXPECT_THAT(compiled->ignored,
              ElementsAre("#/maxContains is not supported", "#/minContains is not supported"));
  EXPECT_TRUE(ReferenceMatches(compiled->grammar, "[1]"));
  EXPECT_FALSE(ReferenceMatches(compiled->grammar, "[2]"));
}

TEST(JsonSchemaTest, WhatIsHonouredIsNotListed) {
  const absl::StatusOr<JsonSchemaGrammar> compiled = CompileJsonSchema(
      R"({"type": "object", "title": "x", "default": 1, "x-y": {"uniqueItems": true}})",
      {.lenient = true});
  ASSERT_THAT(compiled, IsOk());
  EXPECT_THAT(compiled->ignored, IsEmpty());
}

TEST(JsonSchemaTest, KeysThatAreLikeNoKeywordAreAnyones) {
  const absl::StatusOr<JsonSchemaGrammar> compiled = CompileJsonSchema(
      R"({"propertyOrder": 1, "x-types": [], "order": 1, "enumNames": [], "options": {}, "_format": 1, "//pattern": 1,
          "$comment": "", "examples": [1], "nullable": true, "unit": "m", "no": 1, "note": "",
          "iff": 1})",
      {});
  ASSERT_THAT(compiled, IsOk());
  EXPECT_THAT(compiled->ignored, IsEmpty());
}

TEST(JsonSchemaTest, ASchemaMayBeWithinItselfAndMetTwice) {
  EXPECT_THAT(
      CompileJsonSchema(R"({"properties": {"a": {"$ref": "#"}}, "items": {"$ref": "#"}})", {}),
      IsOk());
  EXPECT_THAT(CompileJsonSchema(R"({"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}],
                                    "$defs": {"a": {"type": "null"}}})",
                                {}),
              IsOk());
}

TEST(JsonSchemaTest, ALimitThatIsExceededIsSaidWhere) {
  std::string alternatives;
  for (int i = 0; i < 30; ++i) {
    absl::StrAppend(&alternatives, i > 0 ? "," : "", R"({"anyOf": [{"required": ["p)", i,
                    R"("]}, {"minProperties": )", i, "}]}");
  }
  EXPECT_THAT(CompileJsonSchema(
                  absl::StrCat(R"({"properties": {"a": {"allOf": [)", alternatives, "]}}}"), {}),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       StartsWith("#/properties/a is too large: the schema has more than ")));
}

TEST(JsonSchemaTest, ABadFormatOptionIsRefused) {
  JsonSchemaOptions options;
  options.format.max_white_space = -1;
  EXPECT_THAT(CompileJsonSchema("{}", options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "max_white_space is -1; it must be in [0, 1000]"));
}

TEST(JsonSchemaTest, TooManyCombinationsAreAnError) {
  std::string schema = R"({"allOf": [)";
  for (int i = 0; i < 30; ++i) {
    if (i > 0) schema += ",";
    const std::string name = "p" + std::to_string(i);
    schema += R"({"anyOf": [{"required": [")" + name + R"("]}, {"minProperties": )" +
              std::to_string(i) + "}]}";
  }
  EXPECT_THAT(CompileJsonSchema(schema + "]}", {}), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(JsonSchemaTest, LongChainsOfReferencesAreAnError) {
  for (const std::string keyword : {"anyOf", "oneOf"}) {
    std::string schema = R"({"$ref": "#/$defs/d0", "$defs": {)";
    for (int i = 0; i < 5000; ++i) {
      schema += "\"d" + std::to_string(i) + "\": {\"" + keyword + "\": [{\"$ref\": \"#/$defs/d" +
                std::to_string(i + 1) + "\"}, {\"type\": \"null\"}]}, ";
    }
    EXPECT_THAT(CompileJsonSchema(schema + R"("d5000": {"type": "array"}}})", {}),
                StatusIs(absl::StatusCode::kResourceExhausted));
  }
}

TEST(JsonSchemaTest, DeepNestingIsAnError) {
  std::string schema;
  for (int i = 0; i < 400; ++i) schema += R"({"not":)";
  schema += "{}" + std::string(400, '}');
  EXPECT_THAT(CompileJsonSchema(schema, {}), IsOk());
  EXPECT_THAT(
      CompileJsonSchema(std::string(100'000, '['), {}),
      StatusIs(absl::StatusCode::kInvalidArgument, "1:501: is nested deeper than 500 levels"));
}

}  // namespace
}  // namespace logitchain
