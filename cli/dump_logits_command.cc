#include "logitchain/cli/dump_logits_command.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/cli/command.h"
#include "logitchain/cli/distinct_files.h"
#include "logitchain/cli/flags.h"
#include "logitchain/cli/load_model.h"
#include "logitchain/cli/npy.h"
#include "logitchain/cli/progress.h"
#include "logitchain/core/language_model.h"
#include "logitchain/core/token_id.h"
#include "logitchain/models/trigram_model.h"

namespace logitchain {
namespace {

class DumpLogitsCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.name = "dump-logits",
            .summary = "write a language model's logits along a text to a file",
            .usage = "--text=TEXT --out=FILE.npy [flags]",
            .description =
                "Writes what the model expects at every step of a text: row t of the array holds "
                "the logits behind its first t words, so that a text of T words gives an array of "
                "shape [T + 1, V], float32. `logitchain sample` reads it.",
            .examples = {"logitchain dump-logits --text=\"i want to go home\" --out=logits.npy"}};
  }

  std::vector<Flag> flags() override {
    return {{.name = "text",
             .value_name = "TEXT",
             .help = "the text; may be empty",
             .target = &text_,
             .required = true},
            {.name = "out",
             .value_name = "FILE.npy",
             .help = "the file to write; it appears when it is complete",
             .target = &out_,
             .required = true},
            ModelFlag(&model_)};
  }

  absl::Status Run(absl::Span<const std::string>, Console& console) override {
    const NamedFile out = {"--out", out_};
    if (absl::Status status = CheckIsNoInput(out, {{"--model", model_}}); !status.ok())
      return status;
    if (absl::Status status = CheckIsNotStandardOutput(out); !status.ok()) return status;
    const absl::StatusOr<std::unique_ptr<LanguageModel>> model = LoadTrigramModel(model_);
    if (!model.ok()) return model.status();
    const absl::StatusOr<std::vector<TokenId>> tokens = (*model)->Tokenize(text_);
    if (!tokens.ok()) {
      return absl::Status(tokens.status().code(),
                          absl::StrCat("--text: ", tokens.status().message()));
    }
    absl::StatusOr<NpyWriter> writer = NpyWriter::Create(out_, (*model)->vocab_size());
    if (!writer.ok()) return writer.status();
    if (absl::Status status = WriteRows(**model, *tokens, *writer, console); !status.ok()) {
      return status;
    }
    if (absl::Status status = writer->Finish(); !status.ok()) return status;
    console.out << out_ << ": shape [" << tokens->size() + 1 << ", " << (*model)->vocab_size()
                << "], float32\n";
    return absl::OkStatus();
  }

 private:
  static absl::Status WriteRows(LanguageModel& model, absl::Span<const TokenId> tokens,
                                NpyWriter& writer, Console& console) {
    const size_t rows = tokens.size() + 1;
    Progress progress(console.err_is_terminal ? &console.err : nullptr, "rows", rows);
    for (size_t row = 0; row < rows; ++row) {
      const absl::StatusOr<absl::Span<const float>> logits = model.NextLogits(tokens.first(row));
      if (!logits.ok()) return logits.status();
      if (absl::Status status = writer.WriteRow(*logits); !status.ok()) return status;
      progress.Update(row + 1);
    }
    return absl::OkStatus();
  }

  std::string text_;
  std::string out_;
  std::string model_ = kDefaultTrigramModelPath;
};

}  // namespace

std::unique_ptr<Command> MakeDumpLogitsCommand() { return std::make_unique<DumpLogitsCommand>(); }

}  // namespace logitchain
