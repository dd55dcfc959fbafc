// What holds while the evaluator runs: values that all parts of the accelerator look at.
//
// Must not know: sites, regions, and what is decided on account of all this.
#pragma once

#include "jit/gate/hot_swap.h"
#include "lang/eval/accelerator.h"

#include <cstdint>
#include <random>

namespace sinter::jit {

/// How many expressions with attributes that ask something of the accelerator are around what runs.
class AttributesAround {
public:
  void enter(core::Attribute attribute);
  void leave(core::Attribute attribute) noexcept;
  bool interpret() const { return interpret_ > 0; }
  bool accelerate() const { return accelerate_ > 0; }
  bool is_unsafe() const { return unsafe_ > 0; }

private:
  /// Null: an attribute that is not ours.
  unsigned* depth_of(core::Attribute attribute);

  unsigned interpret_ = 0, accelerate_ = 0, unsafe_ = 0;
};

/// The evaluation that runs.
struct Evaluation {
  std::uint64_t number = 0;     ///< counts them
  std::uint64_t attempt = 0;    ///< counts evaluations and their repetitions
  std::uint32_t epoch = 0;      ///< of the interrupt source when the attempt began
  std::int64_t began = 0;       ///< in nanoseconds, the first attempt
  bool is_repeated = false;     ///< for the evaluator's words about an error
  std::int64_t keeps_until = 0; ///< of a repeated one: until when it keeps all inputs

  void begin(const InterruptSource* interrupt);
  void repeat(const InterruptSource* interrupt);
};

/// The part of the time that was not the evaluator's, in nanoseconds.
struct TimeAccount {
  std::int64_t ran = 0;    ///< compiled code
  std::int64_t waited = 0; ///< the evaluation, until something was compiled

  /// Notes that work begins now.
  void start(Accelerator::Watch& watch) const;
  /// What has passed since then, but for waiting.
  std::int64_t passed_since(const Accelerator::Watch& watch, std::int64_t now) const {
    return now - watch.began - (waited - watch.waited);
  }
  /// The same, but for compiled code.
  std::int64_t interpreted_since(const Accelerator::Watch& watch, std::int64_t now) const {
    return passed_since(watch, now) - (ran - watch.ran);
  }
};

/// Adds the time until its end to a sum of nanoseconds.
class AddedTime {
public:
  explicit AddedTime(std::int64_t& sum) : sum_(sum), began_(Accelerator::now()) {}
  ~AddedTime() { sum_ += Accelerator::now() - began_; }
  AddedTime(const AddedTime&) = delete;
  AddedTime& operator=(const AddedTime&) = delete;

private:
  std::int64_t& sum_;
  std::int64_t began_;
};

struct Situation {
  Situation(const SwapOptions& asked, SwapContext shared);

  SwapOptions options;
  const SwapContext session;
  AttributesAround attributes;
  Evaluation evaluation;
  TimeAccount time;
  std::minstd_rand random;

  /// The mode that holds for what runs now.
  Mode mode() const;
  bool chance(unsigned one_in) { return random() % one_in == 0; }
  void reseed();
};

} // namespace sinter::jit
