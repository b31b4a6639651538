#include "logitchain/tests/testing/golden_file.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

std::string Environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string ReadTestFile(absl::string_view path) {
  // Bazel's test runner sets both.
  const std::string full =
      absl::StrCat(Environment("TEST_SRCDIR"), "/", Environment("TEST_WORKSPACE"), "/", path);
  std::ifstream file(full, std::ios::binary);
  if (!file) {
    ADD_FAILURE() << "cannot read " << full << "; is it in the test's data?";
    return "";
  }
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

nlohmann::json ReadTestJson(absl::string_view path) {
  nlohmann::json json = nlohmann::json::parse(ReadTestFile(path), /*cb=*/nullptr,
                                              /*allow_exceptions=*/false);
  EXPECT_FALSE(json.is_discarded()) << path << " is not JSON";
  return json;
}

nlohmann::json ReadGoldenJson(absl::string_view name) {
  return ReadTestJson(absl::StrCat("tests/golden/", name));
}

}  // namespace logitchain
