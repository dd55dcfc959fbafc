#include "jit/runtime/iterations.h"

#include <algorithm>

namespace sinter::jit {

namespace {

/// Until data lies where the new way has it.
constexpr std::uint32_t moving = 2;
constexpr std::uint32_t measured = 6;
/// Between two that are measured in the same way, so many go on unseen at most: whoever goes
/// through several at a time (loop_team.h) should not begin too often.
constexpr std::uint32_t most_unseen = 48;
/// Of a way that is only tried, so many follow each other.
constexpr std::uint32_t most_trials = 4;
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
  case Part::Unseen:
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
  in_a_row_ = is_other ? 0 : in_a_row_ + 1;
  if (is_other) {
    part_ = Part::Moving;
    left_ = moving;
  } else if (in_a_row_ > most_trials) {
    part_ = Part::Unseen;
    left_ = std::min(in_a_row_ * measured, most_unseen);
  } else {
    left_ = measured;
  }
  begin_ = now_();
}

} // namespace sinter::jit
