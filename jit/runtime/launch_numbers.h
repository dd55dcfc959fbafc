// Numbers of a launch by which its way is chosen: extents that are a kernel's parameters.
#pragma once

#include "jit/ir/ir.h"
#include "jit/runtime/datum.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

namespace sinter::jit {

/// Which parameter of the kernel it is, if it is one.
inline std::optional<std::size_t> parameter_of(const ir::Function& kernel,
                                               const ir::Operand& operand) {
  if (operand.is_constant()) return std::nullopt;
  const auto& parameters = kernel.body.parameters;
  const auto found = std::ranges::find(parameters, operand.value());
  if (found == parameters.end()) return std::nullopt;
  return static_cast<std::size_t>(found - parameters.begin());
}

/// Of a scalar parameter of type i64; 0 where it is not known here yet.
inline std::int64_t number_of(std::span<const Datum> arguments, std::size_t parameter) {
  const Scalar* const scalar = std::get_if<Scalar>(&arguments[parameter]);
  return scalar ? scalar->as<std::int64_t>() : 0;
}

} // namespace sinter::jit
