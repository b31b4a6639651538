#include "logitchain/cli/generate_command.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "logitchain/cli/chain_flags.h"
#include "logitchain/cli/command.h"
#include "logitchain/cli/completion_report.h"
#include "logitchain/cli/distinct_files.h"
#include "logitchain/cli/flags.h"
#include "logitchain/cli/load_model.h"
#include "logitchain/cli/prompted_model.h"
#include "logitchain/cli/sample_json.h"
#include "logitchain/cli/trace_file.h"
#include "logitchain/cli/usage_error.h"
#include "logitchain/cli/vocabulary_flag.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/decode/completion_seed.h"
#include "logitchain/core/decode/decode_loop.h"
#include "logitchain/core/decode/decode_options.h"
#include "logitchain/core/decode/decode_timing.h"
#include "logitchain/core/decode/trace_writer.h"
#include "logitchain/core/limits.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/models/trigram_model.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"

namespace logitchain {
namespace {

constexpr int64_t kMaxCompletions = 10'000;

uint64_t SeedOf(const ChainConfig& config, uint32_t completion) {
  const uint64_t seed = CompletionSeed(config.draw().seed(), completion);
  return completion > 0 && NeedsSmallSeed(config) ? static_cast<uint32_t>(seed) : seed;
}

class GenerateCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.name = "generate",
            .summary = "complete a prompt with a language model and a chain",
            .usage = "--chain=FILE --prompt=TEXT [flags]",
            .description =
                "Completes a prompt, by default with Debian's trigram model of English words "
                "(package pocketsphinx-en-us). The text goes to the standard output as it is "
                "drawn, why it ended and a summary to the standard error.\n\n"
                "With --logits the logits of a file take the model's place, a row a step; tokens "
                "are then written as their ids, in the prompt too, and those that are drawn as "
                "their texts if --vocab says what these are.",
            .examples = {"logitchain generate --chain=examples/chains/spec.textproto "
                         "--prompt=\"i want to\"",
                         "logitchain generate --chain=chain.textproto --prompt=\"how\" --n=3 "
                         "--stop=\" the\" --json"}};
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = chain_flags_.flags();
    flags.insert(flags.begin() + 1, {.name = "prompt",
                                     .value_name = "TEXT",
                                     .help = "the text to go on from; may be empty",
                                     .target = &prompt_,
                                     .required = true});
    AppendTextFlags(flags);
    AppendOutputFlags(flags);
    flags.push_back(ModelFlag(&model_));
    flags.push_back({.name = "logits",
                     .value_name = "FILE.npy",
                     .help = "replay these logits in place of a model",
                     .target = &logits_});
    flags.push_back(VocabularyFlag(&vocab_));
    return flags;
  }

  absl::Status Run(absl::Span<const std::string>, Console& console) override {
    if (absl::Status status = CheckFlags(); !status.ok()) return status;
    if (absl::Status status = CheckTrace(); !status.ok()) return status;
    const absl::StatusOr<ChainText> chain =
        chain_flags_.Read(/*wants_logprob=*/json_ || trace_.has_value());
    if (!chain.ok()) return chain.status();
    const absl::StatusOr<PromptedModel> prompted =
        logits_ ? LoadReplayFor(prompt_, *logits_, vocab_) : LoadTrigramsFor(prompt_, model_);
    if (!prompted.ok()) return prompted.status();
    if (absl::Status status = FindVocabulary(*prompted); !status.ok()) return status;
    if (trace_) {
      absl::StatusOr<std::unique_ptr<TraceFile>> file = TraceFile::Open(*trace_);
      if (!file.ok()) return file.status();
      trace_file_ = *std::move(file);
    }
    absl::Status status;
    for (uint32_t i = 0; i < n_ && status.ok(); ++i) {
      status = Complete(i, *chain, *prompted, console);
    }
    if (timing_) console.err << timing_sums_.Summary();
    if (status.ok()) status = Failure();
    // What led to an error is worth the most.
    if (trace_) status.Update(trace_file_->Commit());
    return status;
  }

 private:
  absl::Status FindVocabulary(const PromptedModel& prompted) {
    vocabulary_ = prompted.vocabulary;
    if (vocabulary_ != nullptr) return absl::OkStatus();
    const absl::StatusOr<std::shared_ptr<const Vocabulary>> known = Vocabulary::Of(*prompted.model);
    if (known.ok()) vocabulary_ = *known;
    return known.status();
  }

  void AppendTextFlags(std::vector<Flag>& flags) {
    flags.push_back(
        {.name = "max_tokens",
         .value_name = "N",
         .help = absl::StrCat("the most tokens to draw (default: ", DecodeOptions().max_tokens,
                              "; with --logits no more "
                              "than it has rows)"),
         .target = &max_tokens_,
         .max = kMaxHistory});
    flags.push_back({.name = "min_tokens",
                     .value_name = "N",
                     .help = "ban the stop tokens until there are as many tokens",
                     .target = &min_tokens_,
                     .max = kMaxHistory});
    flags.push_back({.name = "stop",
                     .value_name = "STRING",
                     .help = "end the text before this string; may be given several times",
                     .target = &stop_});
    flags.push_back({.name = "emit_eagerly",
                     .help = "print text at once, even if it may turn out to belong to a --stop",
                     .target = &emit_eagerly_});
    flags.push_back({.name = "n",
                     .value_name = "N",
                     .help =
                         "number of completions, each with its own seed, which follows from the "
                         "chain's and its number (the low 32 bits where mt19937 takes it); the "
                         "first is what --n=1 gives; one that fails does not keep the others from "
                         "coming",
                     .target = &n_,
                     .min = 1,
                     .max = kMaxCompletions});
  }

  void AppendOutputFlags(std::vector<Flag>& flags) {
    flags.push_back({.name = "json",
                     .help = "print a line of JSON for each completion, when it is complete",
                     .target = &json_});
    flags.push_back({.name = "timing",
                     .help = "print at the end where the time went, for the model and each rule",
                     .target = &timing_});
    flags.push_back({.name = "trace",
                     .value_name = "FILE",
                     .help = "write a line of JSON for each token, with what each rule kept "
                             "(proto/trace.proto)",
                     .target = &trace_});
  }

  absl::Status CheckFlags() const {
    if (logits_ && model_ != kDefaultTrigramModelPath) {
      return UsageError("--model and --logits cannot both be given");
    }
    if (vocab_ && !logits_) return UsageError("--vocab needs --logits; a model has its own");
    if (absl::c_linear_search(stop_, "")) {
      return UsageError("--stop is empty; it must have a character");
    }
    const int64_t max_tokens = max_tokens_.value_or(DecodeOptions().max_tokens);
    if (min_tokens_ > max_tokens) {
      return UsageError(absl::StrCat("--min_tokens is ", min_tokens_,
                                     ", which is more than --max_tokens, ", max_tokens));
    }
    return absl::OkStatus();
  }

  // Before anything of a file is lost.
  absl::Status CheckTrace() const {
    if (!trace_) return absl::OkStatus();
    const NamedFile trace = {"--trace", *trace_};
    const NamedFile logits =
        logits_ ? NamedFile{"--logits", *logits_} : NamedFile{"--model", model_};
    absl::Status status = CheckIsNoInput(trace, {{"--chain", chain_flags_.path()}, logits});
    return status.ok() ? CheckIsNotStandardOutput(trace) : status;
  }

  DecodeOptions Options(const PromptedModel& prompted) const {
    DecodeOptions options = {.stop_strings = stop_,
                             .min_tokens = static_cast<int32_t>(min_tokens_),
                             .emit_eagerly = emit_eagerly_,
                             .keep_records = json_};
    if (max_tokens_) {
      options.max_tokens = static_cast<int32_t>(*max_tokens_);
    } else if (prompted.steps && *prompted.steps < options.max_tokens) {
      options.max_tokens = static_cast<int32_t>(*prompted.steps);
      options.min_tokens = std::min(options.min_tokens, options.max_tokens);
    }
    return options;
  }

  // A completion that fails is reported, and the others go on; other errors are returned.
  absl::Status Complete(uint32_t index, ChainText text, const PromptedModel& prompted,
                        Console& console) {
    const uint64_t seed = SeedOf(text.config, index);
    text.config.mutable_draw()->set_seed(seed);
    absl::StatusOr<std::unique_ptr<Chain>> chain =
        CreateChain(text, {.vocab_size = prompted.model->vocab_size(), .vocabulary = vocabulary_});
    if (!chain.ok()) return chain.status();
    const absl::StatusOr<std::unique_ptr<DecodeLoop>> loop =
        DecodeLoop::Create(*prompted.model, *std::move(chain), prompted.prompt, Options(prompted));
    if (!loop.ok()) return loop.status();
    std::optional<TraceWriter> trace;
    if (trace_) (*loop)->AddObserver(&trace.emplace(trace_file_->lines(), index));
    if (timing_) (*loop)->AddObserver(&timing_sums_);

    const auto start = std::chrono::steady_clock::now();
    if (absl::Status status = Stream(index, **loop, console); !status.ok()) return status;
    const auto time = std::chrono::steady_clock::now() - start;
    const Completion completion = {index, seed, **loop, absl::FromChrono(time)};
    if (json_) console.out << JsonLine(CompletionAsJson(completion, prompt_)) << '\n';
    if (!json_) console.err << SummaryText(completion);
    Report(index, (*loop)->finish()->status, console);
    return console.Flush();
  }

  void Report(uint32_t index, const absl::Status& status, Console& console) {
    if (status.ok()) return;
    if (failed_++ == 0) first_failure_ = status;
    if (n_ > 1) {
      console.err << "completion " << index + 1 << " of " << n_ << ": " << status.message() << '\n';
    }
  }

  // What the completions that failed make of the command.
  absl::Status Failure() const {
    if (failed_ == 0 || n_ == 1) return first_failure_;
    return absl::Status(first_failure_.code(),
                        absl::StrCat(failed_, " of ", n_, " completions failed"));
  }

  // Runs the loop to its end and prints the text meanwhile.
  absl::Status Stream(uint32_t index, DecodeLoop& loop, Console& console) const {
    if (!json_) Introduce(index, console);
    while (!loop.finished()) {
      const absl::string_view bytes = loop.Step();
      if (json_ || bytes.empty()) continue;
      console.out << bytes;
      if (absl::Status status = console.Flush(); !status.ok()) return status;
    }
    if (!json_) console.out << '\n';
    return console.Flush();
  }

  void Introduce(uint32_t index, Console& console) const {
    if (n_ > 1) console.out << "--- " << index + 1 << " of " << n_ << " ---\n" << std::flush;
    // For a person the text reads on from the prompt; for a program it is the completion alone.
    if (console.out_is_terminal && console.err_is_terminal) console.err << prompt_ << std::flush;
  }

  ChainFlags chain_flags_;
  std::string prompt_;
  std::optional<int64_t> max_tokens_;
  int64_t min_tokens_ = 0;
  std::vector<std::string> stop_;
  bool emit_eagerly_ = false;
  int64_t n_ = 1;
  bool json_ = false;
  bool timing_ = false;
  std::optional<std::string> trace_;
  std::string model_ = kDefaultTrigramModelPath;
  std::optional<std::string> logits_;
  std::optional<std::string> vocab_;

  std::shared_ptr<const Vocabulary> vocabulary_;
  std::unique_ptr<TraceFile> trace_file_;
  DecodeTiming timing_sums_;
  int64_t failed_ = 0;  // Completions.
  absl::Status first_failure_;
};

}  // namespace

std::unique_ptr<Command> MakeGenerateCommand() { return std::make_unique<GenerateCommand>(); }

}  // namespace logitchain
