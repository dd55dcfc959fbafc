// What a mark objects to: why something that is to be accelerated is not, or not all of it.
#pragma once

#include "jit/passes/carried_states.h"
#include "jit/runtime/executable.h"
#include "jit/trace/trace.h"

#include <optional>
#include <string>
#include <string_view>

namespace sinter::jit {

struct MarkObjection {
  std::string_view id; ///< of a help page
  std::string message;
  Span span; ///< of what it is about; unknown: all that is marked
};

/// None where the program itself fails: then the evaluator has the words for it.
std::optional<MarkObjection> objection_to(const Untraceable& untraceable);
/// To code that was made for a mark, or planned: something is walked, or runs on another place than
/// the mark demands.
std::optional<MarkObjection> objection_to(const Executable& executable,
                                          const syntax::AccelerateMark& mark);

/// The id of what a loop that is marked `#[parallel]` carries.
inline constexpr std::string_view carried_id = "loop-carried";
/// Of one that carries nothing, and is not made parallel.
inline constexpr std::string_view staying_id = "loop-not-parallel";
/// "`acc` is carried: a round reads what another one may have written"
std::string text(const CarriedState& state);

} // namespace sinter::jit
