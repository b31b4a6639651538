#ifndef LOGITCHAIN_REGISTRY_PLUGIN_MANIFEST_H_
#define LOGITCHAIN_REGISTRY_PLUGIN_MANIFEST_H_

#include <cstddef>
#include <cstdint>

namespace logitchain {

// Version of what a plugin and the program that loads it must have in common: the headers that a
// rule includes. It goes up with every change to one of them that a compiled rule would notice.
inline constexpr uint32_t kPluginAbiVersion = 4;

// What a plugin begins its manifest with.
inline constexpr char kPluginMagic[] = "LogitchainPlugin";
inline constexpr size_t kPluginMagicSize = sizeof(kPluginMagic) - 1;

// What a plugin says of itself, to be read from its file before any of its code runs: the magic,
// and then these, in the machine's byte order.
struct PluginManifestHead {
  uint32_t abi_version;
  uint32_t descriptors_size;  // Of the serialised FileDescriptorSet that follows, in bytes.
};

template <size_t kDescriptorsSize>
struct PluginManifest {
  char magic[kPluginMagicSize];
  PluginManifestHead head;
  uint8_t descriptors[kDescriptorsSize];
};

// The manifest of a plugin of this version whose protos these are.
template <size_t kSize>
constexpr PluginManifest<kSize> MakePluginManifest(const uint8_t (&descriptors)[kSize]) {
  PluginManifest<kSize> manifest = {.magic = {}, .head = {kPluginAbiVersion, kSize}};
  for (size_t i = 0; i < kPluginMagicSize; ++i) manifest.magic[i] = kPluginMagic[i];
  for (size_t i = 0; i < kSize; ++i) manifest.descriptors[i] = descriptors[i];
  return manifest;
}

}  // namespace logitchain

// Defines a plugin's manifest; the macro logit_processor of defs.bzl writes a file with it.
#define LOGITCHAIN_PLUGIN_MANIFEST(...)                                                           \
  static constexpr uint8_t kPluginDescriptors[] = {__VA_ARGS__};                                  \
  extern "C" {                                                                                    \
  extern const ::logitchain::PluginManifest<sizeof(kPluginDescriptors)>                           \
      logitchain_plugin_manifest;                                                                 \
  constexpr ::logitchain::PluginManifest<sizeof(kPluginDescriptors)> logitchain_plugin_manifest = \
      ::logitchain::MakePluginManifest(kPluginDescriptors);                                       \
  }

#endif  // LOGITCHAIN_REGISTRY_PLUGIN_MANIFEST_H_
