// What kind of kernel a function is: parallel over one SOAC, over two nested maps, or sequential.
#pragma once

#include "jit/ir/ir.h"

#include <cstddef>
#include <optional>
#include <string>

namespace sinter::jit {

/// The SOAC that makes the function a parallel kernel, if it is one.
const ir::Soac* parallel_soac(const ir::Function& function);
/// Of a map whose body is, but for some scalars, another map with as many elements each time: that
/// one.
const ir::Soac* nested_map(const ir::Function& function, const ir::Soac& soac);
/// Which parameter the value is, if it is one.
std::optional<std::size_t> parameter_index(const ir::Function& function, ir::ValueId value);
/// The kind of kernel, by the group that demands most ("map", "reduce", …).
std::string skeleton_of(const ir::Soac& soac);

} // namespace sinter::jit
