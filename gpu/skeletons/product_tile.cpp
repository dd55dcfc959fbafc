#include "gpu/skeletons/product_tile.h"

#include "gpu/skeletons/tile_fold.h"
#include "gpu/skeletons/tile_frame.h"
#include "gpu/skeletons/tile_hooks.h"
#include "jit/emit/body.h"
#include "jit/emit/plan.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

namespace sinter::gpu {

using jit::ArrayView;
using jit::LaneValue;
using llvm::Value;

namespace {

static_assert(primitives::row_length % product_depth == 0);

/// A block looks for a wish to stop each time that it has gone so deep.
constexpr std::int64_t depth_between_looks = 1024;
/// Elements of a step that are written out one behind the other, where they are little code.
constexpr std::int64_t depths_at_once = 4;
constexpr std::size_t most_product_statements = 64; ///< of a thread's results for one of them
static_assert(product_depth % depths_at_once == 0);
/// Registers that running values may take; with what else a thread has that is fewer than 128.
constexpr unsigned most_fold_words = 56;

/// Elements of one value at one depth, with room behind them so that neighbours along the depth
/// lie in different banks, and vectors at multiples of their size.
std::int64_t line_length(std::int64_t tile_length, ElementType element) {
  return tile_length + 16 / static_cast<std::int64_t>(byte_size(element));
}

std::int64_t value_bytes(std::int64_t tile_length, ElementType element) {
  return product_depth * line_length(tile_length, element) *
         static_cast<std::int64_t>(byte_size(element));
}

class ProductEmitter {
public:
  ProductEmitter(jit::KernelModule& kernel, const ir::Function& function, const ProductNest& nest,
                 const ProductTile& tile, const jit::EmitOptions& options)
      : function_(function), nest_(nest), tile_(tile), plan_(function, 1, jit::AlongRows::Never),
        made_(declare_tile(kernel, options.symbol_prefix + "product_tile")),
        body_(kernel, function, plan_, made_), b(body_.b) {
    begin_tile(body_, made_, options.layouts);
    thread_ = thread_of_block(b);
    row_count_ = body_.scalar(nest.rows->extent).value;
    column_count_ = body_.scalar(nest.columns->extent).value;
    depth_ = body_.scalar(nest.reduction->extent).value;
    place_tile(made_->getArg(1));
    std::int64_t byte = stop_bytes;
    rows_ = make_side(nest.row, nest.of_row, tile.rows(), tile.thread_rows, byte);
    columns_ = make_side(nest.column, nest.of_column, tile.columns(), tile.thread_columns, byte);
    step_bytes_ = byte - stop_bytes;
  }

  llvm::Function* run() {
    for (unsigned i = 0; i < tile_.thread_rows * tile_.thread_columns; ++i)
      folds_.emplace_back(body_, *nest_.reduction);
    make_fetched(rows_);
    make_fetched(columns_);
    fetch(b.i64(0));
    if (is_little_code())
      whole_steps();
    else
      b.loop(b.i64(0), depth_, product_depth, [&](Value* first) { step(first); });
    for (unsigned row = 0; row < tile_.thread_rows; ++row)
      for (unsigned column = 0; column < tile_.thread_columns; ++column)
        store_result(row, column);
    body_.finish();
    return made_;
  }

private:
  /// One side of the tile: rows or columns.
  struct Side {
    const ProductSide* side = nullptr;
    const ir::Body* code = nullptr;
    std::int64_t length = 0;                ///< of the tile
    unsigned own = 0;                       ///< of the thread
    std::vector<ArrayView> values;          ///< in shared memory
    std::vector<llvm::Value*> first_places; ///< of those, of the first of two steps
    /// What a thread has read of the next step, by turn and then by value.
    std::vector<std::vector<jit::Variable>> fetched;
  };

  // ---- where things are

  /// (Blocks are counted by 31 bits, and so are tiles.)
  void place_tile(Value* tile) {
    Value* number = b.ir.CreateTrunc(tile, b.ir.getInt32Ty());
    const auto take = [&](Value* count) { // what is left are those further out
      Value* const narrow = b.ir.CreateTrunc(count, b.ir.getInt32Ty());
      Value* const digit = b.ir.CreateURem(number, narrow);
      number = b.ir.CreateUDiv(number, narrow);
      return b.ir.CreateZExt(digit, b.ir.getInt64Ty());
    };
    const auto tiles = [&](Value* count, std::int64_t length) {
      return b.ir.CreateUDiv(b.ir.CreateAdd(count, b.i64(length - 1)), b.i64(length));
    };
    const auto wide = [&] { return b.ir.CreateZExt(number, b.ir.getInt64Ty()); };
    Value* const column = take(tiles(column_count_, tile_.columns()));
    const bool is_one_plane = nest_.around.empty();
    Value* const row = is_one_plane ? wide() : take(tiles(row_count_, tile_.rows()));
    first_row_ = b.ir.CreateMul(row, b.i64(tile_.rows()));
    first_column_ = b.ir.CreateMul(column, b.i64(tile_.columns()));
    plane_.resize(nest_.around.size());
    for (std::size_t d = plane_.size(); d-- > 0;)
      plane_[d] = d == 0 ? wide() : take(body_.scalar(nest_.around[d]->extent).value);
    for (std::size_t d = 0; d < plane_.size(); ++d) {
      const ir::Soac& map = *nest_.around[d];
      bind_elements(body_, map, all_inputs(map), plane_[d]);
      ir::Body before;
      before.statements.assign(map.body.statements.begin(), map.body.statements.end() - 1);
      body_.statements(before);
    }
  }

  Side make_side(const ProductSide& side, const ir::Body& code, std::int64_t length, unsigned own,
                 std::int64_t& byte) {
    Side made{&side, &code, length, own, {}, {}, {}};
    for (const ir::ValueId value : side.values) {
      const ElementType element = function_.type(value).element;
      ArrayView view;
      view.element = element;
      view.base = shared_memory(b, static_cast<std::uint64_t>(byte));
      view.offset = b.index(0);
      view.strides = {b.i64(line_length(length, element)), b.i64(1)};
      made.values.push_back(view);
      made.first_places.push_back(view.base);
      byte += value_bytes(length, element);
    }
    return made;
  }

  // ---- the code of one side

  /// What a side gives for one of its rows (or columns) and a depth.
  std::vector<LaneValue> values_of(const Side& side, Value* index, Value* depth) {
    if (&side == &rows_) {
      bind_elements(body_, *nest_.rows, all_inputs(*nest_.rows), index);
      bind_elements(body_, *nest_.reduction, nest_.row_inputs, depth);
    } else {
      bind_elements(body_, *nest_.columns, nest_.inputs_of_columns, index);
      bind_elements(body_, *nest_.reduction, nest_.column_inputs, depth);
    }
    bind_elements(body_, *nest_.reduction, nest_.common_inputs, depth);
    body_.statements(*side.code);
    std::vector<LaneValue> values;
    for (const ir::ValueId value : side.side->values)
      values.push_back(body_.scalar(value));
    return values;
  }

  std::int64_t turns_of(const Side& side) const {
    return side.length * product_depth / product_threads;
  }

  void make_fetched(Side& side) {
    for (std::int64_t turn = 0; turn < turns_of(side); ++turn) {
      std::vector<jit::Variable> values;
      for (const ArrayView& value : side.values)
        values.push_back(b.variable(value.element, jit::Shape::Uniform));
      side.fetched.push_back(std::move(values));
    }
  }

  struct Place {
    Value *index, *depth;
  };
  /// Of the side's rows (or columns) in the tile, and in the step, what the thread fetches in a
  /// turn: neighbours read neighbours in memory.
  Place fetched_place(const Side& side, std::int64_t turn) {
    const std::int64_t fast = side.side->lies_along_depth ? product_depth : side.length;
    const auto shift =
        static_cast<std::int64_t>(std::countr_zero(static_cast<std::uint64_t>(fast)));
    static_assert(product_threads % product_depth == 0);
    Value* index = b.ir.CreateAnd(thread_, b.i64(fast - 1));
    Value* depth = b.ir.CreateAdd(b.ir.CreateLShr(thread_, b.i64(shift)),
                                  b.i64(turn * (product_threads / fast)));
    if (side.side->lies_along_depth) std::swap(index, depth);
    return {index, depth};
  }

  /// Reads a step's values of both sides, which are on their way while others are computed with.
  void fetch(Value* first_depth) {
    fetch(rows_, first_row_, row_count_, first_depth);
    fetch(columns_, first_column_, column_count_, first_depth);
  }
  /// (What lies beyond the last row, column or depth is read where that is, and never used.)
  void fetch(const Side& side, Value* first, Value* count, Value* first_depth) {
    Value* const last = b.ir.CreateSub(count, b.i64(1));
    llvm::Type* const narrow = b.ir.getInt32Ty();
    Value* const last_depth =
        b.ir.CreateTrunc(b.lesser_of(b.ir.CreateSub(b.ir.CreateSub(depth_, b.i64(1)), first_depth),
                                     b.i64(product_depth)),
                         narrow);
    for (std::size_t turn = 0; turn < side.fetched.size(); ++turn) {
      const Place place = fetched_place(side, static_cast<std::int64_t>(turn));
      Value* const depth = b.lesser_of(b.ir.CreateTrunc(place.depth, narrow), last_depth);
      const std::vector<LaneValue> values =
          values_of(side, b.lesser_of(b.ir.CreateAdd(first, place.index), last),
                    b.ir.CreateAdd(first_depth, b.ir.CreateZExt(depth, b.ir.getInt64Ty())));
      for (std::size_t v = 0; v < values.size(); ++v)
        b.set(side.fetched[turn][v], values[v]);
    }
  }
  /// What has been fetched goes to shared memory.
  void stage(const Side& side) {
    for (std::size_t turn = 0; turn < side.fetched.size(); ++turn) {
      const Place place = fetched_place(side, static_cast<std::int64_t>(turn));
      const std::array<LaneValue, 2> to = {b.uniform(place.depth), b.uniform(place.index)};
      for (std::size_t v = 0; v < side.values.size(); ++v)
        b.store(side.values[v], b.element_offset(side.values[v], to), b.get(side.fetched[turn][v]));
    }
  }

  // ---- elements

  void step(Value* first) {
    begin_step(first);
    Value* const next = b.ir.CreateAdd(first, b.i64(product_depth));
    fetch_if_any(next);
    Value* const count = b.lesser_of(b.i64(product_depth), b.ir.CreateSub(depth_, first));
    b.loop(b.i64(0), count, 1, [&](Value* depth) { fold_elements(first, depth); });
    end_step();
    end_rows(b, folds_, first, next, depth_);
  }
  void begin_step(Value* first) {
    Value* const is_due =
        b.ir.CreateICmpEQ(b.ir.CreateAnd(first, b.i64(depth_between_looks - 1)), b.i64(0));
    look_as_block(b, body_.frame, is_due);
    choose_place(first);
    stage(rows_);
    stage(columns_);
    block_barrier(b);
    stop_as_block(b, is_due);
  }
  /// Where the step's values are: turn and turn about, if there is room.
  void choose_place(Value* first) {
    if (tile_.steps == 1) return;
    Value* const is_second = b.ir.CreateAnd(b.ir.CreateUDiv(first, b.i64(product_depth)), b.i64(1));
    Value* const bytes = b.ir.CreateMul(is_second, b.i64(step_bytes_));
    for (Side* const side : {&rows_, &columns_})
      for (std::size_t v = 0; v < side->values.size(); ++v)
        side->values[v].base = b.ir.CreateGEP(b.ir.getInt8Ty(), side->first_places[v], bytes);
  }
  void end_step() {
    if (tile_.steps == 1) block_barrier(b);
  }
  void fetch_if_any(Value* first) {
    b.if_then(b.ir.CreateICmpSLT(first, depth_), [&] { fetch(first); });
  }

  /// Elements of whole steps need no counting; what is left is gone through one by one.
  void whole_steps() {
    Value* const end = b.ir.CreateAnd(depth_, b.i64(-product_depth));
    b.loop(b.i64(0), end, product_depth, [&](Value* first) {
      begin_step(first);
      Value* const next = b.ir.CreateAdd(first, b.i64(product_depth));
      fetch_if_any(next);
      b.loop(b.i64(0), b.i64(product_depth), depths_at_once, [&](Value* depth) {
        for (std::int64_t i = 0; i < depths_at_once; ++i)
          fold_elements(first, b.ir.CreateAdd(depth, b.i64(i)));
      });
      end_step();
      end_rows(b, folds_, first, next, depth_);
    });
    b.if_then(b.ir.CreateICmpSLT(end, depth_), [&] {
      begin_step(end);
      b.loop(b.i64(0), b.ir.CreateSub(depth_, end), 1,
             [&](Value* depth) { fold_elements(end, depth); });
      end_rows(b, folds_, end, depth_, depth_);
    });
  }

  bool is_little_code() const {
    std::size_t statements = nest_.of_both.statements.size();
    for (const ir::Group& group : nest_.reduction->groups)
      statements += std::get<ir::ReduceGroup>(group).combine.statements.size();
    return statements * tile_.thread_rows * tile_.thread_columns <= most_product_statements;
  }

  /// The thread's rows' (or columns') values at a depth of the step: by value, then by row.
  std::vector<std::vector<LaneValue>> own_values(const Side& side, Value* own_first, Value* depth) {
    std::vector<std::vector<LaneValue>> result;
    for (const ArrayView& view : side.values) {
      const std::array<LaneValue, 2> place = {b.uniform(depth), b.uniform(own_first)};
      const LaneValue offset = b.element_offset(view, place);
      std::vector<LaneValue> values;
      if (byte_size(view.element) < 4) {
        for (unsigned i = 0; i < side.own; ++i)
          values.push_back(b.load(view, b.add(offset, b.index(i))));
      } else {
        llvm::Type* const element = b.memory_type(view.element);
        Value* const vector = b.ir.CreateAlignedLoad(
            llvm::FixedVectorType::get(element, side.own),
            b.ir.CreateGEP(element, view.base, offset.value),
            llvm::Align(std::min<std::size_t>(side.own * byte_size(view.element), 16)));
        for (unsigned i = 0; i < side.own; ++i)
          values.push_back(b.uniform(b.ir.CreateExtractElement(vector, i), view.element));
      }
      result.push_back(std::move(values));
    }
    return result;
  }

  void bind_values(const Side& side, const std::vector<std::vector<LaneValue>>& values,
                   unsigned number) {
    for (std::size_t v = 0; v < values.size(); ++v)
      body_.bind(side.side->values[v], values[v][number]);
  }

  void fold_elements(Value* first, Value* depth) {
    const auto of_rows = own_values(rows_, own_first_row(), depth);
    const auto of_columns = own_values(columns_, own_first_column(), depth);
    Value* const index = b.ir.CreateAdd(first, depth);
    bind_elements(body_, *nest_.reduction, nest_.common_inputs, index);
    for (unsigned row = 0; row < tile_.thread_rows; ++row)
      for (unsigned column = 0; column < tile_.thread_columns; ++column) {
        bind_values(rows_, of_rows, row);
        bind_values(columns_, of_columns, column);
        body_.statements(nest_.of_both);
        body_.apply(*nest_.reduction, fold(row, column).states(), b.uniform(index));
      }
  }

  // ---- results

  Value* own_first_row() {
    return b.ir.CreateMul(b.ir.CreateLShr(thread_, b.i64(4)), b.i64(tile_.thread_rows));
  }
  Value* own_first_column() {
    return b.ir.CreateMul(b.ir.CreateAnd(thread_, b.i64(15)), b.i64(tile_.thread_columns));
  }
  TileFold& fold(unsigned row, unsigned column) {
    return folds_[row * tile_.thread_columns + column];
  }

  void store_result(unsigned row, unsigned column) {
    Value* const i = b.ir.CreateAdd(first_row_, b.ir.CreateAdd(own_first_row(), b.i64(row)));
    Value* const j =
        b.ir.CreateAdd(first_column_, b.ir.CreateAdd(own_first_column(), b.i64(column)));
    Value* const is_there =
        b.ir.CreateAnd(b.ir.CreateICmpSLT(i, row_count_), b.ir.CreateICmpSLT(j, column_count_));
    b.if_then(is_there, [&] {
      bind_elements(body_, *nest_.rows, all_inputs(*nest_.rows), i);
      bind_elements(body_, *nest_.columns, all_inputs(*nest_.columns), j);
      body_.statements(nest_.before);
      const std::vector<jit::Emitted> results = fold(row, column).results();
      for (std::size_t r = 0; r < results.size(); ++r)
        body_.bind(nest_.reduction_statement->results[r], results[r]);
      body_.statements(nest_.after);
      std::vector<LaneValue> place;
      for (Value* const index : plane_)
        place.push_back(b.uniform(index));
      place.insert(place.end(), {b.uniform(i), b.uniform(j)});
      for (std::size_t r = 0; r < nest_.columns->body.results.size(); ++r) {
        const ir::Operand& result = nest_.columns->body.results[r];
        body_.put(result_array(body_, made_, r), place, body_.emitted(result),
                  function_.type(result));
      }
    });
  }

  const ir::Function& function_;
  const ProductNest& nest_;
  const ProductTile& tile_;
  jit::LanePlan plan_;
  llvm::Function* made_;
  jit::BodyEmitter body_;
  jit::LaneBuilder& b;
  Value *thread_ = nullptr, *row_count_ = nullptr, *column_count_ = nullptr, *depth_ = nullptr;
  Value *first_row_ = nullptr, *first_column_ = nullptr;
  std::vector<Value*> plane_; ///< the tile's elements of the maps around
  Side rows_, columns_;
  std::int64_t step_bytes_ = 0; ///< in shared memory
  std::vector<TileFold> folds_;
};

} // namespace

std::optional<ProductTile> choose_product_tile(const ir::Function& function,
                                               const ProductNest& nest) {
  constexpr std::array<std::pair<unsigned, unsigned>, 3> shapes = {{{4, 4}, {4, 2}, {2, 2}}};
  constexpr std::int64_t most_shared_bytes = 48 << 10;
  const unsigned words = TileFold::words(function, *nest.reduction);
  for (const auto& [rows, columns] : shapes) {
    ProductTile tile{rows, columns};
    if (words * rows * columns > most_fold_words) continue;
    std::int64_t bytes = 0;
    for (const ir::ValueId value : nest.row.values)
      bytes += value_bytes(tile.rows(), function.type(value).element);
    for (const ir::ValueId value : nest.column.values)
      bytes += value_bytes(tile.columns(), function.type(value).element);
    if (stop_bytes + bytes > most_shared_bytes) continue;
    tile.steps = stop_bytes + 2 * bytes > most_shared_bytes ? 1 : 2;
    tile.shared_bytes = static_cast<std::uint32_t>(stop_bytes + tile.steps * bytes);
    return tile;
  }
  return std::nullopt;
}

llvm::Function* emit_product_tile(llvm::Module& module, const ir::Function& function,
                                  const ProductNest& nest, const ProductTile& tile,
                                  const jit::EmitOptions& options) {
  jit::KernelModule kernel{module, *options.hooks};
  kernel.floats = options.floats;
  return ProductEmitter(kernel, function, nest, tile, options).run();
}

} // namespace sinter::gpu
