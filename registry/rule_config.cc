#include "logitchain/registry/rule_config.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/did_you_mean.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::MessageFactory;

// The message inside an Any, or null if its type is not linked in or its bytes are not of it.
std::unique_ptr<Message> Unpack(const google::protobuf::Any& any, const std::string& name) {
  const auto* descriptor = DescriptorPool::generated_pool()->FindMessageTypeByName(name);
  if (descriptor == nullptr) return nullptr;
  std::unique_ptr<Message> message(
      MessageFactory::generated_factory()->GetPrototype(descriptor)->New());
  if (!any.UnpackTo(message.get())) return nullptr;
  return message;
}

// The member of a oneof that is set, or null.
const FieldDescriptor* OneofField(const Message& message, const char* oneof) {
  return message.GetReflection()->GetOneofFieldDescriptor(
      message, message.GetDescriptor()->FindOneofByName(oneof));
}

const FieldDescriptor* FieldOfType(const Descriptor& message, const Descriptor& type) {
  for (int i = 0; i < message.field_count(); ++i) {
    if (message.field(i)->message_type() == &type) return message.field(i);
  }
  return nullptr;
}

std::vector<std::string> PluginNames(const ProcessorRegistry& registry) {
  std::vector<std::string> names;
  for (std::string& name : registry.Names()) {
    if (BuiltInField(*registry.Find(name)->config) == nullptr) names.push_back(std::move(name));
  }
  return names;
}

class Resolver {
 public:
  Resolver(const ProcessorRegistry& registry, std::vector<ConfigProblem>& problems)
      : registry_(registry), problems_(problems) {}

  // The rule that the message field `field` of `config` is; `path` is that of `config`.
  std::optional<RuleConfig> Member(const Message& config, const FieldDescriptor& field,
                                   std::string path) {
    path = absl::StrCat(path, ".", field.name());
    const Message& member = config.GetReflection()->GetMessage(config, &field);
    if (const auto* any = dynamic_cast<const google::protobuf::Any*>(&member)) {
      return Plugin(*any, std::move(path));
    }
    return BuiltIn(member, field, std::move(path));
  }

  std::nullopt_t Refuse(const std::string& path, std::string message) {
    problems_.push_back({path, std::move(message)});
    return std::nullopt;
  }

 private:
  std::optional<RuleConfig> BuiltIn(const Message& message, const FieldDescriptor& field,
                                    std::string path) {
    const ProcessorEntry* entry = registry_.Find(field.message_type()->full_name());
    if (entry == nullptr) {
      return Refuse(path,
                    "is not linked into this program; //processors:all has every built-in rule");
    }
    return RuleConfig{std::move(path), field.name(), &message, entry, nullptr};
  }

  std::optional<RuleConfig> Plugin(const google::protobuf::Any& any, std::string path) {
    std::string name;
    if (!google::protobuf::Any::ParseAnyTypeUrl(any.type_url(), &name)) {
      return Refuse(path, absl::StrCat("has the type URL \"", any.type_url(),
                                       "\"; it must be like type.googleapis.com/acme.BanDigits"));
    }
    absl::StrAppend(&path, "[", name, "]");
    const ProcessorEntry* entry = registry_.Find(name);
    if (entry == nullptr) return Refuse(path, NotRegistered(name, registry_));
    std::unique_ptr<Message> message = Unpack(any, name);
    if (message == nullptr) {
      return Refuse(path, absl::StrCat("has a value that is not a valid ", name));
    }
    const Message* borrowed = message.get();
    return RuleConfig{std::move(path), std::move(name), borrowed, entry, std::move(message)};
  }

  const ProcessorRegistry& registry_;
  std::vector<ConfigProblem>& problems_;
};

}  // namespace

std::optional<RuleConfig> ResolveRule(const ChainConfig& config, int index,
                                      const ProcessorRegistry& registry,
                                      std::vector<ConfigProblem>& problems) {
  const ProcessorConfig& processor = config.processors(index);
  const FieldDescriptor* field = OneofField(processor, "rule");
  const std::string path = absl::StrCat("processors[", index, "]");
  Resolver resolver(registry, problems);
  if (field == nullptr) return resolver.Refuse(path, "is empty; it must name a rule");
  return resolver.Member(processor, *field, path);
}

std::optional<RuleConfig> ResolveTerminal(const DrawConfig& draw, const ProcessorRegistry& registry,
                                          std::vector<ConfigProblem>& problems) {
  const FieldDescriptor* field = OneofField(draw, "terminal");
  Resolver resolver(registry, problems);
  if (field == nullptr) return resolver.Refuse("draw", "names no terminal");
  return resolver.Member(draw, *field, "draw");
}

std::string NotRegistered(const std::string& name, const ProcessorRegistry& registry) {
  const std::vector<std::string> plugins = PluginNames(registry);
  return absl::StrCat("is not a registered rule", DidYouMean(name, registry.Names()),
                      "; link the target that registers it into this program, or have "
                      "`logitchain` load it with --plugin; ",
                      plugins.empty() ? "there are no plugins" : "the plugins are ",
                      absl::StrJoin(plugins, ", "));
}

const FieldDescriptor* BuiltInField(const Descriptor& config) {
  const FieldDescriptor* rule = FieldOfType(*ProcessorConfig::descriptor(), config);
  return rule != nullptr ? rule : FieldOfType(*DrawConfig::descriptor(), config);
}

}  // namespace logitchain
