#ifndef LOGITCHAIN_CLI_PROGRESS_H_
#define LOGITCHAIN_CLI_PROGRESS_H_

#include <cstdint>
#include <ostream>
#include <string>

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace logitchain {

// Shows on a terminal how far a long task is, in one line that is written over and goes away at
// the end: "1200 / 50000 rows (2%), 310 rows/s, 157 s left". A task that is done within a second
// shows nothing.
class Progress {
 public:
  // Null: shows nothing. `unit` is what is counted, in plural.
  Progress(std::ostream* terminal, std::string unit, int64_t total, absl::Time now = absl::Now());
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { Clear(); }

  void Update(int64_t done) {
    if (terminal_ != nullptr) Update(done, absl::Now());
  }
  void Update(int64_t done, absl::Time now);

  // Takes the line away, for something else to be printed; the next Update may bring it back.
  void Clear();

 private:
  std::ostream* terminal_;
  const std::string unit_;
  const int64_t total_;
  const absl::Time start_;
  absl::Time next_update_;
  bool is_shown_ = false;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_PROGRESS_H_
