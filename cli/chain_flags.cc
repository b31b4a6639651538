#include "logitchain/cli/chain_flags.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "logitchain/cli/flags.h"
#include "logitchain/cli/plugin.h"
#include "logitchain/cli/usage_error.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/did_you_mean.h"

namespace logitchain {
namespace {

constexpr absl::string_view kNone = "none";

absl::Status SetLogprobs(absl::string_view names, ChainConfig& config) {
  config.clear_logprobs();
  if (names == kNone) return absl::OkStatus();
  for (const absl::string_view name : absl::StrSplit(names, ',')) {
    ChainConfig::Logprob logprob;
    if (!ChainConfig::Logprob_Parse(absl::AsciiStrToUpper(name), &logprob)) {
      return UsageError(absl::StrCat(
          "--logprobs has \"", name, "\"",
          DidYouMean(absl::AsciiStrToLower(name), {"raw", "penalised", "processed", "none"}),
          "; it takes raw, penalised and processed, separated by "
          "commas, or none"));
    }
    config.add_logprobs(logprob);
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<Flag> ChainFlags::flags() {
  return {
      {.name = "chain",
       .value_name = "FILE",
       .help = "the chain of rules, as textproto",
       .target = &path_,
       .required = true},
      {.name = "seed",
       .value_name = "N",
       .help = "the draw's seed, in place of the chain's",
       .target = &seed_},
      {.name = "greedy",
       .help = "take the most likely token that the rules leave, without a draw",
       .target = &greedy_},
      {.name = "logprobs",
       .value_name = "KINDS",
       .help = "which log-probabilities to report, in place of the chain's: raw, penalised, "
               "processed, separated by commas, or none (default: the chain's, or penalised)",
       .target = &logprobs_},
      PluginFlag(&plugins_),
  };
}

absl::StatusOr<ChainText> ChainFlags::Read(bool wants_logprob) const {
  if (absl::Status status = LoadPlugins(plugins_); !status.ok()) return status;
  absl::StatusOr<ChainText> chain = ReadChainFile(path_);
  if (!chain.ok()) return chain.status();
  ChainConfig& config = chain->config;
  if (seed_) {
    config.mutable_draw()->set_seed(*seed_);
    chain->given["draw.seed"] = "--seed";
  }
  if (greedy_) {
    config.mutable_draw()->mutable_greedy();
    config.mutable_draw()->clear_minfer_last_id_fallback();  // Of a categorical draw.
  }
  if (logprobs_) {
    if (absl::Status status = SetLogprobs(*logprobs_, config); !status.ok()) return status;
  } else if (wants_logprob && config.logprobs_size() == 0) {
    config.add_logprobs(ChainConfig::PENALISED);
  }
  return chain;
}

}  // namespace logitchain
