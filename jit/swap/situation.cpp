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

unsigned* AttributesAround::depth_of(core::Attribute attribute) {
  if (attribute == core::Attribute::Interpret) return &interpret_;
  if (attribute == core::Attribute::Accelerate) return &accelerate_;
  if (attribute == core::Attribute::Unsafe) return &unsafe_;
  return nullptr;
}

void AttributesAround::enter(core::Attribute attribute) {
  if (unsigned* depth = depth_of(attribute)) ++*depth;
}

void AttributesAround::leave(core::Attribute attribute) noexcept {
  if (unsigned* depth = depth_of(attribute)) --*depth;
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
  return attributes.accelerate() ? Mode::Jit : options.mode;
}

void Situation::reseed() {
  random.seed(static_cast<std::minstd_rand::result_type>(options.seed));
}

} // namespace sinter::jit
