#include "logitchain/tests/models/tiny_trigram_file.h"

#include <sphinxbase/err.h>
#include <sphinxbase/logmath.h>
#include <sphinxbase/ngram_model.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "gtest/gtest.h"

namespace logitchain {

std::string TinyArpa(absl::string_view start, absl::string_view end, absl::string_view unknown) {
  return absl::Substitute(R"(\data\
ngram 1=$3
ngram 2=4
ngram 3=2

\1-grams:
-0.7 $1
-99 $0 -0.3
-0.5 a -0.2
-0.6 b -0.1
$2
\2-grams:
-0.1 $0 a -0.4
-0.8 a b -0.25
-0.9 a $1
-0.35 b a -0.15

\3-grams:
-0.05 $0 a b
-0.15 a b a

\end\
)",
                          start, end, unknown.empty() ? "" : absl::StrCat("-1 ", unknown, " 0\n"),
                          unknown.empty() ? 4 : 5);
}

std::string WriteTrigramFile(const TempFolder& folder, absl::string_view arpa) {
  err_set_callback(nullptr, nullptr);
  const std::string text_path = folder.Write("model.arpa", arpa);
  const std::string path = folder.Path("model.lm.bin");
  logmath_t* log_base = logmath_init(1.0001, 0, 0);
  ngram_model_t* model = ngram_model_read(nullptr, text_path.c_str(), NGRAM_ARPA, log_base);
  if (model == nullptr || ngram_model_write(model, path.c_str(), NGRAM_BIN) != 0) {
    ADD_FAILURE() << "cannot convert " << text_path;
  }
  ngram_model_free(model);
  logmath_free(log_base);
  return path;
}

}  // namespace logitchain
