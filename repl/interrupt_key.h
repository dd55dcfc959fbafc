// Ctrl-C while something is evaluated.
#pragma once

#include "lang/base/interrupt.h"

#include <csignal>

namespace sinter::repl {

/// While it lives, SIGINT raises the given source's interrupt instead of ending the process.  One
/// at a time; the handler that was there before comes back with the destructor.
class InterruptKey {
public:
  explicit InterruptKey(InterruptSource& source);
  ~InterruptKey();
  InterruptKey(const InterruptKey&) = delete;
  InterruptKey& operator=(const InterruptKey&) = delete;

private:
  struct sigaction before_ {};
};

} // namespace sinter::repl
