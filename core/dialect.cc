#include "logitchain/core/dialect.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {
namespace {

constexpr SoftmaxRule kExactDoubleSoftmax = {
    SoftmaxRule::Term::kExactDouble, SoftmaxRule::Sum::kDouble, SoftmaxRule::Scale::kDivide};
constexpr SoftmaxRule kFloatTermsDoubleSum = {
    SoftmaxRule::Term::kExactFloat, SoftmaxRule::Sum::kDouble, SoftmaxRule::Scale::kDivide};

constexpr double kNeverOff = -std::numeric_limits<double>::infinity();

// The sampling specification, in float64.
constexpr Stage kSpecStages[] = {
    Stage::kMask,        Stage::kBias, Stage::kRepetition, Stage::kPresenceFrequency,
    Stage::kTemperature, Stage::kTopK, Stage::kTopP,       Stage::kMinP,
    Stage::kDraw};
constexpr Dialect kSpec = {
    .name = ChainConfig::SPEC,
    .stages = kSpecStages,
    .arithmetic = Arithmetic::kFloat64,
    .candidate_order = CandidateOrder::kAscendingIds,
    .penalties = {.window = std::nullopt,
                  .repetition_scope = PROMPT_AND_OUTPUT,
                  .presence_frequency_scope = OUTPUT_ONLY,
                  .sum_before_subtracting = false,
                  .repetition_ignored_below = 0,
                  .neutral_within = 0},
    .temperature = {.greedy_below = 0,
                    .greedy_inclusive = true,
                    .greedy = TemperatureRule::Greedy::kNoDraw,
                    .by_reciprocal = false,
                    .smallest = 0},
    .top_k_ties = TopKConfig::EXACTLY_K,
    .nucleus = {.crossing = TopPConfig::REACHES, .off_up_to = kNeverOff, .tolerance = 0},
    .min_p = MinPRule::kProbability,
    .typical = {.crossing = TopPConfig::REACHES, .keeps_ties = false},
    .xtc_chance = XtcChance::kBelow,
    .mirostat_draw = MirostatDraw::kDialect,
    .softmax = kExactDoubleSoftmax,
    .draw = {.softmax = kExactDoubleSoftmax, .walk = DrawRule::Walk::kNormalisedDouble},
    .generator = GeneratorKind::kPcg32SampleStream,
    .rule_stream = RuleStream::kSubStream,
    .ids_must_be_in_vocabulary = true,
    .ranges = {},
};

// minfer, commit f9bc1e18, src/sampler.rs.
constexpr Stage kMinferStages[] = {Stage::kBias,        Stage::kPresenceFrequency,
                                   Stage::kRepetition,  Stage::kDry,
                                   Stage::kMask,        Stage::kTopK,
                                   Stage::kTypical,     Stage::kTopP,
                                   Stage::kMinP,        Stage::kXtc,
                                   Stage::kTemperature, Stage::kDraw};
constexpr FieldRange kMinferRanges[] = {
    {"logitchain.RepetitionPenaltyConfig.penalty", "(-inf, inf)"},
    {"logitchain.TemperatureConfig.temperature", "(-inf, inf)"},
    {"logitchain.TopPConfig.p", "(-inf, inf)"},
};
constexpr absl::string_view kMinferFields[] = {"logitchain.DrawConfig.minfer_last_id_fallback"};
constexpr Dialect kMinfer = {
    .name = ChainConfig::MINFER,
    .stages = kMinferStages,
    .arithmetic = Arithmetic::kFloat32,
    .candidate_order = CandidateOrder::kAscendingIds,
    .penalties = {.window = 64,
                  .repetition_scope = PROMPT_AND_OUTPUT,
                  .presence_frequency_scope = PROMPT_AND_OUTPUT,
                  .sum_before_subtracting = false,
                  .repetition_ignored_below = 1,
                  .neutral_within = 1e-6},
    .temperature = {.greedy_below = 1e-6,
                    .greedy_inclusive = false,
                    .greedy = TemperatureRule::Greedy::kNoDraw,
                    .by_reciprocal = true,
                    .smallest = 0},
    .top_k_ties = TopKConfig::KEEP_TIES,
    .nucleus = {.crossing = TopPConfig::EXCEEDS, .off_up_to = 0, .tolerance = 0},
    .min_p = MinPRule::kProbability,
    .typical = {.crossing = TopPConfig::EXCEEDS, .keeps_ties = false},
    .xtc_chance = XtcChance::kBelow,
    .mirostat_draw = MirostatDraw::kDialect,
    .softmax = {SoftmaxRule::Term::kGlibcFloat, SoftmaxRule::Sum::kDoubleExponentials,
                SoftmaxRule::Scale::kDivide},
    .draw = {.softmax = {SoftmaxRule::Term::kGlibcFloat, SoftmaxRule::Sum::kDouble,
                         SoftmaxRule::Scale::kReciprocal},
             .walk = DrawRule::Walk::kNormalisedFloat},
    .generator = GeneratorKind::kChaCha12,
    .rule_stream = RuleStream::kSubStream,
    .ids_must_be_in_vocabulary = false,
    .ranges = kMinferRanges,
    .own_fields = kMinferFields,
};

// llama.cpp, snapshot b10573. Masks come first, which that system leaves to its caller.
constexpr Stage kLlamaCppStages[] = {
    Stage::kMask, Stage::kBias,      Stage::kRepetition, Stage::kPresenceFrequency,
    Stage::kDry,  Stage::kTopNSigma, Stage::kTopK,       Stage::kTypical,
    Stage::kTopP, Stage::kMinP,      Stage::kXtc,        Stage::kTemperature,
    Stage::kDraw};
constexpr FieldRange kLlamaCppRanges[] = {
    {"logitchain.TemperatureConfig.temperature", "(-inf, inf)"},
    {"logitchain.TopKConfig.k", "(-inf, inf)"},
    {"logitchain.TopPConfig.p", "(-inf, inf)"},
    {"logitchain.MinPConfig.p", "(-inf, inf)"},
    {"logitchain.TypicalConfig.p", "(-inf, inf)"},
    {"logitchain.TopNSigmaConfig.n", "(-inf, inf)"},
    {"logitchain.XtcConfig.probability", "(-inf, inf)"},
    {"logitchain.XtcConfig.threshold", "(-inf, inf)"},
    {"logitchain.DynamicTemperatureConfig.temperature", "(-inf, inf)"},
    {"logitchain.DynamicTemperatureConfig.range", "(-inf, inf)"},
    {"logitchain.DynamicTemperatureConfig.exponent", "(-inf, inf)"},
    {"logitchain.MirostatConfig.tau", "(-inf, inf)"},
    {"logitchain.MirostatConfig.eta", "(-inf, inf)"},
    {"logitchain.MirostatV2Config.tau", "(-inf, inf)"},
    {"logitchain.MirostatV2Config.eta", "(-inf, inf)"},
};
constexpr SoftmaxRule kLlamaCppSoftmax = {SoftmaxRule::Term::kExactFloat, SoftmaxRule::Sum::kFloat,
                                          SoftmaxRule::Scale::kDivide};
constexpr Dialect kLlamaCpp = {
    .name = ChainConfig::LLAMA_CPP,
    .stages = kLlamaCppStages,
    .arithmetic = Arithmetic::kFloat32,
    .candidate_order = CandidateOrder::kAsLeft,
    .penalties = {.window = 64,
                  .repetition_scope = PROMPT_AND_OUTPUT,
                  .presence_frequency_scope = PROMPT_AND_OUTPUT,
                  .sum_before_subtracting = true,
                  .repetition_ignored_below = 0,
                  .neutral_within = 0},
    .temperature = {.greedy_below = 0,
                    .greedy_inclusive = true,
                    .greedy = TemperatureRule::Greedy::kFilter,
                    .by_reciprocal = false,
                    .smallest = 0},
    .top_k_ties = TopKConfig::EXACTLY_K,
    .nucleus = {.crossing = TopPConfig::REACHES, .off_up_to = kNeverOff, .tolerance = 0},
    .min_p = MinPRule::kLogit,
    .typical = {.crossing = TopPConfig::EXCEEDS, .keeps_ties = false},
    .xtc_chance = XtcChance::kUpTo,
    .mirostat_draw = MirostatDraw::kCumulative,
    .softmax = kLlamaCppSoftmax,
    .draw = {.softmax = kFloatTermsDoubleSum, .walk = DrawRule::Walk::kUnnormalised},
    .generator = GeneratorKind::kMt19937,
    .rule_stream = RuleStream::kMt19937Floats,
    .ids_must_be_in_vocabulary = true,
    .ranges = kLlamaCppRanges,
};

// Hugging Face transformers' logits processors. Its ascending float32 sums depend on the machine;
// the tolerance of the nucleus gives its documented answers whatever the rounding.
constexpr Stage kHuggingFaceStages[] = {Stage::kBias,        Stage::kRepetition, Stage::kMask,
                                        Stage::kTemperature, Stage::kTopK,       Stage::kTopP,
                                        Stage::kMinP,        Stage::kTypical,    Stage::kEpsilon,
                                        Stage::kEta,         Stage::kDraw};
constexpr FieldRange kHuggingFaceRanges[] = {
    {"logitchain.TemperatureConfig.temperature", "(0, inf)"},
    {"logitchain.TopKConfig.k", "[1, inf)"},
    {"logitchain.TopPConfig.p", "[0, 1]"},
    {"logitchain.TypicalConfig.p", "(0, 1)"},
    {"logitchain.EpsilonCutoffConfig.epsilon", "(0, 1)"},
    {"logitchain.EtaCutoffConfig.epsilon", "(0, 1)"},
    {"logitchain.NoRepeatNgramConfig.size", "[1, inf)"},
};
constexpr NucleusRule kTorchNucleus = {
    .crossing = TopPConfig::REACHES, .off_up_to = kNeverOff, .tolerance = 1e-6};
constexpr Dialect kHuggingFace = {
    .name = ChainConfig::HUGGING_FACE,
    .stages = kHuggingFaceStages,
    .arithmetic = Arithmetic::kFloat32,
    .candidate_order = CandidateOrder::kAscendingIds,
    .penalties = {.window = std::nullopt,
                  .repetition_scope = PROMPT_AND_OUTPUT,
                  .presence_frequency_scope = OUTPUT_ONLY,
                  .sum_before_subtracting = false,
                  .repetition_ignored_below = 0,
                  .neutral_within = 0},
    .temperature = {.greedy_below = 0,
                    .greedy_inclusive = true,
                    .greedy = TemperatureRule::Greedy::kNoDraw,
                    .by_reciprocal = false,
                    .smallest = 0},
    .top_k_ties = TopKConfig::KEEP_TIES,
    .nucleus = kTorchNucleus,
    .min_p = MinPRule::kProbability,
    .typical = {.crossing = TopPConfig::REACHES, .keeps_ties = true},
    .xtc_chance = XtcChance::kBelow,
    .mirostat_draw = MirostatDraw::kDialect,
    .softmax = kFloatTermsDoubleSum,
    .draw = {.softmax = kFloatTermsDoubleSum, .walk = DrawRule::Walk::kNormalisedDouble},
    .generator = GeneratorKind::kPcg32SampleStream,
    .rule_stream = RuleStream::kSubStream,
    .ids_must_be_in_vocabulary = true,
    .ranges = kHuggingFaceRanges,
    .sequences = {.scope = PROMPT_AND_OUTPUT, .must_fit = true},
};

// vLLM's V1 sampler.
constexpr Stage kVllmStages[] = {
    Stage::kMask,        Stage::kBias, Stage::kRepetition, Stage::kPresenceFrequency,
    Stage::kTemperature, Stage::kMinP, Stage::kTopK,       Stage::kTopP,
    Stage::kDraw};
constexpr FieldRange kVllmRanges[] = {
    {"logitchain.PresenceFrequencyPenaltyConfig.presence", "[-2, 2]"},
    {"logitchain.PresenceFrequencyPenaltyConfig.frequency", "[-2, 2]"},
};
constexpr absl::string_view kVllmFields[] = {
    "logitchain.TemperatureConfig.allow_small_temperature"};
constexpr Dialect kVllm = {
    .name = ChainConfig::VLLM,
    .stages = kVllmStages,
    .arithmetic = Arithmetic::kFloat32,
    .candidate_order = CandidateOrder::kAscendingIds,
    .penalties = {.window = std::nullopt,
                  .repetition_scope = PROMPT_AND_OUTPUT,
                  .presence_frequency_scope = OUTPUT_ONLY,
                  .sum_before_subtracting = false,
                  .repetition_ignored_below = 0,
                  .neutral_within = 0},
    .temperature = {.greedy_below = 1e-5,
                    .greedy_inclusive = false,
                    .greedy = TemperatureRule::Greedy::kNoDraw,
                    .by_reciprocal = false,
                    .smallest = 0.01},
    .top_k_ties = TopKConfig::KEEP_TIES,
    .nucleus = kTorchNucleus,
    .min_p = MinPRule::kProbability,
    .typical = {.crossing = TopPConfig::REACHES, .keeps_ties = true},
    .xtc_chance = XtcChance::kBelow,
    .mirostat_draw = MirostatDraw::kDialect,
    .softmax = kFloatTermsDoubleSum,
    .draw = {.softmax = kFloatTermsDoubleSum, .walk = DrawRule::Walk::kNormalisedDouble},
    .generator = GeneratorKind::kPcg32SampleStream,
    .rule_stream = RuleStream::kSubStream,
    .ids_must_be_in_vocabulary = true,
    .ranges = kVllmRanges,
    .own_fields = kVllmFields,
    .sequences = {.scope = OUTPUT_ONLY, .must_fit = false},
};

constexpr const Dialect* kDialects[] = {&kSpec, &kMinfer, &kLlamaCpp, &kHuggingFace, &kVllm};

}  // namespace

const Dialect& GetDialect(ChainConfig::Dialect name) {
  return **absl::c_find_if(kDialects, [name](const Dialect* row) { return row->name == name; });
}

std::vector<Stage> StageOrder(const Dialect& dialect) {
  std::vector<Stage> order(dialect.stages.begin(), dialect.stages.end());
  auto predecessor = order.end();
  for (int i = 0; i < kStageCount; ++i) {
    const Stage stage = static_cast<Stage>(i);
    const auto found = absl::c_find(order, stage);
    // Masks and the draw are in every row, so that there always is an earlier stage.
    predecessor = found != order.end() ? found : order.insert(predecessor + 1, stage);
  }
  return order;
}

std::vector<ChainConfig::Dialect> OwnersOf(absl::string_view field) {
  std::vector<ChainConfig::Dialect> owners;
  for (const Dialect* row : kDialects) {
    if (absl::c_linear_search(row->own_fields, field)) owners.push_back(row->name);
  }
  return owners;
}

absl::string_view RangeOf(const Dialect& dialect, absl::string_view field,
                          absl::string_view fallback) {
  const auto* found = absl::c_find_if(
      dialect.ranges, [field](const FieldRange& range) { return range.field == field; });
  return found == dialect.ranges.end() ? fallback : found->range;
}

}  // namespace logitchain
