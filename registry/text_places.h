#ifndef LOGITCHAIN_REGISTRY_TEXT_PLACES_H_
#define LOGITCHAIN_REGISTRY_TEXT_PLACES_H_

#include <cstddef>
#include <map>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "logitchain/registry/text_range.h"

namespace logitchain {

// Where things stand in a textproto. The parser's own ParseInfoTree has a list [a, b, c] as a whole
// only, and its errors about a name the place behind that.

// Where each field stands, by path: "processors[4].top_p.p", and of what an Any holds
// "processors[5].plugin[acme.BanDigits].keep_years". The text must be one that the parser
// takes as a message of this type.
absl::flat_hash_map<std::string, TextRange> FieldPlaces(const std::string& text,
                                                        const google::protobuf::Descriptor& type);

// The field of each enumeration value in the text, which need not be sound, by where the value
// begins.
std::map<TextLocation, const google::protobuf::FieldDescriptor*> EnumValuePlaces(
    const std::string& text, const google::protobuf::Descriptor& type);

// How many brackets are open at once where that is most.
int DeepestNesting(const std::string& text);

// The byte of a line at which a column begins: protobuf's columns count bytes, but a tab ends at
// the next multiple of 8.
size_t OffsetInLine(absl::string_view line, int column);

// Where the name or value begins that ends before `location`: a word, a number with its sign, or a
// name in brackets. `location` itself if there is none.
TextLocation PlaceBefore(const std::string& text, TextLocation location);

}  // namespace logitchain

#endif  // LOGITCHAIN_REGISTRY_TEXT_PLACES_H_
