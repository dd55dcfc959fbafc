// Kernels of a device as LLVM IR, the same for every target.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace sinter::gpu {

/// What every launch needs to know of an entry point.
struct EntryPoint {
  std::string name;
  /// All parameters are words of 64 bits: numbers, or addresses in the device's memory.
  std::uint32_t words = 0;
  std::uint32_t threads = 256; ///< of a block
  /// That a thread may have.  (An assembler that is told nothing keeps some of what few threads
  /// would have room for in memory, to have more threads.)
  std::uint32_t registers = 64;
  /// Of a block's shared memory, beside what launches ask for: what may go to its threads' own
  /// arrays that are no registers.
  std::uint32_t shared_bytes_of_arrays = 0;
  /// Entry points with the same number do the kernel's work by themselves: where there are several
  /// numbers, which of them a launch takes is a matter of sizes.
  std::uint32_t alternative = 0;
};

/// Entry points are functions `void NAME(i64, …)` (a word that is an address may be declared as
/// `ptr addrspace(1)`), without any attribute of a target; what they call of
/// abstract_functions.def is declared.  All other functions are internal.
struct GpuModule {
  GpuModule();
  GpuModule(GpuModule&&) noexcept;
  GpuModule& operator=(GpuModule&&) noexcept;
  ~GpuModule();

  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::vector<EntryPoint> entries;
};

/// A context for a module that is emitted: only functions and variables of the module have names in
/// it, as names of values take time and nobody reads them.
std::unique_ptr<llvm::LLVMContext> make_kernel_context();

/// Leaves of the entry points those with such names, and what these use.
void keep_entries(GpuModule& module, const std::vector<std::string>& names);

/// Says in the module itself that all addresses which enter kernels as words, or are loaded from
/// the device's memory, are addresses of the device's memory (as those of a block's shared memory
/// are not).
void promise_global_addresses(llvm::Module& module);
bool promises_global_addresses(const llvm::Module& module);

} // namespace sinter::gpu
