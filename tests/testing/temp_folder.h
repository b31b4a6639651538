#ifndef LOGITCHAIN_TESTS_TESTING_TEMP_FOLDER_H_
#define LOGITCHAIN_TESTS_TESTING_TEMP_FOLDER_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace logitchain {

// A new, empty folder, which goes away with all that is in it. Functions fail the test if the
// filesystem fails them.
class TempFolder {
 public:
  TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder();

  std::string Path(absl::string_view name) const;

  // Writes a file and returns its path.
  std::string Write(absl::string_view name, absl::string_view contents) const;

  std::string Read(absl::string_view name) const;

  // What is in the folder, hidden files too, sorted.
  std::vector<std::string> Names() const;

 private:
  std::string path_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_TEMP_FOLDER_H_
