#include "logitchain/cli/progress.h"

#include <cmath>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/time/time.h"

namespace logitchain {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(1);
constexpr absl::Duration kInterval = absl::Milliseconds(200);
constexpr char kEraseLine[] = "\r\x1b[K";

}  // namespace

Progress::Progress(std::ostream* terminal, std::string unit, int64_t total, absl::Time now)
    : terminal_(terminal),
      unit_(std::move(unit)),
      total_(total),
      start_(now),
      next_update_(now + kPatience) {}

void Progress::Update(int64_t done, absl::Time now) {
  if (terminal_ == nullptr || now < next_update_ || done <= 0) return;
  next_update_ = now + kInterval;
  const double rate = static_cast<double>(done) / absl::ToDoubleSeconds(now - start_);
  *terminal_ << kEraseLine
             << absl::StrFormat("%d / %d %s (%d%%), %.*f %s/s, %.0f s left", done, total_, unit_,
                                100 * done / total_, rate < 10 ? 1 : 0, rate, unit_,
                                std::ceil(static_cast<double>(total_ - done) / rate))
             << std::flush;
  is_shown_ = true;
}

void Progress::Clear() {
  if (std::exchange(is_shown_, false)) *terminal_ << kEraseLine << std::flush;
}

}  // namespace logitchain
