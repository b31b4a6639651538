// A plugin of another version, which must not be run.
#include <cstdlib>

#include "logitchain/registry/plugin_manifest.h"

extern "C" {

extern const logitchain::PluginManifest<1> logitchain_plugin_manifest;
constexpr logitchain::PluginManifest<1> logitchain_plugin_manifest = [] {
  constexpr uint8_t kNoDescriptors[] = {0};
  auto manifest = logitchain::MakePluginManifest(kNoDescriptors);
  manifest.head.abi_version = logitchain::kPluginAbiVersion + 1;
  return manifest;
}();
}

namespace {

[[maybe_unused]] const bool kRuns = (std::abort(), true);

}  // namespace
