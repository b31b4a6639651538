// A .npy file.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/cli/npy.h"
#include "logitchain/tests/fuzz/input_reader.h"
#include "logitchain/tests/fuzz/require.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

using Rows = std::vector<std::vector<float>>;

// The rows up to the first that has a value which is no float32.
Rows ReadRows(NpyReader& reader) {
  Rows rows;
  std::vector<float> row(reader.cols());
  while (reader.ReadRow(absl::MakeSpan(row)).ok()) rows.push_back(row);
  return rows;
}

void WriteRows(const Rows& rows, int cols, const std::string& path) {
  absl::StatusOr<NpyWriter> writer = NpyWriter::Create(path, cols);
  Require(writer.ok(), "a file can be created");
  for (const std::vector<float>& row : rows)
    Require(writer->WriteRow(row).ok(), "a row is written");
  Require(writer->Finish().ok(), "the file appears");
}

bool IsSame(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

void Run(NpyReader& reader, int64_t size, const std::string& copy_path) {
  Require(reader.rows() >= 1 && reader.cols() >= 1, "there are logits");
  Require(reader.rows() * reader.cols() * 2 < size, "a file holds what its header announces");
  const Rows rows = ReadRows(reader);
  if (rows.empty()) return;
  Require(reader.Seek(0).ok() && ReadRows(reader).size() == rows.size(), "rows are read again");
  WriteRows(rows, reader.cols(), copy_path);
  absl::StatusOr<NpyReader> copy = NpyReader::Open(copy_path);
  Require(copy.ok(), "what is written can be read");
  const Rows copied = ReadRows(*copy);
  Require(copied.size() == rows.size(), "all rows are written");
  for (size_t i = 0; i < rows.size(); ++i) Require(IsSame(rows[i], copied[i]), "a row is the same");
}

}  // namespace
}  // namespace logitchain

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace logitchain;
  static const TempFolder folder;
  const std::string path = folder.Write("logits.npy", InputReader(data, size).Rest());
  absl::StatusOr<NpyReader> reader = NpyReader::Open(path);
  if (reader.ok()) Run(*reader, static_cast<int64_t>(size), folder.Path("copy.npy"));
  return 0;
}
