#include "logitchain/testing/conformance/sample_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/io/zero_copy_stream_impl.h"
#include "google/protobuf/text_format.h"
#include "logitchain/testing/conformance/first_error.h"

namespace logitchain {

absl::StatusOr<SampleConfigs> ReadSampleFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return absl::NotFoundError(absl::StrCat(path, ": cannot open: ", std::strerror(errno)));
  }
  google::protobuf::io::IstreamInputStream input(&file);
  FirstError error;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  SampleConfigs samples;
  if (parser.Parse(&input, &samples)) return samples;
  return absl::InvalidArgumentError(
      absl::StrCat(path, ":", error.line(), ":", error.column(), ": ", error.message()));
}

}  // namespace logitchain
