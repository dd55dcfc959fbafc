// The backend that the tests of this folder share.
#pragma once

#include "jit/runtime/backend.h"

#include <cstdlib>
#include <memory>

namespace sinter::test {

/// No cache on disk: every test compiles anew.
inline jit::Backend& backend() {
  setenv("SINTER_CACHE", "off", 1);
  static const std::unique_ptr<jit::Backend> cpu = jit::make_cpu_backend();
  return *cpu;
}

} // namespace sinter::test
