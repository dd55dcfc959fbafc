// What work lies ahead, by looking at the program and at sizes alone.
//
// Whoever decides what is worth compiling has to know that before the work has begun, and before
// anything that could compile it has been opened.  So forecasts need neither: they are what the
// evaluator surely takes, about, where the program alone does not tell for how long something goes
// on (a `while`, inner arrays of unknown sizes).  Time that is measured corrects them.
#pragma once

#include "lang/core/core.h"
#include "lang/eval/domain.h"
#include "lang/values/concrete.h"

#include <cstdint>
#include <span>
#include <unordered_map>

namespace sinter::eval {

/// Work that is about to be done.
struct Forecast {
  std::int64_t nanoseconds = 0; ///< that the evaluator takes for it
  std::uint64_t bytes = 0;      ///< of memory that it fills
};

/// Of the elements of all arrays in a value or in several.
std::uint64_t elements_in(const Value& value);
std::uint64_t elements_in(std::span<const Value> values);

/// Remembers what it found out about functions; for one thread.
class Forecaster {
public:
  /// Whether it has array operations, ranges or loops inside, or calls what has: others are never
  /// worth a launch of their own.
  bool has_work(const core::Function& function);
  bool has_work(const core::Expr& expr);
  /// Whether a call may write into an argument that nobody else owns, as far as can be seen.
  bool may_update(const core::Function& function);

  /// Whether the arguments of a call can be kept for another time without cost: they are not such
  /// large arrays as the call would overwrite otherwise, and no accumulators.
  bool can_keep(const core::Function& function, std::span<const Value> arguments);

  /// One call, in nanoseconds.
  std::int64_t call(const core::Function& function);
  std::int64_t expression(const core::Expr& expr);
  /// An application of an array operation.
  Forecast operation(primitives::ArrayOperation operation, const Representation* result,
                     std::span<const Value> arguments);
  /// A range or an array of so many scalars of so many bytes.
  static Forecast filled(std::int64_t count, std::size_t bytes);

private:
  std::unordered_map<const core::Function*, bool> work_, updates_;
  std::unordered_map<const core::Function*, std::int64_t> calls_;
};

} // namespace sinter::eval
