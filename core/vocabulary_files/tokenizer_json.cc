#include "logitchain/core/vocabulary_files/tokenizer_json.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/limits.h"
#include "logitchain/core/vocabulary_files/file_tokens.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using Json = nlohmann::json;

enum class Spelling { kByteLevel, kByteFallback };

// Deeper than any file is nested. Values are copied and printed level by level, on the stack.
constexpr int kMaxNesting = 64;

absl::Status ErrorAt(absl::string_view pointer, absl::string_view message) {
  return absl::InvalidArgumentError(absl::StrCat(pointer, " ", message));
}

// A key as a step of a JSON pointer.
std::string PointerTo(absl::string_view parent, absl::string_view key) {
  return absl::StrCat(parent, "/", absl::StrReplaceAll(key, {{"~", "~0"}, {"/", "~1"}}));
}

// The byte of each character of GPT-2's table: the printable ones of Latin-1 stand for themselves,
// the others follow from U+0100 on.
constexpr int kTableEnd = 0x144;
std::array<int, kTableEnd> MakeByteOfCharacter() {
  std::array<int, kTableEnd> table;
  table.fill(-1);
  int next = 0x100;
  for (int byte = 0; byte < 256; ++byte) {
    const bool is_printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
    table[is_printable ? byte : next++] = byte;
  }
  return table;
}

// nullopt if there is a character that is not in the table.
std::optional<std::string> ByteLevelBytes(absl::string_view text) {
  static const std::array<int, kTableEnd> byte_of = MakeByteOfCharacter();
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    // The table's characters take one or two bytes of UTF-8.
    int character = static_cast<uint8_t>(text[i]);
    if (character >= 0x80) {
      if (character < 0xC2 || character > 0xDF || i + 1 == text.size()) return std::nullopt;
      character = (character & 0x1F) << 6 | (static_cast<uint8_t>(text[++i]) & 0x3F);
    }
    if (character >= kTableEnd || byte_of[character] < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(byte_of[character]));
  }
  return bytes;
}

std::string ByteFallbackBytes(absl::string_view text) {
  uint32_t byte = 0;
  if (text.size() == 6 && text.substr(0, 3) == "<0x" && text[5] == '>' &&
      absl::SimpleHexAtoi(text.substr(3, 2), &byte)) {
    return std::string(1, static_cast<char>(byte));
  }
  return absl::StrReplaceAll(text, {{"\u2581", " "}});
}

// Whether a decoder or pre-tokenizer, or one in its sequence, is of type ByteLevel.
bool IsByteLevel(const Json& part) {
  if (!part.is_object()) return false;
  if (part.value("/type"_json_pointer, Json()) == "ByteLevel") return true;
  for (const char* list : {"decoders", "pretokenizers"}) {
    const auto parts = part.find(list);
    if (parts == part.end() || !parts->is_array()) continue;
    for (const Json& one : *parts) {
      // Sequences are not nested.
      if (one.is_object() && one.value("/type"_json_pointer, Json()) == "ByteLevel") return true;
    }
  }
  return false;
}

absl::StatusOr<Spelling> FindSpelling(const Json& file, const Json& model) {
  const auto type = model.find("type");
  // Old files leave it out for BPE.
  if (type != model.end() && *type != "BPE") {
    return ErrorAt("/model/type", absl::StrCat("is ", type->dump(), "; it must be \"BPE\""));
  }
  for (const char* part : {"decoder", "pre_tokenizer"}) {
    const auto found = file.find(part);
    if (found != file.end() && IsByteLevel(*found)) return Spelling::kByteLevel;
  }
  const auto fallback = model.find("byte_fallback");
  if (fallback != model.end() && *fallback == true) return Spelling::kByteFallback;
  return ErrorAt("/decoder",
                 "has no ByteLevel, and /model/byte_fallback is not true: how tokens write bytes "
                 "is not known");
}

// `end` is above every id that there may be.
absl::Status Put(const Json& id, size_t end, std::string bytes, absl::string_view pointer,
                 FileTokens& tokens) {
  if (!id.is_number_integer() || id < 0 || id >= kMaxVocabSize) {
    return ErrorAt(pointer, absl::StrCat("is no id in [0, ", kMaxVocabSize, ")"));
  }
  const size_t index = id.get<size_t>();
  if (index >= end) {
    return ErrorAt(pointer, absl::StrCat("is ", index, "; a file may leave out at most ",
                                         kMaxLeftOutIds, " ids"));
  }
  if (index >= tokens.bytes.size()) tokens.bytes.resize(index + 1);
  tokens.bytes[index] = std::move(bytes);
  return absl::OkStatus();
}

absl::Status AddModelTokens(const Json& vocab, Spelling spelling, size_t end, FileTokens& tokens) {
  for (const auto& [text, id] : vocab.items()) {
    const std::optional<std::string> bytes =
        spelling == Spelling::kByteLevel ? ByteLevelBytes(text) : ByteFallbackBytes(text);
    if (!bytes) {
      return ErrorAt(PointerTo("/model/vocab", text), "has a character that stands for no byte");
    }
    absl::Status status = Put(id, end, *bytes, PointerTo("/model/vocab", text), tokens);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status AddAddedTokens(const Json& added, size_t end, FileTokens& tokens) {
  for (size_t i = 0; i < added.size(); ++i) {
    const Json& token = added[i];
    const std::string pointer = absl::StrCat("/added_tokens/", i);
    const auto content = token.is_object() ? token.find("content") : token.end();
    const auto id = token.is_object() ? token.find("id") : token.end();
    if (content == token.end() || !content->is_string() || id == token.end()) {
      return ErrorAt(pointer, "must have a content and an id");
    }
    const auto special = token.find("special");
    const bool is_special = special != token.end() && *special == true;
    const std::string& text = content->get_ref<const std::string&>();
    absl::Status status =
        Put(*id, end, is_special ? "" : text, absl::StrCat(pointer, "/id"), tokens);
    if (!status.ok()) return status;
    if (is_special) tokens.special_texts[text] = id->get<TokenId>();
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FileTokens> ParseTokenizerJson(absl::string_view content) {
  bool is_too_deep = false;
  const auto keep = [&is_too_deep](int depth, Json::parse_event_t, const Json&) {
    is_too_deep = is_too_deep || depth > kMaxNesting;
    return !is_too_deep;
  };
  const Json file = Json::parse(content.begin(), content.end(), keep, /*allow_exceptions=*/false);
  if (is_too_deep) {
    return absl::InvalidArgumentError(
        absl::StrCat("is nested deeper than ", kMaxNesting, " levels"));
  }
  if (!file.is_object()) return absl::InvalidArgumentError("is no JSON object");
  const auto model = file.find("model");
  if (model == file.end() || !model->is_object()) return ErrorAt("/model", "must be an object");
  const auto vocab = model->find("vocab");
  if (vocab == model->end() || !vocab->is_object()) {
    return ErrorAt("/model/vocab", "must be an object of tokens and their ids");
  }
  const absl::StatusOr<Spelling> spelling = FindSpelling(file, *model);
  if (!spelling.ok()) return spelling.status();
  const auto found = file.find("added_tokens");
  const Json added = found != file.end() && found->is_array() ? *found : Json::array();
  const size_t end = vocab->size() + added.size() + kMaxLeftOutIds;
  FileTokens tokens;
  absl::Status status = AddModelTokens(*vocab, *spelling, end, tokens);
  if (status.ok()) status = AddAddedTokens(added, end, tokens);
  if (!status.ok()) return status;
  return tokens;
}

}  // namespace logitchain
