#ifndef LOGITCHAIN_TESTS_TESTING_VECTOR_TALLY_H_
#define LOGITCHAIN_TESTS_TESTING_VECTOR_TALLY_H_

#include <iostream>
#include <map>
#include <string>

#include "absl/strings/string_view.h"

namespace logitchain {

// Counts the vectors of a file that a test checked, and those that it could not, by what is missing
// for them.
class VectorTally {
 public:
  void Check() { ++checked_; }
  void Skip(const std::string& missing) { ++skipped_[missing]; }

  int checked() const { return checked_; }
  const std::map<std::string, int>& skipped() const { return skipped_; }

  // "7 vectors checked" and a line for each name that is missing.
  void Print(absl::string_view what) const {
    std::cout << checked_ << " " << what << " checked\n";
    for (const auto& [name, count] : skipped_) {
      std::cout << count << " " << what << " skipped for want of " << name << "\n";
    }
  }

 private:
  int checked_ = 0;
  std::map<std::string, int> skipped_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_VECTOR_TALLY_H_
