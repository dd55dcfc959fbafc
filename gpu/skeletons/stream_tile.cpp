#include "gpu/skeletons/stream_tile.h"

#include "gpu/skeletons/tile_fold.h"
#include "gpu/skeletons/tile_frame.h"
#include "gpu/skeletons/tile_hooks.h"
#include "jit/emit/body.h"
#include "jit/emit/frame.h"
#include "jit/emit/plan.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <array>
#include <cstddef>
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
constexpr std::int64_t warp = 32;

class StreamEmitter {
public:
  StreamEmitter(jit::KernelModule& kernel, const ir::Function& function, const StreamNest& nest,
                const jit::EmitOptions& options)
      : function_(function), nest_(nest), plan_(function, 1, false),
        made_(declare_tile(kernel, options.symbol_prefix + "stream_tile")),
        body_(kernel, function, plan_, made_), b(body_.b),
        tile_length_(stream_tile_length(function, nest)) {
    begin_tile(body_, made_, options.layouts);
    thread_ = thread_of_block(b);
    count_ = body_.scalar(nest.map->extent).value;
    length_ = body_.scalar(nest.reduction->extent).value;
    own_ = b.ir.CreateAdd(b.ir.CreateMul(made_->getArg(1), b.i64(stream_threads)), thread_);
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
    b.if_then(b.ir.CreateICmpSLT(own_, count_), [&] { store_results(); });
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
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      const ArrayView tile = tile_at(s, byte);
      stage(sources_[s], tile, first, count, row_length(s));
      body_.bind(nest_.streams[s], moved(tile, first));
      byte = b.ir.CreateAdd(byte, bytes_of(s));
    }
    block_barrier(b);
    stop_as_block(b, is_due);
    fold_tile(first, b.ir.CreateAdd(first, count));
    block_barrier(b);
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

  /// Scalars: a thread each.  Rows: a warp each, whose threads read neighbours.
  void stage(const ArrayView& source, const ArrayView& tile, Value* first, Value* count,
             Value* row_length) {
    const auto copy = [&](Value* element, Value* position) {
      std::vector<LaneValue> from = {b.uniform(b.ir.CreateAdd(first, element))};
      std::vector<LaneValue> to = {b.uniform(element)};
      if (position) {
        from.push_back(b.uniform(position));
        to.push_back(b.uniform(position));
      }
      b.store(tile, b.element_offset(tile, to), b.load(source, b.element_offset(source, from)));
    };
    if (!row_length)
      return b.loop(thread_, count, stream_threads,
                    [&](Value* element) { copy(element, nullptr); });
    Value* const row = b.ir.CreateLShr(thread_, b.i64(5));
    Value* const lane = b.ir.CreateAnd(thread_, b.i64(warp - 1));
    b.loop(row, count, stream_threads / warp, [&](Value* element) {
      b.loop(lane, row_length, warp, [&](Value* position) { copy(element, position); });
    });
  }

  // ---- elements

  void fold_tile(Value* begin, Value* end) {
    b.loop(begin, end, primitives::row_length, [&](Value* row) {
      Value* const next = b.lesser_of(b.ir.CreateAdd(row, b.i64(primitives::row_length)), end);
      b.loop(row, next, 1, [&](Value* k) {
        const LaneValue index = b.uniform(k);
        std::vector<jit::GroupState>& states = folds_[0].states();
        body_.element(*nest_.reduction, states, index,
                      [&] { body_.apply(*nest_.reduction, states, index); });
      });
      end_rows(b, folds_, row, next, length_);
    });
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
  std::int64_t tile_length_;
  Value *thread_ = nullptr, *count_ = nullptr, *length_ = nullptr, *own_ = nullptr;
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
