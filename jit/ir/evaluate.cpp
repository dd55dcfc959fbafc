#include "jit/ir/evaluate.h"

#include "jit/ir/print.h"
#include "lang/base/interruptible.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <cassert>
#include <iterator>
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
  if (const auto* array = std::get_if<DenseArray>(&datum)) return std::span(array->elements);
  return {&std::get<Scalar>(datum), 1};
}
const DenseArray& array_of(const DenseValue& datum) {
  return std::get<DenseArray>(datum);
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
  if (indices.size() == array.extents.size()) return array.elements[place.begin];
  const auto begin = array.elements.begin() + static_cast<std::ptrdiff_t>(place.begin);
  return DenseArray{
      array.element,
      {array.extents.begin() + static_cast<std::ptrdiff_t>(indices.size()), array.extents.end()},
      std::vector<Scalar>(begin, begin + static_cast<std::ptrdiff_t>(place.count))};
}
void write(DenseArray& array, Place place, const DenseValue& value) {
  const std::span<const Scalar> elements = elements_of(value);
  if (elements.size() != place.count) fail("the value written has another shape");
  std::copy(elements.begin(), elements.end(),
            array.elements.own().begin() + static_cast<std::ptrdiff_t>(place.begin));
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
    return run(body);
  }
  const Statement* statement() const { return statement_; }

private:
  using Results = std::vector<DenseValue>;

  /// A body whose parameters are defined.  What it defines ends with it.
  Results run(const Body& body) {
    for (const Statement& statement : body.statements) {
      poll_();
      statement_ = &statement;
      std::visit([&](const auto& o) { evaluate(o, statement); }, statement.operation);
    }
    Results results = data(body.results);
    for (const ValueId parameter : body.parameters)
      forget(parameter);
    for (const Statement& statement : body.statements)
      for (const ValueId result : statement.results)
        forget(result);
    return results;
  }
  /// (Of scalars nobody minds another copy.)
  void forget(ValueId value) {
    if (!function_.type(value).is_scalar()) values_[value.index] = Scalar();
  }

  // ---- values

  DenseValue value(const Operand& operand) const {
    if (operand.is_constant()) return operand.scalar();
    if (!function_.type(operand.value()).is_scalar()) return array(operand.value());
    return values_[operand.value().index];
  }
  Scalar scalar(const Operand& operand) const {
    return operand.is_constant() ? operand.scalar()
                                 : std::get<Scalar>(values_[operand.value().index]);
  }
  std::int64_t integer(const Operand& operand) const { return scalar(operand).as<std::int64_t>(); }
  const DenseArray& array(ValueId value) const {
    const auto* array = std::get_if<DenseArray>(&values_[value.index]);
    if (!array) fail("`" + function_.values[value.index].name + "` is used after its end");
    return *array;
  }
  /// An array that is consumed: nobody else uses it any more.
  DenseArray take(ValueId value) {
    DenseArray taken = array(value);
    values_[value.index] = Scalar();
    return taken;
  }
  std::vector<std::int64_t> integers(const std::vector<Operand>& operands) const {
    std::vector<std::int64_t> result;
    result.reserve(operands.size());
    for (const Operand& operand : operands)
      result.push_back(integer(operand));
    return result;
  }
  std::vector<DenseValue> data(const std::vector<Operand>& operands) const {
    std::vector<DenseValue> result;
    result.reserve(operands.size());
    for (const Operand& operand : operands)
      result.push_back(value(operand));
    return result;
  }
  std::int64_t extent(const Operand& operand) const {
    const std::int64_t extent = integer(operand);
    if (extent < 0 || extent >= extent_limit) fail("an extent is negative or too large");
    return extent;
  }
  /// The extents that a type says now.
  std::vector<std::int64_t> extents(const Type& type) const {
    std::vector<std::int64_t> result;
    result.reserve(type.extents.size());
    for (const Operand& operand : type.extents)
      result.push_back(extent(operand));
    return result;
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
  /// A statement's only result, or all of them.
  void give(const Statement& here, DenseValue result) {
    define(here.results[0], std::move(result));
  }
  void give(const Statement& here, Results results) {
    statement_ = &here; // which others were until now
    for (std::size_t i = 0; i < results.size(); ++i)
      define(here.results[i], std::move(results[i]));
  }

  // ---- scalars and control

  void evaluate(const Primitive& o, const Statement& here) {
    Scalar arguments[3];
    for (std::size_t i = 0; i < o.arguments.size(); ++i)
      arguments[i] = scalar(o.arguments[i]);
    give(here, o.primitive->apply(arguments[0], arguments[1], arguments[2]));
  }
  void evaluate(const Select& o, const Statement& here) {
    give(here, value(scalar(o.condition).as<bool>() ? o.then_value : o.else_value));
  }
  void evaluate(const If& o, const Statement& here) {
    give(here, run(scalar(o.condition).as<bool>() ? o.then_body : o.else_body, {}));
  }
  void evaluate(const For& o, const Statement& here) {
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
    give(here, std::move(state));
  }
  void evaluate(const While& o, const Statement& here) {
    Results state = data(o.initial);
    while (std::get<Scalar>(run(o.condition, state).at(0)).as<bool>())
      state = run(o.body, std::move(state));
    give(here, std::move(state));
  }
  void evaluate(const Stream& o, const Statement& here) {
    const std::int64_t extent = integer(o.extent);
    if (extent < 0) fail("a stream's extent is negative");
    Results state = data(o.initial);
    const std::int64_t size = units_ * o.unit;
    for (std::int64_t begin = 0; begin < extent; begin += size) {
      const std::int64_t count = std::min(size, extent - begin);
      state.insert(state.begin(), {DenseValue(Scalar::of(begin)), DenseValue(Scalar::of(count))});
      state = run(o.body, std::move(state));
    }
    give(here, std::move(state));
  }
  void evaluate(const Check& o, const Statement&) {
    if (!scalar(o.condition).as<bool>()) throw Failed{o.site.index};
  }

  // ---- SOACs

  /// One of a body's results, for all elements.
  using Column = std::vector<DenseValue>;
  void evaluate(const Soac& o, const Statement& here) {
    const std::int64_t extent = integer(o.extent);
    if (extent < 0) fail("a SOAC's extent is negative");
    for (ValueId input : o.inputs)
      if (array(input).extents[0] != extent) fail("an input has another extent than the SOAC");
    if (o.body.parameters.size() != 1 + o.inputs.size()) fail("the number of arguments is wrong");
    Columns columns(extent, o.body);
    for (std::int64_t i = 0; i < extent; ++i) {
      define(o.body.parameters[0], Scalar::of(i));
      for (std::size_t k = 0; k < o.inputs.size(); ++k)
        define(o.body.parameters[1 + k], subarray(array(o.inputs[k]), std::span(&i, 1)));
      columns.push_back(run(o.body));
    }
    Cursor cursor{columns, 0, here, 0};
    Results results;
    for (const Group& group : o.groups)
      std::visit([&](const auto& g) { gather(g, cursor, results); }, group);
    give(here, std::move(results));
  }

  struct Columns {
    Columns(std::int64_t count, const Body& body) : of(body.results.size()) {
      for (Column& column : of)
        column.reserve(static_cast<std::size_t>(count));
    }
    void push_back(Results row) {
      for (std::size_t c = 0; c < of.size(); ++c)
        of[c].push_back(std::move(row[c]));
      ++elements;
    }
    std::vector<Column> of; ///< by result of the body
    std::size_t elements = 0;
  };
  /// What the groups take from: columns of the body's results, and the statement's results.
  struct Cursor {
    Columns& columns;
    std::size_t column;
    const Statement& statement;
    std::size_t result;
    std::size_t elements() const { return columns.elements; }
    Column take_column() { return std::move(columns.of[column++]); }
    /// Of some columns from the `first` one on, those of one element: once.
    Results take(std::size_t element, std::size_t first, std::size_t count) {
      Results values;
      values.reserve(count);
      for (std::size_t c = first; c < first + count; ++c)
        values.push_back(std::move(columns.of[c][element]));
      return values;
    }
    std::vector<std::int64_t> indices(std::size_t element, std::uint32_t count) const {
      std::vector<std::int64_t> indices;
      for (std::uint32_t i = 0; i < count; ++i)
        indices.push_back(std::get<Scalar>(columns.of[column + i][element]).as<std::int64_t>());
      return indices;
    }
  };
  /// Stacks one column's data into an array of the next result's type.
  DenseValue stack(const Column& data, Cursor& cursor) const {
    const Type& type = function_.type(cursor.statement.results[cursor.result++]);
    std::vector<std::int64_t> row_extents;
    for (std::size_t d = 1; d < type.extents.size(); ++d)
      row_extents.push_back(extent(type.extents[d]));
    DenseArray array{type.element, {static_cast<std::int64_t>(data.size())}, {}};
    array.extents.insert(array.extents.end(), row_extents.begin(), row_extents.end());
    std::vector<Scalar>& stacked = array.elements.own();
    for (const DenseValue& datum : data) {
      if (!std::ranges::equal(extents_of(datum), row_extents))
        fail("an element's shape is not what the result's type says");
      const std::span<const Scalar> elements = elements_of(datum);
      stacked.insert(stacked.end(), elements.begin(), elements.end());
    }
    return array;
  }
  Results combine(const Body& operation, Results left, Results right) {
    left.insert(left.end(), std::make_move_iterator(right.begin()),
                std::make_move_iterator(right.end()));
    return run(operation, std::move(left));
  }

  void gather(const MapGroup&, Cursor& cursor, Results& results) {
    results.push_back(stack(cursor.take_column(), cursor));
  }
  /// The operator, for the classes of fold_order.h.
  auto combining(const Body& operation) {
    return [this, &operation](Results&& left, Results&& right) {
      return combine(operation, std::move(left), std::move(right));
    };
  }
  std::optional<Results> before(const std::vector<Before>& before) const {
    if (before.empty() || !scalar(before[0].are_there).as<bool>()) return std::nullopt;
    return data(before[0].values);
  }
  void gather(const ReduceGroup& g, Cursor& cursor, Results& results) {
    const std::size_t count = g.neutral.size();
    primitives::RunningFold fold(data(g.neutral), combining(g.combine), before(g.before));
    for (std::size_t i = 0; i < cursor.elements(); ++i)
      fold.push(cursor.take(i, cursor.column, count));
    const Results sum = std::move(fold).result();
    cursor.column += count;
    cursor.result += count;
    results.insert(results.end(), sum.begin(), sum.end());
  }
  void gather(const ScanGroup& g, Cursor& cursor, Results& results) {
    const std::size_t count = g.neutral.size();
    std::vector<Column> prefixes(count);
    primitives::RunningScan scan(data(g.neutral), combining(g.combine), before(g.before));
    for (std::size_t i = 0; i < cursor.elements(); ++i) {
      Results prefix = scan.push(cursor.take(i, cursor.column, count));
      for (std::size_t c = 0; c < count; ++c)
        prefixes[c].push_back(std::move(prefix[c]));
    }
    cursor.column += count;
    if (!g.post.empty()) return gather(g.post[0], prefixes, cursor, results);
    for (const Column& column : prefixes)
      results.push_back(stack(column, cursor));
  }
  /// What a post makes of columns of prefixes.
  void gather(const Post& post, const std::vector<Column>& prefixes, Cursor& cursor,
              Results& results) {
    Columns columns(static_cast<std::int64_t>(cursor.elements()), post.body);
    for (std::size_t i = 0; i < cursor.elements(); ++i) {
      Results arguments{Scalar::of(static_cast<std::int64_t>(i))};
      for (const Column& column : prefixes)
        arguments.push_back(column[i]);
      Results passed = cursor.take(i, cursor.column, post.value_count);
      std::ranges::move(passed, std::back_inserter(arguments));
      columns.push_back(run(post.body, std::move(arguments)));
    }
    cursor.column += post.value_count;
    Cursor inner{columns, 0, cursor.statement, cursor.result};
    for (const Group& group : post.groups)
      std::visit([&](const auto& g) { gather(g, inner, results); }, group);
    cursor.result = inner.result;
  }
  void gather(const ScatterGroup& g, Cursor& cursor, Results& results) {
    DenseArray destination = take(g.destination.value());
    for (std::size_t i = 0; i < cursor.elements(); ++i)
      if (const auto place = find(destination, cursor.indices(i, g.index_count)))
        write(destination, *place, cursor.columns.of[cursor.column + g.index_count][i]);
    cursor.column += g.index_count + 1;
    ++cursor.result;
    results.push_back(std::move(destination));
  }
  /// Combines a value with a bin, which is spread over destinations.
  void combine_into(Results& destinations, std::span<const std::int64_t> indices,
                    const Body& operation, Results value) {
    Results bin;
    for (const DenseValue& destination : destinations)
      bin.push_back(subarray(array_of(destination), indices));
    bin = combine(operation, std::move(bin), std::move(value));
    for (std::size_t i = 0; i < destinations.size(); ++i) {
      DenseArray& destination = std::get<DenseArray>(destinations[i]);
      write(destination, find_in_bounds(destination, indices), bin[i]);
    }
  }
  void gather(const HistogramGroup& g, Cursor& cursor, Results& results) {
    const std::size_t count = g.destinations.size();
    Results destinations;
    for (const Operand& destination : g.destinations)
      destinations.emplace_back(take(destination.value()));
    const std::vector<std::int64_t> all = array_of(destinations[0]).extents;
    const std::span<const std::int64_t> bins = std::span(all).first(g.index_count);
    const auto combine_rows = [&](Results& into, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::vector<std::int64_t> indices = cursor.indices(i, g.index_count);
        if (find(array_of(into[0]), indices))
          combine_into(into, indices, g.combine,
                       cursor.take(i, cursor.column + g.index_count, count));
      }
    };
    const std::size_t elements = cursor.elements();
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
          combine_into(destinations, indices, g.combine, std::move(value));
        });
      }
    }
    cursor.column += g.index_count + count;
    cursor.result += count;
    results.insert(results.end(), destinations.begin(), destinations.end());
  }
  void gather(const FilterGroup& g, Cursor& cursor, Results& results) {
    const Column kept = cursor.take_column();
    const auto is_kept = [&](std::size_t i) { return std::get<Scalar>(kept[i]).as<bool>(); };
    std::int64_t count = 0;
    for (std::size_t i = 0; i < kept.size(); ++i)
      count += is_kept(i);
    ++cursor.result;
    results.push_back(Scalar::of(count));
    for (std::uint32_t v = 0; v < g.value_count; ++v) {
      const Column column = cursor.take_column();
      Column chosen;
      for (std::size_t i = 0; i < column.size(); ++i)
        if (is_kept(i)) chosen.push_back(column[i]);
      results.push_back(stack(chosen, cursor));
    }
  }
  void gather(const PartitionGroup& g, Cursor& cursor, Results& results) {
    const std::int64_t kinds = integer(g.kinds);
    if (kinds < 1 || kinds > most_kinds) fail("that is no number of kinds");
    std::vector<std::vector<std::size_t>> of_kind(static_cast<std::size_t>(kinds));
    const Column numbers = cursor.take_column();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto number = std::get<Scalar>(numbers[i]).as<std::int32_t>();
      if (number < 0 || number >= kinds) fail("an element is of no kind");
      of_kind[static_cast<std::size_t>(number)].push_back(i);
    }
    Column counts;
    for (const std::vector<std::size_t>& elements : of_kind)
      counts.emplace_back(Scalar::of(static_cast<std::int64_t>(elements.size())));
    results.push_back(stack(counts, cursor));
    for (std::uint32_t v = 0; v < g.value_count; ++v) {
      const Column column = cursor.take_column();
      Column ordered;
      for (const std::vector<std::size_t>& elements : of_kind)
        for (const std::size_t element : elements)
          ordered.push_back(column[element]);
      results.push_back(stack(ordered, cursor));
    }
  }

  // ---- arrays

  void evaluate(const Index& o, const Statement& here) {
    give(here, subarray(array(o.array), integers(o.indices)));
  }
  /// Where element `indices` of a slice is in the array.
  std::vector<std::int64_t> sliced(const std::vector<Slice::Dimension>& dimensions,
                                   std::span<const std::int64_t> indices) const {
    std::vector<std::int64_t> result;
    for (std::size_t d = 0; d < dimensions.size(); ++d)
      result.push_back(integer(dimensions[d].begin) + indices[d] * integer(dimensions[d].stride));
    return result;
  }
  void evaluate(const Slice& o, const Statement& here) {
    const DenseArray& whole = array(o.array);
    DenseArray result{whole.element, extents(function_.type(here.results[0])), {}};
    for_each_index(result.extents, [&](std::span<const std::int64_t> indices) {
      result.elements.push_back(
          whole.elements[find_in_bounds(whole, sliced(o.dimensions, indices)).begin]);
    });
    give(here, std::move(result));
  }
  void evaluate(const Transpose& o, const Statement& here) {
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
    give(here, std::move(result));
  }
  void evaluate(const Reshape& o, const Statement& here) {
    DenseArray result = array(o.array);
    result.extents = extents(function_.type(here.results[0]));
    if (count_of(result.extents) != static_cast<std::int64_t>(result.elements.size()))
      fail("reshape changes the number of elements");
    give(here, std::move(result));
  }
  void evaluate(const Update& o, const Statement& here) {
    DenseArray result = take(o.array);
    write(result, find_in_bounds(result, integers(o.indices)), value(o.value));
    give(here, std::move(result));
  }
  void evaluate(const UpdateSlice& o, const Statement& here) {
    DenseArray result = take(o.array);
    std::vector<Scalar>& elements = result.elements.own();
    const DenseArray& replacement = array(o.value);
    std::size_t next = 0;
    for_each_index(replacement.extents, [&](std::span<const std::int64_t> indices) {
      elements[find_in_bounds(result, sliced(o.dimensions, indices)).begin] =
          replacement.elements[next++];
    });
    give(here, std::move(result));
  }
  void evaluate(const Concat& o, const Statement& here) {
    DenseArray result = array(o.arrays[0]);
    for (std::size_t i = 1; i < o.arrays.size(); ++i) {
      const DenseArray& part = array(o.arrays[i]);
      result.extents[0] += part.extents[0];
      std::vector<Scalar>& elements = result.elements.own();
      elements.insert(elements.end(), part.elements.begin(), part.elements.end());
    }
    give(here, std::move(result));
  }
  void evaluate(const ArrayLiteral& o, const Statement& here) {
    DenseArray result{
        function_.type(here.results[0]).element, extents(function_.type(here.results[0])), {}};
    std::vector<Scalar>& all = result.elements.own();
    for (const Operand& element : o.elements) {
      const DenseValue datum = value(element);
      const std::span<const Scalar> elements = elements_of(datum);
      all.insert(all.end(), elements.begin(), elements.end());
    }
    give(here, std::move(result));
  }
  void evaluate(const Copy& o, const Statement& here) { give(here, array(o.array)); }

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
