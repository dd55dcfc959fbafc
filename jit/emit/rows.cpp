// Lanes that each go along a row of memory of their own, where what is computed of the rows'
// elements needs nothing of other rows: it is computed row by row, in lanes along the row, so that
// memory is read and written in order and nothing is turned over.  Only what is folded is, once:
//
//   for c in steps of 64                               (columns)
//     for each lane l                                  in scalar code
//       row l's elements of the columns: into results and, if they are folded, tile[l]
//     for k in steps of a square's size
//       vector l = folded elements of row l from k on  for each lane l
//       the square, turned over                        turned.cpp
//       running values = running values op vector i    for each i
//
// Rows that are short leave most of a vector empty; through those the lanes go together, element by
// element.  Where rows differ in length, those longer than a row of the order of folding, or than a
// vector if few are, are folded by themselves, as scalar code around would do it.  Both is decided
// when the code runs.
#include "jit/emit/body.h"

#include "jit/emit/kernel_shape.h"
#include "jit/emit/skeletons.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <variant>

namespace sinter::jit {

using llvm::Value;

namespace {

/// Operators of more statements are emitted once for all columns of a square.
constexpr std::size_t statements_of_square = 4;
/// Fewer than this part of the lanes are few.
constexpr unsigned few_lanes = 4;
/// Columns of a square that lanes whose rows are all that short, or shorter, have for themselves.
constexpr unsigned few_columns = 4;
/// Columns of a tile.
constexpr std::int64_t tile_length = primitives::row_length;

/// Whether nothing reads the array but SOACs, element by element.
bool is_read_along(const ir::Body& body, ir::ValueId value) {
  const auto is_it = [&](const ir::Operand& operand) { return operand == ir::Operand(value); };
  return std::none_of(body.results.begin(), body.results.end(), is_it) &&
         std::all_of(body.statements.begin(), body.statements.end(),
                     [&](const ir::Statement& statement) {
                       bool result = true;
                       if (!std::holds_alternative<ir::Soac>(statement.operation))
                         ir::for_each_operand(statement.operation, [&](const ir::Operand& operand) {
                           result = result && !is_it(operand);
                         });
                       ir::for_each_body(statement.operation, [&](const ir::Body& inner) {
                         result = result && is_read_along(inner, value);
                       });
                       return result;
                     });
}

} // namespace

bool reads_elements(const ir::Body& body) {
  return std::any_of(
      body.statements.begin(), body.statements.end(), [](const ir::Statement& statement) {
        bool result = std::holds_alternative<ir::Index>(statement.operation);
        ir::for_each_body(statement.operation,
                          [&](const ir::Body& inner) { result = result || reads_elements(inner); });
        return result;
      });
}

bool BodyEmitter::may_go_along_rows(const ir::Soac& soac, const std::vector<GroupState>& states) {
  if (!may_turn_rows(soac) || !is_elementary(source_, soac.body)) return false;
  bool has_rows = false;
  for (const ir::ValueId input : soac.inputs) {
    const bool is_row = is_row_of_lane(array(input));
    has_rows = has_rows || is_row;
    if (!is_row && !is_shared_row(array(input))) return false;
  }
  for (const GroupState& state : states) {
    if (const auto* reduce = std::get_if<ReduceState>(&state)) {
      const Folding* const folding = folding_of(state);
      if (reduce->is_unordered || (folding && !folding->tile.empty())) return false;
      for (const ir::Operand& neutral : *reduce->fold.neutral)
        if (!may_lie_in_rows(source_.type(neutral))) return false;
    } else if (const auto* map = std::get_if<MapState>(&state);
               map && is_row_of_lane(map->stored.places[0])) {
      has_rows = true;
    } else {
      return false;
    }
  }
  if (!has_rows) return false;
  // Elements beside each other that lanes have would lie apart along the rows.
  const bool reads = reads_elements(soac.body);
  const std::vector<ir::ValueId> free = ir::free_values(source_, soac.body);
  return std::none_of(free.begin(), free.end(), [&](ir::ValueId value) {
    if (!environment_[value.index]) return false;
    if (const auto* view = std::get_if<ArrayView>(&*environment_[value.index]))
      return view->is_private || view->offset.shape == Shape::Linear;
    return reads && std::get<LaneValue>(*environment_[value.index]).shape == Shape::Linear;
  });
}

/// Whether rows that fill little of a vector are better gone through element by element: else each
/// takes as long as a whole vector.
bool BodyEmitter::may_be_short_rows(const ir::Soac& soac) const {
  if (soac.extent.is_constant()) return false;
  return !is_light(soac.body) || reads_elements(soac.body) ||
         (ir::has_group<ir::ReduceGroup>(soac) && !soac.body.statements.empty());
}

/// From scalar code: whether elements of a SOAC consist of rows, all work on which goes along them,
/// as far as can be seen from outside: a mask of lanes then costs nothing.
bool BodyEmitter::has_only_rows(const ir::Soac& soac) const {
  if (b.kernel.is_compact || b.kernel.width > most_row_lanes) return false;
  std::vector<ir::ValueId> rows;
  const auto is_dense = [&](ir::ValueId value, std::size_t rank) {
    if (!environment_[value.index]) return false;
    const ArrayView& view = array(value);
    const auto* stride = llvm::dyn_cast<llvm::ConstantInt>(view.strides.back());
    return view.strides.size() == rank && stride && stride->isOne();
  };
  for (std::size_t i = 0; i < soac.inputs.size(); ++i)
    if (is_dense(soac.inputs[i], 2)) rows.push_back(soac.body.parameters[i + 1]);
  bool has_soac = false;
  for (const ir::Statement& statement : soac.body.statements) {
    if (const auto* slice = std::get_if<ir::Slice>(&statement.operation)) {
      if (!is_dense(slice->array, 1)) return false;
      rows.push_back(statement.results[0]);
    } else if (const auto* inner = std::get_if<ir::Soac>(&statement.operation)) {
      has_soac = true;
      const bool reads_rows =
          std::all_of(inner->inputs.begin(), inner->inputs.end(), [&](ir::ValueId input) {
            return std::find(rows.begin(), rows.end(), input) != rows.end();
          });
      if (inner->inputs.empty() || !reads_rows || !is_elementary(source_, inner->body) ||
          std::any_of(inner->groups.begin(), inner->groups.end(), [](const ir::Group& group) {
            return !std::holds_alternative<ir::MapGroup>(group) &&
                   !std::holds_alternative<ir::ReduceGroup>(group);
          }))
        return false;
      rows.insert(rows.end(), statement.results.begin(), statement.results.end());
    } else if (!std::holds_alternative<ir::Check>(statement.operation) &&
               !std::all_of(statement.results.begin(), statement.results.end(),
                            [&](ir::ValueId result) { return source_.type(result).is_scalar(); })) {
      return false;
    }
  }
  return has_soac;
}

/// Where the rows' elements are that a reduction folds: what was read, or is written anyway, or a
/// tile.
std::vector<BodyEmitter::FoldedRows>
BodyEmitter::rows_to_fold(const ir::Soac& soac, const std::vector<GroupState>& states) {
  std::vector<FoldedRows> result;
  const std::vector<GroupPosition> positions = group_positions(soac);
  std::size_t tiles = 0;
  /// What a map writes of a body's result, if there is one.
  const auto written = [&](const ir::Operand& element) -> std::optional<ArrayView> {
    for (std::size_t g = 0; g < states.size(); ++g)
      if (const auto* map = std::get_if<MapState>(&states[g]);
          map && soac.body.results[positions[g].body_result] == element)
        return map->stored.places[0];
    return std::nullopt;
  };
  for (std::size_t g = 0; g < states.size(); ++g) {
    const auto* reduce = std::get_if<ReduceState>(&states[g]);
    if (!reduce) continue;
    FoldedRows rows{.group = g};
    for (std::size_t i = 0; i < reduce->fold.neutral->size(); ++i) {
      const std::size_t component = positions[g].body_result + i;
      const ir::ValueId* const input = input_of_result(soac, component);
      const std::optional<ArrayView> place = input && is_row_of_lane(array(*input))
                                                 ? std::optional(array(*input))
                                                 : written(soac.body.results[component]);
      rows.are_in_tile.push_back(!place);
      rows.elements.push_back(place ? *place
                                    : row_tile(source_.type((*reduce->fold.neutral)[i]).element,
                                               tile_length, tile_memory(tiles++)));
    }
    result.push_back(std::move(rows));
  }
  return result;
}

/// So many elements of each lane, one after the other.
ArrayView BodyEmitter::row_tile(ElementType element, std::int64_t length, Value* memory) {
  ArrayView tile;
  tile.element = element;
  tile.base = memory;
  tile.offset = b.varying(b.ir.CreateMul(b.lane_numbers(b.ir.getInt64Ty()), b.splat(b.i64(length))),
                          ElementType::I64);
  tile.strides = {b.i64(1)};
  tile.is_row_major = true;
  tile.is_padded = length >= std::int64_t{b.kernel.row_width};
  return tile;
}

/// Memory for the tile of a SOAC's `number`-th component; one SOAC after the other uses it.
Value* BodyEmitter::tile_memory(std::size_t number) {
  constexpr std::int64_t widest = 8; // bytes of an element
  if (number == tiles_.size()) {
    tiles_.push_back(b.stack(b.ir.getInt8Ty(), tile_length * widest * std::int64_t{b.lanes()}));
    tiles_.back()->setAlignment(llvm::Align(64));
  }
  return tiles_[number];
}

void BodyEmitter::range_along_rows(const ir::Soac& soac, std::vector<GroupState>& states,
                                   Value* begin, const LaneValue& end) {
  const std::vector<FoldedRows> folded = rows_to_fold(soac, states);
  const bool has_tile = std::any_of(folded.begin(), folded.end(), [](const FoldedRows& rows) {
    return std::find(rows.are_in_tile.begin(), rows.are_in_tile.end(), true) !=
           rows.are_in_tile.end();
  });
  const bool computes = has_tile || folded.size() < states.size();
  const auto columns = [&](Value* column, const LaneValue& last) {
    std::vector<FoldedRows> here = folded;
    for (FoldedRows& rows : here)
      for (std::size_t i = 0; i < rows.elements.size(); ++i)
        if (rows.are_in_tile[i])
          rows.elements[i].offset.value =
              b.ir.CreateSub(rows.elements[i].offset.value, b.splat(column));
    if (computes) {
      const std::vector<std::vector<ByLane>> tiles = tiles_by_lane(here);
      for_each_lane_of(soac, states, column, last,
                       [&](Value* lane, Value* end_of_row, std::vector<GroupState>& row) {
                         fold_into_tiles(row, here, tiles, lane);
                         compute_row(soac, row, column, end_of_row);
                       });
    }
    for (const FoldedRows& rows : here)
      fold_across_rows(*fold_of(states[rows.group]), rows, column, last, !computes);
  };
  if (!has_tile) return columns(begin, end);
  b.loop(begin, b.greatest(end), tile_length, [&](Value* column) {
    columns(column, least_of(b.ir.CreateAdd(column, b.i64(tile_length)), end));
  });
}

/// The lesser of the numbers, for each lane.
LaneValue BodyEmitter::least_of(Value* number, const LaneValue& end) {
  if (end.shape == Shape::Uniform) return b.uniform(b.lesser_of(number, end.value));
  return b.varying(b.lesser_of(b.splat(number), b.vector(end)), ElementType::I64);
}

/// Scratch in which each lane has a row of memory, for results of a SOAC that is computed along
/// rows and whose results are read so.
std::optional<ArrayView> BodyEmitter::scratch_rows(const ir::Soac& soac, ir::ValueId result) {
  const ir::Type& type = source_.type(result);
  if (!may_turn_rows(soac) || type.rank() != 1 || places_.contains(result.index) ||
      byte_size(type.element) < 4 || type.element == ElementType::Bool ||
      scalar(type.extents[0]).shape != Shape::Uniform || !is_elementary(source_, soac.body) ||
      !is_read_along(source_.body, result))
    return std::nullopt;
  for (const ir::Group& group : soac.groups)
    if (!std::holds_alternative<ir::MapGroup>(group) &&
        !std::holds_alternative<ir::ReduceGroup>(group))
      return std::nullopt;
  bool has_row = false; // (else lanes compute it side by side, and it lies so)
  for (const ir::ValueId input : soac.inputs) {
    const bool is_row = is_row_of_lane(array(input));
    has_row = has_row || is_row;
    if (!is_row && !is_shared_row(array(input))) return std::nullopt;
  }
  if (!has_row) return std::nullopt;
  const std::int64_t line = std::max<std::int64_t>(b.kernel.row_width, 16);
  Value* const length =
      b.ir.CreateAnd(b.ir.CreateAdd(scalar(type.extents[0]).value, b.i64(line - 1)), b.i64(-line));
  ArrayView view;
  view.element = type.element;
  const std::size_t bytes = byte_size(type.element);
  view.base =
      scratch(b.ir.CreateMul(length, b.i64(static_cast<std::int64_t>(bytes * b.lanes()))), bytes);
  view.offset = b.varying(b.ir.CreateMul(b.lane_numbers(b.ir.getInt64Ty()), b.splat(length)),
                          ElementType::I64);
  view.strides = {b.i64(1)};
  view.is_row_major = true;
  view.is_padded = !wants_pieces(soac); // (of which vectors begin anywhere)
  return view;
}

/// Rows that may differ in length: long ones are folded as they would be in scalar code, the others
/// together; they are gone through in order, as they lie in memory.
void BodyEmitter::fold_uneven_rows(const ir::Soac& soac, std::vector<GroupState>& states,
                                   const LaneValue& end) {
  begin_only_row(states);
  const bool across = std::exchange(across_lanes_, false);
  const auto together = [&] { fold_rows(soac, states, end); };
  if (may_be_short_rows(soac))
    b.if_then_else(
        b.ir.CreateICmpSLT(b.greatest(end), b.i64(short_row)),
        [&] {
          sequential_range(b.i64(0), end,
                           [&](const LaneValue& index) { element(soac, states, index); });
        },
        together);
  else
    together();
  across_lanes_ = across;
  end_only_row(states);
}

void BodyEmitter::fold_rows(const ir::Soac& soac, std::vector<GroupState>& states,
                            const LaneValue& end) {
  const std::vector<FoldedRows> folded = rows_to_fold(soac, states);
  const bool computes = std::any_of(folded.begin(), folded.end(), [](const FoldedRows& rows) {
    return std::find(rows.are_in_tile.begin(), rows.are_in_tile.end(), true) !=
           rows.are_in_tile.end();
  });
  Value* const zero = b.i64(0);
  Value* const mask = b.mask;
  const auto longer_than = [&](Value* length) {
    return b.and_mask(b.ir.CreateICmpSGT(b.vector(end), b.splat(length)));
  };
  // (Where few are longer than a vector, most of a square would be empty.)
  Value* const vector_length = b.i64(b.kernel.row_width);
  Value* const are_few =
      b.ir.CreateICmpSLT(b.count_lanes(longer_than(vector_length)), b.i64(b.lanes() / few_lanes));
  Value* const longest = b.ir.CreateSelect(are_few, vector_length, b.i64(primitives::row_length));
  Value* const are_long = longer_than(longest);
  const LaneValue short_end =
      b.varying(b.ir.CreateSelect(are_long, b.splat(zero), b.vector(end)), ElementType::I64);

  std::vector<std::vector<ArrayView>> results(states.size());
  for (std::size_t g = 0; g < states.size(); ++g)
    for (const ir::Operand& neutral : *fold_of(states[g])->neutral) {
      const ElementType element = source_.type(neutral).element;
      results[g].push_back(row_tile(element, 1, b.stack(b.memory_type(element), b.lanes())));
      results[g].back().offset = b.index(0);
    }
  const auto row_by_row = [&] {
    const std::vector<std::vector<ByLane>> tiles = tiles_by_lane(folded);
    for_each_lane_of(soac, states, zero, end,
                     [&](Value* lane, Value* last, std::vector<GroupState>& row) {
                       std::vector<GroupState> alone = row;
                       b.if_then_else(
                           b.ir.CreateICmpSGT(last, longest),
                           [&] { fold_row_alone(soac, alone, last, results, lane); },
                           [&] {
                             if (!computes) return;
                             fold_into_tiles(row, folded, tiles, lane);
                             compute_short_row(soac, row, last);
                           });
                     });
  };
  if (computes)
    row_by_row();
  else
    b.if_then(b.any(are_long), row_by_row);
  for (const FoldedRows& rows : folded)
    fold_across_rows(*fold_of(states[rows.group]), rows, zero, short_end, !computes);
  const LaneValue numbers = b.linear(zero);
  b.mask = are_long;
  for (std::size_t g = 0; g < states.size(); ++g)
    for (std::size_t i = 0; i < results[g].size(); ++i)
      b.set_active(std::get<Variable>(fold_of(states[g])->accumulators[i]),
                   b.load(results[g][i], b.element_offset(results[g][i], {&numbers, 1})));
  b.mask = mask;
}

/// In scalar code: a lane's row, as it would be folded there.
void BodyEmitter::fold_row_alone(const ir::Soac& soac, std::vector<GroupState>& row, Value* end,
                                 const std::vector<std::vector<ArrayView>>& results, Value* lane) {
  for (GroupState& state : row)
    *fold_of(state) = begin_fold(*fold_of(state));
  const ir::Soac* const outer = std::exchange(row_, &soac);
  begin_folding(row);
  fold_range(soac, row, b.i64(0), b.uniform(end), {});
  row_ = outer;
  const LaneValue number = b.uniform(lane);
  for (std::size_t g = 0; g < row.size(); ++g)
    for (std::size_t i = 0; i < results[g].size(); ++i)
      b.store(results[g][i], b.element_offset(results[g][i], {&number, 1}),
              std::get<LaneValue>(value_of(folding_of(row[g])->all[i])));
}

/// Whether the SOAC's lanes run along its own elements.
bool BodyEmitter::runs_in_lanes(const ir::Soac& soac) const {
  return plan_.runs_in_lanes(soac) || &soac == row_;
}

// ---- across rows -------------------------------------------------------------------------------

/// Squares in registers; where the operator has an identity, that stands for what is not there.
/// Else whole squares alone, and what is left over element by element.
void BodyEmitter::fold_across_rows(const Fold& fold, const FoldedRows& rows, Value* begin,
                                   const LaneValue& end, bool fetches_ahead) {
  Folding folding{fold};
  folding.tile = rows.elements;
  std::size_t widest = 1;
  for (const ArrayView& elements : rows.elements)
    widest = std::max(widest, byte_size(elements.element));
  const unsigned size = square_size(widest);
  LaneValue last = end; // lanes that are not active have no elements
  if (b.mask)
    last = b.varying(b.ir.CreateSelect(b.mask, b.vector(end), b.splat(begin)), ElementType::I64);
  Value* const mask = std::exchange(b.mask, nullptr);

  const bool is_short = fold.combine->statements.size() <= statements_of_square;
  std::vector<Value*> identities;
  for (std::size_t i = 0; i < rows.elements.size() && is_short; ++i)
    if (const std::optional<Scalar> identity = exact_identity(folding, i))
      identities.push_back(b.literal(rows.elements[i].element, *identity));
  const bool has_identities = identities.size() == rows.elements.size();
  std::vector<ArrayView> buffers;
  for (const ArrayView& elements : rows.elements)
    if (!has_identities) buffers.push_back(turned_buffer(elements.element, size));
  const auto square = [&](Value* column, unsigned columns, bool is_whole) {
    std::vector<std::vector<Value*>> turned;
    for (std::size_t i = 0; i < rows.elements.size(); ++i) {
      turned.push_back(columns_of(read_rows(rows.elements[i], column, is_whole ? nullptr : &last,
                                            columns, is_whole ? nullptr : identities[i]),
                                  columns));
      if (fetches_ahead) fetch_rows_ahead(rows.elements[i], column, last);
    }
    if (is_short)
      fold_columns(folding, fold.accumulators, turned);
    else
      fold_columns_in_memory(folding, fold.accumulators, buffers, turned);
  };
  const auto squares = [&](Value* to, bool is_whole) {
    b.loop(begin, to, size, [&](Value* column) { square(column, size, is_whole); });
  };
  if (has_identities) {
    Value* const longest = b.greatest(last);
    if (size > few_columns)
      b.if_then_else(
          b.ir.CreateICmpSLE(b.ir.CreateSub(longest, begin), b.i64(few_columns)),
          [&] { square(begin, few_columns, false); }, [&] { squares(longest, false); });
    else
      squares(longest, false);
    b.mask = mask;
    return;
  }
  Value* const least =
      last.shape == Shape::Uniform ? last.value : b.ir.CreateIntMinReduce(last.value, true);
  Value* const rest =
      b.ir.CreateAdd(begin, b.ir.CreateAnd(b.greater_of(b.ir.CreateSub(least, begin), b.i64(0)),
                                           b.i64(-std::int64_t{size})));
  squares(rest, true);
  b.mask = mask;
  b.loop(rest, b.greatest(end), size, [&](Value* column) {
    for (std::size_t i = 0; i < buffers.size(); ++i)
      read_turned(rows.elements[i], buffers[i], column, end, size);
    sequential_range(column, least_of(b.ir.CreateAdd(column, b.i64(size)), end),
                     [&](const LaneValue& index) {
                       const LaneValue number = b.uniform(b.ir.CreateSub(index.value, column));
                       std::vector<Emitted> elements;
                       for (const ArrayView& buffer : buffers)
                         elements.push_back(b.load(buffer, b.element_offset(buffer, {&number, 1})));
                       fold_into(folding, fold.accumulators, elements);
                     });
  });
}

} // namespace sinter::jit
