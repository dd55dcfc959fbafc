// Ctrl-C while input that need not end is computed with.
#pragma once

#include "lang/base/interrupt.h"

#include <csignal>

namespace sinter::repl {

/// While it lives, the first SIGINT raises `end`: the input is to end there, and what was read is
/// computed.  Further ones raise `evaluation`: nothing more is computed.  One lives at a time.
class EndKey {
public:
  EndKey(InterruptSource& end, InterruptSource& evaluation);
  ~EndKey();
  EndKey(const EndKey&) = delete;
  EndKey& operator=(const EndKey&) = delete;

private:
  struct sigaction before_ {};
};

} // namespace sinter::repl
