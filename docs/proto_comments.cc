#include "logitchain/docs/proto_comments.h"

#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"

namespace logitchain {
namespace {

// One space is before every line.
constexpr absl::string_view kFormulaIndent = "   ";

bool IsLabel(absl::string_view text) {
  return !text.empty() && absl::ascii_isupper(text[0]) &&
         absl::c_all_of(text.substr(1), [](char c) { return absl::ascii_islower(c) || c == ' '; });
}

// Takes the paragraph away if it has a label.
bool TakeLabelled(ProtoComment& comment) {
  const ProtoComment::Block& last = comment.blocks.back();
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(last.text, absl::MaxSplits(": ", 1));
  if (last.is_formula || parts.second.empty() || !IsLabel(parts.first)) return false;
  comment.labelled.push_back(parts);
  comment.blocks.pop_back();
  return true;
}

}  // namespace

ProtoComment ParseProtoComment(absl::string_view text) {
  ProtoComment comment;
  bool begins_block = true;
  bool is_first_paragraph = true;
  const auto end_block = [&] {
    if (!is_first_paragraph && !begins_block) TakeLabelled(comment);
    begins_block = true;
  };
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const bool is_formula = absl::ConsumePrefix(&line, kFormulaIndent);
    if (absl::StripAsciiWhitespace(line).empty()) {
      end_block();
      is_first_paragraph = is_first_paragraph && comment.blocks.empty();
      continue;
    }
    if (begins_block || comment.blocks.back().is_formula != is_formula) {
      comment.blocks.push_back({.is_formula = is_formula});
      begins_block = false;
    }
    std::string& block = comment.blocks.back().text;
    const absl::string_view content = is_formula ? line : absl::StripAsciiWhitespace(line);
    absl::StrAppend(&block, block.empty() ? "" : (is_formula ? "\n" : " "), content);
  }
  end_block();
  return comment;
}

absl::StatusOr<ProtoComments> ProtoComments::Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat(path, ": cannot open"));
  google::protobuf::FileDescriptorSet files;
  if (!files.ParseFromIstream(&file)) {
    return absl::DataLossError(absl::StrCat(path, ": is no FileDescriptorSet"));
  }
  auto pool = std::make_unique<google::protobuf::DescriptorPool>();
  for (const google::protobuf::FileDescriptorProto& proto : files.file()) {
    if (pool->BuildFile(proto) == nullptr) {
      return absl::DataLossError(absl::StrCat(path, ": cannot use ", proto.name()));
    }
  }
  return ProtoComments(std::move(pool));
}

std::string ProtoComments::Of(const std::string& full_name) const {
  google::protobuf::SourceLocation location;
  const auto* message = pool_->FindMessageTypeByName(full_name);
  if (message != nullptr) {
    return message->GetSourceLocation(&location) ? location.leading_comments : "";
  }
  const auto* field = pool_->FindFieldByName(full_name);
  const bool is_found = field != nullptr && field->GetSourceLocation(&location);
  return is_found ? location.leading_comments : "";
}

}  // namespace logitchain
