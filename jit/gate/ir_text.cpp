#include "jit/gate/ir_text.h"

#include "lang/base/plugin.h"

namespace sinter::jit {

IrText run_passes(const std::string& text, const PassOptions& options) {
  IrText result;
  reinterpret_cast<RunPasses>(sinter::open_plugin("sinter_jit_plugin", run_passes_name))(
      &text, &options, &result);
  return result;
}

} // namespace sinter::jit
