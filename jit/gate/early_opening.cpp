#include "jit/gate/early_opening.h"

#include "lang/base/heap.h"
#include "lang/base/plugin.h"

#include <stdexcept>
#include <system_error>

namespace sinter::jit {

EarlyOpening::EarlyOpening(const SwapOptions& options) {
  if (options.mode == Mode::Interpret) return;
  try {
    thread_ = std::jthread([options] {
      const UncountedHeap own;
      try {
        reinterpret_cast<WarmUp>(sinter::open_plugin("sinter_jit_plugin", warm_up_name))(&options);
      } catch (const std::exception&) {
        // See above.
      }
    });
  } catch (const std::system_error&) {
    // There is no thread to be had; see above.
  }
}

} // namespace sinter::jit
