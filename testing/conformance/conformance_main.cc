// Runs all checks over the samples in the files that the arguments name. A rule that is linked in
// and has no sample fails.

#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/testing/conformance/checks.h"
#include "logitchain/testing/conformance/sample_configs.pb.h"
#include "logitchain/testing/conformance/sample_file.h"
#include "logitchain/testing/conformance/subject.h"

namespace logitchain {
namespace {

class CheckTest : public testing::Test {
 public:
  CheckTest(const Check& check, const SampleConfig& sample) : check_(check), sample_(sample) {}

  void TestBody() override {
    for (int i = 0; i < ChainConfig::Dialect_ARRAYSIZE; ++i) {
      const auto dialect = static_cast<ChainConfig::Dialect>(i);
      const absl::StatusOr<Subject> subject =
          Subject::Create(sample_, dialect, ProcessorRegistry::Global());
      const absl::Status status = subject.ok() ? check_.run(*subject) : subject.status();
      if (absl::IsUnimplemented(status)) GTEST_SKIP() << status.message();
      EXPECT_TRUE(status.ok()) << ChainConfig::Dialect_Name(dialect) << ": " << status.message()
                               << "\nwith " << sample_.ShortDebugString();
    }
  }

 private:
  const Check& check_;
  SampleConfig sample_;
};

class EveryRuleTest : public testing::Test {
 public:
  explicit EveryRuleTest(std::set<std::string> sampled) : sampled_(std::move(sampled)) {}

  void TestBody() override {
    const std::vector<std::string> names = ProcessorRegistry::Global().Names();
    EXPECT_FALSE(names.empty()) << "no rule is linked in";
    for (const std::string& name : names) {
      EXPECT_TRUE(sampled_.contains(name)) << name << " is registered and has no sample";
    }
  }

 private:
  std::set<std::string> sampled_;
};

// "logitchain.TopKConfig" → "logitchain_TopKConfig"; what cannot be resolved fails in its tests.
std::string NameOf(const SampleConfig& sample) {
  const absl::StatusOr<Subject> subject =
      Subject::Create(sample, ChainConfig::SPEC, ProcessorRegistry::Global());
  return subject.ok() ? subject->rule().GetDescriptor()->full_name() : "unknown";
}

void Register(const SampleConfigs& samples) {
  std::map<std::string, int> count;
  std::set<std::string> names;
  for (const SampleConfig& sample : samples.samples()) {
    const std::string name = NameOf(sample);
    names.insert(name);
    const std::string suite =
        absl::StrCat(absl::StrReplaceAll(name, {{".", "_"}}), "_", ++count[name]);
    for (const Check& check : AllChecks()) {
      const std::string test(check.name);
      testing::RegisterTest(
          suite.c_str(), test.c_str(), nullptr, nullptr, __FILE__, __LINE__,
          [&check, sample]() -> testing::Test* { return new CheckTest(check, sample); });
    }
  }
  testing::RegisterTest("Samples", "ThereIsOneOfEveryRule", nullptr, nullptr, __FILE__, __LINE__,
                        [names]() -> testing::Test* { return new EveryRuleTest(names); });
}

absl::Status RegisterAll(int argc, char** argv) {
  SampleConfigs samples;
  for (int i = 1; i < argc; ++i) {
    const absl::StatusOr<SampleConfigs> file = ReadSampleFile(argv[i]);
    if (!file.ok()) return file.status();
    samples.MergeFrom(*file);
  }
  Register(samples);
  return ProcessorRegistry::Global().status();
}

}  // namespace
}  // namespace logitchain

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (const absl::Status status = logitchain::RegisterAll(argc, argv); !status.ok()) {
    std::cerr << status.message() << "\n";
    return EXIT_FAILURE;
  }
  return RUN_ALL_TESTS();
}
