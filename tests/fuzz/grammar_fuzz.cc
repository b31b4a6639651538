// A line with a notation and options, a grammar, a line "---", and bytes that choose the tokens of
// a text.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/matcher.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/json_schema/json_schema.h"
#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/source/grammar_source.h"
#include "logitchain/tests/fuzz/fuzz_environment.h"
#include "logitchain/tests/fuzz/input_reader.h"
#include "logitchain/tests/fuzz/require.h"

namespace logitchain {
namespace {

using Notation = GrammarSource::Notation;
using Mask = std::vector<int32_t>;

constexpr int32_t kVocabSize = 300;
constexpr int kMaxTokens = 32;

const std::shared_ptr<const TokenIndex>& Index() {
  static const auto& index =
      *new auto(std::make_shared<const TokenIndex>(FuzzVocabulary(kVocabSize)));
  return index;
}

Notation NotationOf(absl::string_view name) {
  if (absl::StartsWith(name, "gbnf")) return Notation::kGbnf;
  if (absl::StartsWith(name, "ebnf")) return Notation::kEbnf;
  if (absl::StartsWith(name, "regex")) return Notation::kRegex;
  if (absl::StartsWith(name, "schema")) return Notation::kJsonSchema;
  return absl::StartsWith(name, "choice") ? Notation::kChoice : Notation::kJson;
}

GrammarSource SourceOf(InputReader& input) {
  const absl::string_view options = input.Line();
  GrammarSource source = {.notation = NotationOf(options),
                          .text = std::string(input.Part()),
                          .lenient = absl::StrContains(options, "lenient")};
  if (absl::StrContains(options, "compact")) source.max_white_space = 0;
  if (absl::StrContains(options, "declared")) source.property_order = PropertyOrder::kDeclared;
  if (source.notation == Notation::kChoice) source.choices = absl::StrSplit(source.text, '\n');
  return source;
}

bool Allows(const Mask& mask, TokenId id) {
  return (static_cast<uint32_t>(mask[id / 32]) >> (id % 32)) & 1;
}

// Follows a text by the bytes of an input, and compares what a matcher says of it.
class Follower {
 public:
  explicit Follower(std::shared_ptr<const CompiledGrammar> grammar)
      : matcher_(std::move(grammar)) {}

  // False at the end of the text, and where it takes more memory than it may.
  bool Step(InputReader& input) {
    Mask mask(Index()->mask_words());
    if (!matcher_.FillMask(absl::MakeSpan(mask)).ok()) return false;
    const std::vector<TokenId> allowed = AllowedIn(mask);
    if (!AgreesOnBytes(allowed)) return false;
    const TokenId any = input.Byte() + 2;
    TryToken(any, Allows(mask, any), mask);
    if (allowed.empty()) return false;
    TryToken(allowed[input.Byte() % allowed.size()], true, mask);
    last_ = allowed[input.Byte() % allowed.size()];
    return matcher_.Accept(last_).ok();
  }

 private:
  static std::vector<TokenId> AllowedIn(const Mask& mask) {
    std::vector<TokenId> allowed;
    for (TokenId id = 0; id < kVocabSize; ++id) {
      if (Allows(mask, id)) allowed.push_back(id);
    }
    return allowed;
  }

  // False where memory ran out.
  bool AgreesOnBytes(absl::Span<const TokenId> allowed) {
    const absl::StatusOr<bool> may_end = matcher_.IsAccepting();
    const absl::StatusOr<ByteSet> bytes = matcher_.AllowedBytes();
    const absl::StatusOr<std::string> forced = matcher_.ForcedBytes();
    if (!may_end.ok() || !bytes.ok() || !forced.ok()) return false;
    const bool is_stopped = last_ == 0;
    Require(is_stopped || absl::c_linear_search(allowed, 0) == *may_end,
            "a stop token may come where the text may end");
    Require(!absl::c_linear_search(allowed, 1), "a special token may not come");
    for (const TokenId id : allowed) {
      const absl::string_view text = Index()->vocabulary().bytes(id);
      Require(id == 0 || bytes->Contains(text.front()), "a token begins with a byte that may come");
    }
    Require(forced->empty() || (!*may_end && bytes->Contains(forced->front())),
            "a byte that must come may come");
    return true;
  }

  // Has the token come and go again.
  void TryToken(TokenId id, bool is_allowed, const Mask& mask) {
    const absl::StatusOr<Matcher::Explanation> explanation = matcher_.Explain(id);
    if (!explanation.ok()) return;
    Require(explanation->is_allowed == is_allowed, "an explanation agrees with the mask");
    Require(explanation->cause.empty() == is_allowed, "what is refused has a cause");
    const std::unique_ptr<Matcher> fork = matcher_.Fork();
    const absl::Status status = matcher_.Accept(id);
    if (absl::IsResourceExhausted(status)) return;
    Require(status.ok() == is_allowed, "a mask says what may come");
    Require(!status.ok() || matcher_.Rollback(1).ok(), "a token can be taken back");
    Require(matcher_.token_count() == fork->token_count(), "a token that may not come does not");
    RequireMask(matcher_, mask);
    RequireMask(*fork, mask);
  }

  static void RequireMask(Matcher& matcher, const Mask& expected) {
    Mask mask(expected.size());
    if (!matcher.FillMask(absl::MakeSpan(mask)).ok()) return;
    Require(mask == expected, "the same text has the same mask");
  }

  Matcher matcher_;
  TokenId last_ = -1;  // That was accepted.
};

void Run(const GrammarSource& source, InputReader& input) {
  const absl::StatusOr<ParsedGrammar> parsed = ParseGrammar(source);
  if (!parsed.ok()) return;
  constexpr int64_t kMaxMemory = int64_t{16} << 20;
  const auto compiled = CompiledGrammar::Compile(parsed->grammar, Index(), kMaxMemory);
  if (!compiled.ok()) return;
  Follower follower(*compiled);
  for (int i = 0; i < kMaxTokens && follower.Step(input); ++i) {
  }
}

}  // namespace
}  // namespace logitchain

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace logitchain;
  InputReader input(data, size);
  const GrammarSource source = SourceOf(input);
  Run(source, input);
  return 0;
}
