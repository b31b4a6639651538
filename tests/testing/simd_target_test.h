#ifndef LOGITCHAIN_TESTS_TESTING_SIMD_TARGET_TEST_H_
#define LOGITCHAIN_TESTS_TESTING_SIMD_TARGET_TEST_H_

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "hwy/highway.h"

namespace logitchain {

// Has Highway run one target of those that this machine has, such as SSE4, AVX2 and AVX3. To run
// with each:
//
//   INSTANTIATE_TEST_SUITE_P(Targets, MyTest, ValuesIn(hwy::SupportedAndGeneratedTargets()),
//                            SimdTargetTest::TargetName);
class SimdTargetTest : public testing::TestWithParam<int64_t> {
 public:
  static std::string TargetName(const testing::TestParamInfo<int64_t>& info) {
    return hwy::TargetName(info.param);
  }

 protected:
  void SetUp() override {
    hwy::SetSupportedTargetsForTest(GetParam());
    hwy::GetChosenTarget().Update(GetParam());
  }

  void TearDown() override {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  }
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_SIMD_TARGET_TEST_H_
