#include "logitchain/tests/fuzz/failed_input.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

// There with sanitizers, which end the program without a signal.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace logitchain {
namespace {

// For handlers of signals, which can do little more than write what there is.
absl::Span<const uint8_t> input;
std::string path;
std::string message;

void Say(absl::string_view text) {
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) _exit(EXIT_FAILURE);
}

void Keep() {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file >= 0 && write(file, input.data(), input.size()) >= 0) Say(message);
}

void HandleSignal(int signal_number) {
  if (signal_number == SIGVTALRM) Say("\nan input takes too long\n");
  Keep();
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

void Handle(int signal_number) {
  struct sigaction action = {};
  action.sa_handler = HandleSignal;
  action.sa_flags = SA_ONSTACK;
  sigaction(signal_number, &action, nullptr);
}

// A stack that has overflown has no room for the handler.
void UseOtherStack() {
  static char stack[1 << 16];
  const stack_t signal_stack = {.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof(stack)};
  sigaltstack(&signal_stack, nullptr);
}

void LimitSeconds(int seconds) {
  const itimerval timer = {.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
  setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

}  // namespace

void KeepFailedInput() {
  const char* folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  path = absl::StrCat(folder == nullptr ? "." : folder, "/failed_input");
  message = absl::StrCat("\nthe input is kept in ", path, "\n");
  UseOtherStack();
  Handle(SIGABRT);
  Handle(SIGVTALRM);
  if (__sanitizer_set_death_callback != nullptr) return __sanitizer_set_death_callback(Keep);
  for (const int signal_number : {SIGBUS, SIGFPE, SIGILL, SIGSEGV}) Handle(signal_number);
}

void StartInput(absl::Span<const uint8_t> bytes, int max_seconds) {
  input = bytes;
  LimitSeconds(max_seconds);
}

void EndInput() { LimitSeconds(0); }

int SanitizerSlowdown() { return __sanitizer_set_death_callback != nullptr ? 15 : 1; }

}  // namespace logitchain
