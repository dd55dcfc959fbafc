// When the evaluator's work is compiled: the policy of Mode::Auto.
//
// The language is pure, so starting again is always allowed, and compiling is cheap (the first tier
// takes milliseconds).  So: *outermost first*.
// - Candidates are what an evaluation begins with (a prompt's input, an entry point, a constant),
//   and each call that runs in it, as long as its arguments can be kept without cost.
// - When something expensive is about to happen (its forecast, or what is projected from the
//   elements and iterations so far, surely takes longer than compiling, or fills much memory), then
//   the outermost candidate that has not run for long begins again as compiled code.
// - So does one that has been interpreted for as long as compiling takes, with no end in sight: it
//   may as well end at once, so its code is made in the background meanwhile, and only waited for
//   when that, too, takes long.
// - What cannot be traced is tried at most once for each form of its inputs: then it is the next
//   candidate's turn, inwards; in the end the operation's or the loop's own.  Nothing is thrown
//   away before there is code to go on with.
// - What is worth it now is compiled at once, in the first tier; in the second, if even the first
//   one's code would run for longer than that takes.  What has run often, each time for too short
//   to be worth it (profile.h), is compiled in the background, the outermost call first, and
//   swapped in at a later call: so no call takes much longer than one before it.
// - Forecasts are corrected by what was measured, where that is.
// - What an earlier process made code for (jit/gate/precedents.h) is compiled when it begins, since
//   the code lies on disk: at once, where the evaluator takes longer than finding it there does.
// - What runs for long in the first tier's code gets the second while it goes on.
// - What has run for long is not thrown away: the rest of the operation, or of the loop, is
//   compiled and goes on from there.
//
// The bound: let an evaluation take I interpreted and J compiled, with compiling.  Where I is below
// `worth_waiting`, twice what compiling costs, it is interpreted.  Else what is thrown away has
// taken no longer than `long_enough`, or than its code took to be made, or a tenth of what was
// still to come, and the time in auto is at most the better of I and J plus compiling twice: once
// for what is begun again, once for a forecast that was wrong.  Memory: much of it is not filled
// before it is known whether compiled code would fill it.
//
// This file knows neither clocks nor compilers: facts in, decisions out.
#pragma once

#include "jit/gate/opening.h"
#include "lang/eval/forecast.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace sinter::jit {

/// About what it costs to compile a region, in nanoseconds of interpreted time: few take longer in
/// the first tier.
inline constexpr std::int64_t compiling_cost = 10'000'000;
/// What takes so long is worth compiling before it goes on.
inline constexpr std::int64_t worth_waiting = 2 * compiling_cost;
/// What takes so long when it is interpreted runs, in the first tier's code, for longer than the
/// second tier takes to be made.
inline constexpr std::int64_t worth_optimising = 1000 * compiling_cost;
/// About what it costs to launch one.
inline constexpr std::int64_t launching_cost = 5'000;
/// About what it costs to make a region whose code lies on disk.
inline constexpr std::int64_t finding_cost = compiling_cost * 2 / 5;
/// What takes so long is worth a note for other processes.
inline constexpr std::int64_t worth_noting = finding_cost / 2;
/// What has run for longer is not thrown away, unless much more than that is still to come.
inline constexpr std::int64_t long_enough = worth_waiting + compiling_cost / 2;
/// What has been interpreted for so long, with no end in sight, gets code in the background.
inline constexpr std::int64_t long_without_end = compiling_cost;
/// And after so long it waits for it: nobody in the background has had the time.
inline constexpr std::int64_t too_long_without_end = 4 * compiling_cost;

/// What is known of a candidate.
struct CandidateFacts {
  std::int64_t running = 0;     ///< nanoseconds since it began, or since there has been a JIT
  std::int64_t interpreted = 0; ///< nanoseconds that the evaluator has spent in it
  bool may_begin_again = false; ///< its inputs are there, and it has not been refused yet
  /// Code for it, which was asked for before it had run for long.
  enum class Code : std::uint8_t { None, Coming, There } code = Code::None;
};

/// Which candidate is to begin again, and why in words.
struct Decision {
  std::size_t candidate = 0; ///< position among those that were given
  std::string why;
  bool waits = true; ///< until its code is there; else that is made in the background
};

/// Whether work is worth compiling something for, before it goes on.
bool is_worth_compiling(const eval::Forecast& ahead);
/// Why, in words.
std::string reason(const eval::Forecast& ahead);
/// Whether what is compiled for it is to get the second tier at once.
bool is_worth_optimising(const eval::Forecast& ahead);

/// Whether it is worth waiting until the code has been found that an earlier process made.
bool is_worth_finding(const Precedent& precedent);

/// Which candidate is to begin again, if any.  The candidates are those around the work that lies
/// ahead (none: an empty forecast), outermost first.
std::optional<Decision> decide(const eval::Forecast& ahead,
                               std::span<const CandidateFacts> candidates);

/// "1.25 ms", "340 ms".
std::string milliseconds(std::int64_t nanoseconds);

/// Time and the work that was done in it, one way or the other.
struct Pace {
  std::int64_t nanoseconds = 0;
  std::uint64_t work = 0; ///< elements
  std::uint64_t runs = 0;
  void add(std::int64_t taken, std::uint64_t done) {
    nanoseconds += taken;
    work += done;
    ++runs;
  }
  /// What so much work would take; -1: unknown.
  std::int64_t time_for(std::uint64_t work) const;
};

/// The forecast as it is after the same has been done at a pace, if for long enough to tell.
eval::Forecast corrected(eval::Forecast forecast, const Pace& measured, std::uint64_t work);

/// Whether compiled code is to take work that the evaluator has done at one pace (with what is
/// compiled inside of it), and the code at another.
bool is_worth_launching(const Pace& interpreted, const Pace& compiled, std::uint64_t work);

/// Whether compiled code has lost: both have been measured for long enough, on arrays, and it is
/// the slower one.  Then it is kept out even where much work lies ahead.
bool has_lost(const Pace& interpreted, const Pace& compiled);

} // namespace sinter::jit
