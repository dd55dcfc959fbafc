// When the JIT is opened in Mode::Auto: the gate's policy.
//
// To open it and to compile something for the first time takes some milliseconds, and memory.  What
// surely takes much longer, or fills much memory, is worth waiting for that.  Other work is
// interpreted meanwhile: once the evaluations of a session have taken as long as opening does, the
// JIT is opened in the background, for what is still to come.  So the time that is lost in the one
// case or the other is at most about what opening costs, and what is small opens nothing.
//
// Where an earlier process made code for what begins (precedents.h), that code is found quickly: it
// is worth waiting for if the evaluator takes longer than opening does; if not, the JIT is opened
// in the background at once, since what came later was worth it.
//
// Like jit/swap/policy.h, which goes on from there, this knows no clock: facts in, a decision out.
#pragma once

#include "jit/gate/precedents.h"
#include "lang/eval/forecast.h"

#include <cstdint>
#include <optional>

namespace sinter::jit {

/// About what it costs to open the JIT and to compile the first region, in nanoseconds.
inline constexpr std::int64_t opening_cost = 8'000'000;
/// What surely takes so long is worth opening it and waiting for code.
inline constexpr std::int64_t worth_opening = 20'000'000;
/// So much memory is not filled without having asked whether compiled code would.
inline constexpr std::uint64_t much_memory = std::uint64_t{8} << 20;

enum class Opening : std::uint8_t { NotYet, InBackground, AtOnce };

/// `ahead` is about to be done; `interpreted` nanoseconds have gone into what could be compiled;
/// `precedent` is what begins.
Opening decide_opening(const eval::Forecast& ahead, std::int64_t interpreted,
                       const std::optional<Precedent>& precedent = {});

} // namespace sinter::jit
