// A module of kernels becomes one for the host: calls of the table's functions go to functions of
// the host (exchanges with the same threads that follow each other are one call), and accesses to
// memory are checked before they are made.
#pragma once

#include "gpu/emulator/kernel_run.h"
#include "gpu/kernels/gpu_module.h"
#include "jit/cpu/engine.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sinter::gpu {

struct InstrumentedEntry {
  std::string name;
  std::uint32_t words = 0, threads = 0;
  bool is_synchronising = false; ///< its threads may have to wait for others
  std::size_t local_bytes = 0;   ///< of its own arrays, and of those of what it calls
};

struct InstrumentedModule {
  /// `run` has the type of EntryCode; with the number after the last entry it writes where the
  /// module's constants are: address and bytes of each.
  jit::EmittedKernel kernel;
  std::vector<InstrumentedEntry> entries; ///< as the module's
  std::size_t constants = 0, constant_bytes = 0;
  std::string bitcode; ///< of the module as it was
};

/// Code will act on this run.  Throws DeviceError (NoCode) if the module is not what
/// gpu_module.h says, or has instructions that cannot be checked.
InstrumentedModule instrument(GpuModule module, KernelRun& run, const EmulatedChecks& checks);

/// The text of an instruction by its number, and the function that it is in.
struct InstructionText {
  std::string function, text;
};
InstructionText instruction_text(const std::string& bitcode, std::uint32_t number);

} // namespace sinter::gpu
