#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SCHEMA_CONSTRAINT_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SCHEMA_CONSTRAINT_H_

#include <vector>

#include "logitchain/grammar/json_schema/shape.h"

namespace logitchain {

// What is in the shape and satisfies the schemas.
struct Branch {
  Shape shape;
  SchemaSet schemas;
};

// What one schema says, without looking into others: all of the schemas must be satisfied, and of
// each choice one branch.
struct SchemaConstraint {
  Shape shape;
  std::vector<SchemaRef> schemas;  // In the order of the document.
  std::vector<std::vector<Branch>> choices;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SCHEMA_CONSTRAINT_H_
