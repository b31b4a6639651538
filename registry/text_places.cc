#include "logitchain/registry/text_places.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "logitchain/registry/text_range.h"

namespace logitchain {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::FieldDescriptor;
using google::protobuf::io::ArrayInputStream;
using google::protobuf::io::Tokenizer;

// The parser tells of errors.
class IgnoreErrors : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int, int, const std::string&) override {}
};

// The tokens of a textproto, as the parser sees them.
class Tokens {
 public:
  explicit Tokens(const std::string& text)
      : stream_(text.data(), static_cast<int>(text.size())), tokenizer_(&stream_, &errors_) {
    tokenizer_.set_allow_f_after_float(true);
    tokenizer_.set_comment_style(Tokenizer::SH_COMMENT_STYLE);
    tokenizer_.set_require_space_after_number(false);
    tokenizer_.set_allow_multiline_strings(true);
    tokenizer_.Next();
  }

  bool AtEnd() { return tokenizer_.current().type == Tokenizer::TYPE_END; }
  bool AtString() { return tokenizer_.current().type == Tokenizer::TYPE_STRING; }
  bool At(absl::string_view text) { return tokenizer_.current().text == text; }

  TextLocation Begin() { return {tokenizer_.current().line + 1, tokenizer_.current().column + 1}; }
  TextLocation EndOfPrevious() {
    return {tokenizer_.previous().line + 1, tokenizer_.previous().end_column + 1};
  }

  std::string Take() {
    std::string text = tokenizer_.current().text;
    tokenizer_.Next();
    return text;
  }

  bool TryTake(absl::string_view text) {
    if (!At(text)) return false;
    tokenizer_.Next();
    return true;
  }

 private:
  ArrayInputStream stream_;
  IgnoreErrors errors_;
  Tokenizer tokenizer_;
};

std::string Join(absl::string_view path, absl::string_view name) {
  return path.empty() ? std::string(name) : absl::StrCat(path, ".", name);
}

// Of a group the text has the name of its type, which differs from the field's in case.
const FieldDescriptor* FindField(const Descriptor& type, const std::string& name) {
  return type.FindFieldByLowercaseName(absl::AsciiStrToLower(name));
}

// Walks through a text that should be a message. A null type, or a null field, is one that the
// program does not know; what is in it gets no place.
class PlaceCollector {
 public:
  using EnumPlaces = std::map<TextLocation, const FieldDescriptor*>;

  explicit PlaceCollector(const std::string& text) : tokens_(text) {}

  absl::flat_hash_map<std::string, TextRange> TakePlaces() { return std::move(places_); }
  EnumPlaces TakeEnumPlaces() { return std::move(enum_places_); }

  void CollectMessage(const Descriptor* type, absl::string_view path) {
    Elements elements;
    while (!tokens_.AtEnd() && !tokens_.At("}") && !tokens_.At(">")) {
      if (tokens_.At("[")) {
        CollectBracketed(path, elements);
      } else {
        const TextLocation begin = tokens_.Begin();
        const std::string name = tokens_.Take();
        CollectField(type == nullptr ? nullptr : FindField(*type, name), begin, path, elements);
      }
    }
  }

 private:
  // How many elements each repeated field of a message has so far.
  using Elements = absl::flat_hash_map<const FieldDescriptor*, int>;

  // An Any that is written out, or an extension.
  void CollectBracketed(absl::string_view path, Elements& elements) {
    const TextLocation begin = tokens_.Begin();
    tokens_.Take();
    std::string name;
    while (!tokens_.TryTake("]") && !tokens_.AtEnd()) name += tokens_.Take();
    const DescriptorPool& pool = *DescriptorPool::generated_pool();
    if (!absl::StrContains(name, '/')) {
      return CollectField(pool.FindExtensionByName(name), begin, path, elements);
    }
    tokens_.TryTake(":");
    const std::string type = name.substr(name.rfind('/') + 1);
    const std::string value = absl::StrCat(path, "[", type, "]");
    CollectValue(pool.FindMessageTypeByName(type), value);
    EndField();
    places_[value] = {begin, tokens_.EndOfPrevious()};
  }

  // The rest of a field whose name has been taken.
  void CollectField(const FieldDescriptor* field, TextLocation begin, absl::string_view path,
                    Elements& elements) {
    tokens_.TryTake(":");
    if (tokens_.TryTake("[")) {
      while (!tokens_.TryTake("]") && !tokens_.AtEnd()) {
        const TextLocation element = tokens_.Begin();
        CollectElement(field, element, path, elements);
        tokens_.TryTake(",");
      }
      EndField();
      return;
    }
    const std::string value = CollectElement(field, begin, path, elements);
    EndField();
    if (field != nullptr) places_[value].end = tokens_.EndOfPrevious();
  }

  // One value; returns its path.
  std::string CollectElement(const FieldDescriptor* field, TextLocation begin,
                             absl::string_view path, Elements& elements) {
    if (field == nullptr) {
      CollectValue(nullptr, path);
      return "";
    }
    std::string name = field->name();
    if (field->is_repeated()) absl::StrAppend(&name, "[", elements[field]++, "]");
    const std::string value = Join(path, name);
    if (field->enum_type() != nullptr) enum_places_[tokens_.Begin()] = field;
    CollectValue(field->message_type(), value);
    places_[value] = {begin, tokens_.EndOfPrevious()};
    return value;
  }

  void CollectValue(const Descriptor* type, absl::string_view path) {
    if (tokens_.TryTake("{") || tokens_.TryTake("<")) {
      CollectMessage(type, path);
      tokens_.Take();
      return;
    }
    tokens_.TryTake("-");
    const bool is_string = tokens_.AtString();
    tokens_.Take();
    while (is_string && tokens_.AtString()) tokens_.Take();  // "a" "b" is one string.
  }

  void EndField() {
    if (!tokens_.TryTake(";")) tokens_.TryTake(",");
  }

  Tokens tokens_;
  absl::flat_hash_map<std::string, TextRange> places_;
  EnumPlaces enum_places_;
};

}  // namespace

absl::flat_hash_map<std::string, TextRange> FieldPlaces(const std::string& text,
                                                        const Descriptor& type) {
  PlaceCollector collector(text);
  collector.CollectMessage(&type, "");
  return collector.TakePlaces();
}

std::map<TextLocation, const FieldDescriptor*> EnumValuePlaces(const std::string& text,
                                                               const Descriptor& type) {
  PlaceCollector collector(text);
  collector.CollectMessage(&type, "");
  return collector.TakeEnumPlaces();
}

int DeepestNesting(const std::string& text) {
  int depth = 0;
  int deepest = 0;
  for (Tokens rest(text); !rest.AtEnd();) {
    const std::string token = rest.Take();
    if (token == "{" || token == "<" || token == "[") deepest = std::max(deepest, ++depth);
    if (token == "}" || token == ">" || token == "]") --depth;
  }
  return deepest;
}

size_t OffsetInLine(absl::string_view line, int column) {
  constexpr int kTabWidth = 8;
  size_t offset = 0;
  for (int reached = 0; reached < column - 1 && offset < line.size(); ++offset) {
    reached += line[offset] == '\t' ? kTabWidth - reached % kTabWidth : 1;
  }
  return offset;
}

TextLocation PlaceBefore(const std::string& text, TextLocation location) {
  struct Token {
    TextLocation begin;
    std::string text;
  };
  std::vector<Token> tokens;
  for (Tokens rest(text); !rest.AtEnd() && rest.Begin() < location;) {
    const TextLocation begin = rest.Begin();
    tokens.push_back({begin, rest.Take()});
  }
  if (tokens.empty()) return location;
  size_t last = tokens.size() - 1;
  if (tokens[last].text == "]") {
    while (last > 0 && tokens[last].text != "[") --last;
  } else if (last > 0 && tokens[last - 1].text == "-") {
    --last;
  }
  return tokens[last].begin;
}

}  // namespace logitchain
