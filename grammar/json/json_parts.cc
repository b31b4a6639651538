#include "logitchain/grammar/json/json_parts.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

int32_t OneLess(int32_t count) { return count == kUnbounded ? count : count - 1; }

}  // namespace

JsonParts::JsonParts(GrammarBuilder& builder, const JsonFormat& format)
    : builder_(builder), arena_(builder.regexes()), coding_(arena_) {
  ByteSet bytes;
  for (const char byte : {' ', '\t', '\n', '\r'}) bytes.Insert(static_cast<uint8_t>(byte));
  arena_.SetTexts(coding_.AnyText());
  space_ = arena_.Repeat(arena_.Bytes(bytes), 0, format.max_white_space);
}

RegexId JsonParts::Literal(char text) {
  return arena_.Bytes(ByteSet::Of(static_cast<uint8_t>(text)));
}

RegexId JsonParts::Quoted(RegexId text) {
  return arena_.Concat({Literal('"'), text, Literal('"')});
}

RegexId JsonParts::AnyNumber() {
  const RegexId digit = arena_.Bytes(ByteSet::Range('0', '9'));
  const RegexId digits = arena_.Repeat(digit, 1, kUnbounded);
  const RegexId whole = arena_.Either(
      Literal('0'),
      arena_.Concat(arena_.Bytes(ByteSet::Range('1', '9')), arena_.Repeat(digit, 0, kUnbounded)));
  const RegexId fraction = arena_.Concat(Literal('.'), digits);
  const RegexId sign = arena_.Either(Literal('+'), Literal('-'));
  const RegexId exponent =
      arena_.Concat({arena_.Either(Literal('e'), Literal('E')), arena_.Optional(sign), digits});
  return arena_.Concat(
      {arena_.Optional(Literal('-')), whole, arena_.Optional(fraction), arena_.Optional(exponent)});
}

NodeId JsonParts::Object(NodeId members) {
  return builder_.Sequence({builder_.Terminal(arena_.Concat(Literal('{'), space_)), members,
                            builder_.Terminal(Literal('}'))});
}

NodeId JsonParts::Array(NodeId items) {
  return builder_.Sequence({builder_.Terminal(arena_.Concat(Literal('['), space_)), items,
                            builder_.Terminal(Literal(']'))});
}

NodeId JsonParts::Member(RegexId name, NodeId value) {
  const RegexId colon = arena_.Concat({space_, Literal(':'), space_});
  return builder_.Sequence(
      {builder_.Terminal(arena_.Concat(name, colon)), value, builder_.Terminal(space_)});
}

NodeId JsonParts::Item(NodeId value) {
  return builder_.Sequence({value, builder_.Terminal(space_)});
}

NodeId JsonParts::Comma() { return builder_.Terminal(arena_.Concat(Literal(','), space_)); }

NodeId JsonParts::List(NodeId part, int32_t min, int32_t max) {
  if (max == 0) return builder_.Sequence({});
  const NodeId more =
      builder_.Repeat(builder_.Sequence({Comma(), part}), std::max(min - 1, 0), OneLess(max));
  const NodeId list = builder_.Sequence({part, more});
  return min == 0 ? builder_.Optional(list) : list;
}

RuleId JsonParts::AnyValueRule() {
  if (any_value_ >= 0) return any_value_;
  any_value_ = builder_.NewRule("json value");
  const RegexId scalar = arena_.Either({AnyString(), AnyNumber(), arena_.Literal("true"),
                                        arena_.Literal("false"), arena_.Literal("null")});
  builder_.Define(any_value_,
                  builder_.Choice({builder_.Terminal(scalar), AnyObject(), AnyArray()}));
  return any_value_;
}

NodeId JsonParts::AnyValue() { return builder_.Call(AnyValueRule()); }

NodeId JsonParts::AnyObject() {
  return Object(List(Member(AnyString(), AnyValue()), 0, kUnbounded));
}

NodeId JsonParts::AnyArray() { return Array(List(Item(AnyValue()), 0, kUnbounded)); }

absl::Status CheckJsonFormat(const JsonFormat& format) {
  if (format.max_white_space >= 0 && format.max_white_space <= kMaxWhiteSpace) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("max_white_space is ", format.max_white_space,
                                                 "; it must be in [0, ", kMaxWhiteSpace, "]"));
}

absl::StatusOr<Grammar> JsonGrammar(const JsonFormat& format) {
  if (absl::Status status = CheckJsonFormat(format); !status.ok()) return status;
  GrammarBuilder builder;
  JsonParts parts(builder, format);
  const RuleId start = builder.Rule("json");
  builder.Define(start, parts.AnyValue());
  return std::move(builder).Build(start);
}

}  // namespace logitchain
