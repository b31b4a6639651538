#ifndef LOGITCHAIN_REGISTRY_PROCESSOR_REGISTRY_H_
#define LOGITCHAIN_REGISTRY_PROCESSOR_REGISTRY_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "logitchain/core/stage.h"
#include "logitchain/registry/build_context.h"

namespace logitchain {

// What a rule says of itself.
struct ProcessorInfo {
  // One line for `logitchain list`.
  absl::string_view summary;
  // Stage::kDraw is for terminals, which a config names in its `draw`.
  Stage stage;
  // Never removes the most likely token, so that a greedy draw need not run it.
  bool keeps_argmax = false;
};

// A rule that chains can be built with.
struct ProcessorEntry {
  const google::protobuf::Descriptor* config;
  ProcessorInfo info;
  std::function<void(const google::protobuf::Message&, BuildContext&)> build;
  std::string source;  // "processors/top_k.cc:31"
};

// The rules by the full name of their config message. The global one holds every rule that is
// linked in; tests may fill their own.
class ProcessorRegistry {
 public:
  // AlreadyExists, naming both sources, if there is a rule with this config. The first one stays,
  // and status() is that error from then on.
  absl::Status Register(ProcessorEntry entry);

  // Null if there is none.
  const ProcessorEntry* Find(absl::string_view config_name) const;

  // Sorted.
  std::vector<std::string> Names() const;

  // The first error of Register.
  const absl::Status& status() const { return status_; }

  static ProcessorRegistry& Global();

 private:
  absl::btree_map<std::string, ProcessorEntry> entries_;
  absl::Status status_;
};

// Makes an entry from a build function that takes the rule's own config message.
template <typename Config>
ProcessorEntry MakeProcessorEntry(void (*build)(const Config&, BuildContext&), ProcessorInfo info,
                                  std::string source) {
  return {.config = Config::descriptor(),
          .info = info,
          .build =
              [build](const google::protobuf::Message& config, BuildContext& context) {
                build(static_cast<const Config&>(config), context);
              },
          .source = std::move(source)};
}

}  // namespace logitchain

#define LOGITCHAIN_INTERNAL_CONCAT2(a, b) a##b
#define LOGITCHAIN_INTERNAL_CONCAT(a, b) LOGITCHAIN_INTERNAL_CONCAT2(a, b)
#define LOGITCHAIN_INTERNAL_STRING2(x) #x
#define LOGITCHAIN_INTERNAL_STRING(x) LOGITCHAIN_INTERNAL_STRING2(x)

// Registers a rule with the global registry, at namespace scope of the rule's .cc:
//
//   void BuildTopK(const TopKConfig& config, BuildContext& context) { … }
//   LOGITCHAIN_REGISTER_PROCESSOR(BuildTopK, {.summary = "…", .stage = Stage::kTopK});
//
// The library needs alwayslink = True.
#define LOGITCHAIN_REGISTER_PROCESSOR(build, ...)                                          \
  [[maybe_unused]] static const bool LOGITCHAIN_INTERNAL_CONCAT(kIsRegistered, __LINE__) = \
      ::logitchain::ProcessorRegistry::Global()                                            \
          .Register(::logitchain::MakeProcessorEntry(                                      \
              &build, __VA_ARGS__, __FILE__ ":" LOGITCHAIN_INTERNAL_STRING(__LINE__)))     \
          .ok()

#endif  // LOGITCHAIN_REGISTRY_PROCESSOR_REGISTRY_H_
