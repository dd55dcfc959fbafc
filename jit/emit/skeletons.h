// What the groups of a SOAC leave between the chunks of a kernel, and in which phases they take
// part: the table skeletons.def, to be asked.  Nothing here depends on the machine.
#pragma once

#include "jit/ir/groups.h"
#include "jit/ir/ir.h"

#include <cstddef>
#include <vector>

namespace sinter::jit {

/// Phases of a launch, a set of bits (kernel_abi.h says what they do).
namespace phases {
enum Phase : unsigned {
  Run = 1,     ///< the elements of a chunk
  Combine = 2, ///< the partial values of all chunks, in order
  Finish = 4,  ///< a chunk's elements once more, from what came before it on
};
} // namespace phases

bool takes_part(const ir::Group& group, phases::Phase phase);
bool takes_part(const ir::Soac& soac, phases::Phase phase);

/// One operand for each value that a chunk leaves behind, of its type.
std::vector<ir::Operand> partial_values(const ir::Group& group);

/// Where a group's values are among those of its SOAC.
struct GroupPosition {
  std::size_t body_result = 0, result = 0, partial = 0; ///< the first ones
};
/// By group.
std::vector<GroupPosition> group_positions(const ir::Soac& soac);
/// Of a post, by group, where its scan is at `at`; body results are those of the post's body.
std::vector<GroupPosition> group_positions(const ir::ScanGroup& scan, const GroupPosition& at);

} // namespace sinter::jit
