#include "logitchain/cli/import/commented_chain.h"

#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "logitchain/cli/text_layout.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {
namespace {

constexpr size_t kWidth = 100;

std::string Comment(absl::string_view text) {
  std::string lines;
  for (const std::string& line : WrapWords(text, kWidth - 2)) {
    absl::StrAppend(&lines, "# ", line, "\n");
  }
  return lines;
}

// "top_k { k: 40 }"
std::string OneLine(const google::protobuf::Message& message) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  printer.SetUseShortRepeatedPrimitives(true);
  std::string line;
  printer.PrintToString(message, &line);
  return absl::StrReplaceAll(absl::StripSuffix(line, " "), {{"{ }", "{}"}});
}

// "draw { seed: 1 }" in one line, or in several if that is too long.
std::string Field(absl::string_view name, const google::protobuf::Message& message) {
  const std::string line = absl::StrCat(name, " { ", OneLine(message), " }\n");
  if (line.size() <= kWidth + 1) return line;
  google::protobuf::TextFormat::Printer printer;
  printer.SetInitialIndentLevel(1);
  printer.SetUseShortRepeatedPrimitives(true);
  std::string lines;
  printer.PrintToString(message, &lines);
  return absl::StrCat(name, " {\n", lines, "}\n");
}

}  // namespace

std::string CommentedChain(const ChainConfig& config, const ChainComments& comments) {
  std::string text =
      "# proto-file: proto/chain.proto\n"
      "# proto-message: logitchain.ChainConfig\n";
  for (const std::string& paragraph : comments.head) {
    absl::StrAppend(&text, "#\n", Comment(paragraph));
  }
  absl::StrAppend(&text, "\n", Comment(comments.dialect),
                  "dialect: ", ChainConfig::Dialect_Name(config.dialect()), "\n");
  if (config.has_order()) {
    absl::StrAppend(&text, "\n", Comment(comments.order),
                    "order: ", ChainConfig::Order_Name(config.order()), "\n");
  }
  for (int i = 0; i < config.processors_size(); ++i) {
    absl::StrAppend(&text, "\n", Comment(comments.rules[i]),
                    Field("processors", config.processors(i)));
  }
  absl::StrAppend(&text, "\n", Comment(comments.draw), Field("draw", config.draw()));
  return text;
}

}  // namespace logitchain
