#include "logitchain/cli/load_model.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "logitchain/cli/flags.h"
#include "logitchain/core/language_model.h"
#include "logitchain/models/trigram_model.h"

namespace logitchain {

Flag ModelFlag(std::string* path) {
  return {.name = "model",
          .value_name = "FILE",
          .help = "trigram model in sphinxbase's binary format",
          .target = path};
}

absl::StatusOr<std::unique_ptr<LanguageModel>> LoadTrigramModel(const std::string& path) {
  absl::StatusOr<std::unique_ptr<TrigramModel>> model = TrigramModel::Load(path);
  if (model.ok()) return *std::move(model);
  if (!absl::IsNotFound(model.status())) return model.status();
  return absl::NotFoundError(absl::StrCat(
      model.status().message(), "; Debian's model comes with `apt install pocketsphinx-en-us`"));
}

}  // namespace logitchain
