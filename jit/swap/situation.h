// What holds while the evaluator runs: values that all parts of the accelerator look at.
//
// Must not know: sites, regions, and what is decided on account of all this.
#pragma once

#include "jit/gate/hot_swap.h"
#include "lang/eval/accelerator.h"

#include <cstdint>
#include <random>
#include <vector>

namespace sinter::jit {

/// The expressions with attributes that ask something of the accelerator and are around what runs.
class AttributesAround {
public:
  void enter(const core::Attributed& attributed);
  void leave(const core::Attributed& attributed) noexcept;
  bool interpret() const { return interpret_ > 0; }
  /// The outermost `#[accelerate]`, which is the one that counts; null if there is none.
  const core::Attributed* mark() const { return marks_.empty() ? nullptr : marks_.front(); }
  bool is_unsafe() const { return unsafe_ > 0; }

private:
  unsigned interpret_ = 0, unsafe_ = 0;
  std::vector<const core::Attributed*> marks_; ///< outermost first
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

  bool is_gpu_absent = false; ///< as it turned out when a mark preferred one

  /// The mode that holds for what runs now.
  Mode mode() const;
  /// The device that it is compiled for.
  DeviceChoice device() const;
  bool chance(unsigned one_in) { return random() % one_in == 0; }
  void reseed();
};

} // namespace sinter::jit
