#include "jit/runtime/iterations.h"

namespace sinter::jit {

namespace {

/// Until data lies where the new way has it.
constexpr std::uint32_t moving = 2;
constexpr std::uint32_t measured = 6;
/// Nanoseconds of an iteration: launches of longer ones find out for themselves.
constexpr double longest = 100'000;

} // namespace

void Iterations::begin_part() {
  switch (part_) {
  case Part::First:
    part_ = Part::Second;
    left_ = 1;
    break;
  case Part::Second:
    usual_ = nanoseconds_per(1);
    if (usual_ > longest) {
      meter_ = nullptr;
      return;
    }
    return choose();
  case Part::Moving:
    part_ = Part::Measured;
    left_ = measured;
    break;
  case Part::Measured:
    meter_->add(bytes_, *context_.way, nanoseconds_per(measured));
    return choose();
  }
  begin_ = now_();
}

void Iterations::choose() {
  const WorkMeter::Way way = meter_->choose({.count = bytes_, .expected_nanoseconds = usual_});
  const bool is_other = context_.way != way;
  context_.way = way;
  part_ = is_other ? Part::Moving : Part::Measured;
  left_ = is_other ? moving : measured;
  begin_ = now_();
}

} // namespace sinter::jit
