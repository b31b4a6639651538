#ifndef LOGITCHAIN_TESTING_CONFORMANCE_SAMPLE_FILE_H_
#define LOGITCHAIN_TESTING_CONFORMANCE_SAMPLE_FILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "logitchain/testing/conformance/sample_configs.pb.h"

namespace logitchain {

// Reads samples from textproto. InvalidArgument with "file:line:column: …" if it is none.
absl::StatusOr<SampleConfigs> ReadSampleFile(const std::string& path);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTING_CONFORMANCE_SAMPLE_FILE_H_
