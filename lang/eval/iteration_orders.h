// Whether a loop that is marked `#[parallel]` gives the same with its iterations in other orders:
// tried, for loops of which nobody could see before what they carry.
//
// What iterations do to arrays is noted while they run (dependent_iterations.h); numbers have no
// memory to be known by.  So the iterations are done again from what the loop began with,
// backwards, and in strides: of n iterations, each one comes k behind the one before, around the
// end, where k is about 0.618 n and has no divisor with it.  What comes of them must be the same,
// floats in all bits but for signs of zeros and what a NaN carries.
#pragma once

#include "lang/core/core.h"
#include "lang/values/concrete.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace sinter::eval {

/// Does the iteration of that number, from a state to the next one.
using Iteration = std::function<Value(std::int64_t number, Value state)>;

/// Whether iterations may be done once more: what they write is theirs alone.
bool can_be_repeated(const Value& state);

/// How the results of one or two other `orders` differ from `result`, the loop's own, if they do:
/// "with its iterations backwards `s` comes to 26, not to 57".  `iterations`: how many it has.  An
/// error of the program is such a difference; others are thrown.
std::optional<std::string> difference_of_orders(const core::Expr& loop, const Value& initial,
                                                const Value& result, std::int64_t iterations,
                                                unsigned orders, const Iteration& iteration);

} // namespace sinter::eval
