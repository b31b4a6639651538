#include "logitchain/testing/conformance/heap_counter.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

std::atomic<int64_t> allocations{0};
std::atomic<int64_t> live_bytes{0};
std::atomic<int64_t> peak_bytes{0};

void* Allocate(size_t size, size_t alignment) {
  const size_t rounded = std::max<size_t>((size + alignment - 1) / alignment, 1) * alignment;
  void* memory = alignment <= alignof(std::max_align_t) ? std::malloc(rounded)
                                                        : std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) std::abort();
  ++allocations;
  const int64_t live = live_bytes += static_cast<int64_t>(malloc_usable_size(memory));
  for (int64_t peak = peak_bytes; live > peak && !peak_bytes.compare_exchange_weak(peak, live);) {
  }
  return memory;
}

void Free(void* memory) {
  live_bytes -= static_cast<int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(size_t size) { return Allocate(size, 1); }
void* operator new(size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<size_t>(alignment));
}
// A sanitizer's own forms would not call these.
void* operator new(size_t size, const std::nothrow_t&) noexcept { return Allocate(size, 1); }
void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return Allocate(size, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { Free(memory); }
void operator delete(void* memory, size_t) noexcept { Free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { Free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { Free(memory); }

namespace logitchain {

int64_t HeapAllocations() { return allocations; }
int64_t HeapBytes() { return live_bytes; }
int64_t HeapPeak() { return peak_bytes; }
void ResetHeapPeak() { peak_bytes = live_bytes.load(); }

}  // namespace logitchain
