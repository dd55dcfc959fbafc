#include "jit/runtime/backend.h"

#include "jit/runtime/leaf_operations.h"

#include <cassert>

namespace sinter::jit {

Leaf Backend::allocate(MemoryBudget& memory, ElementType element, Extents extents) {
  return allocate_leaf(memory, element, std::move(extents));
}

Scalar Backend::load(const Leaf& array, std::int64_t position) {
  return load_scalar(array.element, array.buffer->contents(), position);
}

void Backend::store(const Leaf& array, std::int64_t position, Scalar value) {
  store_scalar(array.element, array.buffer->overwrite(), position, value);
}

void Backend::copy(const Leaf& target, const Leaf& source, const RunContext&) {
  copy_elements(target, source);
}

Leaf Backend::duplicate(const Leaf& array, const RunContext& context) {
  return sinter::copy(*context.memory, array);
}

Leaf Backend::fill(ElementType element, Extents extents, Scalar value, const RunContext& context) {
  Leaf result = allocate_leaf(*context.memory, element, std::move(extents));
  Leaf one = allocate_leaf(*context.memory, element, {1});
  store_scalar(element, one.buffer->overwrite(), 0, value);
  one.extents = result.extents;
  one.strides.assign(result.extents.size(), 0);
  copy(result, one, context);
  return result;
}

Leaf Backend::list(ElementType element, Extents extents, std::span<const Scalar> elements,
                   const RunContext& context) {
  Leaf result = allocate_leaf(*context.memory, element, std::move(extents));
  std::byte* const data = result.buffer->overwrite();
  for (std::size_t i = 0; i < elements.size(); ++i)
    store_scalar(element, data, static_cast<std::int64_t>(i), elements[i]);
  return result;
}

} // namespace sinter::jit
