// What running code costs, where that is estimated: the unit, and what it is worth.
//
// The unit is an *addition*: an instruction on numbers that are in registers, of one element in
// scalar code, of a vector of elements in lanes.  The rows of lang/primitives/primitives.def and of
// operations.def have costs in it, passes/cost.h adds them up, and the limits of passes (what may
// be computed twice, or in vain) are given in it.  What else code takes stands here.
//
// Other things are measured elsewhere, in nanoseconds:
// - the evaluator (lang/eval/forecast_costs.h): it takes several for a node of a program, beside
//   which what an operation itself takes is nothing;
// - what is done with code (gate/opening.h, swap/policy.h): to open the JIT, to compile, to launch;
// - launches as they were (cpu/work_meter.h), which decide where an estimate would be too rough.
#pragma once

#include <cstdint>

namespace sinter::costs {

// ---- in additions ------------------------------------------------------------------------------

/// A primitive that takes so many is a function rather than an instruction.
inline constexpr std::uint16_t function_call = 16;
/// A vector that is read or written in one piece.
inline constexpr double contiguous_access = 1.5;
/// A vector of elements of as many rows, by way of squares that are turned over.
inline constexpr double turned_access = 6;
/// The same of rows that end apart, where no registers of their own hold masks.
inline constexpr double turned_access_under_masks = 24;
/// The loop around elements in lanes: bounds and the masked rest.
inline constexpr double range_of_lanes = 4;
/// A step of a fold, for which the next one waits.
inline constexpr double folding_step = 4;
/// To take a lane from a vector: few of a processor's units do that.
inline constexpr double lane_to_number = 3;
/// That each lane stores at a place of its own in an array that it reads again: such a load waits
/// until all lanes' stores have left for the cache.
inline constexpr double scattered_update = 32;

// ---- in nanoseconds ----------------------------------------------------------------------------

/// Of one element, where lanes work together.
inline constexpr double nanoseconds_per_addition = 0.08;
/// To read or write a byte of an array that is in no cache.
inline constexpr double nanoseconds_per_byte = 0.06;

// ---- how often ---------------------------------------------------------------------------------

/// How often a loop runs whose count is not known.  For a plan of lanes, loops are long: if they
/// are short, it matters little.  A launch is cut by what its elements take on the average.  (The
/// evaluator's forecasts take few: only what surely takes long is worth the JIT.)
inline constexpr double unknown_count_in_plan = 64, unknown_count_in_launch = 16;
/// Lanes whose loops have counts of their own go on until the last one is done.
inline constexpr double uneven_trips = 16;
/// The same of loops whose lanes compute, and gather nothing, which takes as long for few of them.
inline constexpr double uneven_rounds = 4;

} // namespace sinter::costs
