#include "logitchain/cli/plugin.h"

#include <dlfcn.h>
#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "logitchain/cli/flags.h"
#include "logitchain/core/files/regular_file.h"
#include "logitchain/registry/plugin_manifest.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {
namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::FileDescriptor;
using google::protobuf::FileDescriptorProto;
using google::protobuf::FileDescriptorSet;

constexpr absl::string_view kElfMagic = "\177ELF";
constexpr int64_t kMaxPluginBytes = int64_t{1} << 30;

struct Manifest {
  uint32_t abi_version;
  FileDescriptorSet descriptors;
};

// The loader does not ask whether a file is as long as its head says, and what it then reads of a
// file that was cut off ends the process.
bool HasAllSegments(absl::string_view library) {
  Elf64_Ehdr head;
  if (library.size() < sizeof(head)) return false;
  std::memcpy(&head, library.data(), sizeof(head));
  if (head.e_ident[EI_CLASS] != ELFCLASS64) return true;  // The loader refuses it.
  const uint64_t size = library.size();
  if (head.e_phoff > size || head.e_phnum > (size - head.e_phoff) / sizeof(Elf64_Phdr))
    return false;
  for (size_t i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, library.data() + head.e_phoff + i * sizeof(segment), sizeof(segment));
    if (segment.p_filesz > size || segment.p_offset > size - segment.p_filesz) return false;
  }
  return true;
}

// A program is of type ET_EXEC or, if it may be loaded anywhere, like a library of type ET_DYN:
// then it names the loader that starts it.
bool IsProgram(absl::string_view file) {
  Elf64_Ehdr head;
  if (file.size() < sizeof(head)) return false;
  std::memcpy(&head, file.data(), sizeof(head));
  if (head.e_ident[EI_CLASS] != ELFCLASS64) return false;
  if (head.e_type == ET_EXEC) return true;
  if (!HasAllSegments(file)) return false;
  for (size_t i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, file.data() + head.e_phoff + i * sizeof(segment), sizeof(segment));
    if (segment.p_type == PT_INTERP) return true;
  }
  return false;
}

absl::StatusOr<std::string> ReadLibrary(const std::string& path) {
  const absl::StatusOr<RegularFile> file = RegularFile::Open(path);
  if (!file.ok()) return file.status();
  if (file->size() > kMaxPluginBytes) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": has ", file->size(), " bytes; at most ",
                                                   kMaxPluginBytes, " are allowed"));
  }
  std::string bytes(file->size(), '\0');
  if (absl::Status status = file->ReadAt(0, absl::MakeSpan(&bytes[0], bytes.size()));
      !status.ok()) {
    return status;
  }
  if (!absl::StartsWith(bytes, kElfMagic)) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": is not a shared library"));
  }
  if (IsProgram(bytes)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path,
                     ": is a program, not a shared library; the target NAME of "
                     "logit_processor makes a rule as a shared library, NAME.so"));
  }
  return bytes;
}

// The manifest in a library's bytes; nothing if there is none that can be read.
std::optional<Manifest> FindManifest(absl::string_view library) {
  const size_t magic = library.find(absl::string_view(kPluginMagic, kPluginMagicSize));
  if (magic == absl::string_view::npos) return std::nullopt;
  absl::string_view rest = library.substr(magic + kPluginMagicSize);
  PluginManifestHead head;
  if (rest.size() < sizeof(head)) return std::nullopt;
  std::memcpy(&head, rest.data(), sizeof(head));
  rest.remove_prefix(sizeof(head));
  Manifest manifest = {.abi_version = head.abi_version};
  // What another version has behind the head is not known.
  if (head.abi_version != kPluginAbiVersion) return manifest;
  const bool is_whole =
      head.descriptors_size <= rest.size() &&
      manifest.descriptors.ParseFromString(std::string(rest.substr(0, head.descriptors_size)));
  return is_whole ? std::make_optional(std::move(manifest)) : std::nullopt;
}

// The full names of what the file defines outside of messages.
std::vector<std::string> SymbolsOf(const FileDescriptorProto& file) {
  std::vector<std::string> symbols;
  const auto add = [&](const auto& entries) {
    for (const auto& entry : entries) {
      symbols.push_back(file.package().empty() ? entry.name()
                                               : absl::StrCat(file.package(), ".", entry.name()));
    }
  };
  add(file.message_type());
  add(file.enum_type());
  add(file.extension());
  add(file.service());
  return symbols;
}

// protobuf ends the process where a proto, or a name within, comes a second time.
absl::Status CheckIsNew(const std::string& path, const FileDescriptorProto& file) {
  const DescriptorPool& pool = *DescriptorPool::generated_pool();
  const auto present = [&](absl::string_view what, absl::string_view where) {
    return absl::AlreadyExistsError(
        absl::StrCat(path, ": defines ", what, ", which this program has already", where,
                     "; a rule is loaded once, and not linked in besides"));
  };
  for (const std::string& symbol : SymbolsOf(file)) {
    const FileDescriptor* found = pool.FindFileContainingSymbol(symbol);
    if (found != nullptr) return present(symbol, absl::StrCat(" from ", found->name()));
  }
  if (pool.FindFileByName(file.name()) == nullptr) return absl::OkStatus();
  return present(absl::StrCat("a proto ", file.name()), "");
}

absl::Status CheckManifest(const std::string& path, const Manifest& manifest) {
  if (manifest.abi_version != kPluginAbiVersion) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": was built for version ", manifest.abi_version,
                     " of the plugin ABI; this program has version ", kPluginAbiVersion));
  }
  // With none, the checks below would let a second copy of a proto through.
  if (manifest.descriptors.file().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path,
                     ": states no proto in its manifest; it must state those that it brings, as "
                     "logit_processor of logitchain's defs.bzl does"));
  }
  for (const FileDescriptorProto& file : manifest.descriptors.file()) {
    if (absl::Status status = CheckIsNew(path, file); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CheckLibrary(const std::string& path) {
  const absl::StatusOr<std::string> library = ReadLibrary(path);
  if (!library.ok()) return library.status();
  const std::optional<Manifest> manifest = FindManifest(*library);
  if (!manifest) {
    return absl::InvalidArgumentError(
        absl::StrCat(path,
                     ": is not a plugin of logitchain: it states no ABI version; logit_processor "
                     "of logitchain's defs.bzl makes one that does"));
  }
  if (!HasAllSegments(*library)) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": is only a part of a shared library"));
  }
  return CheckManifest(path, *manifest);
}

absl::Status LoadPlugin(const std::string& path) {
  if (absl::Status status = CheckLibrary(path); !status.ok()) return status;
  const ProcessorRegistry& registry = ProcessorRegistry::Global();
  const size_t rules_before = registry.Names().size();
  // A name without a slash would be looked for among the system's libraries.
  const std::string file = absl::StrContains(path, '/') ? path : absl::StrCat("./", path);
  if (dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
    return absl::FailedPreconditionError(absl::StrCat(path, ": cannot be loaded: ", dlerror()));
  }
  if (!registry.status().ok() || registry.Names().size() > rules_before) return registry.status();
  return absl::FailedPreconditionError(absl::StrCat(path, ": registers no rule"));
}

}  // namespace

Flag PluginFlag(std::vector<std::string>* paths) {
  return {.name = "plugin",
          .value_name = "FILE.so",
          .help =
              "load a rule that was built as a shared library, which runs its code; may be "
              "given more than once",
          .target = paths};
}

absl::Status LoadPlugins(absl::Span<const std::string> paths) {
  for (const std::string& path : paths) {
    if (absl::Status status = LoadPlugin(path); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace logitchain
