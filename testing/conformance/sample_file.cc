#include "logitchain/testing/conformance/sample_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/io/zero_copy_stream_impl.h"
#include "google/protobuf/text_format.h"

namespace logitchain {
namespace {

class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  explicit FirstError(const std::string& path) : path_(path) {}

  void AddError(int line, int column, const std::string& message) override {
    if (status_.ok()) {
      status_ = absl::InvalidArgumentError(
          absl::StrCat(path_, ":", line + 1, ":", column + 1, ": ", message));
    }
  }

  const absl::Status& status() const { return status_; }

 private:
  const std::string& path_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<SampleConfigs> ReadSampleFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return absl::NotFoundError(absl::StrCat(path, ": cannot open: ", std::strerror(errno)));
  }
  google::protobuf::io::IstreamInputStream input(&file);
  FirstError error(path);
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  SampleConfigs samples;
  if (!parser.Parse(&input, &samples)) return error.status();
  return samples;
}

}  // namespace logitchain
