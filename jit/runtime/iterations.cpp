#include "jit/runtime/iterations.h"

#include <algorithm>

namespace sinter::jit {

namespace {

/// Until data lies where the new way has it.
constexpr std::uint32_t moving = 2;
constexpr std::uint32_t measured = 6;
/// Of the way that is known to be the better one, so many go on unseen between two that are
/// measured, at first and at most: whoever goes through several at a time (loop_team.h) should not
/// begin too often.
constexpr std::uint32_t first_unseen = 12, most_unseen = 48;
/// Nanoseconds of an iteration: launches of longer ones find out for themselves.
constexpr double longest = 100'000;

} // namespace

void Iterations::begin() {
  if (!meter_ || !meter_->better(bytes_)) return;
  usual_ = meter_->nanoseconds_alone(bytes_);
  if (usual_ > longest) {
    meter_ = nullptr;
    return;
  }
  unseen_ = most_unseen;
  choose();
  if (part_ != Part::Moving || meter_->better(bytes_) != context_.way) return;
  part_ = Part::Unseen;
  left_ = unseen_;
}

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
  if (is_other) {
    part_ = Part::Moving;
    left_ = moving;
  } else if (meter_->better(bytes_) == way) {
    unseen_ = std::clamp(2 * unseen_, first_unseen, most_unseen);
    part_ = Part::Unseen;
    left_ = unseen_;
  } else {
    left_ = measured;
  }
  begin_ = now_();
}

} // namespace sinter::jit
