#include "jit/trace/indexing.h"

#include <algorithm>
#include <numeric>

namespace sinter::jit {

namespace {

using ir::Operand;

Operand truth_of(bool truth) {
  return Operand::constant(ElementType::Bool, Scalar::of(truth));
}

constexpr const char* wraps_around = "a range that compiled code does not count: its bounds are "
                                     "too far apart";

bool is_true(const Operand& condition) {
  return condition.is_constant() && condition.scalar().as<bool>();
}

} // namespace

// ---- making arrays -----------------------------------------------------------------------------

SymbolicValue Indexing::bytes(std::string_view text) {
  std::vector<Operand> elements;
  for (char c : text)
    elements.push_back(
        Operand::constant(ElementType::U8, Scalar::of(static_cast<std::uint8_t>(c))));
  const Operand count = Operand::i64(static_cast<std::int64_t>(text.size()));
  const ValueId array = builder_.append_one(ir::ArrayLiteral{std::move(elements)},
                                            {ElementType::U8, {count}}, code_.span());
  return leaves_.numbers(ElementType::U8, count, array);
}

SymbolicValue Indexing::array_literal(std::span<Value> elements, SymbolicSite& site) {
  const Representation* element = indexed(code_.representations(), site.type(), 1);
  std::vector<Operand> inner(element->extent_count, Operand::i64(0));
  std::vector<ir::ArrayLiteral> literals;
  if (elements.empty()) {
    const std::vector<std::optional<Operand>> known = code_.named_extents(site);
    for (std::size_t i = 0; i < inner.size(); ++i)
      inner[i] = known[i + 1].value_or(Operand::i64(0));
  } else {
    inner = leaves_.flatten(elements[0], element).extents;
  }
  literals.resize(Leaves::types(element, inner).size());
  for (const Value& value : elements) {
    const std::vector<Operand> extents = leaves_.flatten(value, element).extents;
    for (std::size_t i = 0; i < inner.size(); ++i)
      code_.check(code_.same_size(extents[i], inner[i]), "shape-mismatch",
                  "irregular array: an element of shape " + describe_shape(extents) +
                      " among elements of shape " + describe_shape(inner));
    const std::vector<Operand> leaves = leaves_.fit(value, element, inner);
    for (std::size_t i = 0; i < leaves.size(); ++i)
      literals[i].elements.push_back(leaves[i]);
  }
  std::vector<Operand> extents{Operand::i64(static_cast<std::int64_t>(elements.size()))};
  extents.insert(extents.end(), inner.begin(), inner.end());
  const std::vector<ir::Type> types = Leaves::types(site.type(), extents);
  std::vector<ValueId> results;
  for (std::size_t i = 0; i < literals.size(); ++i)
    results.push_back(builder_.append_one(std::move(literals[i]), types[i], code_.span()));
  return leaves_.array_of(site.type(), std::move(extents), results);
}

/// A range as the interpreter counts it, in 64 bits.
struct Indexing::Range {
  Operand first, end, step;
  Operand last;  ///< the greatest that may be an element, or the least
  Operand is_up; ///< the step is positive
  Operand is_valid;
};

Indexing::Range Indexing::open_range(const eval::RangeBounds<Symbolic>& bounds) {
  const Operand zero = Operand::i64(0), one = Operand::i64(1);
  Range range;
  range.first = code_.to_i64(code_.operand(bounds.first));
  range.end = range.last = code_.to_i64(code_.operand(bounds.end));
  const bool is_down = !bounds.second && bounds.kind == syntax::RangeEnd::DownTo;
  range.step = bounds.second
                   ? code_.binary(Operation::Subtract, code_.to_i64(code_.operand(*bounds.second)),
                                  range.first)
                   : Operand::i64(is_down ? -1 : 1);
  range.is_up = code_.binary(Operation::Greater, range.step, zero);
  const Operand is_ascending = code_.binary(Operation::LessEqual, range.first, range.end);
  const Operand is_descending = code_.binary(Operation::GreaterEqual, range.first, range.end);
  const Operand moves = code_.binary(Operation::NotEqual, range.step, zero);
  switch (bounds.kind) {
  case syntax::RangeEnd::Inclusive:
    range.is_valid = code_.both(moves, code_.select(range.is_up, is_ascending, is_descending));
    break;
  case syntax::RangeEnd::UpTo:
    range.is_valid = code_.both(code_.both(moves, range.is_up), is_ascending);
    range.last = code_.binary(Operation::Subtract, range.end, one);
    break;
  case syntax::RangeEnd::DownTo:
    range.is_valid = code_.both(code_.both(moves, code_.negation(range.is_up)), is_descending);
    range.last = code_.binary(Operation::Add, range.end, one);
    break;
  }
  if (bounds.type == ElementType::U64) {
    Operand fits = code_.both(is_not_negative(range.first), is_not_negative(range.end));
    if (bounds.second)
      fits = code_.both(fits, is_not_negative(code_.to_i64(code_.operand(*bounds.second))));
    code_.leave_unless(fits, wraps_around);
  }
  return range;
}

/// Of a range whose step is not the number 1.
ir::Operand Indexing::count_steps(const eval::RangeBounds<Symbolic>& bounds, const Range& range,
                                  const Operand& distance) {
  const Operand zero = Operand::i64(0), one = Operand::i64(1);
  const Operand is_empty =
      code_.select(range.is_up, code_.binary(Operation::Greater, range.first, range.last),
                   code_.binary(Operation::Less, range.first, range.last));
  const Operand count = code_.select(
      is_empty, zero,
      code_.binary(Operation::Add, code_.binary(Operation::Quotient, distance, range.step), one));
  // Numbers that wrap around have the wrong sign.
  Operand fits =
      code_.either(is_empty, code_.select(range.is_up, is_not_negative(distance),
                                          code_.binary(Operation::LessEqual, distance, zero)));
  if (bounds.second && bounds.type == ElementType::I64) {
    const Operand second = code_.operand(*bounds.second);
    const Operand is_second_above =
        code_.select(range.is_up, code_.binary(Operation::Less, range.first, second),
                     code_.binary(Operation::Greater, range.first, second));
    fits = code_.both(
        fits, code_.either(code_.binary(Operation::Equal, range.step, zero), is_second_above));
  }
  code_.leave_unless(fits, wraps_around);
  return count;
}

SymbolicValue Indexing::range(const eval::RangeBounds<Symbolic>& bounds) {
  const Operand zero = Operand::i64(0), one = Operand::i64(1);
  const Range range = open_range(bounds);
  const bool by_one = range.step == one, is_inclusive = bounds.kind == syntax::RangeEnd::Inclusive;
  const Operand distance =
      code_.binary(Operation::Subtract, by_one ? range.end : range.last, range.first);
  const Operand count = !by_one        ? count_steps(bounds, range, distance)
                        : is_inclusive ? code_.binary(Operation::Add, distance, one)
                                       : distance;
  code_.check(range.is_valid, "invalid-range", "Range " + describe(bounds) + " is invalid.");
  // A distance that wraps around is negative, as `first <= end`; from 0 on, none does.
  if (by_one && range.first != zero && is_inclusive)
    code_.leave_unless(is_not_negative(distance), wraps_around);
  code_.check_extent(count);

  auto narrowed = [&](const Operand& number) {
    if (bounds.type == ElementType::I64) return number;
    return builder_.primitive(*primitives::conversion(ElementType::I64, bounds.type),
                              std::span(&number, 1), code_.span());
  };
  Value result = soacs_.tabulate(count, bounds.type, [&](const Operand& i) {
    return narrowed(code_.binary(Operation::Add, range.first,
                                 code_.binary(Operation::Multiply, i, range.step)));
  });
  if (range.first == zero && by_one && bounds.type == ElementType::I64)
    leaves_.note_pattern(result.array()->leaves[0], Pattern{true, {}});
  return result;
}

// ---- indexing ----------------------------------------------------------------------------------

/// One dimension of an index list with its defaults; `is_valid` says whether it is in bounds.
Indexing::Selection Indexing::select(const SymbolicPart& part, const Operand& extent,
                                     Operand& is_valid) {
  const Operand zero = Operand::i64(0), one = Operand::i64(1);
  if (!part.is_slice) {
    const Operand index = code_.to_i64(code_.operand(part.index));
    is_valid = code_.is_index(index, extent);
    return {index, one, zero, false};
  }
  const Operand stride = part.stride ? code_.operand(*part.stride) : one;
  if (stride == one) {
    const Operand begin = part.begin ? code_.operand(*part.begin) : zero;
    const Operand end = part.end ? code_.operand(*part.end) : extent;
    const Operand count = !part.begin ? end : code_.binary(Operation::Subtract, end, begin);
    if (!part.begin && !part.end)
      is_valid = truth_of(true);
    else if (!part.begin || !part.end)
      is_valid = code_.both(code_.binary(Operation::LessEqual, zero, part.begin ? begin : end),
                            code_.binary(Operation::LessEqual, part.begin ? begin : end, extent));
    else // An empty slice is in bounds wherever it is.  (A count may be known where bounds are
         // not.)
      is_valid = code_.either(
          code_.binary(Operation::Equal, begin, end),
          code_.both(code_.both(code_.both(code_.binary(Operation::LessEqual, zero, begin),
                                           code_.binary(Operation::LessEqual, begin, end)),
                                code_.binary(Operation::LessEqual, zero, count)),
                     code_.binary(Operation::LessEqual, end, extent)));
    return {begin, count, one, true};
  }
  const Operand is_up = code_.binary(Operation::Greater, stride, zero);
  const Operand begin =
      part.begin ? code_.operand(*part.begin)
                 : code_.select(is_up, zero, code_.binary(Operation::Subtract, extent, one));
  const Operand end =
      part.end ? code_.operand(*part.end) : code_.select(is_up, extent, Operand::i64(-1));
  const Operand is_empty = code_.binary(Operation::Equal, begin, end);
  const Operand distance = code_.select(is_up, code_.binary(Operation::Subtract, end, begin),
                                        code_.binary(Operation::Subtract, begin, end));
  const Operand step = code_.select(is_up, stride, code_.binary(Operation::Subtract, zero, stride));
  code_.leave_unless(code_.binary(Operation::NotEqual, stride, Operand::i64(INT64_MIN)),
                     "a stride whose negation is itself");
  const Operand steps =
      code_.binary(Operation::Quotient, code_.binary(Operation::Subtract, distance, one),
                   code_.binary(Operation::Maximum, step, one));
  const Operand last =
      code_.binary(Operation::Add, begin, code_.binary(Operation::Multiply, steps, stride));
  is_valid =
      code_.both(code_.binary(Operation::NotEqual, stride, zero),
                 code_.either(is_empty, code_.both(code_.binary(Operation::Greater, distance, zero),
                                                   code_.both(code_.is_index(begin, extent),
                                                              code_.is_index(last, extent)))));
  return {code_.select(is_empty, zero, begin),
          code_.select(is_empty, zero, code_.binary(Operation::Add, steps, one)), stride, true};
}

std::vector<Indexing::Selection> Indexing::select_all(const SymbolicArray& array,
                                                      std::span<const SymbolicPart> parts) {
  std::vector<Selection> result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Operand is_valid;
    result.push_back(select(parts[i], array.extents[i], is_valid));
    if (!is_true(is_valid))
      code_.check(is_valid, "index-out-of-bounds",
                  "Index " + describe(parts) + " out of bounds for array of shape " +
                      describe_shape(std::span(array.extents).first(array.rank())) + ".");
    // (What is in bounds is an extent; of a number that is none that is known already.)
    if (result.back().count.is_constant()) code_.check_extent(result.back().count);
  }
  return result;
}

ir::Operand Indexing::is_not_negative(const Operand& number) {
  return code_.binary(Operation::GreaterEqual, number, Operand::i64(0));
}

std::string Indexing::describe(const eval::RangeBounds<Symbolic>& bounds) const {
  std::string result = code_.text(bounds.type, bounds.first);
  if (bounds.second) result += ".." + code_.text(bounds.type, *bounds.second);
  result += bounds.kind == syntax::RangeEnd::Inclusive ? "..."
            : bounds.kind == syntax::RangeEnd::UpTo    ? "..<"
                                                       : "..>";
  return result + code_.text(bounds.type, bounds.end);
}

std::string Indexing::describe(std::span<const SymbolicPart> parts) const {
  auto number = [&](const std::optional<SymbolicScalar>& scalar) {
    return scalar ? code_.text(ElementType::I64, *scalar) : std::string();
  };
  std::string result = "[";
  for (const SymbolicPart& part : parts) {
    if (result.size() > 1) result += ", ";
    if (!part.is_slice) {
      result += code_.text(part.index_type, part.index);
      continue;
    }
    result += number(part.begin) + ":" + number(part.end);
    if (part.stride) result += ":" + number(part.stride);
  }
  return result + "]";
}

std::string Indexing::describe_shape(std::span<const Operand> extents) const {
  std::string result;
  for (const Operand& extent : extents)
    result += extent.is_constant() ? "[" + print(ElementType::I64, extent.scalar(), false) + "]"
                                   : std::string("[?]");
  return result;
}

SymbolicValue Indexing::index(const Value& value, std::span<const SymbolicPart> parts) {
  const SymbolicArray& array = *value.array();
  const std::vector<Selection> selections = select_all(array, parts);
  std::vector<Operand> indices;
  std::vector<std::uint32_t> fixed, sliced; // dimensions
  for (std::uint32_t i = 0; i < array.rank(); ++i) {
    const bool is_slice = i >= selections.size() || selections[i].is_slice;
    (is_slice ? sliced : fixed).push_back(i);
    if (!is_slice) indices.push_back(selections[i].begin);
  }
  if (std::none_of(selections.begin(), selections.end(),
                   [](const Selection& s) { return s.is_slice; }))
    return leaves_.element(array, indices);

  // The fixed dimensions go first, then are gone.
  const auto rank = static_cast<std::uint32_t>(sliced.size());
  const Representation* type = code_.representations().array(rank, array.type->array().element);
  std::vector<Operand> extents;
  for (std::uint32_t dimension : sliced)
    extents.push_back(dimension < selections.size() ? selections[dimension].count
                                                    : array.extents[dimension]);
  extents.insert(extents.end(), array.extents.begin() + array.rank(), array.extents.end());
  std::vector<ValueId> leaves;
  for (std::size_t i = 0; i < array.leaves.size(); ++i) {
    if (array.type->leaves[i].is_unit) {
      leaves.push_back(SymbolicArray::no_leaf);
      continue;
    }
    ValueId leaf = array.leaves[i];
    if (!fixed.empty() && fixed.back() != fixed.size() - 1) {
      const ir::Type whole = builder_.type(leaf);
      std::vector<std::uint32_t> permutation = fixed;
      permutation.insert(permutation.end(), sliced.begin(), sliced.end());
      while (permutation.size() < whole.rank())
        permutation.push_back(static_cast<std::uint32_t>(permutation.size()));
      ir::Type turned{whole.element, {}};
      for (std::uint32_t dimension : permutation)
        turned.extents.push_back(whole.extents[dimension]);
      leaf = builder_.append_one(ir::Transpose{leaf, std::move(permutation)}, std::move(turned),
                                 code_.span());
    }
    if (!fixed.empty()) leaf = builder_.index(leaf, indices, code_.span()).value();
    ir::Slice slice{leaf, {}};
    for (std::uint32_t dimension : sliced)
      slice.dimensions.push_back(
          dimension < selections.size()
              ? ir::Slice::Dimension{selections[dimension].begin, selections[dimension].stride}
              : ir::Slice::Dimension{Operand::i64(0), Operand::i64(1)});
    ir::Type part = leaf_type(type->leaves[i], extents);
    while (slice.dimensions.size() < part.rank())
      slice.dimensions.push_back({Operand::i64(0), Operand::i64(1)});
    leaves.push_back(builder_.append_one(std::move(slice), std::move(part), code_.span()));
  }
  return code_.make_array(type, std::move(extents), std::move(leaves));
}

// ---- updates -----------------------------------------------------------------------------------

SymbolicValue Indexing::update(const Value& target, std::span<const SymbolicPart> parts,
                               const Value& replacement) {
  const SymbolicArray& array = *target.array();
  const std::vector<Selection> selections = select_all(array, parts);
  return std::ranges::any_of(selections, &Selection::is_slice)
             ? update_slice(array, selections, *replacement.array(), parts)
             : update_element(array, selections, replacement);
}

SymbolicValue Indexing::update_element(const SymbolicArray& array,
                                       const std::vector<Selection>& selections,
                                       const Value& replacement) {
  std::vector<Operand> indices;
  for (const Selection& selection : selections)
    indices.push_back(selection.begin);
  const Representation* element =
      indexed(code_.representations(), array.type, static_cast<std::uint32_t>(indices.size()));
  const std::vector<Operand> values =
      leaves_.fit(replacement, element, std::span(array.extents).subspan(indices.size()));
  std::vector<ValueId> results;
  std::size_t next = 0;
  for (std::size_t i = 0; i < array.leaves.size(); ++i)
    if (!array.type->leaves[i].is_unit)
      results.push_back(builder_.append_one(ir::Update{array.leaves[i], indices, values[next++]},
                                            builder_.type(array.leaves[i]), code_.span()));
  return leaves_.array_of(array.type, array.extents, results);
}

SymbolicValue Indexing::update_slice(const SymbolicArray& array,
                                     const std::vector<Selection>& selections,
                                     const SymbolicArray& source,
                                     std::span<const SymbolicPart> parts) {
  std::vector<Operand> counts; // of the value, with 1 for each fixed dimension
  Operand fits = truth_of(true);
  std::size_t dimension = 0;
  for (std::uint32_t i = 0; i < array.rank(); ++i) {
    if (i < selections.size() && !selections[i].is_slice) {
      counts.push_back(Operand::i64(1));
      continue;
    }
    const Operand wanted = i < selections.size() ? selections[i].count : array.extents[i];
    const Operand& given = source.extents[dimension++];
    counts.push_back(given);
    fits = code_.both(fits, code_.same_size(given, wanted));
  }
  code_.check(fits, "shape-mismatch",
              "Value of shape " + describe_shape(std::span(source.extents).first(source.rank())) +
                  " cannot be written to the slice " + describe(parts) + ".");
  std::vector<ValueId> results;
  for (std::size_t i = 0; i < array.leaves.size(); ++i) {
    if (array.type->leaves[i].is_unit) continue;
    const ir::Type whole = builder_.type(array.leaves[i]);
    ir::UpdateSlice update{array.leaves[i], {}, source.leaves[i]};
    for (std::uint32_t d = 0; d < whole.rank(); ++d)
      update.dimensions.push_back(
          d < selections.size() ? ir::Slice::Dimension{selections[d].begin,
                                                       selections[d].is_slice ? selections[d].stride
                                                                              : Operand::i64(1)}
                                : ir::Slice::Dimension{Operand::i64(0), Operand::i64(1)});
    const ir::Type value = builder_.type(update.value);
    if (value.rank() != whole.rank()) {
      ir::Type shaped{value.element, counts};
      shaped.extents.insert(shaped.extents.end(), whole.extents.begin() + array.rank(),
                            whole.extents.end());
      update.value =
          builder_.append_one(ir::Reshape{update.value}, std::move(shaped), code_.span());
    }
    results.push_back(builder_.append_one(std::move(update), whole, code_.span()));
  }
  return leaves_.array_of(array.type, array.extents, results);
}

} // namespace sinter::jit
