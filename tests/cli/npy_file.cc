#include "logitchain/tests/cli/npy_file.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "logitchain/cli/npy.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

absl::Status Write(const std::string& path, const std::vector<std::vector<float>>& rows) {
  absl::StatusOr<NpyWriter> writer = NpyWriter::Create(path, static_cast<int>(rows[0].size()));
  if (!writer.ok()) return writer.status();
  for (const std::vector<float>& row : rows) {
    if (absl::Status status = writer->WriteRow(row); !status.ok()) return status;
  }
  return writer->Finish();
}

}  // namespace

std::string WriteNpy(const TempFolder& folder, absl::string_view name,
                     const std::vector<std::vector<float>>& rows) {
  const std::string path = folder.Path(name);
  const absl::Status status = Write(path, rows);
  EXPECT_TRUE(status.ok()) << status;
  return path;
}

std::vector<std::vector<float>> ReadNpy(const std::string& path) {
  absl::StatusOr<NpyReader> reader = NpyReader::Open(path);
  EXPECT_TRUE(reader.ok()) << reader.status();
  if (!reader.ok()) return {};
  std::vector<std::vector<float>> rows(reader->rows(), std::vector<float>(reader->cols()));
  for (std::vector<float>& row : rows) {
    const absl::Status status = reader->ReadRow(absl::MakeSpan(row));
    EXPECT_TRUE(status.ok()) << status;
  }
  return rows;
}

}  // namespace logitchain
