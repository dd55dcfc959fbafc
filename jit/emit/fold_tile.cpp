// Folds by tiles: the elements of W rows, and the rows each in a lane (fold.cpp says when).
//
// A lane's elements are a row apart, so squares of the tile are turned over in registers:
//
//   for i in steps of the square's size               (columns)
//     vector l = tile[64 l + i …]                      for each lane l
//     the square, turned over                          element i + k of all rows is vector k
//     for each k: running values = running values op vector k
//
// What is left over where a tile is not full, and the only tile of few elements, goes row by row.
#include "jit/emit/body.h"

#include "jit/emit/kernel_shape.h"
#include "jit/emit/skeletons.h"
#include "jit/ir/walk.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

using llvm::Value;
using primitives::row_length;

namespace {

/// Operators of more statements are emitted once for all columns of a square.
constexpr std::size_t statements_of_columns = 4;
/// Squares of more vectors are too much code.
constexpr unsigned transposed_lanes = 32;
/// Bytes: what is near is asked for at most so far ahead.
constexpr std::int64_t furthest_fetch = 8192;
/// So many rows, and one that is not whole, are folded by themselves.
constexpr std::int64_t few_rows = 1;

} // namespace

/// Makes room for the elements that are not in memory, one after the other, already; whether there
/// is anything to do to have them.
bool BodyEmitter::make_tiles(const ir::Soac& soac, std::vector<GroupState>& states,
                             const FoldEvents& events, std::int64_t tiles) {
  bool is_computed = false;
  const std::vector<GroupPosition> positions = group_positions(soac);
  for (std::size_t g = 0; g < states.size(); ++g) {
    Folding* const folding = folding_of(states[g]);
    if (!folding) {
      is_computed = is_computed || is_wanted(states[g]);
      continue;
    }
    for (std::size_t i = 0; i < folding->neutral->size(); ++i) {
      const ir::ValueId* const input = input_of_result(soac, positions[g].body_result + i);
      // (Small elements have no masked loads.)
      const auto* const stride =
          input ? llvm::dyn_cast<llvm::ConstantInt>(array(*input).strides[0]) : nullptr;
      const bool is_there = stride && stride->isOne() && !folding->is_scan &&
                            !events.keeps_elements && byte_size(array(*input).element) >= 4;
      is_computed = is_computed || !is_there;
      folding->tile.push_back(
          is_there ? array(*input) : new_tile(source_.type((*folding->neutral)[i]).element, tiles));
      folding->is_input.push_back(is_there);
    }
    if (auto* scan = std::get_if<ScanState>(&states[g]))
      for (PostState& post : scan->post)
        make_tiles(soac, post, positions[g].body_result + folding->neutral->size());
  }
  return is_computed;
}

/// Room for what goes by the scan, and for what its post folds.
void BodyEmitter::make_tiles(const ir::Soac& soac, PostState& post, std::size_t first_passed) {
  for (std::size_t i = 0; i < post.post->value_count; ++i) {
    const ir::ValueId* const input = input_of_result(soac, first_passed + i);
    const bool is_there = input && byte_size(array(*input).element) >= 4;
    post.passed.push_back(
        is_there ? array(*input)
                 : new_tile(source_.type(soac.body.results[first_passed + i]).element));
    post.is_input.push_back(is_there);
  }
  for (GroupState& state : post.states)
    if (Folding* const folding = folding_of(state))
      for (const ir::Operand& neutral : *folding->neutral) {
        folding->tile.push_back(new_tile(source_.type(neutral).element));
        folding->is_input.push_back(false);
      }
}

ArrayView BodyEmitter::new_tile(ElementType element, std::int64_t tiles) {
  auto* const memory =
      b.stack(b.memory_type(element), tiles * row_length * std::int64_t{b.kernel.width});
  memory->setAlignment(llvm::Align(64));
  ArrayView tile;
  tile.element = element;
  tile.base = memory;
  tile.strides = {b.i64(1)};
  tile.is_row_major = true;
  return tile;
}

void BodyEmitter::store_in_tile(const Folding& folding, const LaneValue& index,
                                std::span<const Emitted> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!folding.is_input[i])
      b.store(folding.tile[i], b.element_offset(folding.tile[i], {&index, 1}),
              std::get<LaneValue>(values[i]));
}

void BodyEmitter::fold_by_tiles(const ir::Soac& soac, std::vector<GroupState>& states, Value* begin,
                                Value* end, const FoldEvents& events) {
  const bool in_lanes = runs_in_lanes(soac);
  const bool has_pairs = in_lanes && may_fold_pairs(soac, states);
  const bool may_be_ahead = has_pairs && may_compute_ahead(soac, states);
  const std::int64_t tiles = has_pairs ? turned_tiles : 1;
  const bool computes = make_tiles(soac, states, events, may_be_ahead ? 2 * tiles : tiles);
  const std::vector<ArrayView> outer_streams = std::exchange(streams_, streams_of(soac));
  if (in_lanes) ir::for_each_body(soac, [&](const ir::Body& body) { uniformity_.analyse(body); });
  const std::int64_t tile = row_length * (in_lanes ? std::int64_t{b.kernel.width} : 1);
  const std::int64_t pair = turned_tiles * tile;
  const bool turns_inputs = in_lanes && computes && may_turn_inputs(soac, states);
  const bool in_pairs = has_pairs && !turns_inputs;
  Value* const from_afar = in_pairs ? come_from_afar(soac) : nullptr;
  std::optional<Ahead> ahead;
  if (may_be_ahead && in_pairs && computes) ahead = begin_ahead(pair);
  const auto by_rows = [&](Value* block, Value* block_end) {
    Value* rest = block;
    if (turns_inputs) {
      Value* whole = b.ir.CreateAnd(b.ir.CreateSub(block_end, block), b.i64(-pair));
      if (events.keeps_elements) whole = b.ir.CreateSelect(events.keeps_elements, b.i64(0), whole);
      rest = b.ir.CreateAdd(block, whole);
      b.loop(block, rest, pair, [&](Value* first) {
        check_epoch();
        fold_turned_inputs(soac, states, events, first);
      });
    }
    const std::int64_t step = in_pairs ? pair : tile;
    b.loop(rest, block_end, step, [&](Value* first) {
      check_epoch();
      Value* const last = b.lesser_of(b.ir.CreateAdd(first, b.i64(step)), block_end);
      tile_at(soac, states, events, first, last, computes, ahead ? &*ahead : nullptr, [&] {
        if (!in_pairs) return fold_tile(states, events, first, last, in_lanes);
        Value* goes_by_pair = b.ir.CreateICmpEQ(b.ir.CreateSub(last, first), b.i64(step));
        if (from_afar && !computes && !b.kernel.facts().reads_pairs_from_afar)
          goes_by_pair = b.ir.CreateAnd(goes_by_pair, b.ir.CreateNot(from_afar));
        b.if_then_else(
            goes_by_pair,
            [&] {
              if (ahead) return fold_ahead(soac, states, events, *ahead, first, end, from_afar);
              fold_pair(states, events, first, [&](Value* column, unsigned columns) {
                fetch_ahead(first, column, columns, turned_tiles, from_afar);
              });
            },
            [&] {
              b.loop(first, last, tile, [&](Value* begin) {
                Value* const end = b.lesser_of(b.ir.CreateAdd(begin, b.i64(tile)), last);
                fold_tile(states, events, begin, end, in_lanes);
              });
            });
      });
    });
  };
  for_each_block(begin, end, [&](Value* block, Value* block_end) {
    if (in_lanes && only_selects(soac))
      select_block(soac, states, events, block, block_end, [&] { by_rows(block, block_end); });
    else
      by_rows(block, block_end);
    fold_block(states, events, block);
  });
  streams_ = outer_streams;
}

/// The inputs that are read from end to end.
std::vector<ArrayView> BodyEmitter::streams_of(const ir::Soac& soac) const {
  std::vector<ArrayView> streams;
  for (const ir::ValueId input : soac.inputs) {
    const ArrayView& view = array(input);
    const auto* const stride =
        view.strides.size() == 1 ? llvm::dyn_cast<llvm::ConstantInt>(view.strides[0]) : nullptr;
    if (stride && stride->isOne() && !view.is_private) streams.push_back(view);
  }
  return streams;
}

/// The elements of so many rows, or fewer, and (`fold_rows`) the rows.
void BodyEmitter::tile_at(const ir::Soac& soac, std::vector<GroupState>& states,
                          const FoldEvents& events, Value* first, Value* last, bool computes,
                          const Ahead* ahead, const std::function<void()>& fold_rows) {
  const bool in_lanes = runs_in_lanes(soac);
  Value* const offset = ahead ? place_of_tiles(*ahead, first) : b.ir.CreateNeg(first);
  const auto begins_here = [&](ArrayView& tile) { tile.offset = b.uniform(offset); };
  for (std::size_t g = 0; g < states.size(); ++g) {
    Folding* const folding = folding_of(states[g]);
    for (std::size_t i = 0; folding && i < folding->tile.size(); ++i) {
      if (folding->is_input[i]) continue;
      ArrayView& tile = folding->tile[i];
      begins_here(tile);
      if (events.elements) tile = events.elements(g, i, tile);
    }
    auto* const scan = std::get_if<ScanState>(&states[g]);
    for (std::size_t p = 0; scan && p < scan->post.size(); ++p) {
      PostState& post = scan->post[p];
      for (std::size_t i = 0; i < post.passed.size(); ++i)
        if (!post.is_input[i]) begins_here(post.passed[i]);
      for (GroupState& state : post.states)
        if (Folding* const inner = folding_of(state))
          std::ranges::for_each(inner->tile, begins_here);
    }
  }
  if (computes && in_lanes) {
    const auto compute = [&] {
      compute_tiles(states, [&](std::vector<GroupState>& into_tiles) {
        elements_in_lanes(soac, into_tiles, first, last);
      });
    };
    if (ahead)
      b.if_then(b.ir.CreateICmpNE(b.get(ahead->first).value, first), compute);
    else
      compute();
  } else if (computes) {
    range_of_elements(soac, states, first, b.uniform(last));
  }
  if (events.keeps_elements)
    b.if_then(b.ir.CreateNot(events.keeps_elements), fold_rows);
  else
    fold_rows();
}

void BodyEmitter::compute_tiles(
    std::vector<GroupState> states,
    const std::function<void(std::vector<GroupState>& into_tiles)>& elements) {
  // (What goes into a tile does not pass by the caches.)
  for (GroupState& state : states)
    if (auto* scan = std::get_if<ScanState>(&state)) {
      scan->stored.streams = nullptr;
      for (PostState& post : scan->post)
        for (GroupState& inner : post.states)
          if (Stored* stored = stored_of(inner)) stored->streams = nullptr;
    }
  across_lanes_ = true;
  elements(states);
  across_lanes_ = false;
}

/// While tiles are folded, the processor sees few reads: those of later tiles' columns are asked
/// for meanwhile, as many at a time as there are columns at a time.  Where vectors are long, as
/// many tiles' bytes ahead (Sapphire Rapids, sum of 2^28 f32, two threads, one tile: 37 ms, twice
/// as far 53, not at all 43), and further ahead to the second cache, which waits for more lines at
/// a time (0.82 of the time, as a plain loop that reads in order); else further.  Zen 4 wants all
/// of it nearer, and one tile at a time (2^27 f32, one thread: 35 ms as Sapphire Rapids has it, 28
/// a tile at a time, 20 with half and a quarter of the distances).  The second cache's is of no use
/// (it takes a twentieth more) where (`from_afar`, i1; null: it is not known) nothing comes from
/// behind the caches.
void BodyEmitter::fetch_ahead(Value* first, Value* column, unsigned columns, std::int64_t tiles,
                              Value* from_afar) {
  constexpr std::int64_t cache_line = 64;
  const TargetFacts& facts = b.kernel.facts();
  if (!facts.fetches) return;
  const bool is_long = facts.has_long_vectors();
  const auto column_bytes = [&](const ArrayView& stream) {
    return std::int64_t{b.lanes()} * static_cast<std::int64_t>(byte_size(stream.element));
  };
  const auto fetch = [&](const ArrayView& stream, Value* distance, TargetHooks::Cache nearest) {
    const std::int64_t bytes_a_column = column_bytes(stream);
    const std::int64_t bytes_a_tile = bytes_a_column * row_length;
    const LaneValue index = b.uniform(first);
    Value* const begin = b.ir.CreateGEP(b.memory_type(stream.element), stream.base,
                                        b.element_offset(stream, {&index, 1}).value);
    Value* const here =
        b.ir.CreateGEP(b.ir.getInt8Ty(), begin, b.ir.CreateMul(column, b.i64(bytes_a_column)));
    for (std::int64_t tile = 0; tile < tiles; ++tile)
      for (std::int64_t byte = 0; byte < bytes_a_column * columns; byte += cache_line)
        b.kernel.hooks.fetch(
            b,
            b.ir.CreateGEP(b.ir.getInt8Ty(), here,
                           b.ir.CreateAdd(distance, b.i64(tile * bytes_a_tile + byte))),
            nearest);
  };
  for (const ArrayView& stream : streams_) {
    const std::int64_t bytes_ahead = tiles * row_length * column_bytes(stream);
    const auto at_most = [&](std::int64_t distance) {
      return b.i64(is_long ? std::min(distance, bytes_ahead) : distance);
    };
    Value* distance = at_most(facts.fetch_distance);
    if (from_afar) distance = b.ir.CreateSelect(from_afar, distance, at_most(furthest_fetch));
    fetch(stream, distance, TargetHooks::Cache::First);
  }
  if (!is_long) return;
  const auto further = [&] {
    for (const ArrayView& stream : streams_)
      fetch(stream, b.i64(facts.second_fetch_distance), TargetHooks::Cache::Second);
  };
  if (from_afar)
    b.if_then(from_afar, further);
  else
    further();
}

/// The tile's rows, after its elements have been computed.
void BodyEmitter::fold_tile(std::vector<GroupState>& states, const FoldEvents& events, Value* first,
                            Value* last, bool in_lanes) {
  const std::vector<ArrayView> streams = streams_;
  for (std::size_t g = 0; g < states.size(); ++g) {
    if (folding_of(states[g])) {
      fold_tile(states, g, events, first, last, in_lanes);
      streams_.clear(); // once is enough
    }
    for_each_post(states[g], [&](PostState& post) {
      fold_tile(post.states, post.events, first, last, in_lanes);
    });
  }
  streams_ = streams;
}

void BodyEmitter::fold_tile(std::vector<GroupState>& states, std::size_t group,
                            const FoldEvents& events, Value* first, Value* last, bool in_lanes) {
  const Folding& folding = *folding_of(states[group]);
  const auto rows = [&](Value* begin, Value* end, const auto& values_of_row) {
    b.loop(begin, end, row_length, [&](Value* row) {
      const std::vector<Emitted> values = values_of_row(row);
      if (folding.is_scan) {
        carry_into_row(folding, row);
        store_row(std::get<ScanState>(states[group]), row,
                  b.lesser_of(b.ir.CreateAdd(row, b.i64(row_length)), end));
      }
      fold_row(states, events, group, row, values);
    });
  };
  const auto in_lane_code = [&](Value* end) {
    const std::vector<ArrayView> results = results_of_rows(folding);
    rows_in_lanes(folding, results, first, end);
    rows(first, end, [&](Value* row) { return results_of_row(results, first, row); });
  };
  // (Where no squares are turned over, lanes would scatter prefixes element by element.)
  const bool takes_lanes = in_lanes && !(b.kernel.is_compact && folding.is_scan);
  if (takes_lanes && !may_transpose(*folding.combine)) return in_lane_code(last);
  Value* rest = first;
  if (takes_lanes) {
    Value* const whole = b.ir.CreateAnd(b.ir.CreateSub(last, first), b.i64(-row_length));
    Value* const are_many = b.ir.CreateICmpSGT(whole, b.i64(few_rows * row_length));
    rest = b.ir.CreateSelect(are_many, b.ir.CreateAdd(first, whole), first);
    b.if_then(are_many, [&] { in_lane_code(rest); });
  }
  rows(rest, last, [&](Value* row) { return row_by_itself(folding, row, last); });
}

/// Those that lanes have left, of a tile from `first` on.
std::vector<Emitted> BodyEmitter::results_of_row(const std::vector<ArrayView>& results,
                                                 Value* first, Value* row) {
  const LaneValue number =
      b.uniform(b.ir.CreateSDiv(b.ir.CreateSub(row, first), b.i64(row_length)));
  std::vector<Emitted> values;
  values.reserve(results.size());
  for (const ArrayView& result : results)
    values.push_back(b.load(result, b.element_offset(result, {&number, 1})));
  return values;
}

/// One row; a scan's prefixes take the elements' places.
std::vector<Emitted> BodyEmitter::row_by_itself(const Folding& folding, Value* row, Value* last) {
  const std::vector<Accumulator> accumulators = neutral_accumulators(folding);
  Value* const end = b.lesser_of(b.ir.CreateAdd(row, b.i64(row_length)), last);
  if (!folding.is_scan && has_identities(folding) && may_fold_in_order(*folding.combine)) {
    b.lanes_range(row, end, [&](Value* first) {
      const LaneValue index = b.linear(first);
      std::vector<Emitted> elements;
      for (const ArrayView& tile : folding.tile)
        elements.push_back(b.load(tile, b.element_offset(tile, {&index, 1})));
      fold_in_order(folding, accumulators, elements);
    });
    return values_of(accumulators);
  }
  b.loop(row, end, 1, [&](Value* i) { fold_tile_element(folding, accumulators, b.uniform(i)); });
  return values_of(accumulators);
}

void BodyEmitter::fold_tile_element(const Folding& folding,
                                    std::span<const Accumulator> accumulators,
                                    const LaneValue& index) {
  std::vector<Emitted> elements;
  for (const ArrayView& tile : folding.tile)
    elements.push_back(b.load(tile, b.element_offset(tile, {&index, 1})));
  fold_into(folding, accumulators, elements);
  if (folding.is_scan) store_in_tile(folding, index, values_of(accumulators));
}

/// Where what the lanes have of a tile's rows is kept.
std::vector<ArrayView> BodyEmitter::results_of_rows(const Folding& folding, std::int64_t tiles) {
  std::vector<ArrayView> results;
  for (const ArrayView& tile : folding.tile) {
    ArrayView result = tile;
    auto* const memory = b.stack(b.memory_type(tile.element), tiles * std::int64_t{b.kernel.width});
    memory->setAlignment(llvm::Align(64));
    result.base = memory;
    result.offset = b.index(0);
    results.push_back(std::move(result));
  }
  return results;
}

/// Whether rows in lanes are read by turning over squares of elements.  (Vectors of halves are
/// taken apart element by element.)
bool BodyEmitter::may_transpose(const ir::Body& combine) const {
  return !b.kernel.is_compact && b.kernel.width <= transposed_lanes &&
         std::none_of(combine.parameters.begin(), combine.parameters.end(), [&](ir::ValueId value) {
           return source_.type(value).element == ElementType::F16;
         });
}

/// All rows of a tile, each in a lane; whole rows, where squares are turned over.
void BodyEmitter::rows_in_lanes(const Folding& folding, const std::vector<ArrayView>& results,
                                Value* first, Value* last) {
  Value* const count = b.ir.CreateSub(last, first);
  const auto fold_all = [&](bool is_whole) {
    b.enter_lanes(nullptr);
    const std::vector<Accumulator> accumulators = neutral_accumulators(folding);
    if (may_transpose(*folding.combine))
      fold_transposed(folding, accumulators, first, is_whole ? nullptr : count);
    else
      fold_gathered(folding, accumulators, first, count);
    const LaneValue numbers = b.linear(b.i64(0));
    for (std::size_t i = 0; i < results.size(); ++i)
      b.store(results[i], b.element_offset(results[i], {&numbers, 1}),
              std::get<LaneValue>(value_of(accumulators[i])));
    b.leave_lanes();
  };
  if (!may_transpose(*folding.combine)) return fold_all(false);
  b.if_then_else(
      b.ir.CreateICmpEQ(count, b.i64(row_length * std::int64_t{b.kernel.width})),
      [&] { fold_all(true); }, [&] { fold_all(false); });
}

/// Column after column, by gathers, as far as there are elements.
void BodyEmitter::fold_gathered(const Folding& folding, std::span<const Accumulator> accumulators,
                                Value* first, Value* count) {
  Value* const starts =
      b.ir.CreateMul(b.lane_numbers(b.ir.getInt64Ty()), b.splat(b.i64(row_length)));
  b.loop(b.i64(0), b.lesser_of(count, b.i64(row_length)), 1, [&](Value* column) {
    Value* const places = b.ir.CreateAdd(starts, b.splat(column));
    b.mask = b.ir.CreateICmpSLT(places, b.splat(count));
    fold_tile_element(folding, accumulators,
                      b.varying(b.ir.CreateAdd(places, b.splat(first)), ElementType::I64));
    b.mask = nullptr;
  });
}

/// Some columns at a time, by turning squares of elements over in registers.  Of fewer rows than
/// there are lanes (`count`: their elements), the lanes left over do what the first one does.
void BodyEmitter::fold_transposed(const Folding& folding, std::span<const Accumulator> accumulators,
                                  Value* first, Value* count) {
  const auto lanes = static_cast<std::int64_t>(b.lanes());
  std::size_t widest = 1, narrowest = 8;
  for (const ArrayView& tile : folding.tile) {
    widest = std::max(widest, byte_size(tile.element));
    narrowest = std::min(narrowest, byte_size(tile.element));
  }
  const unsigned size = square_size(widest);
  std::vector<Value*> starts;
  for (std::int64_t row = 0; row < lanes; ++row) {
    Value* start = b.i64(row * row_length);
    if (count && row > few_rows)
      start = b.ir.CreateSelect(b.ir.CreateICmpSLT(start, count), start, b.i64(0));
    starts.push_back(start);
  }
  // (Long operators are emitted once, for which the columns have to be in memory.)
  const bool is_long = folding.combine->statements.size() > statements_of_columns;
  std::vector<ArrayView> buffers;
  if (is_long)
    for (const ArrayView& tile : folding.tile)
      buffers.push_back(turned_buffer(tile.element, size));
  // (Half of a square is half of the code.  A scan's prefixes go back in whole ones.)
  const unsigned columns =
      !is_long && !folding.is_scan && has_half_squares(narrowest, size) ? size / 2 : size;
  b.loop(b.i64(0), b.i64(row_length), columns, [&](Value* column) {
    const auto place = [&](const ArrayView& tile, std::size_t row) {
      const LaneValue index = b.uniform(b.ir.CreateAdd(b.ir.CreateAdd(first, column), starts[row]));
      return b.ir.CreateGEP(b.memory_type(tile.element), tile.base,
                            b.element_offset(tile, {&index, 1}).value);
    };
    if (!count) fetch_ahead(first, column, columns);
    std::vector<std::vector<Value*>> turned;
    for (const ArrayView& tile : folding.tile) {
      std::vector<Value*> rows;
      auto* const type = llvm::FixedVectorType::get(b.memory_type(tile.element), columns);
      for (std::size_t row = 0; row < starts.size(); ++row)
        rows.push_back(
            b.ir.CreateAlignedLoad(type, place(tile, row), llvm::Align(byte_size(tile.element))));
      turned.push_back(columns_of(std::move(rows), size));
    }
    if (is_long)
      fold_columns_in_memory(folding, accumulators, buffers, turned);
    else
      fold_columns(folding, accumulators, turned);
    if (!folding.is_scan) return;
    // (What is there twice is the same.)
    for (std::size_t i = 0; i < turned.size(); ++i) {
      const std::vector<Value*> rows = rows_of(turned[i], b.lanes());
      for (std::size_t row = 0; row < starts.size(); ++row)
        b.ir.CreateAlignedStore(rows[row], place(folding.tile[i], row),
                                llvm::Align(byte_size(folding.tile[i].element)));
    }
  });
}

/// By component and column; a scan's prefixes take the elements' places.
void BodyEmitter::fold_columns(const Folding& folding, std::span<const Accumulator> accumulators,
                               std::vector<std::vector<Value*>>& columns) {
  for (std::size_t c = 0; c < columns[0].size(); ++c) {
    std::vector<Emitted> elements;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      Value* value = columns[i][c];
      if (folding.tile[i].element == ElementType::Bool)
        value = b.ir.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
      elements.push_back(b.varying(value, folding.tile[i].element));
    }
    fold_into(folding, accumulators, elements);
    if (!folding.is_scan) continue;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      Value* prefix = b.vector(std::get<LaneValue>(value_of(accumulators[i])));
      if (folding.tile[i].element == ElementType::Bool)
        prefix = b.ir.CreateZExt(prefix, columns[i][c]->getType());
      columns[i][c] = prefix;
    }
  }
}

void BodyEmitter::fold_columns_in_memory(const Folding& folding,
                                         std::span<const Accumulator> accumulators,
                                         std::span<const ArrayView> buffers,
                                         std::vector<std::vector<Value*>>& columns) {
  const auto each = [&](const auto& access) {
    for (std::size_t i = 0; i < columns.size(); ++i)
      for (std::size_t c = 0; c < columns[i].size(); ++c)
        access(columns[i][c], b.ir.CreateConstGEP1_64(columns[i][c]->getType(), buffers[i].base, c),
               llvm::Align(byte_size(buffers[i].element)));
  };
  each([&](Value* column, Value* place, llvm::Align alignment) {
    b.ir.CreateAlignedStore(column, place, alignment);
  });
  b.loop(b.i64(0), b.i64(static_cast<std::int64_t>(columns[0].size())), 1, [&](Value* c) {
    const LaneValue number = b.uniform(c);
    std::vector<Emitted> elements;
    for (const ArrayView& buffer : buffers)
      elements.push_back(b.load(buffer, b.element_offset(buffer, {&number, 1})));
    fold_into(folding, accumulators, elements);
    if (!folding.is_scan) return;
    for (std::size_t i = 0; i < buffers.size(); ++i)
      b.store(buffers[i], b.element_offset(buffers[i], {&number, 1}),
              std::get<LaneValue>(value_of(accumulators[i])));
  });
  if (!folding.is_scan) return;
  each([&](Value*& column, Value* place, llvm::Align alignment) {
    column = b.ir.CreateAlignedLoad(column->getType(), place, alignment);
  });
}

/// A scan's results of a row, whose prefixes are in the tile.
void BodyEmitter::store_row(ScanState& state, Value* row, Value* end) {
  const auto store_in = [&](ScanState& into, bool has_carry) {
    const auto one = [&](const LaneValue& index) { store_prefix_of_tile(into, index, has_carry); };
    if (b.kernel.width > 1 && has_carry)
      b.lanes_range(
          row, end, [&](Value* first) { one(b.linear(first)); }, b.kernel.is_compact);
    else
      b.loop(row, end, 1, [&](Value* i) { one(b.uniform(i)); });
  };
  // (Longer code is left to the second tier.)
  std::vector<const Stored*> stored = {&state.stored};
  for (const PostState& post : state.post)
    for (const GroupState& inner : post.states)
      if (const Stored* one = stored_of(inner)) stored.push_back(one);
  Value* const streamable = b.kernel.is_compact ? nullptr : are_streamable(stored, row);
  const auto store = [&] {
    if (!streamable) return store_in(state, true);
    b.if_then_else(
        streamable,
        [&] {
          ScanState past_caches = state;
          past_caches.stored = streamed(state.stored);
          for (PostState& post : past_caches.post)
            for (GroupState& inner : post.states)
              if (Stored* one = stored_of(inner)) *one = streamed(std::move(*one));
          store_in(past_caches, true);
        },
        [&] { store_in(state, true); });
  };
  b.if_then(state.stores_prefixes ? state.stores_prefixes : b.ir.getTrue(), [&] {
    b.if_then_else(stands_behind(*state.fold.folding, row), store, [&] { store_in(state, false); });
  });
}

/// What becomes of the prefixes at the index, which are those of their row yet.
void BodyEmitter::store_prefix_of_tile(ScanState& state, const LaneValue& index, bool has_carry) {
  const Folding& folding = *state.fold.folding;
  const auto at_index = [&](const ArrayView& array) {
    return b.load(array, b.element_offset(array, {&index, 1}));
  };
  std::vector<Emitted> results;
  for (const ArrayView& tile : folding.tile)
    results.push_back(at_index(tile));
  if (has_carry) results = combine(*folding.combine, values_of(folding.carry), results);
  for (std::size_t i = 0; i < state.stored.places.size(); ++i) {
    const ArrayView& place = state.stored.places[i];
    b.store(place, b.element_offset(place, {&index, 1}), std::get<LaneValue>(results[i]));
  }
  for (PostState& post : state.post) {
    std::vector<Emitted> passed;
    for (const ArrayView& array : post.passed)
      passed.push_back(at_index(array));
    run_post(post, index, results, passed);
  }
}

/// Whether lanes' values may be folded one after the other.
bool BodyEmitter::may_fold_in_order(const ir::Body& combine) const {
  return may_transpose(combine) && b.kernel.width > 1 &&
         combine.statements.size() <= statements_of_columns;
}

} // namespace sinter::jit
