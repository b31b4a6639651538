#ifndef LOGITCHAIN_TESTS_GRAMMAR_SYNTAX_GRAMMAR_CASE_H_
#define LOGITCHAIN_TESTS_GRAMMAR_SYNTAX_GRAMMAR_CASE_H_

#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "gtest/gtest.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/tests/grammar/testing/reference_recognizer.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {

// The text of a grammar, and texts that it derives and does not derive.
struct GrammarCase {
  std::string name;
  std::string grammar;
  std::vector<std::string> accepted;
  std::vector<std::string> refused;

  friend void PrintTo(const GrammarCase& c, std::ostream* out) { *out << c.name; }
};

inline void CheckCase(const GrammarCase& c, const absl::StatusOr<Grammar>& grammar) {
  ASSERT_THAT(grammar, IsOk());
  ReferenceRecognizer recognizer(*grammar);
  for (const std::string& text : c.accepted) EXPECT_TRUE(recognizer.Matches(text)) << text;
  for (const std::string& text : c.refused) EXPECT_FALSE(recognizer.Matches(text)) << text;
}

// The text of a grammar that is none, and what is said of it.
struct BadGrammar {
  std::string grammar;
  std::string message;

  friend void PrintTo(const BadGrammar& c, std::ostream* out) {
    *out << absl::CHexEscape(c.grammar);
  }
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_GRAMMAR_SYNTAX_GRAMMAR_CASE_H_
