#ifndef LOGITCHAIN_TESTING_CONFORMANCE_SUBJECT_H_
#define LOGITCHAIN_TESTING_CONFORMANCE_SUBJECT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "google/protobuf/message.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/registry/rule_config.h"
#include "logitchain/testing/conformance/sample_configs.pb.h"
#include "logitchain/testing/conformance/sample_environment.h"

namespace logitchain {

// A rule or terminal with a sample config in a dialect: what checks look at.
class Subject {
 public:
  // InvalidArgument if the sample names no registered rule.
  static absl::StatusOr<Subject> Create(const SampleConfig& sample, ChainConfig::Dialect dialect,
                                        const ProcessorRegistry& registry);

  bool is_terminal() const { return sample_.has_draw(); }
  // How many random numbers the sample says that it takes for each token.
  uint64_t uniforms() const;
  // And how often it then allocates.
  int64_t allocations() const { return sample_.allocations(); }
  bool knows_ids() const { return sample_.knows_ids(); }
  Stage stage() const { return rule_.entry->info.stage; }
  const Dialect& dialect() const { return *dialect_; }

  // The config message of the rule itself, and its path in config().
  const google::protobuf::Message& rule() const { return *rule_.message; }
  const std::string& path() const { return rule_.path; }

  // A chain of just this rule.
  const ChainConfig& config() const { return *config_; }

  // The same with another config of the rule.
  ChainConfig ConfigWith(const google::protobuf::Message& rule) const;

  // The same chain without the rule.
  ChainConfig ConfigWithout() const;

  // The config message of the rule in a chain like config().
  absl::StatusOr<RuleConfig> RuleOf(const ChainConfig& config) const;

  // What is wrong with a config, for a vocabulary of this size or for any.
  std::vector<ConfigProblem> Problems(const ChainConfig& config,
                                      std::optional<int32_t> vocab_size = kSampleVocabSize) const;

  // A chain in the sample environment, after a prompt.
  absl::StatusOr<std::unique_ptr<Chain>> NewChain(const ChainConfig& config,
                                                  int32_t vocab_size = kSampleVocabSize,
                                                  const std::vector<TokenId>& prompt = {1, 2,
                                                                                        1}) const;
  absl::StatusOr<std::unique_ptr<Chain>> NewChain() const { return NewChain(config()); }

 private:
  Subject(const SampleConfig& sample, ChainConfig::Dialect dialect,
          const ProcessorRegistry& registry);

  const ProcessorRegistry* registry_;
  const Dialect* dialect_;
  SampleConfig sample_;
  // Stays where it is: rule_ points into it.
  std::unique_ptr<ChainConfig> config_;
  RuleConfig rule_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTING_CONFORMANCE_SUBJECT_H_
