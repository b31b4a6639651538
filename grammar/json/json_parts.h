#ifndef LOGITCHAIN_GRAMMAR_JSON_JSON_PARTS_H_
#define LOGITCHAIN_GRAMMAR_JSON_JSON_PARTS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/regex/character_coding.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

struct JsonFormat {
  // The most spaces, tabs, line feeds and carriage returns in a row, wherever JSON allows them
  // inside of a value; from 0, for none, to kMaxWhiteSpace. There is none around the whole text. A
  // model that may write white space for ever sometimes does.
  int32_t max_white_space = 64;
};

inline constexpr int32_t kMaxWhiteSpace = 1'000;

// Pieces of JSON (RFC 8259), from which grammars of it are built.
class JsonParts {
 public:
  // `builder` must outlive this.
  JsonParts(GrammarBuilder& builder, const JsonFormat& format);

  GrammarBuilder& builder() { return builder_; }
  JsonStringCoding& coding() { return coding_; }

  // White space, as much as the format allows.
  RegexId Space() const { return space_; }
  RegexId AnyString() { return Quoted(coding_.AnyText()); }
  // A string with such text between its quotes.
  RegexId Quoted(RegexId text);
  RegexId AnyNumber();

  // { and white space, then `members` or nothing, then }. A member ends with its white space.
  NodeId Object(NodeId members);
  // [ and white space, then `items` or nothing, then ]. An item ends with its white space.
  NodeId Array(NodeId items);
  // A name that matches `name`, with its quotes, and the value, with white space behind.
  NodeId Member(RegexId name, NodeId value);
  // A value with white space behind.
  NodeId Item(NodeId value);
  // A comma and white space: what stands between members and between items.
  NodeId Comma();
  // `part`, min to max times, with commas between; min >= 0.
  NodeId List(NodeId part, int32_t min, int32_t max);

  // Any value.
  NodeId AnyValue();
  NodeId AnyObject();
  NodeId AnyArray();

 private:
  RuleId AnyValueRule();
  RegexId Literal(char text);

  GrammarBuilder& builder_;
  RegexArena& arena_;
  JsonStringCoding coding_;
  RegexId space_;
  RuleId any_value_ = -1;
};

// The grammar of any JSON value. InvalidArgument if the format is out of range.
absl::StatusOr<Grammar> JsonGrammar(const JsonFormat& format);

// InvalidArgument if it is out of range.
absl::Status CheckJsonFormat(const JsonFormat& format);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_JSON_JSON_PARTS_H_
