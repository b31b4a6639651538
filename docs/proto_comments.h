#ifndef LOGITCHAIN_DOCS_PROTO_COMMENTS_H_
#define LOGITCHAIN_DOCS_PROTO_COMMENTS_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"

namespace logitchain {

// A comment of a .proto file.
struct ProtoComment {
  // A paragraph, or a formula, whose lines are indented in the comment.
  struct Block {
    bool is_formula = false;
    std::string text;  // A paragraph is one line.
  };
  std::vector<Block> blocks;
  // Paragraphs that begin with a label: {"Cost", "O(candidates)."}.
  std::vector<std::pair<std::string, std::string>> labelled;
};

// Splits a comment as protoc gives it, one space before each line. A label is a capital letter and
// small words before ": "; where it stands in the first paragraph it is none.
ProtoComment ParseProtoComment(absl::string_view comment);

// The comments above messages and fields.
class ProtoComments {
 public:
  // Reads a serialised FileDescriptorSet that has source info, and the files that it imports.
  static absl::StatusOr<ProtoComments> Read(const std::string& path);

  // That of a message or field by its full name; empty if there is none.
  std::string Of(const std::string& full_name) const;

 private:
  explicit ProtoComments(std::unique_ptr<google::protobuf::DescriptorPool> pool)
      : pool_(std::move(pool)) {}

  std::unique_ptr<google::protobuf::DescriptorPool> pool_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_DOCS_PROTO_COMMENTS_H_
