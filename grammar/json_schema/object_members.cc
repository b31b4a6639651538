#include "logitchain/grammar/json_schema/object_members.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "logitchain/grammar/json_schema/schema_context.h"
#include "logitchain/grammar/json_schema/shape.h"
#include "logitchain/grammar/json_schema/shape_finder.h"
#include "logitchain/grammar/json_schema/string_texts.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

// So many sets of names that match the same patterns.
constexpr size_t kMaxNameClasses = 256;

// Names with, for each part, the schemas of the patterns that they match, or none yet.
struct OpenClass {
  RegexId names;
  std::vector<SchemaSet> matched;
  std::vector<bool> is_matched;
};

class ClassSplitter {
 public:
  ClassSplitter(const Shape& shape, SchemaContext& context) : shape_(shape), context_(context) {}

  absl::StatusOr<std::vector<NameClass>> Split(RegexId names) {
    const size_t parts = shape_.objects.size();
    std::vector<OpenClass> classes = {
        {names, std::vector<SchemaSet>(parts), std::vector<bool>(parts)}};
    for (size_t part = 0; part < parts; ++part) {
      for (const auto& [pattern, schemas] : shape_.objects[part]->patterns) {
        classes = SplitBy(pattern, schemas, part, classes);
        if (classes.size() > kMaxNameClasses) {
          return absl::ResourceExhaustedError(
              absl::StrCat("the names that patternProperties match overlap in more than ",
                           kMaxNameClasses, " ways"));
        }
      }
    }
    return Close(classes);
  }

 private:
  std::vector<OpenClass> SplitBy(RegexId pattern, const SchemaSet& schemas, size_t part,
                                 const std::vector<OpenClass>& classes) {
    RegexArena& arena = context_.arena();
    std::vector<OpenClass> split;
    for (const OpenClass& open : classes) {
      OpenClass inside = open;
      inside.names = arena.Both(open.names, pattern);
      inside.matched[part] = Union(open.matched[part], schemas);
      inside.is_matched[part] = true;
      OpenClass outside = open;
      outside.names = arena.Both(open.names, arena.Not(pattern));
      for (OpenClass* half : {&inside, &outside}) {
        if (!arena.IsNothing(half->names)) split.push_back(std::move(*half));
      }
    }
    return split;
  }

  std::vector<NameClass> Close(const std::vector<OpenClass>& classes) {
    std::map<SchemaSet, std::vector<RegexId>> names_of;
    for (const OpenClass& open : classes) {
      SchemaSet schemas;
      for (size_t part = 0; part < shape_.objects.size(); ++part) {
        schemas = Union(
            schemas, open.is_matched[part] ? open.matched[part] : shape_.objects[part]->additional);
      }
      names_of[std::move(schemas)].push_back(open.names);
    }
    std::vector<NameClass> closed;
    for (const auto& [schemas, names] : names_of) {
      closed.push_back({context_.arena().Either(names), schemas});
    }
    return closed;
  }

  const Shape& shape_;
  SchemaContext& context_;
};

}  // namespace

std::vector<std::string> KnownNames(const Shape& shape) {
  std::vector<std::string> names;
  absl::flat_hash_set<std::string> seen;
  const auto add = [&](const std::string& name) {
    if (seen.insert(name).second) names.push_back(name);
  };
  for (const std::shared_ptr<const ObjectPart>& part : shape.objects) {
    for (const auto& [name, schemas] : part->properties) add(name);
  }
  for (const std::string& name : shape.required) add(name);
  return names;
}

absl::StatusOr<ObjectMembers> FindMembers(const Shape& shape, SchemaContext& context,
                                          ShapeFinder& finder) {
  ObjectMembers members;
  const std::vector<std::string> known = KnownNames(shape);
  const auto is_false = [&context](const SchemaSet& schemas) {
    return absl::c_linear_search(schemas, context.False()) ||
           absl::c_any_of(schemas, [&context](const SchemaRef& ref) {
             const JsonValue& schema = context.Schema(ref);
             return schema.is_bool() && schema.boolean == ref.negated;
           });
  };
  for (const std::string& name : known) {
    SchemaSet schemas = finder.MemberSchemas(shape, name);
    const bool required = absl::c_linear_search(shape.required, name);
    if (is_false(schemas) || !finder.MatchesString(shape.names, name)) {
      if (required) members.satisfiable = false;
      continue;
    }
    members.named.push_back({name, std::move(schemas), required});
  }
  const bool closed =
      absl::c_any_of(shape.objects, [&](const std::shared_ptr<const ObjectPart>& part) {
        return part->patterns.empty() && is_false(part->additional);
      });
  if (closed) return members;
  RegexId others = context.NamesOf(shape);
  if (!known.empty()) {
    RegexArena& arena = context.arena();
    others = arena.Both(others, arena.Not(StringsOf(known, context.coding())));
  }
  absl::StatusOr<std::vector<NameClass>> classes = ClassSplitter(shape, context).Split(others);
  if (!classes.ok()) return classes.status();
  std::erase_if(*classes, [&](const NameClass& names) { return is_false(names.schemas); });
  members.others = *std::move(classes);
  return members;
}

}  // namespace logitchain
