#include "logitchain/grammar/json_schema/json_schema.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/json/json_parts.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/decimal.h"
#include "logitchain/grammar/json_schema/object_members.h"
#include "logitchain/grammar/json_schema/schema_check.h"
#include "logitchain/grammar/json_schema/schema_context.h"
#include "logitchain/grammar/json_schema/schema_document.h"
#include "logitchain/grammar/json_schema/shape.h"
#include "logitchain/grammar/json_schema/shape_finder.h"
#include "logitchain/grammar/json_schema/string_texts.h"
#include "logitchain/grammar/json_schema/value_checker.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

// Rules that the members of one object may take in declared order.
constexpr int64_t kMaxOrderStates = 100'000;

// A member, or what else may be where members are.
struct MemberNode {
  NodeId node;
  bool required;
};

// Members in their order, then extras (kNoNode for none), with commas; min to max of all.
class DeclaredOrder {
 public:
  DeclaredOrder(JsonParts& parts, const std::vector<MemberNode>& members, NodeId extra, int32_t min,
                int32_t max)
      : parts_(parts),
        builder_(parts.builder()),
        members_(members),
        extra_(extra),
        min_(min),
        max_(max),
        // More members than these need not be told apart.
        largest_count_(max == kUnbounded ? std::max(min, 1) : max) {}

  absl::StatusOr<NodeId> Build() {
    const auto count = static_cast<int64_t>(members_.size());
    const int64_t counts = std::min<int64_t>(largest_count_, count) + 1;
    if (count * counts > kMaxOrderStates) {
      return absl::ResourceExhaustedError(
          "too many properties for their declared order with minProperties or maxProperties");
    }
    std::vector<NodeId> behind;
    for (int64_t c = 0; c < counts; ++c) behind.push_back(Extras(static_cast<int32_t>(c)));
    for (size_t i = members_.size(); i > 0; --i) behind = Before(members_[i - 1], behind);
    return behind[0];
  }

 private:
  // By the number of members before, where the members behind may go on like `behind`.
  std::vector<NodeId> Before(const MemberNode& member, const std::vector<NodeId>& behind) {
    std::vector<NodeId> here;
    const auto last = static_cast<int32_t>(behind.size()) - 1;
    for (int32_t count = 0; count <= last; ++count) {
      std::vector<NodeId> ways;
      if (count < max_) {
        std::vector<NodeId> taken = {member.node, behind[std::min(count + 1, last)]};
        if (count > 0) taken.insert(taken.begin(), parts_.Comma());
        ways.push_back(builder_.Sequence(taken));
      }
      if (!member.required) ways.push_back(behind[count]);
      const RuleId rule = builder_.NewRule("members");
      builder_.Define(rule, builder_.Choice(ways));
      here.push_back(builder_.Call(rule));
    }
    return here;
  }

  NodeId Extras(int32_t count) {
    const int32_t min = std::max(min_ - count, 0);
    const int32_t max = max_ == kUnbounded ? kUnbounded : max_ - count;
    if (extra_ == kNoNode || max == 0) {
      return min == 0 ? builder_.Sequence({}) : builder_.Choice({});
    }
    if (count == 0) return parts_.List(extra_, min, max);
    return builder_.Repeat(builder_.Sequence({parts_.Comma(), extra_}), min, max);
  }

  JsonParts& parts_;
  GrammarBuilder& builder_;
  const std::vector<MemberNode>& members_;
  NodeId extra_;
  int32_t min_;
  int32_t max_;
  int32_t largest_count_;
};

class SchemaCompiler {
 public:
  SchemaCompiler(const SchemaDocument& document, const JsonSchemaOptions& options)
      : options_(options),
        parts_(builder_, options.format),
        context_(document, parts_.coding(), options.lenient),
        finder_(context_),
        checker_(context_, finder_) {}

  absl::StatusOr<JsonSchemaGrammar> Compile() && {
    if (absl::Status status = CheckSchemas(context_); !status.ok()) return status;
    const RuleId start = builder_.Rule("start");
    builder_.Define(start, NodeFor({context_.Ref(context_.document().root())}));
    while (!open_.empty() && status_.ok()) {
      const RuleId rule = open_.front().first;
      place_ = std::move(open_.front().second);
      open_.pop_front();
      builder_.Define(rule, Body(place_));
      Fail(builder_.status());
    }
    if (!status_.ok()) return status_;
    absl::StatusOr<Grammar> grammar = std::move(builder_).Build(start);
    if (absl::IsInvalidArgument(grammar.status())) {
      return absl::InvalidArgumentError("# no value satisfies the schema");
    }
    if (!grammar.ok()) return grammar.status();
    return JsonSchemaGrammar{*std::move(grammar), context_.ignored()};
  }

 private:
  NodeId Nothing() { return builder_.Choice({}); }

  NodeId Fail(const absl::Status& status) { return Fail(status, place_); }

  // An error that says that a limit is exceeded does not say where.
  NodeId Fail(const absl::Status& status, const SchemaSet& place) {
    if (absl::IsResourceExhausted(status) && !place.empty()) {
      status_.Update(absl::ResourceExhaustedError(
          absl::StrCat(context_.document().PointerTo(context_.Schema(place[0])),
                       " is too large: ", status.message())));
    } else {
      status_.Update(status);
    }
    return Nothing();
  }

  // What satisfies the schemas. Values of simple types need no rule of their own.
  NodeId NodeFor(const SchemaSet& schemas) {
    const SchemaSet normal = finder_.Normalize(schemas);
    if (normal.empty()) return parts_.AnyValue();
    const auto known = rules_.find(normal);
    if (known != rules_.end()) return builder_.Call(known->second);
    const absl::StatusOr<ShapeList> shapes = finder_.ShapesOf(normal);
    if (!shapes.ok()) return Fail(shapes.status(), normal);
    const bool simple = absl::c_none_of(
        **shapes, [](const Shape& shape) { return shape.Has(kArrayType | kObjectType); });
    if (simple) {
      const NodeId scalars = builder_.Terminal(Scalars(**shapes));
      const absl::Status full = builder_.status();
      return full.ok() ? scalars : Fail(full, normal);
    }
    const RuleId rule = builder_.NewRule(absl::StrCat("schema ", normal[0].number));
    rules_[normal] = rule;
    open_.push_back({rule, normal});
    return builder_.Call(rule);
  }

  NodeId Body(const SchemaSet& schemas) {
    const absl::StatusOr<ShapeList> shapes = finder_.ShapesOf(schemas);
    if (!shapes.ok()) return Fail(shapes.status());
    std::vector<NodeId> alternatives = {builder_.Terminal(Scalars(**shapes))};
    for (const Shape& shape : **shapes) {
      if (shape.Has(kArrayType)) alternatives.push_back(ArrayNode(shape));
      if (shape.Has(kObjectType)) alternatives.push_back(ObjectNode(shape));
    }
    return builder_.Choice(alternatives);
  }

  // The values of the shapes that are neither arrays nor objects.
  RegexId Scalars(const std::vector<Shape>& shapes) {
    RegexArena& arena = builder_.regexes();
    std::vector<RegexId> scalars;
    for (const Shape& shape : shapes) {
      if (shape.Has(kNullType)) scalars.push_back(arena.Literal("null"));
      if (shape.Has(kFalseType)) scalars.push_back(arena.Literal("false"));
      if (shape.Has(kTrueType)) scalars.push_back(arena.Literal("true"));
      if (shape.Has(kNumberType)) scalars.push_back(context_.NumbersOf(shape));
      if (shape.Has(kStringType)) scalars.push_back(parts_.Quoted(context_.StringsOf(shape)));
    }
    return arena.Either(scalars);
  }

  // The listed values of a type that the rest of the shape allows.
  NodeId ListedNode(const Shape& shape, JsonValue::Kind kind) {
    std::vector<NodeId> values;
    for (const JsonValue* value : *shape.values) {
      if (value->kind != kind) continue;
      const absl::StatusOr<bool> satisfies = checker_.Satisfies(*value, shape);
      if (!satisfies.ok()) return Fail(satisfies.status());
      if (*satisfies) values.push_back(ValueNode(*value));
    }
    return builder_.Choice(values);
  }

  NodeId ArrayNode(const Shape& shape) {
    if (!shape.array_error.ok()) return Fail(shape.array_error);
    if (shape.values.has_value()) return ListedNode(shape, JsonValue::Kind::kArray);
    size_t prefix = 0;
    for (const auto& part : shape.arrays) prefix = std::max(prefix, part->prefix.size());
    if (shape.unique_items != nullptr && shape.max_items > 1) {
      const std::optional<NodeId> unique =
          prefix == 0 && shape.some_items.empty() ? UniqueItemsNode(shape) : std::nullopt;
      if (unique.has_value()) return *unique;
      const absl::Status error = context_.Unsupported(
          *shape.unique_items, prefix == 0 && shape.some_items.empty()
                                   ? "is not supported where the items are not of one enum"
                                   : "is not supported together with schemas of single items");
      if (!error.ok()) return Fail(error);
    }
    if (!shape.some_items.empty()) return WitnessedArrayNode(shape, prefix);
    const NodeId rest = parts_.Item(NodeFor(ShapeFinder::ItemSchemas(shape, prefix)));
    if (prefix == 0) return parts_.Array(parts_.List(rest, shape.min_items, shape.max_items));
    const auto count = static_cast<int32_t>(prefix);
    NodeId behind = builder_.Sequence({});
    if (shape.max_items > count) {
      const int32_t more = shape.max_items == kUnbounded ? kUnbounded : shape.max_items - count;
      behind = builder_.Repeat(builder_.Sequence({parts_.Comma(), rest}),
                               std::max(shape.min_items - count, 0), more);
    }
    for (int32_t i = std::min(count, shape.max_items) - 1; i >= 0; --i) {
      std::vector<NodeId> item = {parts_.Item(NodeFor(ShapeFinder::ItemSchemas(shape, i))), behind};
      if (i > 0) item.insert(item.begin(), parts_.Comma());
      behind = builder_.Sequence(item);
      if (i >= shape.min_items) behind = builder_.Optional(behind);
    }
    return parts_.Array(behind);
  }

  // With an item that is said to be there: it is one of the prefix, or behind it.
  NodeId WitnessedArrayNode(Shape shape, size_t prefix) {
    const ItemWitness witness = shape.some_items.back();
    shape.some_items.pop_back();
    if (!shape.some_items.empty()) {
      const absl::Status error = context_.Unsupported(
          *witness.keyword, "is not supported together with another schema that some item needs");
      return error.ok() ? ArrayNode(shape) : Fail(error);
    }
    std::vector<NodeId> ways;
    for (size_t i = witness.first; i < prefix; ++i) {
      Shape within = shape;
      std::vector<SchemaSet> schemas(i + 1);
      schemas[i] = witness.schemas;
      within.AddArrayPart({.prefix = std::move(schemas)});
      within.min_items = std::max(within.min_items, static_cast<int32_t>(i) + 1);
      if (within.min_items <= within.max_items) ways.push_back(ArrayNode(within));
    }
    ways.push_back(WitnessBehind(shape, witness, std::max(prefix, witness.first)));
    return builder_.Choice(ways);
  }

  // With the item somewhere behind so many others.
  NodeId WitnessBehind(const Shape& shape, const ItemWitness& witness, size_t prefix) {
    const auto count = static_cast<int32_t>(prefix);
    if (shape.max_items <= count) return Nothing();
    std::vector<NodeId> items;
    for (size_t i = 0; i < prefix; ++i) {
      items.push_back(parts_.Item(NodeFor(ShapeFinder::ItemSchemas(shape, i))));
      items.push_back(parts_.Comma());
    }
    const SchemaSet rest = ShapeFinder::ItemSchemas(shape, prefix);
    const NodeId witness_node = parts_.Item(NodeFor(Union(rest, witness.schemas)));
    items.push_back(builder_.Unordered(
        {.members = {witness_node},
         .required = 1,
         .extra = parts_.Item(NodeFor(rest)),
         .separator = parts_.Comma(),
         .min = std::max(shape.min_items - count, 0),
         .max = shape.max_items == kUnbounded ? kUnbounded : shape.max_items - count}));
    return parts_.Array(builder_.Sequence(items));
  }

  // Items that are listed by an enum occur like the members of an object: in any order, each at
  // most once. Nullopt if they are not listed.
  std::optional<NodeId> UniqueItemsNode(const Shape& shape) {
    const SchemaSet schemas = finder_.Normalize(ShapeFinder::ItemSchemas(shape, 0));
    const JsonValue* listed = nullptr;
    for (const SchemaRef& ref : schemas) {
      const JsonValue* values = context_.Schema(ref).Find("enum");
      if (values != nullptr && !ref.negated) listed = values;
    }
    if (listed == nullptr) return std::nullopt;
    std::vector<const JsonValue*> different;
    std::vector<NodeId> items;
    for (const JsonValue& value : listed->elements) {
      if (absl::c_any_of(different,
                         [&](const JsonValue* other) { return SameValue(*other, value); })) {
        continue;
      }
      different.push_back(&value);
      const absl::StatusOr<bool> satisfies = checker_.Satisfies(value, schemas);
      if (!satisfies.ok()) return Fail(satisfies.status());
      if (*satisfies) items.push_back(parts_.Item(ValueNode(value)));
    }
    return parts_.Array(builder_.Unordered({.members = items,
                                            .separator = parts_.Comma(),
                                            .min = shape.min_items,
                                            .max = shape.max_items}));
  }

  // With a member that is said to be there: it has one of the names that the shape gives, or it is
  // one of the others.
  NodeId WitnessedObjectNode(Shape shape, std::vector<MemberWitness> others) {
    const MemberWitness witness = shape.some_members.back();
    shape.some_members.pop_back();
    std::vector<NodeId> ways;
    for (const std::string& name : KnownNames(shape)) {
      if (!finder_.MatchesString(witness.names, name)) continue;
      Shape named = shape;
      if (!absl::c_linear_search(named.required, name)) named.required.push_back(name);
      named.AddObjectPart({.properties = {{name, witness.schemas}}});
      ways.push_back(ObjectNode(named, others));
    }
    others.push_back(witness);
    ways.push_back(ObjectNode(shape, others));
    return builder_.Choice(ways);
  }

  // `witnesses` must be among the members whose names the shape does not give.
  NodeId ObjectNode(const Shape& shape, const std::vector<MemberWitness>& witnesses = {}) {
    if (!shape.object_error.ok()) return Fail(shape.object_error);
    if (shape.values.has_value()) return ListedNode(shape, JsonValue::Kind::kObject);
    if (!shape.some_members.empty()) return WitnessedObjectNode(shape, witnesses);
    const absl::StatusOr<ObjectMembers> members = FindMembers(shape, context_, finder_);
    if (!members.ok()) return Fail(members.status());
    if (!members->satisfiable) return Nothing();
    std::vector<MemberNode> nodes;
    for (const NamedMember& member : members->named) {
      nodes.push_back({NamedNode(member.name, NodeFor(member.schemas)), member.required});
    }
    std::vector<NodeId> others;
    for (const NameClass& names : members->others) {
      others.push_back(parts_.Member(parts_.Quoted(names.names), NodeFor(names.schemas)));
    }
    const NodeId extra = others.empty() ? kNoNode : builder_.Choice(others);
    if (!witnesses.empty()) {
      if (extra == kNoNode) return Nothing();
      const bool supported =
          witnesses.size() == 1 && options_.property_order == PropertyOrder::kAny;
      const absl::Status error =
          supported ? absl::OkStatus()
                    : context_.Unsupported(*witnesses[0].keyword,
                                           "is not supported together with another schema that "
                                           "some member needs, or with properties in declared "
                                           "order");
      if (!error.ok()) return Fail(error);
      if (supported) nodes.push_back({WitnessNode(*members, witnesses[0]), true});
    }
    return MembersNode(std::move(nodes), extra, shape.min_properties, shape.max_properties);
  }

  NodeId WitnessNode(const ObjectMembers& members, const MemberWitness& witness) {
    std::vector<NodeId> ways;
    for (const NameClass& names : members.others) {
      const RegexId both = builder_.regexes().Both(names.names, witness.names);
      ways.push_back(
          parts_.Member(parts_.Quoted(both), NodeFor(Union(names.schemas, witness.schemas))));
    }
    return builder_.Choice(ways);
  }

  NodeId NamedNode(const std::string& name, NodeId value) {
    return parts_.Member(parts_.Quoted(StringsOf({name}, context_.canonical())), value);
  }

  NodeId MembersNode(std::vector<MemberNode> members, NodeId extra, int32_t min, int32_t max) {
    if (members.empty() && extra != kNoNode) return parts_.Object(parts_.List(extra, min, max));
    if (options_.property_order == PropertyOrder::kDeclared || members.empty()) {
      const absl::StatusOr<NodeId> ordered =
          DeclaredOrder(parts_, members, extra, min, max).Build();
      return ordered.ok() ? parts_.Object(*ordered) : Fail(ordered.status());
    }
    std::stable_partition(members.begin(), members.end(),
                          [](const MemberNode& member) { return member.required; });
    std::vector<NodeId> nodes;
    for (const MemberNode& member : members) nodes.push_back(member.node);
    return parts_.Object(
        builder_.Unordered({.members = nodes,
                            .required = static_cast<int32_t>(absl::c_count_if(
                                members, [](const MemberNode& member) { return member.required; })),
                            .extra = extra,
                            .separator = parts_.Comma(),
                            .min = min,
                            .max = max}));
  }

  // Just this value.
  NodeId ValueNode(const JsonValue& value) {
    RegexArena& arena = builder_.regexes();
    switch (value.kind) {
      case JsonValue::Kind::kNull:
        return builder_.Text("null");
      case JsonValue::Kind::kBool:
        return builder_.Text(value.boolean ? "true" : "false");
      case JsonValue::Kind::kNumber: {
        const std::optional<Decimal> decimal = ParseDecimal(value.text);
        return builder_.Terminal(decimal.has_value() ? context_.numbers().Exactly(*decimal)
                                                     : arena.Literal(value.text));
      }
      case JsonValue::Kind::kString:
        return builder_.Terminal(parts_.Quoted(StringsOf({value.text}, context_.canonical())));
      case JsonValue::Kind::kArray:
        return ArrayValueNode(value);
      case JsonValue::Kind::kObject:
        return ObjectValueNode(value);
    }
    return Nothing();
  }

  NodeId ArrayValueNode(const JsonValue& value) {
    std::vector<NodeId> items;
    for (const JsonValue& item : value.elements) {
      if (!items.empty()) items.push_back(parts_.Comma());
      items.push_back(parts_.Item(ValueNode(item)));
    }
    return parts_.Array(builder_.Sequence(items));
  }

  NodeId ObjectValueNode(const JsonValue& value) {
    std::vector<MemberNode> members;
    for (size_t i = 0; i < value.keys.size(); ++i) {
      members.push_back({NamedNode(value.keys[i], ValueNode(value.elements[i])), true});
    }
    return MembersNode(std::move(members), kNoNode, 0, kUnbounded);
  }

  const JsonSchemaOptions& options_;
  GrammarBuilder builder_;
  JsonParts parts_;
  SchemaContext context_;
  ShapeFinder finder_;
  ValueChecker checker_;
  absl::flat_hash_map<SchemaSet, RuleId> rules_;
  std::deque<std::pair<RuleId, SchemaSet>> open_;  // Rules without a body as yet.
  SchemaSet place_;                                // Of the rule whose body is made.
  absl::Status status_;
};

}  // namespace

absl::StatusOr<JsonSchemaGrammar> CompileJsonSchema(absl::string_view schema,
                                                    const JsonSchemaOptions& options) {
  if (absl::Status status = CheckJsonFormat(options.format); !status.ok()) return status;
  const absl::StatusOr<SchemaDocument> document = SchemaDocument::Parse(schema);
  if (!document.ok()) return document.status();
  return SchemaCompiler(*document, options).Compile();
}

}  // namespace logitchain
