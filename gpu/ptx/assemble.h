// The assembler of NVIDIA's toolkit, where it is installed: for tests and for looking inside.  (At
// run time the driver assembles.)
#pragma once

#include "gpu/device/device.h"
#include "gpu/ptx/lower.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sinter::gpu {

/// What the assembler says of an entry point.
struct AssembledEntry {
  std::string name;
  CodeFacts facts; ///< `local_bytes` are those of the stack frame, arrays in it among them
  /// What it moves to and from memory because registers are short.
  std::size_t spill_store_bytes = 0, spill_load_bytes = 0;
};

/// Whether the assembler is found by PATH.
bool has_assembler();

/// The entry points of the text as machine code of sm_NN, in the assembler's order; nothing if
/// there is no assembler.  Throws DeviceError (NoCode) with the assembler's words if it refuses the
/// text.
std::optional<std::vector<AssembledEntry>> assemble(const PtxText& text, unsigned architecture);

/// The same from what the assembler has said.
std::vector<AssembledEntry> parse_assembler_report(const std::string& report);

} // namespace sinter::gpu
