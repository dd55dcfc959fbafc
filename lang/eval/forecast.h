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
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace sinter::eval {

/// Work that is about to be done.
struct Forecast {
  std::int64_t nanoseconds = 0; ///< that the evaluator takes for it
  std::uint64_t bytes = 0;      ///< of memory that it fills
};

/// Of the elements of all arrays in a value or in several.
std::uint64_t elements_in(const Value& value);
std::uint64_t elements_in(std::span<const Value> values);

/// The value of a global, if it has been computed.  May be empty: then none is known.
using KnownGlobal = std::function<std::optional<Value>(const core::Global&)>;

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

  /// A whole evaluation of an expression that needs nothing around it, with `slots` in its frame:
  /// what is known of numbers and extents is followed through functions, operations and loops.
  Forecast evaluation(const core::Expr& expr, std::size_t slots, const KnownGlobal& global);
  /// The same of a call with its captures and arguments.
  Forecast call(const core::Function& function, std::span<const Value> captures,
                std::span<const Value> arguments, const KnownGlobal& global);

  /// The same, if it is not the call that was asked for last; else nothing is forecast: who calls
  /// again and again knows by then.
  Forecast first_call(const core::Function& function, std::span<const Value> captures,
                      std::span<const Value> arguments, const KnownGlobal& global);

  /// One call, in nanoseconds, whatever its arguments.
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
  const core::Function* last_call_ = nullptr;
  std::vector<std::uint64_t> last_sizes_; ///< of its arguments: scalars, and how many elements
};

} // namespace sinter::eval
