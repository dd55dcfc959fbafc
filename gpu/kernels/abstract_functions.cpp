#include "gpu/kernels/abstract_functions.h"

#include <array>
#include <cstddef>

namespace sinter::gpu {

namespace {

using enum AbstractType;

template <typename... Types>
constexpr std::array<AbstractType, sizeof...(Types)> parameters(Types... types) {
  return {types...};
}

#define SINTER_GPU_FUNCTION(name, result, types, ...)                                              \
  constexpr auto parameters_of_##name = parameters types;
#include "gpu/kernels/abstract_functions.def"
#undef SINTER_GPU_FUNCTION

constexpr AbstractFunctionRow rows[] = {
#define SINTER_GPU_FUNCTION(name, result, types, is_synchronising)                                 \
  {"sinter_gpu_" #name, result, parameters_of_##name, is_synchronising},
#include "gpu/kernels/abstract_functions.def"
#undef SINTER_GPU_FUNCTION
};

} // namespace

std::span<const AbstractFunctionRow> abstract_functions() {
  return rows;
}

const AbstractFunctionRow& row_of(AbstractFunction function) {
  return rows[static_cast<std::size_t>(function)];
}

} // namespace sinter::gpu
