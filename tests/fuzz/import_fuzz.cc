// A line with a system's name, perhaps one more word, by which unknown parameters are ignored, and
// then the parameters.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "logitchain/cli/import/import_chain.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/import_tables.h"
#include "logitchain/core/chain.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/tests/fuzz/fuzz_environment.h"
#include "logitchain/tests/fuzz/input_reader.h"
#include "logitchain/tests/fuzz/require.h"
#include "logitchain/tests/fuzz/step_contract.h"

namespace logitchain {
namespace {

constexpr int32_t kVocabSize = 300;

const ImportTable* FindTable(absl::string_view name) {
  for (const ImportTable* table : ImportTables()) {
    if (table->name == name) return table;
  }
  return nullptr;
}

// A chain can only fail over a vocabulary: it may name tokens that this one lacks.
void Sample(const ChainText& text) {
  const auto chain = CreateChain(text, FuzzEnvironment(kVocabSize));
  if (!chain.ok()) return;
  const std::vector<float> logits(kVocabSize, 1);
  for (int step = 0; step < 3; ++step) {
    SampleByContract(**chain, logits, text.config.draw().minfer_last_id_fallback()).IgnoreError();
  }
}

void Run(absl::string_view parameters, const ImportTable& table, bool ignore_unknown) {
  const absl::StatusOr<ImportResult> result =
      ImportChain(parameters, table, {.ignore_unknown = ignore_unknown, .filename = "parameters"});
  if (!result.ok()) {
    Require(absl::IsInvalidArgument(result.status()), "only the parameters can be wrong");
    return Require(!result.status().message().empty(), "an error says what is wrong");
  }
  Require(ignore_unknown || result->ignored.empty(), "nothing is ignored that need not be");
  const absl::StatusOr<ChainText> text = ParseChainText(result->text, "chain.textproto");
  Require(text.ok(), "an imported chain can be read");
  Require(text->config.SerializeAsString() == result->config.SerializeAsString(),
          "an imported chain reads as it is");
  Require(CheckChain(text->config).empty(), "an imported chain has no problem");
  Sample(*text);
}

}  // namespace
}  // namespace logitchain

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace logitchain;
  InputReader input(data, size);
  const std::vector<absl::string_view> words = absl::StrSplit(input.Line(), ' ');
  const ImportTable* table = FindTable(words[0]);
  if (table != nullptr) Run(input.Rest(), *table, /*ignore_unknown=*/words.size() > 1);
  return 0;
}
