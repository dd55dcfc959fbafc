#include "jit/passes/views.h"

#include "jit/passes/statement_writer.h"

#include "jit/passes/algebra.h"
#include "jit/passes/known_elements.h"

#include <algorithm>

namespace sinter::jit {

using namespace ir;

namespace {

/// Makes the numbers of a view of a view.
class Positions {
public:
  Positions(Function& function, Span span) : function_(function), span_(span) {}

  Operand multiply(const Operand& a, const Operand& b) {
    return compute(primitives::Operation::Multiply, {a, b});
  }
  /// Where the slice's element stands in what is sliced.
  Operand in_source(const Slice::Dimension& dimension, const Operand& index) {
    return compute(primitives::Operation::Add,
                   {dimension.begin, multiply(index, dimension.stride)});
  }
  /// What needs the numbers.
  Simpler give(ir::Operation operation) { return {std::move(operation), std::move(statements_)}; }

private:
  Operand compute(primitives::Operation operation, std::vector<Operand> arguments) {
    const primitives::Primitive& sum = row(operation, ElementType::I64);
    const ValueId result = function_.add_value({sum.result, {}});
    statements_.push_back({{result}, ir::Primitive{&sum, std::move(arguments)}, span_});
    return result;
  }

  Function& function_;
  Span span_;
  std::vector<Statement> statements_;
};

/// An element (or the rows) of what the outermost index leads to.
Simpler inside(const Operand& outermost, const Index& index) {
  if (index.indices.size() == 1) return {outermost, {}};
  return {Index{outermost.value(), {index.indices.begin() + 1, index.indices.end()}}, {}};
}

/// A row's rows or elements.
std::optional<Simpler> through_row(const Index& index, const Knowledge& known) {
  const auto* row = known.definition<Index>(index.array);
  if (!row) return std::nullopt;
  Index whole = *row;
  whole.indices.insert(whole.indices.end(), index.indices.begin(), index.indices.end());
  return Simpler{std::move(whole), {}};
}

/// A slice's element.
std::optional<Simpler> through_slice(const Index& index, Span span, const Knowledge& known) {
  const auto* slice = known.definition<Slice>(index.array);
  if (!slice || index.indices.size() != slice->dimensions.size()) return std::nullopt;
  Positions positions(known.function, span);
  Index whole{slice->array, {}};
  for (std::size_t i = 0; i < index.indices.size(); ++i)
    whole.indices.push_back(positions.in_source(slice->dimensions[i], index.indices[i]));
  return positions.give(std::move(whole));
}

/// A transposed array's element.
std::optional<Simpler> through_transpose(const Index& index, const Knowledge& known) {
  const auto* transpose = known.definition<Transpose>(index.array);
  const std::size_t count = index.indices.size();
  if (!transpose || count != transpose->permutation.size()) return std::nullopt;
  Index whole{transpose->array, std::vector<Operand>(count)};
  for (std::size_t i = 0; i < count; ++i)
    whole.indices[transpose->permutation[i]] = index.indices[i];
  return Simpler{std::move(whole), {}};
}

/// The number of a constant.
std::optional<std::int64_t> number(const Operand& operand) {
  return operand.is_constant() ? std::optional(operand.scalar().as<std::int64_t>()) : std::nullopt;
}

/// A reshaped array's element, where all numbers are known.
std::optional<Simpler> through_reshape(const Index& index, const Knowledge& known) {
  const auto* reshape = known.definition<Reshape>(index.array);
  if (!reshape) return std::nullopt;
  const Type& shape = known.function.type(index.array);
  const Type& source = known.function.type(reshape->array);
  if (index.indices.size() != shape.rank()) return std::nullopt;
  std::int64_t position = 0;
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    const auto extent = number(shape.extents[d]), at = number(index.indices[d]);
    if (!extent || !at || *at < 0 || *at >= *extent) return std::nullopt;
    position = position * *extent + *at;
  }
  Index whole{reshape->array, std::vector<Operand>(source.rank())};
  for (std::size_t d = source.rank(); d-- > 0;) {
    const auto extent = number(source.extents[d]);
    if (!extent || *extent < 1) return std::nullopt;
    whole.indices[d] = Operand::i64(position % *extent);
    position /= *extent;
  }
  return Simpler{std::move(whole), {}};
}

/// An element of rows that are seen one behind the other, in the row that has it.
std::optional<Simpler> through_flat_rows(const Index& index, Span span, Knowledge& known) {
  const auto* reshape = known.definition<Reshape>(index.array);
  if (!reshape || index.indices.size() != 1) return std::nullopt;
  const ValueId array = reshape->array;
  const Type& shape = known.function.type(array);
  if (shape.rank() != 2) return std::nullopt;
  const std::optional<Facts::RowPlace> place =
      known.facts.row_place(index.indices[0], shape.extents[0], shape.extents[1]);
  if (!place) return std::nullopt;
  StatementWriter writer(known.function, span);
  std::vector<Statement> before;
  const Operand row = writer.sum(place->row, before), column = writer.sum(place->column, before);
  return Simpler{Index{array, {row, column}}, std::move(before)};
}

/// A literal's element at a position that is known.
std::optional<Simpler> of_literal(const Index& index, const Knowledge& known) {
  const auto* literal = known.definition<ArrayLiteral>(index.array);
  if (!literal || !index.indices[0].is_constant()) return std::nullopt;
  const auto at = index.indices[0].scalar().as<std::int64_t>();
  if (at < 0 || at >= static_cast<std::int64_t>(literal->elements.size())) return std::nullopt;
  return inside(literal->elements[static_cast<std::size_t>(at)], index);
}

bool is_all(const Slice::Dimension& dimension) {
  return dimension.begin == Operand::i64(0) && dimension.stride == Operand::i64(1);
}

} // namespace

std::optional<Simpler> simpler(const Index& index, const Statement& statement, Knowledge& known) {
  if (auto found = through_row(index, known)) return found;
  if (auto found = through_slice(index, statement.span, known)) return found;
  if (auto found = through_transpose(index, known)) return found;
  if (auto found = through_reshape(index, known)) return found;
  if (auto found = through_flat_rows(index, statement.span, known)) return found;
  if (auto found = of_literal(index, known)) return found;
  if (const auto element = noted_element(index, known)) return Simpler{*element, {}};
  if (const KnownElement* element = known.known_element(index.array))
    return inside(element->at(index.indices[0]), index);
  return std::nullopt;
}

std::optional<Simpler> simpler(const Slice& slice, const Statement& statement, Knowledge& known) {
  if (std::all_of(slice.dimensions.begin(), slice.dimensions.end(), is_all) &&
      known.has_same_extents(slice.array, statement.results[0]))
    return Simpler{Operand(slice.array), {}};
  const auto* inner = known.definition<Slice>(slice.array);
  if (!inner) return std::nullopt;
  Positions positions(known.function, statement.span);
  Slice whole = *inner;
  for (std::size_t i = 0; i < whole.dimensions.size(); ++i) {
    const Slice::Dimension &outer = slice.dimensions[i], &source = inner->dimensions[i];
    whole.dimensions[i] = {positions.in_source(source, outer.begin),
                           positions.multiply(outer.stride, source.stride)};
  }
  return positions.give(std::move(whole));
}

std::optional<Simpler> simpler(const Transpose& transpose, const Statement&, Knowledge& known) {
  if (const auto* inner = known.definition<Transpose>(transpose.array)) {
    Transpose whole{inner->array, {}};
    for (const std::uint32_t dimension : transpose.permutation)
      whole.permutation.push_back(inner->permutation[dimension]);
    return Simpler{std::move(whole), {}};
  }
  if (std::is_sorted(transpose.permutation.begin(), transpose.permutation.end()))
    return Simpler{Operand(transpose.array), {}};
  return std::nullopt;
}

std::optional<Simpler> simpler(const Reshape& reshape, const Statement& statement,
                               Knowledge& known) {
  if (const auto* inner = known.definition<Reshape>(reshape.array))
    return Simpler{Reshape{inner->array}, {}};
  if (known.has_same_extents(reshape.array, statement.results[0]))
    return Simpler{Operand(reshape.array), {}};
  return std::nullopt;
}

std::optional<Simpler> simpler(const Copy& copy, const Statement& statement, Knowledge& known) {
  // A copy is there to be overwritten; if neither side is, it is the same value.
  if (known.is_overwritten(statement.results[0]) || known.is_overwritten(copy.array))
    return std::nullopt;
  return Simpler{Operand(copy.array), {}};
}

} // namespace sinter::jit
