#include "logitchain/testing/conformance/subject.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/registry/rule_config.h"
#include "logitchain/testing/conformance/sample_environment.h"

namespace logitchain {
namespace {

using google::protobuf::Message;

// The message that names the rule, in a config with one.
Message& Holder(ChainConfig& config) {
  if (config.processors_size() > 0) return *config.mutable_processors(0);
  return *config.mutable_draw();
}

constexpr uint64_t kSeed = 3;

}  // namespace

Subject::Subject(const SampleConfig& sample, ChainConfig::Dialect dialect,
                 const ProcessorRegistry& registry)
    : registry_(&registry),
      dialect_(&GetDialect(dialect)),
      sample_(sample),
      config_(std::make_unique<ChainConfig>()) {
  config_->set_dialect(dialect);
  if (sample.has_processor()) *config_->add_processors() = sample.processor();
  if (sample.has_draw()) *config_->mutable_draw() = sample.draw();
  if (!config_->draw().has_seed()) config_->mutable_draw()->set_seed(kSeed);
}

absl::StatusOr<Subject> Subject::Create(const SampleConfig& sample, ChainConfig::Dialect dialect,
                                        const ProcessorRegistry& registry) {
  if (sample.part_case() == SampleConfig::PART_NOT_SET) {
    return absl::InvalidArgumentError("the sample is empty; it must have a processor or a draw");
  }
  Subject subject(sample, dialect, registry);
  absl::StatusOr<RuleConfig> rule = subject.RuleOf(subject.config());
  if (!rule.ok()) return rule.status();
  subject.rule_ = *std::move(rule);
  return subject;
}

uint64_t Subject::uniforms() const {
  if (sample_.has_uniforms()) return sample_.uniforms();
  return is_terminal() ? 1 : 0;
}

ChainConfig Subject::ConfigWith(const Message& rule) const {
  ChainConfig config = *config_;
  Message& holder = Holder(config);
  const auto& oneof = *holder.GetDescriptor()->oneof_decl(0);
  const auto* field = holder.GetReflection()->GetOneofFieldDescriptor(holder, &oneof);
  Message& member = *holder.GetReflection()->MutableMessage(&holder, field);
  if (auto* any = dynamic_cast<google::protobuf::Any*>(&member)) {
    any->PackFrom(rule);
  } else {
    member.CopyFrom(rule);
  }
  return config;
}

ChainConfig Subject::ConfigWithout() const {
  ChainConfig config = *config_;
  config.clear_processors();
  config.mutable_draw()->mutable_categorical();
  return config;
}

absl::StatusOr<RuleConfig> Subject::RuleOf(const ChainConfig& config) const {
  std::vector<ConfigProblem> problems;
  std::optional<RuleConfig> rule = config.processors_size() > 0
                                       ? ResolveRule(config, 0, *registry_, problems)
                                       : ResolveTerminal(config.draw(), *registry_, problems);
  if (rule) return *std::move(rule);
  return absl::InvalidArgumentError(
      absl::StrCat(problems.front().path, " ", problems.front().message));
}

std::vector<ConfigProblem> Subject::Problems(const ChainConfig& config,
                                             std::optional<int32_t> vocab_size) const {
  return CheckChain(config, vocab_size, *registry_);
}

absl::StatusOr<std::unique_ptr<Chain>> Subject::NewChain(const ChainConfig& config,
                                                         int32_t vocab_size,
                                                         const std::vector<TokenId>& prompt) const {
  auto chain = CreateChain(config, SampleEnvironment(vocab_size), *registry_);
  if (!chain.ok()) return chain.status();
  if (absl::Status status = (*chain)->Reset(prompt); !status.ok()) return status;
  return chain;
}

}  // namespace logitchain
