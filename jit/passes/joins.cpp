#include "jit/passes/joins.h"

#include <algorithm>

namespace sinter::jit {

using namespace ir;

namespace {

/// Whether the slice has all of each row that it has.
bool has_whole_rows(const Slice& slice) {
  return std::all_of(
      slice.dimensions.begin() + 1, slice.dimensions.end(), [](const Slice::Dimension& dimension) {
        return dimension.begin == Operand::i64(0) && dimension.stride == Operand::i64(1);
      });
}

/// Whether that is known without adding anything.
bool is_sum(const Operand& sum, const Operand& a, const Operand& b, const Knowledge& known) {
  if (a == Operand::i64(0)) return sum == b;
  const ir::Primitive* added = known.primitive(sum);
  return added && added->primitive->operation == primitives::Operation::Add &&
         (added->arguments == std::vector{a, b} || added->arguments == std::vector{b, a});
}

/// `xs[:k] ++ xs[k:]` is `xs`: the array of which the parts are all the slices, in order.
std::optional<ValueId> cut_and_joined(const Concat& concat, ValueId result,
                                      const Knowledge& known) {
  const Slice* before = nullptr;
  for (std::size_t i = 0; i < concat.arrays.size(); ++i) {
    const auto* part = known.definition<Slice>(concat.arrays[i]);
    if (!part || known.is_overwritten(concat.arrays[i])) return std::nullopt;
    const auto& [begin, stride] = part->dimensions[0];
    const bool is_next =
        before ? part->array == before->array &&
                     is_sum(begin, before->dimensions[0].begin,
                            known.function.type(concat.arrays[i - 1]).extents[0], known)
               : begin == Operand::i64(0);
    if (!is_next || stride != Operand::i64(1) || !has_whole_rows(*part)) return std::nullopt;
    before = part;
  }
  if (!before || known.is_overwritten(result) || known.is_overwritten(before->array) ||
      !known.has_same_extents(before->array, result))
    return std::nullopt;
  return before->array;
}

} // namespace

void join_once(Concat& concat, const Knowledge& known) {
  std::vector<ValueId> parts;
  for (ValueId array : concat.arrays) {
    const auto* inner = known.definition<Concat>(array);
    if (inner && !known.is_overwritten(array))
      parts.insert(parts.end(), inner->arrays.begin(), inner->arrays.end());
    else
      parts.push_back(array);
  }
  concat.arrays = std::move(parts);
}

std::optional<ValueId> equal_to_joined(const Concat& concat, ValueId result,
                                       const Knowledge& known) {
  if (concat.arrays.size() == 1 && !known.is_overwritten(result) &&
      !known.is_overwritten(concat.arrays[0]))
    return concat.arrays[0];
  return cut_and_joined(concat, result, known);
}

} // namespace sinter::jit
