#include "jit/runtime/backend.h"

#include "jit/runtime/leaf_operations.h"

namespace sinter::jit {

void Backend::copy(const Leaf& target, const Leaf& source, const RunContext&) {
  copy_elements(target, source);
}

} // namespace sinter::jit
