#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_OBJECT_MEMBERS_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_OBJECT_MEMBERS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logitchain/grammar/json_schema/schema_context.h"
#include "logitchain/grammar/json_schema/shape.h"
#include "logitchain/grammar/json_schema/shape_finder.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// A member whose name a schema gives.
struct NamedMember {
  std::string name;
  SchemaSet schemas;
  bool required;
};

// Members with other names, which are told apart by the patterns that they match.
struct NameClass {
  RegexId names;
  SchemaSet schemas;
};

// What a shape says of each member that an object may have. Members that may not occur are left
// out.
struct ObjectMembers {
  bool satisfiable = true;  // No member that is required is left out.
  std::vector<NamedMember> named;
  std::vector<NameClass> others;
};

// The names that a shape gives, in the order in which it does.
std::vector<std::string> KnownNames(const Shape& shape);

absl::StatusOr<ObjectMembers> FindMembers(const Shape& shape, SchemaContext& context,
                                          ShapeFinder& finder);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_OBJECT_MEMBERS_H_
