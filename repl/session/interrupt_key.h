// Ctrl-C while something is evaluated.
#pragma once

#include "lang/base/interrupt.h"

#include <csignal>

namespace sinter::repl {

/// While it lives, SIGINT raises the given source's interrupt instead of ending the process.  They
/// nest: the destructor gives the signal back to the one before, or to the handler before.  What
/// that one has been raised to holds for this one too: a key that was pressed a moment before an
/// evaluation began is meant for it.
class InterruptKey {
public:
  explicit InterruptKey(InterruptSource& source);
  ~InterruptKey();
  InterruptKey(const InterruptKey&) = delete;
  InterruptKey& operator=(const InterruptKey&) = delete;

private:
  InterruptSource* source_before_;
  struct sigaction before_ {};
};

} // namespace sinter::repl
