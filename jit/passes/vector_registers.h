// What passes know of the processor that a kernel is for.
#pragma once

#include <cstdint>

namespace sinter::jit {

/// The registers that lanes have; as it stands: of x86-64 with AVX2.
struct VectorRegisters {
  std::int64_t bytes = 32; ///< of each; 0: there are no lanes
  std::int64_t count = 16;
  friend bool operator==(const VectorRegisters&, const VectorRegisters&) = default;
};

} // namespace sinter::jit
