// Random lists of texts over random vocabularies without all bytes, against what can be spelled by
// definition.

#include "logitchain/grammar/engine/look_ahead.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/token_id.h"
#include "logitchain/grammar/engine/matcher.h"
#include "logitchain/grammar/syntax/choice_syntax.h"
#include "logitchain/tests/grammar/engine/mask_words.h"
#include "logitchain/tests/grammar/engine/token_indexes.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

std::vector<std::string> RandomTexts(size_t count, int longest, Pcg32& random) {
  std::set<std::string> texts;
  while (texts.size() < count) {
    std::string text;
    for (uint32_t left = 1 + random.Next() % longest; left > 0; --left) {
      text.push_back(static_cast<char>('a' + random.Next() % 3));
    }
    texts.insert(text);
  }
  return {texts.begin(), texts.end()};
}

bool CanBeSpelled(absl::string_view text, const std::vector<std::string>& tokens) {
  if (text.empty()) return true;
  for (const std::string& token : tokens) {
    if (absl::StartsWith(text, token) && CanBeSpelled(text.substr(token.size()), tokens)) {
      return true;
    }
  }
  return false;
}

// Goes all ways, and compares the tokens that may come with those that lead to one of the texts.
class Walk {
 public:
  Walk(const std::vector<std::string>& texts, const std::vector<std::string>& tokens)
      : texts_(texts), tokens_(tokens), stop_(static_cast<TokenId>(tokens.size())) {}

  void From(Matcher& matcher, const std::string& text) {
    const std::vector<TokenId> allowed = Allowed(matcher, stop_ + 1);
    const std::set<TokenId> may_come(allowed.begin(), allowed.end());
    for (TokenId id = 0; id < stop_; ++id) {
      const std::string longer = text + tokens_[id];
      const bool leads_on = LeadsOn(longer);
      ++(leads_on ? allowed_count_ : refused_count_);
      EXPECT_EQ(may_come.contains(id), leads_on) << "'" << text << "' and '" << tokens_[id] << "'";
      EXPECT_EQ(matcher.Explain(id)->is_allowed, leads_on);
      if (!leads_on) {
        EXPECT_FALSE(matcher.Accept(id).ok());
        continue;
      }
      ASSERT_THAT(matcher.Accept(id), IsOk());
      From(matcher, longer);
      ASSERT_THAT(matcher.Rollback(1), IsOk());
    }
  }

  int allowed_count() const { return allowed_count_; }
  int refused_count() const { return refused_count_; }

 private:
  bool LeadsOn(const std::string& begun) const {
    for (const std::string& text : texts_) {
      if (absl::StartsWith(text, begun) && CanBeSpelled(text.substr(begun.size()), tokens_)) {
        return true;
      }
    }
    return false;
  }

  const std::vector<std::string>& texts_;
  const std::vector<std::string>& tokens_;
  const TokenId stop_;
  int allowed_count_ = 0;
  int refused_count_ = 0;
};

TEST(LookAheadTest, TokensThatMayComeAreThoseThatLeadToAnEndByDefinition) {
  Pcg32 random(1);
  int allowed = 0;
  int refused = 0;
  for (int i = 0; i < 100; ++i) {
    SCOPED_TRACE(absl::StrCat("vocabulary ", i));
    const std::vector<std::string> texts = RandomTexts(6, 9, random);
    const std::vector<std::string> tokens = RandomTexts(5, 3, random);
    Matcher matcher = MatcherOf(ChoiceGrammar(texts).value(), IndexOf(tokens));
    Walk walk(texts, tokens);
    walk.From(matcher, "");
    allowed += walk.allowed_count();
    refused += walk.refused_count();
  }
  EXPECT_GT(allowed, 300);
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace logitchain
