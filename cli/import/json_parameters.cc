#include "logitchain/cli/import/json_parameters.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/cli/import/source_value.h"
#include "logitchain/grammar/json/json_tree_builder.h"
#include "logitchain/grammar/json/json_value.h"

namespace logitchain {
namespace {

constexpr size_t kMaxNesting = 64;

class ValueBuilder final : public JsonTreeBuilder<SourceValue, SourceValue::Kind::kList> {
 public:
  ValueBuilder(absl::string_view text, absl::string_view filename)
      : JsonTreeBuilder(text, kMaxNesting), filename_(filename) {}

  absl::StatusOr<SourceValue> Parse() {
    Run();
    if (!status_.ok()) return status_;
    return std::move(root());
  }

  // Of the root's keys.
  const std::vector<TextLocation>& locations() const { return locations_; }

  bool boolean(bool value) override {
    return Add({.kind = SourceValue::Kind::kBool, .text = value ? "true" : "false"});
  }

  bool key(string_t& key) override {
    Frame& frame = open().back();
    frame.value.keys.push_back(key);
    if (open().size() == 1) locations_.push_back(LocationOf(text(), KeyBegin()));
    if (frame.keys.insert(key).second) return true;
    return FailAt(KeyBegin(), absl::StrCat(Shown(Pointer()), " is given twice"));
  }

 private:
  // The JSON pointer of the key that was read last.
  std::string Pointer() const {
    std::string pointer;
    for (const Frame& frame : open()) {
      const bool is_list = frame.value.kind == SourceValue::Kind::kList;
      absl::StrAppend(&pointer, JsonPointerStep(is_list ? absl::StrCat(frame.value.elements.size())
                                                        : frame.value.keys.back()));
    }
    return pointer;
  }

  // Where the string begins whose closing quote was read last.
  size_t KeyBegin() const {
    const size_t close = text().rfind('"', read() - 1);
    size_t begin = text().rfind('"', close - 1);
    while (IsEscaped(begin)) begin = text().rfind('"', begin - 1);
    return begin;
  }

  bool IsEscaped(size_t offset) const {
    size_t backslashes = 0;
    while (backslashes < offset && text()[offset - 1 - backslashes] == '\\') ++backslashes;
    return backslashes % 2 == 1;
  }

  bool Fail(absl::string_view message) override { return FailAt(last_read(), message); }

  bool FailAt(size_t offset, absl::string_view message) {
    status_ = absl::InvalidArgumentError(
        absl::StrCat(Prefix(filename_, LocationOf(text(), offset)), message));
    return false;
  }

  absl::string_view filename_;
  std::vector<TextLocation> locations_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<std::vector<SourceParameter>> ParseJsonParameters(absl::string_view text,
                                                                 absl::string_view filename) {
  ValueBuilder builder(text, filename);
  absl::StatusOr<SourceValue> root = builder.Parse();
  if (!root.ok()) return root.status();
  if (root->kind != SourceValue::Kind::kObject) {
    return absl::InvalidArgumentError(
        absl::StrCat(filename, ": is ", Shown(*root), "; it must be a JSON object of parameters"));
  }
  std::vector<SourceParameter> parameters;
  for (size_t i = 0; i < root->keys.size(); ++i) {
    parameters.push_back({.key = root->keys[i],
                          .name = Shown(JsonPointerStep(root->keys[i])),
                          .value = std::move(root->elements[i]),
                          .location = builder.locations()[i]});
  }
  return parameters;
}

}  // namespace logitchain
