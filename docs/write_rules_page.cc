// Writes docs/rules.md into the workspace: bazel run //docs:write_rules_page

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "logitchain/docs/proto_comments.h"
#include "logitchain/docs/rules_page.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {
namespace {

absl::Status WriteRulesPage(const std::string& comments_path) {
  const char* const workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (workspace == nullptr) return absl::FailedPreconditionError("run it by `bazel run`");
  const absl::StatusOr<ProtoComments> comments = ProtoComments::Read(comments_path);
  if (!comments.ok()) return comments.status();
  const absl::StatusOr<std::string> page = RulesPage(ProcessorRegistry::Global(), *comments);
  if (!page.ok()) return page.status();
  const std::string path = absl::StrCat(workspace, "/docs/rules.md");
  std::ofstream file(path, std::ios::binary);
  file << *page;
  return file.flush() ? absl::OkStatus()
                      : absl::DataLossError(absl::StrCat(path, ": cannot write"));
}

}  // namespace
}  // namespace logitchain

int main(int argc, char** argv) {
  const absl::Status status = logitchain::WriteRulesPage(argc > 1 ? argv[1] : "");
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
