#include "logitchain/core/batch/batch_sampler.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/core/batch/executor.h"
#include "logitchain/core/batch/tbb_executor.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/logits_matrix.h"
#include "logitchain/core/sample.h"

namespace logitchain {
namespace {

absl::Status NoSlotError(SlotId slot) {
  return absl::NotFoundError(
      absl::StrCat("there is no sequence in slot ", static_cast<uint64_t>(slot)));
}

absl::Status CheckShape(const LogitsMatrix& logits, size_t slots) {
  if (absl::Status status = logits.Check(); !status.ok()) return status;
  if (logits.rows == slots) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("there are ", logits.rows, " rows of logits for ",
                                                 slots, " slots; each slot has a row"));
}

}  // namespace

BatchSampler::BatchSampler(std::shared_ptr<Executor> executor)
    : executor_(executor != nullptr ? std::move(executor) : std::make_shared<TbbExecutor>()) {}

absl::StatusOr<SlotId> BatchSampler::Add(std::unique_ptr<Chain> chain) {
  if (chain == nullptr) return absl::InvalidArgumentError("the chain is null");
  const auto id = static_cast<SlotId>(++slots_added_);
  slots_[id].chain = std::move(chain);
  return id;
}

absl::Status BatchSampler::Remove(SlotId slot) {
  return slots_.erase(slot) == 1 ? absl::OkStatus() : NoSlotError(slot);
}

Chain* BatchSampler::Find(SlotId slot) const {
  const auto found = slots_.find(slot);
  return found == slots_.end() ? nullptr : found->second.chain.get();
}

absl::Span<const absl::StatusOr<Sample>> BatchSampler::Sample(const LogitsMatrix& logits,
                                                              absl::Span<const SlotId> slots) {
  samples_.resize(slots.size());
  if (const absl::Status status = CheckShape(logits, slots.size()); !status.ok()) {
    for (absl::StatusOr<logitchain::Sample>& sample : samples_) sample = status;
    return samples_;
  }
  FindSlots(slots);
  executor_->ParallelFor(slots.size(),
                         [&](size_t row) { samples_[row] = SampleRow(logits, row, slots[row]); });
  return samples_;
}

void BatchSampler::FindSlots(absl::Span<const SlotId> slots) {
  ++calls_;
  rows_.clear();
  for (const SlotId id : slots) {
    const auto found = slots_.find(id);
    Slot* slot = found == slots_.end() ? nullptr : &found->second;
    rows_.push_back(slot);
    if (slot == nullptr) continue;
    slot->is_alone = slot->call != calls_;
    slot->call = calls_;
  }
}

absl::StatusOr<Sample> BatchSampler::SampleRow(const LogitsMatrix& logits, size_t row, SlotId id) {
  Slot* slot = rows_[row];
  if (slot == nullptr) return NoSlotError(id);
  if (!slot->is_alone) {
    return absl::InvalidArgumentError(absl::StrCat("slot ", static_cast<uint64_t>(id),
                                                   " is named by more than one row; a sequence "
                                                   "gets one token a call"));
  }
  // A row in place takes no buffer, and so meets no other row anywhere.
  std::vector<float> none;
  if (logits.IsInPlace()) return slot->chain->Sample(logits.Row(row, none));
  std::vector<float> scratch = scratch_.Take();
  absl::StatusOr<logitchain::Sample> sample = slot->chain->Sample(logits.Row(row, scratch));
  scratch_.Return(std::move(scratch));
  return sample;
}

std::vector<float> BatchSampler::ScratchPool::Take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (free_.empty()) return {};
  std::vector<float> scratch = std::move(free_.back());
  free_.pop_back();
  return scratch;
}

void BatchSampler::ScratchPool::Return(std::vector<float> scratch) {
  const std::lock_guard<std::mutex> lock(mutex_);
  free_.push_back(std::move(scratch));
}

}  // namespace logitchain
