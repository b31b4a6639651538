#ifndef LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SCHEMA_DOCUMENT_H_
#define LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SCHEMA_DOCUMENT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/grammar/json/json_value.h"

namespace logitchain {

// A JSON Schema's text with the schemas that $ref can name in it.
class SchemaDocument {
 public:
  // InvalidArgument if `text` is not JSON, or not an object or boolean.
  static absl::StatusOr<SchemaDocument> Parse(absl::string_view text);

  const JsonValue& root() const { return *root_; }

  // The objects that are schemas, wherever a keyword has one, from the outside in.
  absl::Span<const JsonValue* const> schemas() const { return schemas_; }

  // What `schema`'s $ref, which is `reference`, names: the root, a JSON pointer, an anchor, or any
  // of these in a part that has an $id. Nothing outside of the document is fetched. Null if it is
  // not there.
  const JsonValue* Resolve(const JsonValue& schema, absl::string_view reference) const;

  // Whether what stands beside a $ref says nothing, as up to draft 7.
  bool ref_stands_alone() const { return ref_stands_alone_; }

  // "#/properties/a" of a part of the document; for messages.
  std::string PointerTo(const JsonValue& part) const;

 private:
  explicit SchemaDocument(JsonValue root);

  // Finds $id and anchors in a schema, whose base URI is `base`, and the schemas inside of it.
  void Index(const JsonValue& schema, std::string base);
  void IndexKeyword(absl::string_view keyword, const JsonValue& value, const std::string& base);

  std::unique_ptr<JsonValue> root_;  // Parts are known by their address.
  bool has_plain_id_ = false;        // Up to draft 4, "id" stood for "$id".
  bool ref_stands_alone_ = false;
  std::vector<const JsonValue*> schemas_;
  absl::flat_hash_map<std::string, const JsonValue*> resources_;  // By URI without fragment.
  absl::flat_hash_map<std::string, const JsonValue*> anchors_;    // By URI with fragment.
  absl::flat_hash_map<const JsonValue*, std::string> bases_;      // Where it is not the root's.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_SCHEMA_SCHEMA_DOCUMENT_H_
