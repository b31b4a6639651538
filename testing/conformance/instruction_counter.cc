#include "logitchain/testing/conformance/instruction_counter.h"

#include <signal.h>

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"

namespace logitchain {

#if defined(__x86_64__) && !defined(_GLIBCXX_TSAN)

namespace {

// Of the flags register: the processor raises SIGTRAP behind each instruction.
constexpr uint64_t kTrapFlag = 0x100;

volatile int64_t instructions = 0;

void CountOne(int) { instructions = instructions + 1; }

}  // namespace

std::optional<int64_t> CountInstructions(absl::FunctionRef<void()> work) {
  struct sigaction count = {};
  struct sigaction before = {};
  count.sa_handler = CountOne;
  if (sigaction(SIGTRAP, &count, &before) != 0) return std::nullopt;
  instructions = 0;
  __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() | kTrapFlag);
  work();
  __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() & ~kTrapFlag);
  sigaction(SIGTRAP, &before, nullptr);
  return instructions;
}

#else

std::optional<int64_t> CountInstructions(absl::FunctionRef<void()>) { return std::nullopt; }

#endif

}  // namespace logitchain
