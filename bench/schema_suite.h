#ifndef LOGITCHAIN_BENCH_SCHEMA_SUITE_H_
#define LOGITCHAIN_BENCH_SCHEMA_SUITE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace logitchain {

// A JSON Schema with documents, as MaskBench (guidance-ai/jsonschemabench) has them.
struct SchemaCase {
  struct Document {
    std::string text;
    bool is_valid = false;
  };

  std::string name;  // Of the file.
  std::string schema;
  std::vector<Document> documents;
};

// Every n-th of the folder's .json files in the order of their names. A file is an object with
// "schema" and "tests", each of which has "valid" and "data"; its text is written as Python's
// json.dumps does by default, but without escapes of what is not ASCII.
absl::StatusOr<std::vector<SchemaCase>> ReadSchemaSuite(const std::string& folder, int every);

}  // namespace logitchain

#endif  // LOGITCHAIN_BENCH_SCHEMA_SUITE_H_
