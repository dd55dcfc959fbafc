#include "jit/gate/early_opening.h"

#include "lang/base/plugin.h"

#include <stdexcept>

namespace sinter::jit {

EarlyOpening::EarlyOpening(const SwapOptions& options)
    : thread_([options] {
        if (options.mode == Mode::Interpret) return;
        try {
          reinterpret_cast<WarmUp>(sinter::open_plugin("sinter_jit_plugin", warm_up_name))(
              &options);
        } catch (const std::runtime_error&) {
          // See above.
        }
      }) {}

} // namespace sinter::jit
