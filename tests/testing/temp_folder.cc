#include "logitchain/tests/testing/temp_folder.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace logitchain {

TempFolder::TempFolder() : path_(absl::StrCat(testing::TempDir(), "/logitchain-XXXXXX")) {
  if (mkdtemp(path_.data()) == nullptr) ADD_FAILURE() << "cannot create a folder " << path_;
}

TempFolder::~TempFolder() { std::filesystem::remove_all(path_); }

std::string TempFolder::Path(absl::string_view name) const {
  return absl::StrCat(path_, "/", name);
}

std::string TempFolder::Write(absl::string_view name, absl::string_view contents) const {
  const std::string path = Path(name);
  std::ofstream file(path, std::ios::binary);
  file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  if (!file.flush()) ADD_FAILURE() << "cannot write " << path;
  return path;
}

std::string TempFolder::Read(absl::string_view name) const {
  std::ifstream file(Path(name), std::ios::binary);
  if (!file) ADD_FAILURE() << "cannot read " << Path(name);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

std::vector<std::string> TempFolder::Names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace logitchain
