#include "jit/passes/knowledge.h"

#include <span>

namespace sinter::jit {

using namespace ir;

bool Knowledge::has_same_extents(const Operand& value, ValueId array, std::size_t outer) const {
  const Type& whole = function.type(array);
  const std::span<const Operand> rows = std::span(whole.extents).subspan(outer);
  return facts.sizes().are_equal(function.type(value),
                                 Type{whole.element, {rows.begin(), rows.end()}});
}

} // namespace sinter::jit
