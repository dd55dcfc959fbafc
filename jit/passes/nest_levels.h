// Which maps can be distributed (distribute.h), and what decides about it when they run.
#pragma once

#include "jit/ir/ir.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::jit {

/// More elements of a map keep a device's threads busy by themselves.
inline constexpr std::int64_t most_distributed = 1 << 14;

/// What is inside of a map that can be distributed.
struct NestLevels {
  std::vector<ir::Operand> extents; ///< of the SOACs in its body, each once; known before the map
  bool has_loops = false;           ///< with SOACs inside
  /// So many elements inside pay for being spread over threads; in a loop each of whose rounds
  /// becomes launches of its own, more.
  std::int64_t least_inside() const { return has_loops ? 1024 : 128; }
};

/// Of a map whose body has several SOACs, or a loop with some, beside scalar code and views, at
/// sizes that may be worth it; nothing of any other statement.
std::optional<NestLevels> find_nest_levels(const ir::Function& function,
                                           const ir::Statement& statement);

} // namespace sinter::jit
