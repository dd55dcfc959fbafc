#include "jit/cpu/compiler_memory.h"

#include "lang/base/runtime_error.h"

#include <new>

namespace sinter::jit {

namespace {

constexpr std::size_t enough = std::size_t{160} << 20;

} // namespace

CompilerMemory::CompilerMemory() try : reserve_(enough) {
} catch (const std::bad_alloc&) {
  throw RuntimeError(FailureKind::OutOfMemory, "there are too few addresses left for compiling");
}

} // namespace sinter::jit
