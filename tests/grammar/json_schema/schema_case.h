#ifndef LOGITCHAIN_TESTS_GRAMMAR_JSON_SCHEMA_SCHEMA_CASE_H_
#define LOGITCHAIN_TESTS_GRAMMAR_JSON_SCHEMA_SCHEMA_CASE_H_

#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "logitchain/grammar/json_schema/json_schema.h"
#include "logitchain/tests/grammar/testing/reference_recognizer.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {

// A schema, and texts that its grammar derives and does not derive.
struct SchemaCase {
  std::string name;
  std::string schema;
  std::vector<std::string> accepted;
  std::vector<std::string> refused;

  friend void PrintTo(const SchemaCase& c, std::ostream* out) { *out << c.name; }
};

inline void CheckCase(const SchemaCase& c, const JsonSchemaOptions& options = {}) {
  const absl::StatusOr<JsonSchemaGrammar> compiled = CompileJsonSchema(c.schema, options);
  ASSERT_THAT(compiled, IsOk());
  ReferenceRecognizer recognizer(compiled->grammar);
  for (const std::string& text : c.accepted) EXPECT_TRUE(recognizer.Matches(text)) << text;
  for (const std::string& text : c.refused) EXPECT_FALSE(recognizer.Matches(text)) << text;
}

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_GRAMMAR_JSON_SCHEMA_SCHEMA_CASE_H_
