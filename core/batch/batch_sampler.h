#ifndef LOGITCHAIN_CORE_BATCH_BATCH_SAMPLER_H_
#define LOGITCHAIN_CORE_BATCH_BATCH_SAMPLER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/core/batch/executor.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/logits_matrix.h"
#include "logitchain/core/sample.h"

namespace logitchain {

// Names a sequence of a BatchSampler, from Add to Remove and never another one after that. The
// value 0 names none.
enum class SlotId : uint64_t {};

// Samples for many sequences at once.
//
//   BatchSampler batch;
//   absl::StatusOr<SlotId> slot = batch.Add(std::move(chain));
//   …
//   for (;;) {
//     // logits: one row for each sequence of this step, in any order; slots: whose row it is.
//     const auto samples = batch.Sample(logits, slots);
//     …
//   }
//
// Each slot has its own chain, and with it its own rules, dialect, seed and history. A row's result
// depends on its logits and its slot's chain alone: it is what chain.Sample would give, whatever
// else is in the batch, in whatever order, on however many threads.
//
// Used by one thread at a time. Rows run on the executor, and rules of different chains therefore
// at the same time; a rule that keeps its state to itself needs no lock.
class BatchSampler {
 public:
  // `executor` may serve several samplers. Null: a TbbExecutor with all of the machine's
  // processors.
  explicit BatchSampler(std::shared_ptr<Executor> executor = nullptr);

  // Takes a sequence in, in the state that its chain is in. InvalidArgument if `chain` is null.
  absl::StatusOr<SlotId> Add(std::unique_ptr<Chain> chain);

  // Drops a sequence. NotFound if there is none in this slot.
  absl::Status Remove(SlotId slot);

  // The chain of a slot, to read its history, roll it back or commit a token that was not sampled;
  // null if there is none. It lives until Remove.
  Chain* Find(SlotId slot) const;

  // Number of sequences.
  size_t size() const { return slots_.size(); }

  // Draws and commits a token for each row; row i is for the sequence in slots[i]. The result has
  // as many elements as `slots`, each for the row of its index, and is valid until the next call.
  //
  // A row that fails leaves its chain as it was, and the other rows alone. Beside what
  // Chain::Sample says: NotFound if there is nothing in the slot; InvalidArgument in every row that
  // names a slot which another row names too; and InvalidArgument in all rows if the matrix is not
  // one, or has not one row for each slot.
  //
  // Once every slot has seen logits of this type, nothing is allocated here; beside what the chains
  // hold, there is one row of float32 for each thread if logits are not read in place.
  absl::Span<const absl::StatusOr<logitchain::Sample>> Sample(const LogitsMatrix& logits,
                                                              absl::Span<const SlotId> slots);

 private:
  struct Slot {
    std::unique_ptr<Chain> chain;
    uint64_t call = 0;      // The last call of Sample that named the slot,
    bool is_alone = false;  // and whether it did so once.
  };

  // Buffers of one row, as many as rows ever ran at the same time.
  class ScratchPool {
   public:
    std::vector<float> Take();
    void Return(std::vector<float> scratch);

   private:
    std::mutex mutex_;
    std::vector<std::vector<float>> free_;
  };

  // Fills rows_: null where there is no such slot.
  void FindSlots(absl::Span<const SlotId> slots);

  absl::StatusOr<logitchain::Sample> SampleRow(const LogitsMatrix& logits, size_t row, SlotId id);

  std::shared_ptr<Executor> executor_;
  uint64_t slots_added_ = 0;
  absl::flat_hash_map<SlotId, Slot> slots_;
  ScratchPool scratch_;

  uint64_t calls_ = 0;
  std::vector<Slot*> rows_;
  std::vector<absl::StatusOr<logitchain::Sample>> samples_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_BATCH_BATCH_SAMPLER_H_
