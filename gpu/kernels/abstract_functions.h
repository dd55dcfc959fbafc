// The functions by which kernels say what LLVM IR has no instruction for (abstract_functions.def).
//
// A kernel's module is one for all targets: these declarations are what is replaced.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sinter::gpu {

/// Address spaces of LLVM IR, as NVPTX numbers them.
inline constexpr unsigned global_space = 1;
inline constexpr unsigned shared_space = 3;

inline constexpr unsigned warp_size = 32;
inline constexpr unsigned most_threads = 1024; ///< of a block

enum class AbstractType : std::uint8_t {
  Nothing,
  Bool,
  I32,
  I64,
  Global, ///< `ptr addrspace(1)`
  Shared, ///< `ptr addrspace(3)`
};

enum class AbstractFunction : std::uint8_t {
#define SINTER_GPU_FUNCTION(name, ...) name,
#include "gpu/kernels/abstract_functions.def"
#undef SINTER_GPU_FUNCTION
};

/// A row of the table.
struct AbstractFunctionRow {
  std::string_view symbol; ///< in a module
  AbstractType result = AbstractType::Nothing;
  std::span<const AbstractType> parameters;
  bool is_synchronising = false;
};

std::span<const AbstractFunctionRow> abstract_functions();
const AbstractFunctionRow& row_of(AbstractFunction function);

} // namespace sinter::gpu
