#include "jit/swap/situation.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

namespace {

/// An evaluation that is repeated may keep all inputs for as long as the first one took, or for so
/// long.
constexpr std::int64_t least_repeated = 1'000'000'000;

std::uint32_t epoch_of(const InterruptSource* interrupt) {
  return interrupt ? interrupt->epoch() : 0;
}

} // namespace

// ---- attributes --------------------------------------------------------------------------------

void AttributesAround::enter(const core::Attributed& attributed) {
  if (attributed.attribute == core::Attribute::Interpret) ++interpret_;
  if (attributed.attribute == core::Attribute::Unsafe) ++unsafe_;
  if (attributed.attribute == core::Attribute::Accelerate) marks_.push_back(&attributed);
}

void AttributesAround::leave(const core::Attributed& attributed) noexcept {
  if (attributed.attribute == core::Attribute::Interpret) --interpret_;
  if (attributed.attribute == core::Attribute::Unsafe) --unsafe_;
  if (attributed.attribute == core::Attribute::Accelerate) marks_.pop_back();
}

// ---- the evaluation ----------------------------------------------------------------------------

void Evaluation::begin(const InterruptSource* interrupt) {
  ++number;
  ++attempt;
  epoch = epoch_of(interrupt);
  is_repeated = false;
  began = Accelerator::now();
}

void Evaluation::repeat(const InterruptSource* interrupt) {
  ++attempt;
  epoch = epoch_of(interrupt);
  is_repeated = true;
  const std::int64_t present = Accelerator::now();
  keeps_until = present + std::max(present - began, least_repeated);
}

void TimeAccount::start(Accelerator::Watch& watch) const {
  watch.began = Accelerator::now();
  watch.ran = ran;
  watch.waited = waited;
}

// ---- all of it ---------------------------------------------------------------------------------

Situation::Situation(const SwapOptions& asked, SwapContext shared)
    : options(asked), session(std::move(shared)) {
  reseed();
}

Mode Situation::mode() const {
  if (attributes.interpret()) return Mode::Interpret;
  return attributes.mark() ? Mode::Jit : options.mode;
}

DeviceChoice Situation::device() const {
  const core::Attributed* mark = attributes.mark();
  if (!mark || (mark->mark.is_preference && is_gpu_absent)) return options.device;
  return device_for(mark->mark, options.device);
}

void Situation::reseed() {
  random.seed(static_cast<std::minstd_rand::result_type>(options.seed));
}

} // namespace sinter::jit
