// PTX on disk.
#pragma once

#include "gpu/ptx/lower.h"

#include <cstddef>
#include <filesystem>

#include "jit/cpu/object_cache.h"

namespace sinter::gpu {

/// Texts that have been made before, by this version of ours and of LLVM, found by what they were
/// made from: without code generation.  Shares a folder with other objects.  Thread-safe.
class PtxCache {
public:
  /// See ObjectCache for what makes a folder unusable: then nothing is kept.
  PtxCache(const std::filesystem::path& folder, std::size_t byte_limit);

  /// What gpu::to_ptx gives, from the folder if it lies there; else it is put there.
  PtxText to_ptx(const GpuModule& module, unsigned compute_capability) const;
  /// Nothing if it does not lie there.
  std::optional<PtxText> find(const GpuModule& module, unsigned compute_capability) const;

private:
  jit::ObjectCache objects_;
};

} // namespace sinter::gpu
