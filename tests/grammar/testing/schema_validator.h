#ifndef LOGITCHAIN_TESTS_GRAMMAR_TESTING_SCHEMA_VALIDATOR_H_
#define LOGITCHAIN_TESTS_GRAMMAR_TESTING_SCHEMA_VALIDATOR_H_

#include <utility>

#include "nlohmann/json.hpp"

namespace logitchain {

// Checks documents against a JSON Schema of draft 2020-12 as plainly as can be: each keyword of a
// schema is asked of the value itself. It shares nothing with the grammars that schemas are
// compiled to. Numbers may have up to 15 digits, references are JSON pointers within the schema,
// and `pattern` is what std::regex takes for one. A keyword or format that it does not know fails
// the test.
class SchemaValidator {
 public:
  using Json = nlohmann::json;

  explicit SchemaValidator(Json schema) : root_(std::move(schema)) {}

  bool Accepts(const Json& document) const;

 private:
  Json root_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_GRAMMAR_TESTING_SCHEMA_VALIDATOR_H_
