#ifndef LOGITCHAIN_TESTING_CONFORMANCE_HEAP_COUNTER_H_
#define LOGITCHAIN_TESTING_CONFORMANCE_HEAP_COUNTER_H_

#include <cstdint>

namespace logitchain {

// What operator new gave to this program and operator delete took back, in all threads. A program
// that links this has operators of its own, which count.

// Number of calls of operator new.
int64_t HeapAllocations();

// Bytes that were not freed, and the most of them since ResetHeapPeak.
int64_t HeapBytes();
int64_t HeapPeak();
void ResetHeapPeak();

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTING_CONFORMANCE_HEAP_COUNTER_H_
