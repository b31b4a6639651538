#ifndef LOGITCHAIN_TESTING_CONFORMANCE_FIRST_ERROR_H_
#define LOGITCHAIN_TESTING_CONFORMANCE_FIRST_ERROR_H_

#include <string>

#include "google/protobuf/io/tokenizer.h"

namespace logitchain {

// Keeps the first error of a parser of textproto; others mostly follow from it.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    if (!message_.empty()) return;
    line_ = line + 1;
    column_ = column + 1;
    message_ = message;
  }

  // Counted from 1.
  int line() const { return line_; }
  int column() const { return column_; }
  // Empty if there was none.
  const std::string& message() const { return message_; }

 private:
  int line_ = 0;
  int column_ = 0;
  std::string message_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTING_CONFORMANCE_FIRST_ERROR_H_
