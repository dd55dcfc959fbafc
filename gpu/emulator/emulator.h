// A device on the CPU: runs the very module that becomes PTX, with checks that no GPU makes.
#pragma once

#include "gpu/device/device.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sinter::gpu {

/// What is checked while kernels run; a violation is thrown as a DeviceError of that kind.
/// Limits of launches, progress and copies' bounds are checked always.
struct EmulatedChecks {
  bool memory = true;      ///< bounds, alignment, released memory
  bool definition = true;  ///< nothing is read that was never written (needs `memory`)
  bool races = true;       ///< within blocks and between them (needs `memory`)
  bool convergence = true; ///< all of a block come to a barrier, all of a warp to an exchange

  static constexpr EmulatedChecks none() { return {false, false, false, false}; }
};

struct EmulationOptions {
  EmulatedChecks checks;
  std::size_t memory_bytes = std::size_t{64} << 20; ///< of the pretended device
  std::size_t shared_bytes = std::size_t{48} << 10; ///< that a block may have
  /// 0: blocks and threads go in order; other numbers: in an order that follows from the number.
  std::uint64_t seed = 0;
  unsigned blocks_in_flight = 4; ///< at least 1; no other block begins before one of them ends
  /// So often may all threads that can run look at words that stay as they are.
  unsigned patience = 1000;
  /// The memory cannot be touched by the host but by copies, while no kernel runs.
  bool hides_memory = true;
  /// Launches throw nothing: `finish` and copies to the host do.
  bool throws_late = false;
  unsigned tier = 0;                               ///< of the engine's code generation: 2 optimises
  std::size_t stack_bytes = std::size_t{64} << 10; ///< of a thread; half of it for its own arrays
};

/// An allocation that nobody released.
struct Leak {
  DeviceAddress address = 0;
  std::size_t bytes = 0;
  std::uint64_t number = 0; ///< of the allocation, from 1 in the order in which they were made
};

class EmulatedDevice : public Device {
public:
  /// What is allocated and not released, by address.
  virtual std::vector<Leak> leaks() const = 0;
};

/// Launches run at once, in the calling thread.
std::unique_ptr<EmulatedDevice> make_emulated_device(const EmulationOptions& options = {});

} // namespace sinter::gpu
