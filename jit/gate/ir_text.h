// Passes over the IR's text form, through the JIT's plugin: for people who look inside.
#pragma once

#include "jit/passes/pass_options.h"

#include <string>
#include <vector>

namespace sinter::jit {

struct IrText {
  std::string result; ///< the function after the passes
  std::vector<PassRecord> passes;
  /// Why there is no result: "LINE:COLUMN: …" of a text that is no function, or which pass broke
  /// which rule.
  std::string error;
};

/// Runs the passes that the options ask for.  Throws std::runtime_error if there is no plugin.
IrText run_passes(const std::string& text, const PassOptions& options);

/// The plugin's function for that, by this name; never throws.
using RunPasses = void (*)(const std::string* text, const PassOptions* options, IrText* result);
inline constexpr const char* run_passes_name = "sinter_run_passes";

} // namespace sinter::jit
