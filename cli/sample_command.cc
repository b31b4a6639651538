#include "logitchain/cli/sample_command.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/cli/chain_flags.h"
#include "logitchain/cli/command.h"
#include "logitchain/cli/flags.h"
#include "logitchain/cli/npy.h"
#include "logitchain/cli/progress.h"
#include "logitchain/cli/prompt_ids.h"
#include "logitchain/cli/sample_json.h"
#include "logitchain/cli/text_layout.h"
#include "logitchain/cli/vocabulary_flag.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/limits.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

// Prints samples one by one.
class SamplePrinter {
 public:
  virtual ~SamplePrinter() = default;
  virtual void Print(int64_t step, const Sample& sample) = 0;
};

class JsonPrinter final : public SamplePrinter {
 public:
  explicit JsonPrinter(std::ostream& out) : out_(out) {}

  void Print(int64_t step, const Sample& sample) override {
    nlohmann::ordered_json json = {{"step", step}};
    json.update(SampleAsJson(sample));
    out_ << JsonLine(json) << '\n';
  }

 private:
  std::ostream& out_;
};

// Prints a table. Its columns are as wide as they may need, because a row is printed before the
// next is known.
class TablePrinter final : public SamplePrinter {
 public:
  TablePrinter(std::ostream& out, int64_t steps, int32_t vocab_size)
      : out_(out), step_width_(Digits(steps - 1)), id_width_(Digits(vocab_size)) {}

  void Print(int64_t step, const Sample& sample) override {
    Cells names = {"step", "id"};
    Cells cells = {absl::StrCat(step), absl::StrCat(sample.token)};
    const auto add = [&](absl::string_view name, const std::optional<double>& number) {
      if (!number) return;
      names.emplace_back(name);
      cells.push_back(Decimal(*number));
    };
    add("probability", sample.probability);
    add("raw logprob", sample.raw_logprob);
    add("penalised logprob", sample.penalised_logprob);
    add("processed logprob", sample.processed_logprob);
    names.insert(names.end(), {"kept", "u"});
    cells.push_back(absl::StrCat(sample.kept));
    cells.push_back(sample.uniform ? Decimal(*sample.uniform) : "greedy");
    if (columns_.empty()) PrintHeader(names);
    out_ << AlignedRow(cells, columns_) << '\n';
  }

 private:
  static size_t Digits(int64_t number) { return absl::StrCat(number).size(); }
  static std::string Decimal(double number) { return absl::StrFormat("%.6f", number); }

  void PrintHeader(const Cells& names) {
    constexpr size_t kDecimalWidth = 10;
    columns_.assign(names.size(), {.width = kDecimalWidth, .right_aligned = true});
    columns_[0].width = step_width_;
    columns_[1].width = id_width_;
    columns_[names.size() - 2].width = id_width_;
    for (size_t i = 0; i < names.size(); ++i) {
      columns_[i].width = std::max(columns_[i].width, names[i].size());
    }
    out_ << AlignedRow(names, columns_) << '\n';
  }

  std::ostream& out_;
  const size_t step_width_;
  const size_t id_width_;
  std::vector<Column> columns_;
};

class SampleCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.name = "sample",
            .summary = "sample tokens from logits in a file",
            .usage = "--chain=FILE --logits=FILE.npy [flags]",
            .description =
                "Runs a chain over logits, one row a step, and prints the tokens. Each token that "
                "is drawn enters the history that the penalties see at the next step. A row behind "
                "the end of a "
                "grammar's text is an error: no token may come there.\n\n"
                "The columns: the token's id; natural logarithms of its probability (raw: over the "
                "logits as they are in the file; penalised: after masks, bias and penalties; "
                "processed: after all rules, with the probability itself); how many tokens the "
                "rules kept; and the uniform that chose among them.",
            .examples = {"logitchain sample --chain=chain.textproto --logits=logits.npy --json",
                         "logitchain sample --chain=chain.textproto --logits=logits.npy --seed=7 "
                         "--prompt_ids=464,2068"}};
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = chain_flags_.flags();
    flags.insert(
        flags.begin() + 1,
        {.name = "logits",
         .value_name = "FILE.npy",
         .help = "NumPy array of float16, float32 or float64, shape [V] or [T, V]: a row a step",
         .target = &logits_,
         .required = true});
    flags.insert(flags.end(),
                 {{.name = "prompt_ids",
                   .value_name = "IDS",
                   .help = "the prompt that the penalties see: token ids separated by commas, or "
                           "@FILE for a file of them",
                   .target = &prompt_ids_},
                  VocabularyFlag(&vocab_),
                  {.name = "steps",
                   .value_name = "N",
                   .help = "how many steps to make (default: the number of rows); a single row "
                           "serves as many as there are",
                   .target = &steps_,
                   .min = 1,
                   .max = kMaxHistory},
                  {.name = "json",
                   .help = "print a line of JSON for each token, its numbers exact to the bit",
                   .target = &json_}});
    return flags;
  }

  absl::Status Run(absl::Span<const std::string>, Console& console) override {
    const absl::StatusOr<ChainText> text = chain_flags_.Read(/*wants_logprob=*/true);
    if (!text.ok()) return text.status();
    absl::StatusOr<NpyReader> reader = NpyReader::Open(logits_);
    if (!reader.ok()) return reader.status();
    const absl::StatusOr<std::shared_ptr<const Vocabulary>> vocabulary =
        LoadVocabularyFor(vocab_, reader->cols());
    if (!vocabulary.ok()) return vocabulary.status();
    const absl::StatusOr<std::unique_ptr<Chain>> chain =
        CreateChain(*text, {.vocab_size = reader->cols(), .vocabulary = *vocabulary});
    if (!chain.ok()) return chain.status();
    const absl::StatusOr<std::vector<TokenId>> prompt =
        ReadPromptIds(prompt_ids_, (*chain)->dialect(), reader->cols());
    if (!prompt.ok()) return prompt.status();
    if (absl::Status status = (*chain)->Reset(*prompt); !status.ok()) return status;
    const int64_t steps = steps_.value_or(reader->rows());
    if (steps > reader->rows() && reader->rows() > 1) {
      return absl::OutOfRangeError(
          absl::StrCat(logits_, ": has ", reader->rows(), " rows; --steps asks for ", steps));
    }
    return SampleRows(*reader, **chain, steps, console);
  }

 private:
  absl::Status SampleRows(NpyReader& reader, Chain& chain, int64_t steps, Console& console) {
    const std::unique_ptr<SamplePrinter> printer = MakePrinter(steps, reader.cols(), console);
    // The rows themselves show a person who sees them how far it is.
    const bool shows_progress = console.err_is_terminal && !console.out_is_terminal;
    Progress progress(shows_progress ? &console.err : nullptr, "rows", steps);
    std::vector<float> row(reader.cols());
    for (int64_t step = 0; step < steps; ++step) {
      if (step < reader.rows()) {
        absl::Status status = reader.ReadRow(absl::MakeSpan(row));
        if (!status.ok()) return status;
      }
      const absl::StatusOr<Sample> sample = chain.Sample(row);
      if (!sample.ok()) return AtStep(step, sample.status());
      printer->Print(step, *sample);
      if (absl::Status status = console.Flush(); !status.ok()) return status;
      progress.Update(step + 1);
    }
    return absl::OkStatus();
  }

  std::unique_ptr<SamplePrinter> MakePrinter(int64_t steps, int32_t vocab_size,
                                             Console& console) const {
    if (json_) return std::make_unique<JsonPrinter>(console.out);
    return std::make_unique<TablePrinter>(console.out, steps, vocab_size);
  }

  absl::Status AtStep(int64_t step, const absl::Status& status) const {
    return absl::Status(status.code(),
                        absl::StrCat(logits_, ": step ", step, ": ", status.message()));
  }

  ChainFlags chain_flags_;
  std::string logits_;
  std::string prompt_ids_;
  std::optional<std::string> vocab_;
  std::optional<int64_t> steps_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeSampleCommand() { return std::make_unique<SampleCommand>(); }

}  // namespace logitchain
