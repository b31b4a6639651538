#ifndef LOGITCHAIN_REGISTRY_CHAIN_TEXT_H_
#define LOGITCHAIN_REGISTRY_CHAIN_TEXT_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/text_range.h"

namespace logitchain {

// Longest config that is read, in bytes.
inline constexpr size_t kMaxConfigBytes = 1 << 20;

// A chain's config and where in its text each field stands.
struct ChainText {
  std::string filename;
  ChainConfig config;
  // By path: "processors[4].top_p.p".
  absl::flat_hash_map<std::string, TextRange> ranges;
  // Fields whose values are not the text's, by path, and what gave them: "--seed".
  absl::flat_hash_map<std::string, std::string> given;

  // "chain.textproto:7:20: processors[4].top_p.p is 1.5; …". A path that the text does not have
  // gets the location of the field around it, and one that was given what gave it: "--seed: …".
  std::string Describe(const ConfigProblem& problem) const;
};

// Parses a chain from textproto. InvalidArgument with a line "filename:line:column: …" for each
// thing that keeps it from being one, up to the first that the parser cannot pass.
absl::StatusOr<ChainText> ParseChainText(absl::string_view text, absl::string_view filename);

// Reads a chain from a file.
absl::StatusOr<ChainText> ReadChainFile(const std::string& path);

}  // namespace logitchain

#endif  // LOGITCHAIN_REGISTRY_CHAIN_TEXT_H_
