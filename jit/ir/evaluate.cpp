#include "jit/ir/evaluate.h"

#include "jit/ir/print.h"
#include "lang/base/interruptible.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sinter::ir {
namespace {

/// A check that does not hold.
struct Failed {
  std::uint32_t site;
};

[[noreturn]] void fail(const std::string& what) {
  throw EvaluationError(what);
}

std::int64_t count_of(std::span<const std::int64_t> extents) {
  std::int64_t count = 1;
  for (std::int64_t extent : extents)
    if (__builtin_mul_overflow(count, extent, &count)) fail("an array has too many elements");
  return count;
}
std::span<const std::int64_t> extents_of(const DenseValue& datum) {
  const auto* array = std::get_if<DenseArray>(&datum);
  return array ? std::span<const std::int64_t>(array->extents) : std::span<const std::int64_t>();
}
/// The elements of an array, or the one of a scalar.
std::span<const Scalar> elements_of(const DenseValue& datum) {
  if (const auto* array = std::get_if<DenseArray>(&datum)) return array->elements;
  return {&std::get<Scalar>(datum), 1};
}
const DenseArray& array_of(const DenseValue& datum) {
  return std::get<DenseArray>(datum);
}
DenseValue make(ElementType element, std::vector<std::int64_t> extents,
                std::vector<Scalar> elements) {
  if (extents.empty()) return elements.at(0);
  return DenseArray{element, std::move(extents), std::move(elements)};
}

/// Where a list of leading indices leads in an array: the first element and how many.
struct Place {
  std::size_t begin = 0, count = 1;
};
/// None if out of bounds.
std::optional<Place> find(const DenseArray& array, std::span<const std::int64_t> indices) {
  std::int64_t position = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < 0 || indices[i] >= array.extents[i]) return std::nullopt;
    position = position * array.extents[i] + indices[i];
  }
  const std::int64_t count = count_of(std::span(array.extents).subspan(indices.size()));
  return Place{static_cast<std::size_t>(position * count), static_cast<std::size_t>(count)};
}
Place find_in_bounds(const DenseArray& array, std::span<const std::int64_t> indices) {
  const std::optional<Place> place = find(array, indices);
  if (!place) fail("an index is out of bounds");
  return *place;
}
DenseValue subarray(const DenseArray& array, std::span<const std::int64_t> indices) {
  const Place place = find_in_bounds(array, indices);
  const auto begin = array.elements.begin() + static_cast<std::ptrdiff_t>(place.begin);
  return make(
      array.element,
      {array.extents.begin() + static_cast<std::ptrdiff_t>(indices.size()), array.extents.end()},
      {begin, begin + static_cast<std::ptrdiff_t>(place.count)});
}
void write(DenseArray& array, Place place, const DenseValue& value) {
  const std::span<const Scalar> elements = elements_of(value);
  if (elements.size() != place.count) fail("the value written has another shape");
  std::copy(elements.begin(), elements.end(),
            array.elements.begin() + static_cast<std::ptrdiff_t>(place.begin));
}
/// Calls `visit(indices)` for all indices below the extents, in row-major order.
template <typename Visit>
void for_each_index(std::span<const std::int64_t> extents, Visit&& visit) {
  std::vector<std::int64_t> indices(extents.size(), 0);
  for (std::int64_t left = count_of(extents); left > 0; --left) {
    visit(std::span<const std::int64_t>(indices));
    for (std::size_t d = extents.size(); d-- > 0;) {
      if (++indices[d] < extents[d]) break;
      indices[d] = 0;
    }
  }
}

class Evaluator {
public:
  Evaluator(const Function& function, std::int64_t units)
      : function_(function), units_(units), values_(function.values.size()) {}

  std::vector<DenseValue> run(const Body& body, std::vector<DenseValue> arguments) {
    if (arguments.size() != body.parameters.size()) fail("the number of arguments is wrong");
    for (std::size_t i = 0; i < arguments.size(); ++i)
      define(body.parameters[i], std::move(arguments[i]));
    for (const Statement& statement : body.statements) {
      poll_();
      statement_ = &statement;
      std::vector<DenseValue> results =
          std::visit([&](const auto& o) { return evaluate(o); }, statement.operation);
      statement_ = &statement;
      for (std::size_t i = 0; i < results.size(); ++i)
        define(statement.results[i], std::move(results[i]));
    }
    std::vector<DenseValue> results;
    for (const Operand& result : body.results)
      results.push_back(value(result));
    return results;
  }
  const Statement* statement() const { return statement_; }

private:
  using Results = std::vector<DenseValue>;

  // ---- values

  DenseValue value(const Operand& operand) const {
    if (operand.is_constant()) return operand.scalar();
    return values_[operand.value().index];
  }
  Scalar scalar(const Operand& operand) const { return std::get<Scalar>(value(operand)); }
  std::int64_t integer(const Operand& operand) const { return scalar(operand).as<std::int64_t>(); }
  const DenseArray& array(ValueId value) const { return array_of(values_[value.index]); }
  std::vector<std::int64_t> integers(const std::vector<Operand>& operands) const {
    std::vector<std::int64_t> result;
    for (const Operand& operand : operands)
      result.push_back(integer(operand));
    return result;
  }
  std::vector<DenseValue> data(const std::vector<Operand>& operands) const {
    std::vector<DenseValue> result;
    for (const Operand& operand : operands)
      result.push_back(value(operand));
    return result;
  }
  /// The extents that a type says now.
  std::vector<std::int64_t> extents(const Type& type) const {
    std::vector<std::int64_t> result = integers(type.extents);
    for (std::int64_t extent : result)
      if (extent < 0 || extent >= extent_limit) fail("an extent is negative or too large");
    return result;
  }
  const Type& result_type(std::size_t position) const {
    return function_.type(statement_->results[position]);
  }
  void define(ValueId target, DenseValue datum) {
    const Type& type = function_.type(target);
    if (std::holds_alternative<DenseArray>(datum) == type.is_scalar())
      fail("a scalar stands for an array, or an array for a scalar");
    if (const auto* array = std::get_if<DenseArray>(&datum)) {
      if (array->element != type.element || array->extents != extents(type))
        fail("the shape of `" + function_.values[target.index].name + "` is not its type's");
      if (static_cast<std::int64_t>(array->elements.size()) != count_of(array->extents))
        fail("an array has another number of elements than its shape says");
    }
    values_[target.index] = std::move(datum);
  }
  static Results one(DenseValue datum) {
    Results results;
    results.push_back(std::move(datum));
    return results;
  }

  // ---- scalars and control

  Results evaluate(const Primitive& o) const {
    Scalar arguments[3];
    for (std::size_t i = 0; i < o.arguments.size(); ++i)
      arguments[i] = scalar(o.arguments[i]);
    return one(o.primitive->apply(arguments[0], arguments[1], arguments[2]));
  }
  Results evaluate(const Select& o) const {
    return one(value(scalar(o.condition).as<bool>() ? o.then_value : o.else_value));
  }
  Results evaluate(const If& o) {
    return run(scalar(o.condition).as<bool>() ? o.then_body : o.else_body, {});
  }
  Results evaluate(const For& o) {
    const Scalar bound = scalar(o.bound);
    const auto is_less = [&](Scalar a, Scalar b) {
      return is_signed(o.index_type) ? a.as<std::int64_t>() < b.as<std::int64_t>()
                                     : a.bits < b.bits;
    };
    Results state = data(o.initial);
    for (Scalar i = Scalar{0}; is_less(i, bound); ++i.bits) {
      state.insert(state.begin(), DenseValue(i));
      state = run(o.body, std::move(state));
    }
    return state;
  }
  Results evaluate(const While& o) {
    Results state = data(o.initial);
    while (std::get<Scalar>(run(o.condition, state).at(0)).as<bool>())
      state = run(o.body, std::move(state));
    return state;
  }
  Results evaluate(const Stream& o) {
    const std::int64_t extent = integer(o.extent);
    if (extent < 0) fail("a stream's extent is negative");
    Results state = data(o.initial);
    const std::int64_t size = units_ * o.unit;
    for (std::int64_t begin = 0; begin < extent; begin += size) {
      const std::int64_t count = std::min(size, extent - begin);
      state.insert(state.begin(), {DenseValue(Scalar::of(begin)), DenseValue(Scalar::of(count))});
      state = run(o.body, std::move(state));
    }
    return state;
  }
  Results evaluate(const Check& o) const {
    if (!scalar(o.condition).as<bool>()) throw Failed{o.site.index};
    return {};
  }

  // ---- SOACs

  Results evaluate(const Soac& o) {
    const Statement* here = statement_;
    const std::int64_t extent = integer(o.extent);
    if (extent < 0) fail("a SOAC's extent is negative");
    for (ValueId input : o.inputs)
      if (array(input).extents[0] != extent) fail("an input has another extent than the SOAC");
    std::vector<Results> rows; // the body's results, by index
    for (std::int64_t i = 0; i < extent; ++i) {
      Results arguments = one(Scalar::of(i));
      for (ValueId input : o.inputs)
        arguments.push_back(subarray(array(input), std::span(&i, 1)));
      rows.push_back(run(o.body, std::move(arguments)));
    }
    Cursor cursor{rows, 0, here, 0};
    Results results;
    for (const Group& group : o.groups)
      std::visit([&](const auto& g) { gather(g, cursor, results); }, group);
    return results;
  }

  /// What the groups take from: columns of the body's results, and the statement's results.
  struct Cursor {
    const std::vector<Results>& rows;
    std::size_t column;
    const Statement* statement;
    std::size_t result;
  };
  /// Stacks one column's data into an array of the next result's type.  `count` stands for its
  /// first extent.
  DenseValue stack(const std::vector<DenseValue>& data, Cursor& cursor) const {
    const Type& type = function_.type(cursor.statement->results[cursor.result++]);
    DenseArray array{type.element, {static_cast<std::int64_t>(data.size())}, {}};
    Type row = type;
    row.extents.erase(row.extents.begin());
    const std::vector<std::int64_t> row_extents = extents(row);
    array.extents.insert(array.extents.end(), row_extents.begin(), row_extents.end());
    for (const DenseValue& datum : data) {
      if (!std::ranges::equal(extents_of(datum), row_extents))
        fail("an element's shape is not what the result's type says");
      const std::span<const Scalar> elements = elements_of(datum);
      array.elements.insert(array.elements.end(), elements.begin(), elements.end());
    }
    return array;
  }
  static std::vector<DenseValue> take_column(Cursor& cursor) {
    std::vector<DenseValue> column;
    for (const Results& row : cursor.rows)
      column.push_back(row[cursor.column]);
    ++cursor.column;
    return column;
  }
  static Results slice_of(const Results& row, std::size_t begin, std::size_t count) {
    const auto first = row.begin() + static_cast<std::ptrdiff_t>(begin);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
  }
  Results combine(const Body& operation, Results left, const Results& right) {
    left.insert(left.end(), right.begin(), right.end());
    return run(operation, std::move(left));
  }

  void gather(const MapGroup&, Cursor& cursor, Results& results) {
    results.push_back(stack(take_column(cursor), cursor));
  }
  /// The operator, for the classes of fold_order.h.
  auto combining(const Body& operation) {
    return [this, &operation](Results&& left, Results&& right) {
      return combine(operation, std::move(left), right);
    };
  }
  std::optional<Results> before(const std::vector<Before>& before) const {
    if (before.empty() || !scalar(before[0].are_there).as<bool>()) return std::nullopt;
    return data(before[0].values);
  }
  void gather(const ReduceGroup& g, Cursor& cursor, Results& results) {
    const std::size_t count = g.neutral.size();
    primitives::RunningFold fold(data(g.neutral), combining(g.combine), before(g.before));
    for (const Results& row : cursor.rows)
      fold.push(slice_of(row, cursor.column, count));
    const Results sum = std::move(fold).result();
    cursor.column += count;
    cursor.result += count;
    results.insert(results.end(), sum.begin(), sum.end());
  }
  void gather(const ScanGroup& g, Cursor& cursor, Results& results) {
    const std::size_t count = g.neutral.size();
    std::vector<std::vector<DenseValue>> columns(count);
    primitives::RunningScan scan(data(g.neutral), combining(g.combine), before(g.before));
    for (const Results& row : cursor.rows) {
      const Results prefix = scan.push(slice_of(row, cursor.column, count));
      for (std::size_t i = 0; i < count; ++i)
        columns[i].push_back(prefix[i]);
    }
    cursor.column += count;
    if (!g.post.empty()) return gather(g.post[0], columns, cursor, results);
    for (const std::vector<DenseValue>& column : columns)
      results.push_back(stack(column, cursor));
  }
  /// What a post makes of columns of prefixes.
  void gather(const Post& post, const std::vector<std::vector<DenseValue>>& prefixes,
              Cursor& cursor, Results& results) {
    std::vector<Results> rows;
    for (std::size_t i = 0; i < cursor.rows.size(); ++i) {
      Results arguments = one(Scalar::of(static_cast<std::int64_t>(i)));
      for (const std::vector<DenseValue>& column : prefixes)
        arguments.push_back(column[i]);
      const Results passed = slice_of(cursor.rows[i], cursor.column, post.value_count);
      arguments.insert(arguments.end(), passed.begin(), passed.end());
      rows.push_back(run(post.body, std::move(arguments)));
    }
    cursor.column += post.value_count;
    Cursor inner{rows, 0, cursor.statement, cursor.result};
    for (const Group& group : post.groups)
      std::visit([&](const auto& g) { gather(g, inner, results); }, group);
    cursor.result = inner.result;
  }
  static std::vector<std::int64_t> row_indices(const Results& row, std::size_t column,
                                               std::uint32_t count) {
    std::vector<std::int64_t> indices;
    for (std::uint32_t i = 0; i < count; ++i)
      indices.push_back(std::get<Scalar>(row[column + i]).as<std::int64_t>());
    return indices;
  }
  void gather(const ScatterGroup& g, Cursor& cursor, Results& results) {
    DenseArray destination = array_of(value(g.destination));
    for (const Results& row : cursor.rows)
      if (const auto place = find(destination, row_indices(row, cursor.column, g.index_count)))
        write(destination, *place, row[cursor.column + g.index_count]);
    cursor.column += g.index_count + 1;
    ++cursor.result;
    results.push_back(std::move(destination));
  }
  /// Combines a value with a bin, which is spread over destinations.
  void combine_into(Results& destinations, std::span<const std::int64_t> indices,
                    const Body& operation, const Results& value) {
    Results bin;
    for (const DenseValue& destination : destinations)
      bin.push_back(subarray(array_of(destination), indices));
    bin = combine(operation, std::move(bin), value);
    for (std::size_t i = 0; i < destinations.size(); ++i) {
      DenseArray& destination = std::get<DenseArray>(destinations[i]);
      write(destination, find_in_bounds(destination, indices), bin[i]);
    }
  }
  void gather(const HistogramGroup& g, Cursor& cursor, Results& results) {
    const std::size_t count = g.destinations.size();
    Results destinations = data(g.destinations);
    const std::vector<std::int64_t> all = array_of(destinations[0]).extents;
    const std::span<const std::int64_t> bins = std::span(all).first(g.index_count);
    const auto combine_rows = [&](Results& into, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Results& row = cursor.rows[i];
        const std::vector<std::int64_t> indices = row_indices(row, cursor.column, g.index_count);
        if (find(array_of(into[0]), indices))
          combine_into(into, indices, g.combine,
                       slice_of(row, cursor.column + g.index_count, count));
      }
    };
    const std::size_t elements = cursor.rows.size();
    const primitives::Segments cut =
        primitives::segments(static_cast<std::int64_t>(elements), count_of(bins));
    if (cut.count == 1) {
      combine_rows(destinations, 0, elements);
    } else {
      const Results neutral = data(g.neutral);
      const auto length = static_cast<std::size_t>(cut.length);
      for (std::size_t begin = 0; begin < elements; begin += length) {
        Results own = destinations;
        for_each_index(bins, [&](std::span<const std::int64_t> indices) {
          for (std::size_t i = 0; i < count; ++i)
            write(std::get<DenseArray>(own[i]), find_in_bounds(array_of(own[i]), indices),
                  neutral[i]);
        });
        combine_rows(own, begin, std::min(begin + length, elements));
        for_each_index(bins, [&](std::span<const std::int64_t> indices) {
          Results value;
          for (const DenseValue& bins_of_one : own)
            value.push_back(subarray(array_of(bins_of_one), indices));
          combine_into(destinations, indices, g.combine, value);
        });
      }
    }
    cursor.column += g.index_count + count;
    cursor.result += count;
    results.insert(results.end(), destinations.begin(), destinations.end());
  }
  void gather(const FilterGroup& g, Cursor& cursor, Results& results) {
    const std::vector<DenseValue> kept = take_column(cursor);
    const auto is_kept = [&](std::size_t i) { return std::get<Scalar>(kept[i]).as<bool>(); };
    std::int64_t count = 0;
    for (std::size_t i = 0; i < kept.size(); ++i)
      count += is_kept(i);
    ++cursor.result;
    results.push_back(Scalar::of(count));
    for (std::uint32_t v = 0; v < g.value_count; ++v) {
      const std::vector<DenseValue> column = take_column(cursor);
      std::vector<DenseValue> chosen;
      for (std::size_t i = 0; i < column.size(); ++i)
        if (is_kept(i)) chosen.push_back(column[i]);
      results.push_back(stack(chosen, cursor));
    }
  }
  void gather(const PartitionGroup& g, Cursor& cursor, Results& results) {
    const std::int64_t kinds = integer(g.kinds);
    if (kinds < 1 || kinds > most_kinds) fail("that is no number of kinds");
    std::vector<std::vector<std::size_t>> of_kind(static_cast<std::size_t>(kinds));
    const std::vector<DenseValue> numbers = take_column(cursor);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto number = std::get<Scalar>(numbers[i]).as<std::int32_t>();
      if (number < 0 || number >= kinds) fail("an element is of no kind");
      of_kind[static_cast<std::size_t>(number)].push_back(i);
    }
    std::vector<DenseValue> counts;
    for (const std::vector<std::size_t>& elements : of_kind)
      counts.emplace_back(Scalar::of(static_cast<std::int64_t>(elements.size())));
    results.push_back(stack(counts, cursor));
    for (std::uint32_t v = 0; v < g.value_count; ++v) {
      const std::vector<DenseValue> column = take_column(cursor);
      std::vector<DenseValue> ordered;
      for (const std::vector<std::size_t>& elements : of_kind)
        for (const std::size_t element : elements)
          ordered.push_back(column[element]);
      results.push_back(stack(ordered, cursor));
    }
  }

  // ---- arrays

  Results evaluate(const Index& o) const {
    return one(subarray(array(o.array), integers(o.indices)));
  }
  /// Where element `indices` of a slice is in the array.
  std::vector<std::int64_t> sliced(const std::vector<Slice::Dimension>& dimensions,
                                   std::span<const std::int64_t> indices) const {
    std::vector<std::int64_t> result;
    for (std::size_t d = 0; d < dimensions.size(); ++d)
      result.push_back(integer(dimensions[d].begin) + indices[d] * integer(dimensions[d].stride));
    return result;
  }
  Results evaluate(const Slice& o) const {
    const DenseArray& whole = array(o.array);
    DenseArray result{whole.element, extents(result_type(0)), {}};
    for_each_index(result.extents, [&](std::span<const std::int64_t> indices) {
      result.elements.push_back(
          whole.elements[find_in_bounds(whole, sliced(o.dimensions, indices)).begin]);
    });
    return one(std::move(result));
  }
  Results evaluate(const Transpose& o) const {
    const DenseArray& whole = array(o.array);
    DenseArray result{whole.element, {}, {}};
    for (std::uint32_t dimension : o.permutation)
      result.extents.push_back(whole.extents[dimension]);
    for_each_index(result.extents, [&](std::span<const std::int64_t> indices) {
      std::vector<std::int64_t> source(indices.size());
      for (std::size_t d = 0; d < indices.size(); ++d)
        source[o.permutation[d]] = indices[d];
      result.elements.push_back(whole.elements[find_in_bounds(whole, source).begin]);
    });
    return one(std::move(result));
  }
  Results evaluate(const Reshape& o) const {
    DenseArray result = array(o.array);
    result.extents = extents(result_type(0));
    if (count_of(result.extents) != static_cast<std::int64_t>(result.elements.size()))
      fail("reshape changes the number of elements");
    return one(std::move(result));
  }
  Results evaluate(const Update& o) const {
    DenseArray result = array(o.array);
    write(result, find_in_bounds(result, integers(o.indices)), value(o.value));
    return one(std::move(result));
  }
  Results evaluate(const UpdateSlice& o) const {
    DenseArray result = array(o.array);
    const DenseArray& replacement = array(o.value);
    std::size_t next = 0;
    for_each_index(replacement.extents, [&](std::span<const std::int64_t> indices) {
      result.elements[find_in_bounds(result, sliced(o.dimensions, indices)).begin] =
          replacement.elements[next++];
    });
    return one(std::move(result));
  }
  Results evaluate(const Concat& o) const {
    DenseArray result = array(o.arrays[0]);
    for (std::size_t i = 1; i < o.arrays.size(); ++i) {
      const DenseArray& part = array(o.arrays[i]);
      result.extents[0] += part.extents[0];
      result.elements.insert(result.elements.end(), part.elements.begin(), part.elements.end());
    }
    return one(std::move(result));
  }
  Results evaluate(const ArrayLiteral& o) const {
    DenseArray result{result_type(0).element, extents(result_type(0)), {}};
    for (const Operand& element : o.elements) {
      const DenseValue datum = value(element);
      const std::span<const Scalar> elements = elements_of(datum);
      result.elements.insert(result.elements.end(), elements.begin(), elements.end());
    }
    return one(std::move(result));
  }
  Results evaluate(const Copy& o) const { return one(array(o.array)); }

  const Function& function_;
  std::int64_t units_; ///< of a stream's piece
  std::vector<DenseValue> values_;
  const Statement* statement_ = nullptr; ///< that is being evaluated
  SparsePoll poll_;
};

} // namespace

Evaluation evaluate(const Function& function, std::vector<DenseValue> arguments,
                    std::int64_t units) {
  assert(units > 0);
  Evaluator evaluator(function, units);
  try {
    return evaluator.run(function.body, std::move(arguments));
  } catch (const Failed& failed) {
    return failed.site;
  } catch (const EvaluationError& error) {
    if (!evaluator.statement()) throw;
    throw EvaluationError(std::string(error.what()) +
                          "\nin: " + print(function, *evaluator.statement()));
  }
}

} // namespace sinter::ir
