// Which partitions there is a skeleton for.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::gpu {

/// Whether a parallel kernel's SOAC is one partition of scalars, maybe beside maps, whose body has
/// no memory of its own, and the number of whose kinds is known before the launch.
bool partitions_scalars(const ir::Function& function, const ir::Soac& soac);

} // namespace sinter::gpu
