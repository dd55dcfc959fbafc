#include "gpu/skeletons/stream_tile.h"

#include "gpu/skeletons/tile_fold.h"
#include "gpu/skeletons/tile_frame.h"
#include "gpu/skeletons/tile_hooks.h"
#include "jit/emit/body.h"
#include "jit/emit/frame.h"
#include "jit/emit/kernel_shape.h"
#include "jit/emit/plan.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::gpu {

using jit::ArrayView;
using jit::LaneValue;
using llvm::Value;

namespace {

constexpr std::int64_t tile_of_scalars = 256, tile_of_rows = 64;
static_assert(tile_of_rows % primitives::row_length == 0);
/// A block looks for a wish to stop each time that it has gone so far.
constexpr std::int64_t length_between_looks = 4096;
constexpr std::int64_t vector_bytes = 16;
constexpr std::int64_t row_shift = std::countr_zero(std::uint64_t{primitives::row_length});
constexpr std::int64_t warp = 32;
/// Elements of the arrays that are written out one behind the other where they are little code, so
/// that their vectors are loaded at once; they divide a row.
constexpr std::int64_t elements_at_once = 4;
constexpr std::size_t most_stream_statements = 32;
static_assert(primitives::row_length % elements_at_once == 0);

/// Of a value's totals of all threads, behind which the next one's lie.
std::int64_t total_bytes(ElementType element) {
  return stream_threads * static_cast<std::int64_t>(byte_size(element));
}

class StreamEmitter {
public:
  StreamEmitter(jit::KernelModule& kernel, const ir::Function& function, const StreamNest& nest,
                const jit::EmitOptions& options)
      : function_(function), nest_(nest), plan_(function, 1, jit::AlongRows::Never),
        made_(declare_tile(kernel, options.symbol_prefix + "stream_tile")),
        body_(kernel, function, plan_, made_), b(body_.b),
        tile_length_(stream_tile_length(function, nest)), parts_(stream_parts(function, nest)) {
    begin_tile(body_, made_, options.layouts);
    thread_ = thread_of_block(b);
    const std::int64_t elements = stream_threads / parts_;
    own_of_block_ = b.ir.CreateAnd(thread_, b.i64(elements - 1));
    part_ = b.ir.CreateUDiv(thread_, b.i64(elements));
    count_ = body_.scalar(nest.map->extent).value;
    length_ = body_.scalar(nest.reduction->extent).value;
    own_ = b.ir.CreateAdd(b.ir.CreateMul(made_->getArg(1), b.i64(elements)), own_of_block_);
  }

  llvm::Function* run() {
    // (A thread without an element does what the last one does, and keeps it to itself.)
    bind_elements(body_, *nest_.map, all_inputs(*nest_.map),
                  b.lesser_of(own_, b.ir.CreateSub(count_, b.i64(1))));
    body_.statements(nest_.before);
    folds_.emplace_back(body_, *nest_.reduction);
    for (const ir::ValueId stream : nest_.streams)
      sources_.push_back(body_.array(stream));
    b.loop(b.i64(0), length_, tile_length_, [&](Value* first) { one_tile(first); });
    for (std::size_t s = 0; s < sources_.size(); ++s)
      body_.bind(nest_.streams[s], sources_[s]);
    Value* const is_first_part = b.ir.CreateICmpEQ(part_, b.i64(0));
    b.if_then(b.ir.CreateAnd(is_first_part, b.ir.CreateICmpSLT(own_, count_)),
              [&] { store_results(); });
    body_.finish();
    return made_;
  }

private:
  void one_tile(Value* first) {
    Value* const is_due =
        b.ir.CreateICmpEQ(b.ir.CreateAnd(first, b.i64(length_between_looks - 1)), b.i64(0));
    look_as_block(b, body_.frame, is_due);
    Value* const count = b.lesser_of(b.i64(tile_length_), b.ir.CreateSub(length_, first));
    Value* byte = b.i64(stop_bytes);
    std::vector<ArrayView> tiles;
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      tiles.push_back(tile_at(s, byte));
      byte = b.ir.CreateAdd(byte, bytes_of(s));
    }
    stage_scalars(tiles, first, count);
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      if (has_rows(s)) stage_rows(s, tiles[s], first, count);
      body_.bind(nest_.streams[s], moved(tiles[s], first));
    }
    block_barrier(b);
    stop_as_block(b, is_due);
    Value* const end = b.ir.CreateAdd(first, count);
    if (parts_ == 1) {
      fold_rows(first, end);
      block_barrier(b);
      return;
    }
    // (The next totals are written behind the next tile's barrier: by then all have read these.)
    Value* const row = b.ir.CreateAdd(first, b.ir.CreateMul(part_, b.i64(primitives::row_length)));
    fold_row(row, end_of_row(row, end));
    const std::vector<ArrayView> totals = totals_at(byte);
    leave_total(totals);
    block_barrier(b);
    b.loop(first, end, primitives::row_length, [&](Value* each) {
      take_total(totals, b.ir.CreateLShr(b.ir.CreateSub(each, first), b.i64(row_shift)));
      end_rows(b, folds_, each, end_of_row(each, end), length_);
    });
  }

  // ---- tiles

  bool has_rows(std::size_t stream) const { return sources_[stream].strides.size() == 2; }
  /// Elements of the stream's elements, where those are arrays.
  Value* row_length(std::size_t stream) {
    return has_rows(stream) ? body_.scalar(function_.type(nest_.streams[stream]).extents[1]).value
                            : nullptr;
  }
  Value* bytes_of(std::size_t stream) {
    const auto size = static_cast<std::int64_t>(byte_size(sources_[stream].element));
    Value* const bytes = has_rows(stream)
                             ? b.ir.CreateMul(row_length(stream), b.i64(size * tile_length_))
                             : b.i64(size * tile_length_);
    return b.ir.CreateAnd(b.ir.CreateAdd(bytes, b.i64(vector_bytes - 1)), b.i64(-vector_bytes));
  }
  ArrayView tile_at(std::size_t stream, Value* byte) {
    ArrayView view;
    view.element = sources_[stream].element;
    view.base = b.ir.CreateGEP(b.ir.getInt8Ty(), shared_memory(b, 0), byte);
    view.offset = b.index(0);
    view.is_row_major = true;
    view.strides = {b.i64(1)};
    if (has_rows(stream)) view.strides.insert(view.strides.begin(), row_length(stream));
    return view;
  }
  /// The tile as the part of the whole array that begins at `first`.
  ArrayView moved(ArrayView tile, Value* first) {
    tile.offset = b.uniform(b.ir.CreateNeg(b.ir.CreateMul(first, tile.strides[0])));
    return tile;
  }

  /// A thread each; what it loads of all streams is on its way at the same time.
  void stage_scalars(const std::vector<ArrayView>& tiles, Value* first, Value* count) {
    static_assert(tile_of_scalars <= stream_threads);
    const LaneValue from = b.uniform(b.ir.CreateAdd(first, thread_)), to = b.uniform(thread_);
    b.if_then(b.ir.CreateICmpSLT(thread_, count), [&] {
      std::vector<LaneValue> values(tiles.size());
      for (std::size_t s = 0; s < tiles.size(); ++s)
        if (!has_rows(s))
          values[s] = b.load(sources_[s], b.element_offset(sources_[s], {&from, 1}));
      for (std::size_t s = 0; s < tiles.size(); ++s)
        if (!has_rows(s)) b.store(tiles[s], b.element_offset(tiles[s], {&to, 1}), values[s]);
    });
  }

  /// A warp each, whose threads read neighbours.
  void stage_rows(std::size_t stream, const ArrayView& tile, Value* first, Value* count) {
    Value* const row = b.ir.CreateLShr(thread_, b.i64(5));
    Value* const lane = b.ir.CreateAnd(thread_, b.i64(warp - 1));
    b.loop(row, count, stream_threads / warp, [&](Value* element) {
      b.loop(lane, row_length(stream), warp, [&](Value* position) {
        const std::array<LaneValue, 2> from = {b.uniform(b.ir.CreateAdd(first, element)),
                                               b.uniform(position)};
        const std::array<LaneValue, 2> to = {b.uniform(element), b.uniform(position)};
        const ArrayView& source = sources_[stream];
        b.store(tile, b.element_offset(tile, to), b.load(source, b.element_offset(source, from)));
      });
    });
  }

  // ---- elements

  Value* end_of_row(Value* row, Value* end) {
    return b.lesser_of(b.ir.CreateAdd(row, b.i64(primitives::row_length)), end);
  }

  void fold_rows(Value* begin, Value* end) {
    b.loop(begin, end, primitives::row_length, [&](Value* row) {
      Value* const next = end_of_row(row, end);
      fold_row(row, next);
      end_rows(b, folds_, row, next, length_);
    });
  }

  void fold_row(Value* row, Value* next) {
    const ir::Body& code = nest_.reduction->body;
    const bool is_little =
        code.statements.size() <= most_stream_statements &&
        std::none_of(code.statements.begin(), code.statements.end(), [](const ir::Statement& each) {
          return std::holds_alternative<ir::Soac>(each.operation);
        });
    Value* rest = row;
    if (is_little) {
      rest = b.ir.CreateAnd(next, b.i64(-elements_at_once));
      b.loop(row, rest, elements_at_once, [&](Value* k) { fold_several(k); });
      rest = b.greater_of(rest, row); // (a part may have no elements)
    }
    b.loop(rest, next, 1, [&](Value* k) {
      const LaneValue index = b.uniform(k);
      std::vector<jit::GroupState>& states = folds_[0].states();
      body_.element(*nest_.reduction, states, index,
                    [&] { body_.apply(*nest_.reduction, states, index); });
    });
  }

  /// The elements from `k` on, a multiple of their number.
  void fold_several(Value* k) {
    const ir::Soac& reduction = *nest_.reduction;
    std::vector<std::size_t> others;
    std::vector<std::pair<ir::ValueId, Value*>> vectors;
    for (std::size_t i = 0; i < reduction.inputs.size(); ++i) {
      const ArrayView& input = body_.array(reduction.inputs[i]);
      if (is_staged(reduction.inputs[i]) && input.strides.size() == 1 &&
          byte_size(input.element) >= 4)
        vectors.emplace_back(reduction.body.parameters[i + 1], several_of(input, k));
      else
        others.push_back(i);
    }
    for (std::int64_t i = 0; i < elements_at_once; ++i) {
      Value* const index = b.ir.CreateAdd(k, b.i64(i));
      bind_elements(body_, reduction, others, index);
      for (const auto& [parameter, vector] : vectors)
        body_.bind(parameter,
                   b.uniform(b.ir.CreateExtractElement(vector, static_cast<std::uint64_t>(i)),
                             function_.type(parameter).element));
      body_.statements(reduction.body);
      body_.apply(reduction, folds_[0].states(), b.uniform(index));
    }
  }

  bool is_staged(ir::ValueId array) const {
    return std::find(nest_.streams.begin(), nest_.streams.end(), array) != nest_.streams.end();
  }

  Value* several_of(const ArrayView& tile, Value* k) {
    const LaneValue at = b.uniform(k);
    llvm::Type* const element = b.memory_type(tile.element);
    return b.ir.CreateAlignedLoad(
        llvm::FixedVectorType::get(element, elements_at_once),
        b.ir.CreateGEP(element, tile.base, b.element_offset(tile, {&at, 1}).value),
        llvm::Align(vector_bytes));
  }

  // ---- totals of rows that several threads have folded

  /// Of each value an array, by parts and then by the block's elements of the map.
  std::vector<ArrayView> totals_at(Value* byte) {
    std::vector<ArrayView> totals;
    for (const ir::Group& group : nest_.reduction->groups)
      for (const ir::Operand& neutral : std::get<ir::ReduceGroup>(group).neutral) {
        ArrayView view;
        view.element = function_.type(neutral).element;
        view.base = b.ir.CreateGEP(b.ir.getInt8Ty(), shared_memory(b, 0), byte);
        view.offset = b.index(0);
        view.strides = {b.i64(stream_threads / parts_), b.i64(1)};
        totals.push_back(view);
        byte = b.ir.CreateAdd(byte, b.i64(total_bytes(view.element)));
      }
    return totals;
  }
  LaneValue place_of_total(const ArrayView& total, Value* part) {
    const std::array<LaneValue, 2> place = {b.uniform(part), b.uniform(own_of_block_)};
    return b.element_offset(total, place);
  }
  void leave_total(const std::vector<ArrayView>& totals) {
    std::size_t number = 0;
    for (jit::GroupState& state : folds_[0].states()) {
      const jit::Fold& fold = *jit::fold_of(state);
      for (const jit::Emitted& value : body_.values_of(fold.accumulators)) {
        const ArrayView& total = totals[number++];
        b.store(total, place_of_total(total, part_), std::get<LaneValue>(value));
      }
    }
  }
  void take_total(const std::vector<ArrayView>& totals, Value* part) {
    std::size_t number = 0;
    for (jit::GroupState& state : folds_[0].states()) {
      const jit::Fold& fold = *jit::fold_of(state);
      std::vector<jit::Emitted> values;
      for (std::size_t i = 0; i < fold.accumulators.size(); ++i) {
        const ArrayView& total = totals[number++];
        values.emplace_back(b.load(total, place_of_total(total, part)));
      }
      body_.assign_all(fold, fold.accumulators, values);
    }
  }

  void store_results() {
    const std::vector<jit::Emitted> results = folds_[0].results();
    for (std::size_t r = 0; r < results.size(); ++r)
      body_.bind(nest_.reduction_statement->results[r], results[r]);
    body_.statements(nest_.after);
    const std::array<LaneValue, 1> place = {b.uniform(own_)};
    for (std::size_t r = 0; r < nest_.map->body.results.size(); ++r) {
      const ir::Operand& result = nest_.map->body.results[r];
      body_.put(result_array(body_, made_, r), place, body_.emitted(result),
                function_.type(result));
    }
  }

  const ir::Function& function_;
  const StreamNest& nest_;
  jit::LanePlan plan_;
  llvm::Function* made_;
  jit::BodyEmitter body_;
  jit::LaneBuilder& b;
  std::int64_t tile_length_, parts_;
  Value *thread_ = nullptr, *count_ = nullptr, *length_ = nullptr, *own_ = nullptr;
  Value *own_of_block_ = nullptr, *part_ = nullptr;
  std::vector<ArrayView> sources_; ///< by stream
  std::vector<TileFold> folds_;    ///< one
};

} // namespace

std::int64_t stream_tile_length(const ir::Function& function, const StreamNest& nest) {
  const bool has_rows =
      std::any_of(nest.streams.begin(), nest.streams.end(),
                  [&](ir::ValueId stream) { return function.type(stream).rank() > 1; });
  return has_rows ? tile_of_rows : tile_of_scalars;
}

std::int64_t stream_parts(const ir::Function& function, const StreamNest& nest) {
  return jit::keeps_fold_order(*nest.reduction)
             ? stream_tile_length(function, nest) / primitives::row_length
             : 1;
}

std::int64_t stream_total_bytes(const ir::Function& function, const StreamNest& nest) {
  std::int64_t bytes = 0;
  if (stream_parts(function, nest) == 1) return bytes;
  for (const ir::Group& group : nest.reduction->groups)
    for (const ir::Operand& neutral : std::get<ir::ReduceGroup>(group).neutral)
      bytes += total_bytes(function.type(neutral).element);
  return bytes;
}

std::int64_t stream_bytes(std::int64_t tile_length, std::int64_t element_bytes) {
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(tile_length, element_bytes, &bytes) ||
      bytes > INT64_MAX - vector_bytes)
    return INT64_MAX;
  return (bytes + vector_bytes - 1) / vector_bytes * vector_bytes;
}

llvm::Function* emit_stream_tile(llvm::Module& module, const ir::Function& function,
                                 const StreamNest& nest, const jit::EmitOptions& options) {
  jit::KernelModule kernel{module, *options.hooks};
  kernel.floats = options.floats;
  return StreamEmitter(kernel, function, nest, options).run();
}

} // namespace sinter::gpu
