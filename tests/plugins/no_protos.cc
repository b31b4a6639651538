// A plugin that does not say which protos it brings.
#include <cstdint>

#include "logitchain/registry/plugin_manifest.h"

extern "C" {

extern const logitchain::PluginManifest<1> logitchain_plugin_manifest;
constexpr logitchain::PluginManifest<1> logitchain_plugin_manifest = [] {
  constexpr uint8_t kNoDescriptors[] = {0};
  auto manifest = logitchain::MakePluginManifest(kNoDescriptors);
  manifest.head.descriptors_size = 0;
  return manifest;
}();
}
