// Random grammars over a small alphabet, against the recogniser by definition: it says of every
// text up to some length whether the grammar derives it, so which texts are prefixes of such ones.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/token_id.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/matcher.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/regex/regex_arena.h"
#include "logitchain/tests/grammar/engine/mask_words.h"
#include "logitchain/tests/grammar/engine/token_indexes.h"
#include "logitchain/tests/grammar/testing/reference_recognizer.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

constexpr size_t kLongestText = 6;
constexpr char kLetters[] = "ab";

// Writes grammars of a few rules, recursive in any way.
class RandomGrammar {
 public:
  explicit RandomGrammar(uint64_t seed) : random_(seed) {}

  absl::StatusOr<Grammar> Make() {
    const int rules = 1 + Below(3);
    for (int i = 0; i < rules; ++i) builder_.Rule(absl::StrCat("r", i));
    for (int i = 0; i < rules; ++i) builder_.Define(i, Node(3, rules));
    return std::move(builder_).Build(0);
  }

 private:
  int Below(int limit) { return static_cast<int>(random_.Next() % limit); }

  NodeId Node(int depth, int rules) {
    switch (depth == 0 ? Below(2) : Below(9)) {
      case 0:
        return builder_.Terminal(Regex(2));
      case 1:
        return Below(2) ? builder_.Call(Below(rules)) : builder_.Text(std::string(1, Letter()));
      case 2:
      case 3:
      case 4:
        return builder_.Sequence(Nodes(depth, rules));
      case 5:
      case 6:
        return builder_.Choice(Nodes(depth, rules));
      case 7: {
        const int min = Below(3);
        return builder_.Repeat(Node(depth - 1, rules), min, Below(2) ? kUnbounded : min + Below(3));
      }
      default: {
        const std::vector<NodeId> members = Nodes(depth, rules);
        const int min = Below(3);
        return builder_.Unordered({.members = members,
                                   .required = Below(static_cast<int>(members.size()) + 1),
                                   .extra = Below(2) ? Node(depth - 1, rules) : kNoNode,
                                   .separator = builder_.Text(Below(2) ? "b" : ""),
                                   .min = min,
                                   .max = Below(2) ? kUnbounded : min + Below(3)});
      }
    }
  }

  std::vector<NodeId> Nodes(int depth, int rules) {
    std::vector<NodeId> nodes(Below(4));
    for (NodeId& node : nodes) node = Node(depth - 1, rules);
    return nodes;
  }

  RegexId Regex(int depth) {
    RegexArena& regexes = builder_.regexes();
    if (depth == 0) return regexes.Literal(std::string(1, Letter()));
    switch (Below(5)) {
      case 0:
        return regexes.Repeat(Regex(depth - 1), Below(2), Below(2) ? kUnbounded : 2);
      case 1:
        return regexes.Either(Regex(depth - 1), Regex(depth - 1));
      case 2:
        return regexes.Both(Regex(depth - 1), regexes.Not(Regex(depth - 1)));
      default:
        return regexes.Concat(Regex(depth - 1), Regex(depth - 1));
    }
  }

  char Letter() { return kLetters[Below(2)]; }

  Pcg32 random_;
  GrammarBuilder builder_;
};

std::vector<std::string> AllTexts() {
  std::vector<std::string> texts = {""};
  for (size_t i = 0; texts[i].size() < kLongestText; ++i) {
    for (const char letter : {'a', 'b'}) texts.push_back(texts[i] + letter);
  }
  return texts;
}

// The texts of at most kLongestText bytes that begin one that the grammar derives. Longer ones may
// complete what no short one does, so a prefix near the limit may be missing.
std::set<std::string> Prefixes(const std::set<std::string>& derived) {
  std::set<std::string> prefixes;
  for (const std::string& text : derived) {
    for (size_t size = 0; size <= text.size(); ++size) prefixes.insert(text.substr(0, size));
  }
  return prefixes;
}

// The shortest way from a text that was accepted so far to one that may end; nullopt if it is not
// among the first ones. That there is none at all is a failure.
std::optional<std::string> Completion(const Matcher& begun) {
  constexpr size_t kMostTexts = 300;
  std::vector<std::pair<Matcher, std::string>> open = {{begun, ""}};
  for (size_t i = 0; i < open.size(); ++i) {
    if (*open[i].first.IsAccepting()) return open[i].second;
    if (i == kMostTexts) return std::nullopt;
    for (const TokenId letter : {0, 1}) {
      Matcher next = open[i].first;
      if (next.Accept(letter).ok()) open.emplace_back(next, open[i].second + kLetters[letter]);
    }
  }
  ADD_FAILURE() << "the text goes on and never ends";
  return std::nullopt;
}

// With tokens behind them for the bytes that they lack, so that every text can be spelled.
std::vector<std::string> WithAllBytes(std::vector<std::string> tokens) {
  for (int byte = 0; byte < 256; ++byte) {
    std::string token(1, static_cast<char>(byte));
    if (std::find(tokens.begin(), tokens.end(), token) == tokens.end()) tokens.push_back(token);
  }
  return tokens;
}

class DifferentialTest : public testing::TestWithParam<int> {};

TEST_P(DifferentialTest, EveryTextEndsAndGoesOnAsByDefinition) {
  const std::vector<std::string> tokens = {"a", "b", "aa", "ab", "ba", "bb", "aba", "abab", "bbb"};
  const std::vector<std::string> all_tokens = WithAllBytes(tokens);
  const std::shared_ptr<const TokenIndex> index = IndexOf(all_tokens);
  const TokenId stop = static_cast<TokenId>(all_tokens.size());
  std::vector<TokenId> looked_at(tokens.size());
  std::iota(looked_at.begin(), looked_at.end(), 0);
  looked_at.push_back(stop);
  int with_texts = 0;
  int completions = 0;
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(absl::StrCat("grammar ", i));
    const absl::StatusOr<Grammar> grammar = RandomGrammar(1000 * GetParam() + i).Make();
    if (!grammar.ok()) {
      // It derives no text.
      EXPECT_THAT(grammar.status(), StatusIs(absl::StatusCode::kInvalidArgument));
      continue;
    }
    std::set<std::string> derived;
    ReferenceRecognizer reference(*grammar);
    for (const std::string& text : AllTexts()) {
      if (reference.Matches(text)) derived.insert(text);
    }
    const auto compiled = CompiledGrammar::Compile(*grammar, index);
    ASSERT_THAT(compiled.status(), IsOk());
    with_texts += derived.empty() ? 0 : 1;
    const std::set<std::string> prefixes = Prefixes(derived);
    for (const std::string& text : AllTexts()) {
      Matcher matcher(*compiled);
      absl::Status status;
      for (const char letter : text) {
        if (status.ok()) status = matcher.Accept(letter == 'a' ? 0 : 1);
      }
      EXPECT_TRUE(status.ok() || !prefixes.contains(text)) << text << ": " << status;
      if (!status.ok()) continue;
      // What goes on has an end.
      if (!prefixes.contains(text)) {
        const std::optional<std::string> rest = Completion(matcher);
        EXPECT_TRUE(!rest || reference.Matches(text + *rest)) << text << rest.value_or("");
        completions += rest ? 1 : 0;
      }
      EXPECT_EQ(*matcher.IsAccepting(), derived.contains(text)) << text;
      // The mask against the parser, one token at a time.
      const std::vector<TokenId> allowed = Allowed(matcher, stop + 1);
      for (const TokenId id : looked_at) {
        const bool is_allowed = matcher.Explain(id)->is_allowed;
        EXPECT_EQ(std::count(allowed.begin(), allowed.end(), id), is_allowed ? 1 : 0)
            << "'" << text << "' and token " << id;
        if (id == stop || text.size() + tokens[id].size() > kLongestText) continue;
        EXPECT_TRUE(is_allowed || !prefixes.contains(text + tokens[id])) << text << tokens[id];
      }
    }
  }
  EXPECT_GT(with_texts, 20);
  EXPECT_GT(completions, 5);
}

INSTANTIATE_TEST_SUITE_P(Seeds, DifferentialTest, testing::Range(1, 9));

}  // namespace
}  // namespace logitchain
