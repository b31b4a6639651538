#ifndef LOGITCHAIN_CORE_DIALECT_H_
#define LOGITCHAIN_CORE_DIALECT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {

// What rules compute with. Values are always stored as double; with kFloat32 every one of them is a
// float32 and every operation rounds to float32.
enum class Arithmetic { kFloat64, kFloat32 };

// How probabilities come from logits: term_i = exp(l_i − max), divided by the sum of the terms.
struct SoftmaxRule {
  enum class Term {
    kExactDouble,  // Correctly rounded, float64.
    kGlibcFloat,   // expf of glibc, float32.
    kExactFloat,   // float64 exp of the float32 difference, rounded once to float32.
  };
  enum class Sum {
    kDouble,             // A running float64 sum of the terms.
    kFloat,              // A running float32 sum of the terms.
    kDoubleExponentials  // A running float64 sum of float64 exponentials, rounded to float32.
  };
  enum class Scale {
    kDivide,      // term / sum, in the arithmetic of the terms.
    kReciprocal,  // term · float32(1 / sum).
  };
  Term term;
  Sum sum;
  Scale scale;
};

// Which tokens the penalties count, and how they are taken off.
struct PenaltyRules {
  // The last this many tokens; nullopt: all.
  std::optional<int32_t> window;
  PenaltyScope repetition_scope;
  PenaltyScope presence_frequency_scope;
  // (l − f·c) − p, or l − (f·c + p).
  bool sum_before_subtracting;
  // A repetition penalty below this is ignored.
  double repetition_ignored_below;
  // A penalty this close to its neutral value is ignored.
  double neutral_within;
};

struct TemperatureRule {
  enum class Greedy {
    kNoDraw,  // The draw becomes greedy and takes no random number.
    kFilter,  // All but the first maximum are removed; the draw goes on as always.
  };
  // Temperatures below this (or equal, where inclusive) mean greedy.
  double greedy_below;
  bool greedy_inclusive;
  Greedy greedy;
  // l · (1 / T) in place of l / T.
  bool by_reciprocal;
  // A temperature that is not greedy and below this is an error, or raised to it where the config
  // allows that.
  double smallest;
};

struct NucleusRule {
  TopPConfig::Crossing crossing;
  // A p up to this is off; −∞: none is.
  double off_up_to;
  // The nucleus ends as soon as the sum is within this of p.
  double tolerance;
};

enum class MinPRule {
  kProbability,  // Keeps q ≥ p · max q.
  kLogit,        // Keeps l ≥ max + log p.
};

// Locally typical sampling: where the running sum ends it, and what happens at equal scores.
struct TypicalRule {
  TopPConfig::Crossing crossing;
  // Tokens whose score equals that of the last one kept stay as well.
  bool keeps_ties;
};

// When XTC acts on a step, by its uniform.
enum class XtcChance {
  kBelow,  // u < probability.
  kUpTo,   // u ≤ probability.
};

// How mirostat draws from what its cut leaves.
enum class MirostatDraw {
  kDialect,     // As a categorical draw does, with one uniform.
  kCumulative,  // By running float64 sums of p / z with the last set to 1, z the float64 sum of p;
                // the first with sum ≥ u. Of a single place without a uniform.
};

// Rules about sequences of tokens (bad words, sequence bias): which tokens a sequence may begin in.
struct SequenceRule {
  PenaltyScope scope = PROMPT_AND_OUTPUT;
  // Only sequences that are no longer than those tokens count, although the last token of a
  // sequence is the next one.
  bool must_fit = false;
};

// How candidates are stored once a filter has cut them down, and so in which order sums run.
enum class CandidateOrder {
  kAscendingIds,  // Ids ascending; a removed candidate is gone.
  kAsLeft,  // The order in which the last rule left them; a removed candidate may keep a place.
};

// The walk over the final distribution that finds the token.
struct DrawRule {
  enum class Walk {
    kNormalisedDouble,  // Running float64 sum of q; the first with u < sum.
    kNormalisedFloat,   // Running float32 sum of q > 0; the first with u ≤ sum.
    kUnnormalised,      // Running float64 sum of the terms; the first with sum ≥ S·u.
  };
  SoftmaxRule softmax;
  Walk walk;
};

// Where a rule with randomness takes it from; each such rule has a generator of its own.
enum class RuleStream {
  kSubStream,      // PCG32 on a sub-stream of the seed for this rule and occurrence.
  kMt19937Floats,  // mt19937 on the seed itself, a float of one word each.
};

// The range that a dialect sets for a field, in place of the one in its proto.
struct FieldRange {
  absl::string_view field;  // Full name, for example "logitchain.TopKConfig.k".
  absl::string_view range;
};

// One system's semantics: a row of the table that rules ask. Rules never branch on `name`.
struct Dialect {
  ChainConfig::Dialect name;
  // The stages that this system has, in its order.
  absl::Span<const Stage> stages;
  Arithmetic arithmetic;
  CandidateOrder candidate_order;
  PenaltyRules penalties;
  TemperatureRule temperature;
  TopKConfig::Ties top_k_ties;
  NucleusRule nucleus;
  MinPRule min_p;
  TypicalRule typical;
  XtcChance xtc_chance;
  MirostatDraw mirostat_draw;
  // Probabilities as filters see them.
  SoftmaxRule softmax;
  DrawRule draw;
  GeneratorKind generator;
  RuleStream rule_stream;
  // Whether a prompt or output id outside the vocabulary is an error. Where it is not, such an id
  // holds a place in the history and changes nothing.
  bool ids_must_be_in_vocabulary;
  absl::Span<const FieldRange> ranges;
  // The fields of configs, by full name, that mean something here and not in every dialect. To set
  // one in a dialect that does not name it is an error.
  absl::Span<const absl::string_view> own_fields = {};
  SequenceRule sequences = {};
};

// The row of `name`. Lives for ever.
const Dialect& GetDialect(ChainConfig::Dialect name);

// All stages in the dialect's order. A stage that the system lacks follows the nearest earlier one
// of enum Stage that it has.
std::vector<Stage> StageOrder(const Dialect& dialect);

// The dialects that name the field as one of their own; none for a field of all dialects.
std::vector<ChainConfig::Dialect> OwnersOf(absl::string_view field);

// The range of the field with this full name: the dialect's, or `fallback`.
absl::string_view RangeOf(const Dialect& dialect, absl::string_view field,
                          absl::string_view fallback);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DIALECT_H_
