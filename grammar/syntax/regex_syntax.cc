#include "logitchain/grammar/syntax/regex_syntax.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/regex/character_coding.h"
#include "logitchain/grammar/regex/code_point_set.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "logitchain/grammar/syntax/regex_tree.h"
#include "logitchain/grammar/syntax/text_cursor.h"

namespace logitchain {
namespace {

using Kind = RegexTreeNode::Kind;

// Compiles from the end of a pattern to its start, so that whatever may follow a node is known as
// an expression: an assertion on what follows is then an intersection with it.
class RegexCompiler {
 public:
  RegexCompiler(absl::string_view pattern, const RegexTree& tree, CharacterCoding& coding)
      : pattern_(pattern), tree_(tree), coding_(coding), arena_(coding.arena()) {
    FindWhatMayBeEmpty();
  }

  absl::StatusOr<RegexId> Compile(RegexExtent extent) {
    const auto root = static_cast<int32_t>(tree_.nodes.size()) - 1;
    RegexId id;
    if (extent == RegexExtent::kWholeText) {
      id = Compile(root, RegexArena::kEmptyString, /*at_start=*/true);
    } else {
      const RegexId any = coding_.AnyText();
      const RegexId at_start = Compile(root, any, /*at_start=*/true);
      id = arena_.Either(at_start, arena_.Concat(any, Compile(root, any, /*at_start=*/false)));
    }
    if (!status_.ok()) return status_;
    return id;
  }

 private:
  const RegexTreeNode& node(int32_t id) const { return tree_.nodes[id]; }

  void FindWhatMayBeEmpty() {
    for (const RegexTreeNode& node : tree_.nodes) {
      const auto is_empty = [this](int32_t child) { return may_be_empty_[child]; };
      switch (node.kind) {
        case Kind::kCharacter:
          may_be_empty_.push_back(false);
          break;
        case Kind::kSequence:
          may_be_empty_.push_back(absl::c_all_of(node.children, is_empty));
          break;
        case Kind::kAlternatives:
          may_be_empty_.push_back(absl::c_any_of(node.children, is_empty));
          break;
        case Kind::kRepeat:
          may_be_empty_.push_back(node.min == 0 || is_empty(node.children[0]));
          break;
        default:
          may_be_empty_.push_back(true);
      }
    }
  }

  // The texts of which a first part matches the node, and the rest `rest`. `at_start` says whether
  // the text's start is here.
  RegexId Compile(int32_t id, RegexId rest, bool at_start) {
    const RegexTreeNode& node = tree_.nodes[id];
    if (!node.has_assertion) return arena_.Concat(CompilePlain(id), rest);
    switch (node.kind) {
      case Kind::kSequence:
        return CompileSequence(node, rest, at_start);
      case Kind::kAlternatives: {
        std::vector<RegexId> alternatives;
        for (const int32_t child : node.children) {
          alternatives.push_back(Compile(child, rest, at_start));
        }
        return arena_.Either(alternatives);
      }
      case Kind::kRepeat:
        return CompileRepeat(node, rest, at_start);
      case Kind::kStart:
        return at_start ? rest : RegexArena::kNothing;
      case Kind::kEnd:
        return arena_.MatchesEmpty(rest) ? RegexArena::kEmptyString : RegexArena::kNothing;
      case Kind::kAhead:
        return arena_.Both(Compile(node.children[0], coding_.AnyText(), at_start), rest);
      case Kind::kNotAhead:
        return arena_.Both(arena_.Not(Compile(node.children[0], coding_.AnyText(), at_start)),
                           rest);
      case Kind::kCharacter:
        break;
    }
    return RegexArena::kNothing;
  }

  // A node without assertions.
  RegexId CompilePlain(int32_t id) {
    const RegexTreeNode& node = tree_.nodes[id];
    if (node.kind == Kind::kCharacter) return CompileCharacter(node.characters);
    std::vector<RegexId> parts;
    for (const int32_t child : node.children) parts.push_back(CompilePlain(child));
    switch (node.kind) {
      case Kind::kSequence:
        return arena_.Concat(parts);
      case Kind::kRepeat:
        return arena_.Repeat(parts[0], node.min, node.max);
      default:
        return arena_.Either(parts);
    }
  }

  RegexId CompileCharacter(const CodePointSet& characters) {
    const std::optional<char32_t> only = characters.Only();
    return only ? coding_.Character(*only) : coding_.Character(characters);
  }

  RegexId CompileSequence(const RegexTreeNode& node, RegexId rest, bool at_start) {
    // Whether the start of the text is before each child: surely, or perhaps.
    bool perhaps = at_start;
    std::vector<bool> starts;
    for (const int32_t child : node.children) {
      starts.push_back(at_start);
      if (perhaps && !at_start && HasStart(child)) {
        Fail(tree_.nodes[child], "^ behind something that may be empty is not supported");
      }
      at_start = at_start && IsAssertion(child);
      perhaps = perhaps && may_be_empty_[child];
    }
    for (size_t i = node.children.size(); i > 0; --i) {
      rest = Compile(node.children[i - 1], rest, starts[i - 1]);
    }
    return rest;
  }

  RegexId CompileRepeat(const RegexTreeNode& node, RegexId rest, bool at_start) {
    if (node.max > 1) Fail(node, "an assertion inside of a repetition is not supported");
    if (node.max == 0) return rest;
    const RegexId once = Compile(node.children[0], rest, at_start);
    return node.min == 0 ? arena_.Either(rest, once) : once;
  }

  // Whether it only ever matches the empty text.
  bool IsAssertion(int32_t id) const {
    const RegexTreeNode& node = tree_.nodes[id];
    if (node.kind >= Kind::kStart) return true;
    return node.kind != Kind::kCharacter &&
           absl::c_all_of(node.children, [this](int32_t child) { return IsAssertion(child); });
  }

  bool HasStart(int32_t id) const {
    const RegexTreeNode& node = tree_.nodes[id];
    return node.has_assertion &&
           (node.kind == Kind::kStart ||
            absl::c_any_of(node.children, [this](int32_t child) { return HasStart(child); }));
  }

  void Fail(const RegexTreeNode& node, absl::string_view message) {
    status_.Update(SyntaxError(pattern_, node.offset, message));
  }

  absl::string_view pattern_;
  const RegexTree& tree_;
  CharacterCoding& coding_;
  RegexArena& arena_;
  std::vector<bool> may_be_empty_;  // By node.
  absl::Status status_;
};

}  // namespace

absl::StatusOr<RegexId> CompileRegex(absl::string_view pattern, RegexExtent extent,
                                     CharacterCoding& coding) {
  const absl::StatusOr<RegexTree> tree = ParseRegexTree(pattern);
  if (!tree.ok()) return tree.status();
  return CompileRegex(pattern, *tree, extent, coding);
}

absl::StatusOr<RegexId> CompileRegex(absl::string_view pattern, const RegexTree& tree,
                                     RegexExtent extent, CharacterCoding& coding) {
  return RegexCompiler(pattern, tree, coding).Compile(extent);
}

absl::StatusOr<Grammar> RegexGrammar(absl::string_view pattern) {
  GrammarBuilder builder;
  Utf8Coding coding(builder.regexes());
  const absl::StatusOr<RegexId> regex = CompileRegex(pattern, RegexExtent::kWholeText, coding);
  if (!regex.ok()) return regex.status();
  const RuleId start = builder.Rule("regex");
  builder.Define(start, builder.Terminal(*regex));
  absl::StatusOr<Grammar> grammar = std::move(builder).Build(start);
  if (!absl::IsResourceExhausted(grammar.status())) return grammar;
  return absl::ResourceExhaustedError(absl::StrCat("1:1: ", grammar.status().message()));
}

}  // namespace logitchain
