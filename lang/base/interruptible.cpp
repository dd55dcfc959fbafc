#include "lang/base/interruptible.h"

#include "lang/base/runtime_error.h"

namespace sinter {

void Interruptible::stop() const {
  throw interruption(source_.reason());
}

} // namespace sinter
