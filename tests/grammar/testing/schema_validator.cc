#include "logitchain/tests/grammar/testing/schema_validator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <regex>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "logitchain/tests/grammar/testing/string_formats.h"

namespace logitchain {
namespace {

using Json = SchemaValidator::Json;

// The characters of UTF-8.
std::wstring Wide(const std::string& text) {
  std::wstring wide;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if ((byte & 0xC0) == 0x80) {
      wide.back() = static_cast<wchar_t>(wide.back() << 6 | (byte & 0x3F));
    } else {
      wide.push_back(byte < 0x80 ? byte : byte & (byte < 0xE0 ? 0x1F : byte < 0xF0 ? 0x0F : 0x07));
    }
  }
  return wide;
}

bool MatchesPattern(const std::string& text, const std::string& pattern) {
  return std::regex_search(Wide(text), std::wregex(Wide(pattern)));
}

bool IsInteger(const Json& value) {
  return value.is_number() && std::floor(value.get<double>()) == value.get<double>();
}

bool HasType(const Json& value, const std::string& type) {
  if (type == "integer") return IsInteger(value);
  if (type == "number") return value.is_number();
  return value.type_name() == type;
}

// Divisors that are no whole number of quarters, and their multiples, have at most nine digits
// before the point and nine behind it.
bool IsMultiple(double value, double divisor) {
  if (4 * divisor == std::floor(4 * divisor)) return std::fmod(value, divisor) == 0;
  const auto scaled = [](double number) { return std::llround(1e9L * number); };
  return scaled(value) % scaled(divisor) == 0;
}

// A place in a schema, with what is needed to judge values by it.
class Place {
 public:
  Place(const Json& root, const Json& schema) : root_(root), schema_(schema) {}

  bool Satisfies(const Json& value) const {
    if (schema_.is_boolean()) return schema_.get<bool>();
    return absl::c_all_of(schema_.items(), [&](const auto& entry) {
      return SatisfiesKeyword(value, entry.key(), entry.value());
    });
  }

 private:
  using Check = bool (Place::*)(const Json& value, const Json& argument) const;

  bool Satisfies(const Json& value, const Json& schema) const {
    return Place(root_, schema).Satisfies(value);
  }

  bool SatisfiesKeyword(const Json& value, const std::string& keyword, const Json& argument) const {
    static const auto* const checks = new absl::flat_hash_map<std::string, Check>({
        {"type", &Place::Type},
        {"enum", &Place::Enum},
        {"const", &Place::Const},
        {"minimum", &Place::Minimum},
        {"maximum", &Place::Maximum},
        {"exclusiveMinimum", &Place::ExclusiveMinimum},
        {"exclusiveMaximum", &Place::ExclusiveMaximum},
        {"multipleOf", &Place::MultipleOf},
        {"minLength", &Place::MinLength},
        {"maxLength", &Place::MaxLength},
        {"pattern", &Place::Pattern},
        {"format", &Place::Format},
        {"prefixItems", &Place::PrefixItems},
        {"items", &Place::Items},
        {"contains", &Place::Contains},
        {"minItems", &Place::MinItems},
        {"maxItems", &Place::MaxItems},
        {"uniqueItems", &Place::UniqueItems},
        {"properties", &Place::Properties},
        {"patternProperties", &Place::PatternProperties},
        {"additionalProperties", &Place::AdditionalProperties},
        {"propertyNames", &Place::PropertyNames},
        {"required", &Place::Required},
        {"minProperties", &Place::MinProperties},
        {"maxProperties", &Place::MaxProperties},
        {"dependentRequired", &Place::DependentRequired},
        {"dependentSchemas", &Place::DependentSchemas},
        {"allOf", &Place::AllOf},
        {"anyOf", &Place::AnyOf},
        {"oneOf", &Place::OneOf},
        {"not", &Place::Not},
        {"if", &Place::If},
        {"$ref", &Place::Ref},
    });
    // What only describes, or belongs to another keyword.
    static constexpr std::array<absl::string_view, 8> kOthers = {
        "$schema", "$id", "$defs", "title", "description", "default", "then", "else"};
    if (absl::c_linear_search(kOthers, keyword)) return true;
    const auto check = checks->find(keyword);
    if (check != checks->end()) return (this->*check->second)(value, argument);
    ADD_FAILURE() << "the validator does not know the keyword " << keyword;
    return false;
  }

  bool Type(const Json& value, const Json& type) const {
    if (type.is_string()) return HasType(value, type);
    return absl::c_any_of(type, [&](const Json& one) { return HasType(value, one); });
  }
  bool Enum(const Json& value, const Json& listed) const {
    return absl::c_linear_search(listed, value);
  }
  bool Const(const Json& value, const Json& only) const { return value == only; }

  bool Minimum(const Json& value, const Json& bound) const {
    return !value.is_number() || value >= bound;
  }
  bool Maximum(const Json& value, const Json& bound) const {
    return !value.is_number() || value <= bound;
  }
  bool ExclusiveMinimum(const Json& value, const Json& bound) const {
    return !value.is_number() || value > bound;
  }
  bool ExclusiveMaximum(const Json& value, const Json& bound) const {
    return !value.is_number() || value < bound;
  }
  bool MultipleOf(const Json& value, const Json& divisor) const {
    return !value.is_number() || IsMultiple(value, divisor);
  }

  bool MinLength(const Json& value, const Json& count) const {
    return !value.is_string() || Wide(value).size() >= count;
  }
  bool MaxLength(const Json& value, const Json& count) const {
    return !value.is_string() || Wide(value).size() <= count;
  }
  bool Pattern(const Json& value, const Json& pattern) const {
    return !value.is_string() || MatchesPattern(value, pattern);
  }
  bool Format(const Json& value, const Json& format) const {
    if (!value.is_string()) return true;
    const std::optional<bool> has_format = HasFormat(format.get<std::string>(), value);
    EXPECT_TRUE(has_format.has_value()) << "the validator does not know the format " << format;
    return has_format.value_or(false);
  }

  bool PrefixItems(const Json& value, const Json& schemas) const {
    if (!value.is_array()) return true;
    for (size_t i = 0; i < std::min(value.size(), schemas.size()); ++i) {
      if (!Satisfies(value[i], schemas[i])) return false;
    }
    return true;
  }
  bool Items(const Json& value, const Json& schema) const {
    if (!value.is_array()) return true;
    const size_t prefix = schema_.contains("prefixItems") ? schema_["prefixItems"].size() : 0;
    for (size_t i = prefix; i < value.size(); ++i) {
      if (!Satisfies(value[i], schema)) return false;
    }
    return true;
  }
  bool Contains(const Json& value, const Json& schema) const {
    return !value.is_array() ||
           absl::c_any_of(value, [&](const Json& item) { return Satisfies(item, schema); });
  }
  bool MinItems(const Json& value, const Json& count) const {
    return !value.is_array() || value.size() >= count;
  }
  bool MaxItems(const Json& value, const Json& count) const {
    return !value.is_array() || value.size() <= count;
  }
  bool UniqueItems(const Json& value, const Json& unique) const {
    if (!value.is_array() || unique == false) return true;
    return absl::c_all_of(value, [&](const Json& item) { return absl::c_count(value, item) == 1; });
  }

  bool Properties(const Json& value, const Json& schemas) const {
    if (!value.is_object()) return true;
    return absl::c_all_of(value.items(), [&](const auto& member) {
      return !schemas.contains(member.key()) || Satisfies(member.value(), schemas[member.key()]);
    });
  }
  bool PatternProperties(const Json& value, const Json& schemas) const {
    if (!value.is_object()) return true;
    for (const auto& [name, member] : value.items()) {
      for (const auto& [pattern, schema] : schemas.items()) {
        if (MatchesPattern(name, pattern) && !Satisfies(member, schema)) return false;
      }
    }
    return true;
  }
  bool AdditionalProperties(const Json& value, const Json& schema) const {
    if (!value.is_object()) return true;
    return absl::c_all_of(value.items(), [&](const auto& member) {
      return IsNamed(member.key()) || Satisfies(member.value(), schema);
    });
  }
  bool IsNamed(const std::string& name) const {
    if (schema_.contains("properties") && schema_["properties"].contains(name)) return true;
    return schema_.contains("patternProperties") &&
           absl::c_any_of(schema_["patternProperties"].items(),
                          [&](const auto& entry) { return MatchesPattern(name, entry.key()); });
  }
  bool PropertyNames(const Json& value, const Json& schema) const {
    return !value.is_object() || absl::c_all_of(value.items(), [&](const auto& member) {
      return Satisfies(member.key(), schema);
    });
  }
  bool Required(const Json& value, const Json& names) const {
    return !value.is_object() ||
           absl::c_all_of(names, [&](const std::string& name) { return value.contains(name); });
  }
  bool MinProperties(const Json& value, const Json& count) const {
    return !value.is_object() || value.size() >= count;
  }
  bool MaxProperties(const Json& value, const Json& count) const {
    return !value.is_object() || value.size() <= count;
  }
  bool DependentRequired(const Json& value, const Json& dependencies) const {
    return !value.is_object() || absl::c_all_of(dependencies.items(), [&](const auto& entry) {
      return !value.contains(entry.key()) || Required(value, entry.value());
    });
  }
  bool DependentSchemas(const Json& value, const Json& dependencies) const {
    return !value.is_object() || absl::c_all_of(dependencies.items(), [&](const auto& entry) {
      return !value.contains(entry.key()) || Satisfies(value, entry.value());
    });
  }

  size_t CountSatisfied(const Json& value, const Json& schemas) const {
    return absl::c_count_if(schemas, [&](const Json& schema) { return Satisfies(value, schema); });
  }
  bool AllOf(const Json& value, const Json& schemas) const {
    return CountSatisfied(value, schemas) == schemas.size();
  }
  bool AnyOf(const Json& value, const Json& schemas) const {
    return CountSatisfied(value, schemas) > 0;
  }
  bool OneOf(const Json& value, const Json& schemas) const {
    return CountSatisfied(value, schemas) == 1;
  }
  bool Not(const Json& value, const Json& schema) const { return !Satisfies(value, schema); }
  bool If(const Json& value, const Json& condition) const {
    const char* const consequence = Satisfies(value, condition) ? "then" : "else";
    return !schema_.contains(consequence) || Satisfies(value, schema_[consequence]);
  }
  bool Ref(const Json& value, const Json& reference) const {
    const std::string pointer = reference.get<std::string>().substr(1);
    return Satisfies(value, root_[Json::json_pointer(pointer)]);
  }

  const Json& root_;
  const Json& schema_;
};

}  // namespace

bool SchemaValidator::Accepts(const Json& document) const {
  return Place(root_, root_).Satisfies(document);
}

}  // namespace logitchain
