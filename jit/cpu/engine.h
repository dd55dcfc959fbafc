// From emitted kernels to machine code in this process.
//
// Two tiers: the first generates code for the emitted vector IR as it stands, the second optimises
// it before.  (Tier 0 is the first without care for registers: for code that runs slowly anyhow.)
// Objects are kept on disk (object_cache.h), so that the next process only links.
#pragma once

#include "jit/cpu/cpu_hooks.h"
#include "jit/cpu/runtime_functions.h"
#include "jit/emit/emit.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace sinter::jit {

class ObjectCache;

/// What the processor that runs us can do.
struct ProcessorFacts {
  std::string name; ///< as LLVM calls it: "sapphirerapids"
  std::string features;
  VectorInstructions vectors = VectorInstructions::Sse2;
  bool is_zen = false; ///< of AMD's family of that name
};
const ProcessorFacts& processor();

/// What the code is made by and for, in words: this program and its version, LLVM's, and the
/// processor.
std::string code_maker();

/// A kernel's code, linked into the process; goes away with the object.
class LinkedCode {
public:
  virtual ~LinkedCode() = default;
  RunFunction run = nullptr;
  CombineFunction combine = nullptr;  ///< null if the kernel has none
  RunFunction finish = nullptr;       ///< null if the kernel has none
  CombineFunction conclude = nullptr; ///< null if the kernel has none
  RunFunction deal = nullptr;         ///< null if the kernel has none
  RunFunction accumulate = nullptr;   ///< null if the kernel has none
  unsigned lanes_along_index = 1;     ///< as emission says
  std::size_t code_bytes = 0;
  bool is_from_cache = false;
  bool is_kept = false; ///< lies on disk for the next process
};

/// Thread-safe; must outlive the code that it made.
class Engine {
public:
  /// `cache` may be null.
  explicit Engine(std::shared_ptr<ObjectCache> cache);
  ~Engine();
  enum class Cache : std::uint8_t { Used, Unused };
  /// Throws std::runtime_error.
  std::unique_ptr<LinkedCode> link(EmittedKernel kernel, unsigned tier, Cache use = Cache::Used);
  /// Whether the code lies ready on disk.
  bool is_cached(const EmittedKernel& kernel, unsigned tier) const;
  /// The code as assembly text.
  std::string assembly(EmittedKernel kernel, unsigned tier) const;

private:
  struct Session;
  class CodeGenerators;
  std::unique_ptr<Session> session_;
  std::unique_ptr<CodeGenerators> generators_;
  std::shared_ptr<ObjectCache> cache_;
};

} // namespace sinter::jit
