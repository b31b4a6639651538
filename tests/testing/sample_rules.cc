#include "logitchain/tests/testing/sample_rules.h"

#include <string>
#include <vector>

#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "logitchain/testing/conformance/sample_configs.pb.h"
#include "logitchain/tests/testing/golden_file.h"

namespace logitchain {
namespace {

SampleConfigs ReadSamples() {
  SampleConfigs samples;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      ReadTestFile("tests/conformance/samples.textproto"), &samples));
  return samples;
}

}  // namespace

std::vector<std::string> SampleRules() {
  std::vector<std::string> rules;
  const SampleConfigs samples = ReadSamples();
  for (const SampleConfig& sample : samples.samples()) {
    if (sample.has_processor()) rules.push_back(sample.processor().ShortDebugString());
  }
  return rules;
}

std::vector<std::string> SampleTerminals() {
  std::vector<std::string> terminals = {"greedy {}", "categorical {}"};
  const SampleConfigs samples = ReadSamples();
  for (const SampleConfig& sample : samples.samples()) {
    if (sample.has_draw()) terminals.push_back(sample.draw().ShortDebugString());
  }
  return terminals;
}

}  // namespace logitchain
