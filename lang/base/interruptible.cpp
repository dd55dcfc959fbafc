#include "lang/base/interruptible.h"

#include "lang/base/runtime_error.h"

namespace sinter {

constinit thread_local const Interruptible* Interruptible::innermost_ = nullptr;

void Interruptible::stop() const {
  throw interruption(source_.reason());
}

} // namespace sinter
