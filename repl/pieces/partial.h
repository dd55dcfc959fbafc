// Partials: states of pieces of an entry point's run, with what they are states of.
#pragma once

#include "jit/gate/pieces.h"
#include "lang/values/format.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinter::repl {

/// What pieces have to have in common to be pieces of one run.
struct PieceWork {
  std::uint64_t program = 0; ///< core::digest of the entry point
  std::string version;       ///< of Sinter
  std::string entry;
  std::int64_t extent = 0;         ///< along which the work is cut
  std::vector<std::string> inputs; ///< what each is, as far as pieces have it in common
  std::vector<jit::StateComponent> state;
};

struct Partial {
  PieceWork work;
  std::int64_t first = 0, count = 0; ///< the indices that it is of
  /// By component.  Stacked ones are arrays: their first dimension is over pieces.
  jit::PieceState state;
  std::string source; ///< for messages: the file that it is from
};

/// Gives the components that are to be stacked their dimension over pieces.
jit::PieceState stacked(jit::PieceState state, const std::vector<jit::StateComponent>& components,
                        MemoryBudget& memory, Representations& representations);

/// What is wrong if the two are not pieces of one run.
std::optional<std::string> difference(const Partial& a, const Partial& b);

/// The state of all of them, which are of one run and follow each other, in whatever order they are
/// given.  Throws FormatError if that is not so; at least one.
Partial combined(std::vector<Partial> partials, MemoryBudget& memory,
                 Representations& representations);

/// What is said of an input in PieceWork: "[1000]f64"; with `digest`, also of its contents, where
/// they are short.
std::string description(const Value& value, const Representation* type, bool with_digest);

/// Where piece `number` of `pieces` begins (so the next one's beginning is its end), numbers from 0
/// to `pieces`: as even as multiples of `row` allow, and of whole blocks where there are many.
std::int64_t cut_before(std::int64_t number, std::int64_t pieces, std::int64_t extent,
                        std::int64_t row);

} // namespace sinter::repl
