// A loop whose rounds need nothing of each other, written as SOACs (parallel_loops.h).
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/facts.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace sinter::jit {

/// Where a loop is.
struct LoopPlace {
  bool is_in_soac = false;
  bool is_in_marked_loop = false; ///< which then becomes a SOAC, whatever is in it
};

/// Whether the loop writes here and there (bins, scattered elements) inside of a SOAC, where its
/// own thread does that, one after the other: a loop needs no more for it than the array.
bool had_better_stay(const ir::Function& function, const ir::For& loop, const LoopPlace& place);

/// What stands for a loop.
struct WrittenLoop {
  std::optional<std::vector<ir::Statement>> statements; ///< nothing if it stays
  /// Where it stays though it carries nothing, and is not too short for more: why, in words.
  std::string_view why_it_stays;
};

/// Of the loop that the statement is.  `prefixes`: values of scans, which had better be inputs.
WrittenLoop write_loop(ir::Function& function, const ir::Statement& statement, Facts& facts,
                       LoopPlace place, const std::unordered_set<std::uint32_t>& prefixes);

} // namespace sinter::jit
