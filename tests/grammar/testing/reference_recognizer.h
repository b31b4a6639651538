#ifndef LOGITCHAIN_TESTS_GRAMMAR_TESTING_REFERENCE_RECOGNIZER_H_
#define LOGITCHAIN_TESTS_GRAMMAR_TESTING_REFERENCE_RECOGNIZER_H_

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// Says whether a grammar derives a text, by the definition of each node: where, from a place on,
// may what the node derives end? For rules that call themselves the least fixed point is found by
// going over all until nothing is added. Slow; the judge of whatever is fast.
class ReferenceRecognizer {
 public:
  explicit ReferenceRecognizer(const Grammar& grammar);

  bool Matches(absl::string_view text);

 private:
  using Places = std::set<size_t>;

  Places Ends(NodeId id, size_t begin);
  Places EndsOfTerminal(RegexId regex, size_t begin);
  Places EndsOfRule(RuleId rule, size_t begin);
  Places EndsOfSequence(const GrammarNode& node, size_t begin);
  Places EndsOfRepeat(const GrammarNode& node, size_t begin);
  Places EndsOfUnordered(const GrammarNode& node, size_t begin);
  // From each of the places on.
  Places EndsFromAll(NodeId id, const Places& begins);

  const Grammar& grammar_;
  RegexArena regexes_;
  std::string text_;
  std::map<std::pair<RuleId, size_t>, Places> ends_of_rules_;
  std::set<std::pair<RuleId, size_t>> visited_;  // In this pass.
  std::map<std::pair<RegexId, size_t>, Places> ends_of_terminals_;
  bool has_grown_ = false;  // In this pass.
};

// Whether `grammar` derives `text`.
bool ReferenceMatches(const Grammar& grammar, absl::string_view text);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_GRAMMAR_TESTING_REFERENCE_RECOGNIZER_H_
