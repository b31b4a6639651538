#include "logitchain/registry/processor_registry.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/stage.h"

namespace logitchain {
namespace {

// A number that was cast to Stage may be none; arrays are indexed by it.
absl::Status CheckStage(const ProcessorEntry& entry) {
  const int stage = static_cast<int>(entry.info.stage);
  if (stage >= 0 && stage < kStageCount) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the rule for ", entry.config->full_name(), " is registered with the stage ", stage, ", in ",
      entry.source, "; it must be one of the enum Stage, 0 to ", kStageCount - 1));
}

}  // namespace

absl::Status ProcessorRegistry::Register(ProcessorEntry entry) {
  if (absl::Status status = CheckStage(entry); !status.ok()) {
    status_.Update(status);
    return status;
  }
  const std::string name = entry.config->full_name();
  const std::string source = entry.source;
  const auto [it, is_new] = entries_.try_emplace(name, std::move(entry));
  if (is_new) return absl::OkStatus();
  const absl::Status error = absl::AlreadyExistsError(absl::StrCat(
      "two rules are registered for ", name, ": in ", it->second.source, " and in ", source));
  status_.Update(error);
  return error;
}

const ProcessorEntry* ProcessorRegistry::Find(absl::string_view config_name) const {
  const auto it = entries_.find(config_name);
  return it == entries_.end() ? nullptr : &it->second;
}

std::vector<std::string> ProcessorRegistry::Names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

ProcessorRegistry& ProcessorRegistry::Global() {
  static auto* const registry = new ProcessorRegistry;
  return *registry;
}

}  // namespace logitchain
