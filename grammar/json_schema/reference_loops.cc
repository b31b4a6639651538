#include "logitchain/grammar/json_schema/reference_loops.h"

#include <cstddef>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/schema_context.h"
#include "logitchain/grammar/json_schema/schema_document.h"

namespace logitchain {
namespace {

// A schema that another one applies to the same value.
struct InPlace {
  const JsonValue* schema;
  const JsonValue* reference = nullptr;  // The $ref, if it was one.
};

std::vector<InPlace> InPlaceSchemas(const SchemaDocument& document, const JsonValue& schema) {
  std::vector<InPlace> found;
  for (size_t i = 0; i < schema.keys.size(); ++i) {
    const absl::string_view key = schema.keys[i];
    const JsonValue& value = schema.elements[i];
    if (key == "$ref" && value.is_string()) {
      const JsonValue* target = document.Resolve(schema, value.text);
      if (target != nullptr) found.push_back({target, &value});
    } else if (key == "not" || key == "if" || key == "then" || key == "else") {
      found.push_back({&value});
    } else if (key == "allOf" || key == "anyOf" || key == "oneOf" || key == "dependentSchemas" ||
               key == "dependencies") {
      for (const JsonValue& element : value.elements) found.push_back({&element});
    }
  }
  return found;
}

// Depth first, without calling itself: chains of references may be long.
class LoopSearch {
 public:
  explicit LoopSearch(const SchemaContext& context) : context_(context) {}

  absl::Status From(const JsonValue& schema) {
    if (!Open({&schema})) return absl::OkStatus();
    while (!path_.empty()) {
      Visit& visit = path_.back();
      if (visit.next == visit.in_place.size()) {
        is_done_[visit.arrived.schema] = true;
        path_.pop_back();
        continue;
      }
      const InPlace step = visit.in_place[visit.next++];
      if (!Open(step) && !is_done_[step.schema]) return Loop(step);
    }
    return absl::OkStatus();
  }

 private:
  struct Visit {
    InPlace arrived;
    std::vector<InPlace> in_place;
    size_t next = 0;
  };

  // Whether the schema was not visited before.
  bool Open(const InPlace& step) {
    if (!is_done_.try_emplace(step.schema, false).second) return false;
    path_.push_back({step, InPlaceSchemas(context_.document(), *step.schema)});
    return true;
  }

  // The error of a step back to a schema on the path. Some step of the loop is a reference.
  absl::Status Loop(const InPlace& last) const {
    const JsonValue* reference = last.reference;
    for (size_t i = path_.size(); reference == nullptr; --i) {
      reference = path_[i - 1].arrived.reference;
    }
    return context_.Malformed(
        *reference, absl::StrCat("is \"", absl::Utf8SafeCEscape(reference->text),
                                 "\", by which a schema applies itself to the same value"));
  }

  const SchemaContext& context_;
  std::vector<Visit> path_;
  absl::flat_hash_map<const JsonValue*, bool> is_done_;  // Whether all behind it is known.
};

}  // namespace

absl::Status CheckReferenceLoops(const SchemaContext& context) {
  LoopSearch search(context);
  for (const JsonValue* schema : context.document().schemas()) {
    if (absl::Status status = search.From(*schema); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace logitchain
