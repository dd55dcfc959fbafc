// Symbolic arrays: literals, ranges, indexing, slicing, updates.
#include "jit/trace/symbolic_domain.h"

#include <algorithm>
#include <numeric>

namespace sinter::jit {

namespace {

using ir::Operand;

Operand truth_of(bool truth) {
  return Operand::constant(ElementType::Bool, Scalar::of(truth));
}
bool is_true(const Operand& condition) {
  return condition.is_constant() && condition.scalar().as<bool>();
}

} // namespace

// ---- making arrays -----------------------------------------------------------------------------

SymbolicValue SymbolicDomain::bytes(std::string_view text) {
  std::vector<Operand> elements;
  for (char c : text)
    elements.push_back(
        Operand::constant(ElementType::U8, Scalar::of(static_cast<std::uint8_t>(c))));
  const Operand count = Operand::i64(static_cast<std::int64_t>(text.size()));
  const ValueId array =
      builder_.append_one(ir::ArrayLiteral{std::move(elements)}, {ElementType::U8, {count}}, span_);
  return make_array(representations_.array(1, representations_.scalar(ElementType::U8)), {count},
                    {array});
}

SymbolicValue SymbolicDomain::array_literal(std::span<Value> elements, SymbolicSite& site) {
  const Representation* element = indexed(representations_, site.type(), 1);
  std::vector<Operand> inner(element->extent_count, Operand::i64(0));
  std::vector<ir::ArrayLiteral> literals;
  if (elements.empty()) {
    const std::vector<std::optional<Operand>> known = named_extents(site);
    for (std::size_t i = 0; i < inner.size(); ++i)
      inner[i] = known[i + 1].value_or(Operand::i64(0));
  } else {
    inner = flatten(elements[0], element).extents;
  }
  literals.resize(leaf_types(element, inner).size());
  for (const Value& value : elements) {
    const std::vector<Operand> extents = flatten(value, element).extents;
    for (std::size_t i = 0; i < inner.size(); ++i)
      check(same_size(extents[i], inner[i]), "shape-mismatch",
            "irregular array: an element of shape " + describe_shape(extents) +
                " among elements of shape " + describe_shape(inner));
    const std::vector<Operand> leaves = fit(value, element, inner);
    for (std::size_t i = 0; i < leaves.size(); ++i)
      literals[i].elements.push_back(leaves[i]);
  }
  std::vector<Operand> extents{Operand::i64(static_cast<std::int64_t>(elements.size()))};
  extents.insert(extents.end(), inner.begin(), inner.end());
  const std::vector<ir::Type> types = leaf_types(site.type(), extents);
  std::vector<ValueId> results;
  for (std::size_t i = 0; i < literals.size(); ++i)
    results.push_back(builder_.append_one(std::move(literals[i]), types[i], span_));
  return array_of(site.type(), std::move(extents), results);
}

/// As the interpreter counts, in 64 bits; a check leaves numbers that need more to it.
SymbolicValue SymbolicDomain::range(const eval::RangeBounds<Symbolic>& bounds, SymbolicSite&) {
  const Operand zero = Operand::i64(0), one = Operand::i64(1);
  const Operand first = to_i64(operand(bounds.first)), end = to_i64(operand(bounds.end));
  const bool is_down = !bounds.second && bounds.kind == syntax::RangeEnd::DownTo;
  const Operand step = bounds.second
                           ? binary(Operation::Subtract, to_i64(operand(*bounds.second)), first)
                           : Operand::i64(is_down ? -1 : 1);
  const Operand is_up = binary(Operation::Greater, step, zero);
  const Operand is_ascending = binary(Operation::LessEqual, first, end);
  const Operand is_descending = binary(Operation::GreaterEqual, first, end);
  Operand valid = binary(Operation::NotEqual, step, zero), last = end;
  switch (bounds.kind) {
  case syntax::RangeEnd::Inclusive:
    valid = both(valid, select(is_up, is_ascending, is_descending));
    break;
  case syntax::RangeEnd::UpTo:
    valid = both(both(valid, is_up), is_ascending);
    last = binary(Operation::Subtract, end, one);
    break;
  case syntax::RangeEnd::DownTo:
    valid = both(both(valid, negation(is_up)), is_descending);
    last = binary(Operation::Add, end, one);
    break;
  }
  const auto is_not_negative = [&](const Operand& number) {
    return binary(Operation::GreaterEqual, number, zero);
  };
  constexpr const char* wraps_around = "a range that compiled code does not count: its bounds are "
                                       "too far apart";
  if (bounds.type == ElementType::U64) {
    Operand fits = both(is_not_negative(first), is_not_negative(end));
    if (bounds.second) fits = both(fits, is_not_negative(to_i64(operand(*bounds.second))));
    leave_unless(fits, wraps_around);
  }
  const Operand distance = binary(Operation::Subtract, step == one ? end : last, first);
  Operand count = distance;
  if (step == one) {
    if (bounds.kind == syntax::RangeEnd::Inclusive) count = binary(Operation::Add, distance, one);
  } else {
    const Operand is_empty = select(is_up, binary(Operation::Greater, first, last),
                                    binary(Operation::Less, first, last));
    count = select(is_empty, zero,
                   binary(Operation::Add, binary(Operation::Quotient, distance, step), one));
    // Numbers that wrap around have the wrong sign.
    Operand fits = either(is_empty, select(is_up, is_not_negative(distance),
                                           binary(Operation::LessEqual, distance, zero)));
    if (bounds.second && bounds.type == ElementType::I64) {
      const Operand second = operand(*bounds.second);
      const Operand is_second_above = select(is_up, binary(Operation::Less, first, second),
                                             binary(Operation::Greater, first, second));
      fits = both(fits, either(binary(Operation::Equal, step, zero), is_second_above));
    }
    leave_unless(fits, wraps_around);
  }
  std::string message = "Range " + text(bounds.type, bounds.first);
  if (bounds.second) message += ".." + text(bounds.type, *bounds.second);
  message += bounds.kind == syntax::RangeEnd::Inclusive ? "..."
             : bounds.kind == syntax::RangeEnd::UpTo    ? "..<"
                                                        : "..>";
  check(valid, "invalid-range", message + text(bounds.type, bounds.end) + " is invalid.");
  // A distance that wraps around is negative, as `first <= end`; from 0 on, none does.
  if (step == one && first != zero && bounds.kind == syntax::RangeEnd::Inclusive)
    leave_unless(is_not_negative(distance), wraps_around);
  check_extent(count);

  auto narrowed = [&](const Operand& number) {
    if (bounds.type == ElementType::I64) return number;
    return builder_.primitive(*primitives::conversion(ElementType::I64, bounds.type),
                              std::span(&number, 1), span_);
  };
  Value result = tabulate(count, bounds.type, [&](const Operand& i) {
    return narrowed(binary(Operation::Add, first, binary(Operation::Multiply, i, step)));
  });
  if (first == zero && step == one && bounds.type == ElementType::I64)
    patterns_.insert_or_assign(result.array()->leaves[0].index, Pattern{true, {}});
  return result;
}

// ---- indexing ----------------------------------------------------------------------------------

ir::Operand SymbolicDomain::is_index(const Operand& index, const Operand& extent) {
  const Operand zero = Operand::i64(0);
  if (index.is_value())
    if (auto bound = index_bounds_.find(index.value().index); bound != index_bounds_.end()) {
      if (sizes_.are_equal(bound->second, extent)) return truth_of(true);
      return binary(Operation::Less, index, extent);
    }
  return both(binary(Operation::LessEqual, zero, index), binary(Operation::Less, index, extent));
}

/// One dimension of an index list with its defaults; `is_valid` says whether it is in bounds.
SymbolicDomain::Selection SymbolicDomain::select(const SymbolicPart& part, const Operand& extent,
                                                 Operand& is_valid) {
  const Operand zero = Operand::i64(0), one = Operand::i64(1);
  if (!part.is_slice) {
    const Operand index = to_i64(operand(part.index));
    is_valid = is_index(index, extent);
    return {index, one, zero, false};
  }
  const Operand stride = part.stride ? operand(*part.stride) : one;
  if (stride == one) {
    const Operand begin = part.begin ? operand(*part.begin) : zero;
    const Operand end = part.end ? operand(*part.end) : extent;
    const Operand count = !part.begin ? end : binary(Operation::Subtract, end, begin);
    if (!part.begin && !part.end)
      is_valid = truth_of(true);
    else if (!part.begin || !part.end)
      is_valid = both(binary(Operation::LessEqual, zero, part.begin ? begin : end),
                      binary(Operation::LessEqual, part.begin ? begin : end, extent));
    else // An empty slice is in bounds wherever it is.  (A count may be known where bounds are
         // not.)
      is_valid = either(binary(Operation::Equal, begin, end),
                        both(both(both(binary(Operation::LessEqual, zero, begin),
                                       binary(Operation::LessEqual, begin, end)),
                                  binary(Operation::LessEqual, zero, count)),
                             binary(Operation::LessEqual, end, extent)));
    return {begin, count, one, true};
  }
  const Operand is_up = binary(Operation::Greater, stride, zero);
  const Operand begin = part.begin ? operand(*part.begin)
                                   : select(is_up, zero, binary(Operation::Subtract, extent, one));
  const Operand end = part.end ? operand(*part.end) : select(is_up, extent, Operand::i64(-1));
  const Operand is_empty = binary(Operation::Equal, begin, end);
  const Operand distance = select(is_up, binary(Operation::Subtract, end, begin),
                                  binary(Operation::Subtract, begin, end));
  const Operand step = select(is_up, stride, binary(Operation::Subtract, zero, stride));
  leave_unless(binary(Operation::NotEqual, stride, Operand::i64(INT64_MIN)),
               "a stride whose negation is itself");
  const Operand steps = binary(Operation::Quotient, binary(Operation::Subtract, distance, one),
                               binary(Operation::Maximum, step, one));
  const Operand last = binary(Operation::Add, begin, binary(Operation::Multiply, steps, stride));
  is_valid = both(binary(Operation::NotEqual, stride, zero),
                  either(is_empty, both(binary(Operation::Greater, distance, zero),
                                        both(is_index(begin, extent), is_index(last, extent)))));
  return {select(is_empty, zero, begin), select(is_empty, zero, binary(Operation::Add, steps, one)),
          stride, true};
}

std::vector<SymbolicDomain::Selection>
SymbolicDomain::select_all(const SymbolicArray& array, std::span<const SymbolicPart> parts) {
  std::vector<Selection> result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Operand is_valid;
    result.push_back(select(parts[i], array.extents[i], is_valid));
    if (!is_true(is_valid))
      check(is_valid, "index-out-of-bounds",
            "Index " + describe(parts) + " out of bounds for array of shape " +
                describe_shape(std::span(array.extents).first(array.rank())) + ".");
    // (What is in bounds is an extent; of a number that is none that is known already.)
    if (result.back().count.is_constant()) check_extent(result.back().count);
  }
  return result;
}

std::string SymbolicDomain::describe(std::span<const SymbolicPart> parts) const {
  auto number = [&](const std::optional<SymbolicScalar>& scalar) {
    return scalar ? text(ElementType::I64, *scalar) : std::string();
  };
  std::string result = "[";
  for (const SymbolicPart& part : parts) {
    if (result.size() > 1) result += ", ";
    if (!part.is_slice) {
      result += text(part.index_type, part.index);
      continue;
    }
    result += number(part.begin) + ":" + number(part.end);
    if (part.stride) result += ":" + number(part.stride);
  }
  return result + "]";
}

std::string SymbolicDomain::describe_shape(std::span<const Operand> extents) const {
  std::string result;
  for (const Operand& extent : extents)
    result += extent.is_constant() ? "[" + print(ElementType::I64, extent.scalar(), false) + "]"
                                   : std::string("[?]");
  return result;
}

SymbolicValue SymbolicDomain::index(const Value& value, std::span<const SymbolicPart> parts) {
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
    return element(array, indices);

  // The fixed dimensions go first, then are gone.
  const auto rank = static_cast<std::uint32_t>(sliced.size());
  const Representation* type = representations_.array(rank, array.type->array().element);
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
                                 span_);
    }
    if (!fixed.empty()) leaf = builder_.index(leaf, indices, span_).value();
    ir::Slice slice{leaf, {}};
    for (std::uint32_t dimension : sliced)
      slice.dimensions.push_back(
          dimension < selections.size()
              ? ir::Slice::Dimension{selections[dimension].begin, selections[dimension].stride}
              : ir::Slice::Dimension{Operand::i64(0), Operand::i64(1)});
    ir::Type part = leaf_type(type->leaves[i], extents);
    while (slice.dimensions.size() < part.rank())
      slice.dimensions.push_back({Operand::i64(0), Operand::i64(1)});
    leaves.push_back(builder_.append_one(std::move(slice), std::move(part), span_));
  }
  return make_array(type, std::move(extents), std::move(leaves));
}

// ---- updates -----------------------------------------------------------------------------------

SymbolicValue SymbolicDomain::update(Value target, std::span<const SymbolicPart> parts,
                                     Value replacement) {
  const SymbolicArray& array = *target.array();
  const std::vector<Selection> selections = select_all(array, parts);
  std::vector<ValueId> results;
  if (std::none_of(selections.begin(), selections.end(),
                   [](const Selection& s) { return s.is_slice; })) {
    std::vector<Operand> indices;
    for (const Selection& selection : selections)
      indices.push_back(selection.begin);
    const Representation* element =
        indexed(representations_, array.type, static_cast<std::uint32_t>(parts.size()));
    const std::vector<Operand> values =
        fit(replacement, element, std::span(array.extents).subspan(parts.size()));
    std::size_t next = 0;
    for (std::size_t i = 0; i < array.leaves.size(); ++i)
      if (!array.type->leaves[i].is_unit)
        results.push_back(builder_.append_one(ir::Update{array.leaves[i], indices, values[next++]},
                                              builder_.type(array.leaves[i]), span_));
    return array_of(array.type, array.extents, results);
  }

  const SymbolicArray& source = *replacement.array();
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
    fits = both(fits, same_size(given, wanted));
  }
  check(fits, "shape-mismatch",
        "Value of shape " + describe_shape(std::span(source.extents).first(source.rank())) +
            " cannot be written to the slice " + describe(parts) + ".");
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
      update.value = builder_.append_one(ir::Reshape{update.value}, std::move(shaped), span_);
    }
    results.push_back(builder_.append_one(std::move(update), whole, span_));
  }
  return array_of(array.type, array.extents, results);
}

} // namespace sinter::jit
