// LLVM is built without exceptions: nothing may be thrown through it.
#pragma once

#include "lang/base/reserve.h"

namespace sinter::jit {

/// Lives wherever LLVM is called: what an emission, an optimisation and a linking take is there for
/// the thread, even if the heap has nothing.  Throws a RuntimeError if there are too few addresses.
class CompilerMemory {
public:
  CompilerMemory();

private:
  Reserve reserve_;
};

} // namespace sinter::jit
