// Opening the JIT before anything asks for it.
#pragma once

#include "jit/gate/hot_swap.h"

#include <thread>

namespace sinter::jit {

/// Loads the JIT's plugin in the background and does what the first compilation of a process would
/// have to do once: for when there is nothing else to do, or when it will surely be needed.  Says
/// nothing if there is no JIT: whoever opens it then will be told.  Ends when that is done.
class EarlyOpening {
public:
  /// `options`: which code will be asked for.
  explicit EarlyOpening(const SwapOptions& options);

private:
  std::jthread thread_;
};

/// The plugin's function for that, by this name; never throws.
using WarmUp = void (*)(const SwapOptions* options);
inline constexpr const char* warm_up_name = "sinter_warm_up";

} // namespace sinter::jit
