// The driver's linker, and machine code on disk.
#pragma once

#include "gpu/driver/handles.h"
#include "gpu/ptx/lower.h"
#include "jit/cpu/object_cache.h"

#include <cstddef>
#include <filesystem>
#include <string>

namespace sinter::gpu::driver {

/// The machine code that the driver's linker makes of a text.  The context is the thread's.  Throws
/// DeviceError (NoCode) with the linker's words if it refuses the text.
std::string assemble(const PrimaryContext& context, const PtxText& text);

/// Machine code that was made before of the same text, for the same compute capability and by the
/// same version of the driver and of ours.  Shares a folder with other objects.  Thread-safe.
class CubinCache {
public:
  /// See ObjectCache for what makes a folder unusable: then nothing is kept.
  CubinCache(const std::filesystem::path& folder, std::size_t byte_limit, int driver_version,
             unsigned compute_capability);

  /// What `assemble` gives, from the folder if it lies there; else it is put there.
  std::string cubin(const PrimaryContext& context, const PtxText& text) const;

private:
  std::string maker_;
  jit::ObjectCache objects_;
};

} // namespace sinter::gpu::driver
