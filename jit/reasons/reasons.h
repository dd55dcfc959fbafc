// Why something was done, or not done, to a piece of the program: the rows of reasons.def.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace sinter::jit {

enum class Reason : std::uint8_t {
#define SINTER_REASON(Id, ...) Id,
#include "jit/reasons/reasons.def"
#undef SINTER_REASON
};

/// What a reason is given for.
enum class ReasonKind : std::uint8_t {
  Compiled,      ///< a region is to be
  CompiledAgain, ///< the site had a region before; in front of that
  Interpreted,   ///< a site is, so far
  KeptOut,       ///< compiled code is; behind why it was made
  NotTraced,     ///< … and never will be: it has no form in compiled code
  NotEmitted,    ///< a kernel has no code: it is walked
  NotFused,      ///< two operations are not one
  KeptWhole,     ///< … and the array between them is not made piece by piece
};

struct ReasonRow {
  ReasonKind kind;
  std::string_view name;  ///< for programs: "other-extent"
  std::string_view words; ///< each `%` stands for a detail
};

/// All, in the order of Reason.
std::span<const ReasonRow> all_reasons();
const ReasonRow& row_of(Reason reason);
/// For people; as many details as the row has places for.
std::string words(Reason reason, std::initializer_list<std::string> details = {});

} // namespace sinter::jit
