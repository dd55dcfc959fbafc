#include "jit/emit/line_buffers.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sinter::jit {

using llvm::Value;

namespace {

constexpr std::int64_t line_bytes = 64;
/// Where all buffers fit in the nearest cache, several lines leave at a time: nobody can guess
/// when, and so it happens less often.
constexpr std::int64_t most_lines = 4, cached_bytes = 32 << 10;

} // namespace

LineBuffers::LineBuffers(BodyEmitter& body, const ir::Operand& runs, std::vector<ArrayView> arrays,
                         const ArrayView& starts, Value* streams)
    : body_(body), b_(body.b), runs_(runs), starts_(starts), streams_(streams) {
  assert(runs.is_constant());
  const std::int64_t most = cached_bytes / (line_bytes * static_cast<std::int64_t>(arrays.size()));
  while (lines_ < most_lines && 2 * lines_ * runs.scalar().as<std::int64_t>() <= most)
    lines_ *= 2;
  for (ArrayView& array : arrays) {
    const std::int64_t length =
        lines_ * line_bytes / static_cast<std::int64_t>(byte_size(array.element));
    Value* const address = b_.ir.CreatePtrToInt(array.base, b_.ir.getInt64Ty());
    Value* const is_aligned =
        b_.ir.CreateICmpEQ(b_.ir.CreateAnd(address, b_.i64(line_bytes - 1)), b_.i64(0));
    streams_ = b_.ir.CreateAnd(streams_, is_aligned);
    ArrayView room = body.allocate({array.element, {runs, ir::Operand::i64(length)}});
    buffers_.push_back({std::move(array), std::move(room), length});
  }
}

bool LineBuffers::are_of_use(const KernelModule& kernel) {
  return kernel.facts().vector_bytes >= 16;
}

Value* LineBuffers::start_of(Value* run) {
  const LaneValue index = b_.uniform(run);
  return b_.load(starts_, b_.element_offset(starts_, {&index, 1})).value;
}

Value* LineBuffers::in_line(const Buffer& buffer, Value* position) {
  return b_.ir.CreateAnd(position, b_.i64(buffer.length - 1));
}

Value* LineBuffers::line_of(const Buffer& buffer, Value* run) {
  return b_.ir.CreateMul(run, b_.i64(buffer.length));
}

void LineBuffers::put(Value* run, Value* position, std::span<const LaneValue> elements) {
  std::vector<std::int64_t> done;
  for (const Buffer& buffer : buffers_) {
    const std::int64_t length = buffer.length;
    if (std::ranges::find(done, length) != done.end()) continue;
    done.push_back(length);
    // A line leaves when the next one begins: what was stored last has reached the cache then.
    b_.if_then(b_.ir.CreateICmpEQ(in_line(buffer, position), b_.i64(0)), [&] {
      Value* const start = start_of(run);
      b_.if_then(b_.ir.CreateICmpSGT(position, start), [&] {
        for (const Buffer& other : buffers_)
          if (other.length == length) leave(other, run, start, position);
      });
    });
  }
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    Value* const at = b_.ir.CreateAdd(line_of(buffers_[i], run), in_line(buffers_[i], position));
    b_.store(buffers_[i].lines, b_.uniform(at), elements[i]);
  }
}

/// The line that ends at a position, as far as it belongs to the run.
void LineBuffers::leave(const Buffer& buffer, Value* run, Value* start, Value* end) {
  Value* const begin = b_.ir.CreateSub(end, b_.i64(buffer.length));
  const auto whole = [&] {
    llvm::Type* const element = b_.memory_type(buffer.array.element);
    auto* const line = llvm::FixedVectorType::get(b_.ir.getInt32Ty(), line_bytes / 4);
    Value* const from = b_.ir.CreateGEP(element, buffer.lines.base, line_of(buffer, run));
    Value* const to = b_.ir.CreateGEP(element, buffer.array.base, begin);
    const auto each = [&](const std::function<void(Value * elements, Value * place)>& store) {
      for (std::int64_t i = 0; i < lines_; ++i)
        store(b_.ir.CreateAlignedLoad(line, b_.ir.CreateConstGEP1_64(line, from, i),
                                      llvm::Align(line_bytes)),
              b_.ir.CreateConstGEP1_64(line, to, i));
    };
    const auto near = [&] {
      each([&](Value* elements, Value* place) {
        b_.ir.CreateAlignedStore(elements, place, llvm::Align(byte_size(buffer.array.element)));
      });
    };
    const auto far = [&] {
      each([&](Value* elements, Value* place) {
        b_.kernel.hooks.store_past_caches(b_, elements, place, line_bytes);
      });
    };
    if (!b_.kernel.facts().stores_past_caches) return near();
    b_.if_then_else(streams_, far, near);
  };
  b_.if_then_else(b_.ir.CreateICmpSGE(begin, start), whole, [&] { copy(buffer, run, start, end); });
}

void LineBuffers::copy(const Buffer& buffer, Value* run, Value* begin, Value* end) {
  b_.loop(begin, end, 1, [&](Value* position) {
    Value* const from = b_.ir.CreateAdd(line_of(buffer, run), in_line(buffer, position));
    b_.store(buffer.array, b_.uniform(position), b_.load(buffer.lines, b_.uniform(from)));
  });
}

void LineBuffers::drain(const ArrayView& ends) {
  b_.loop(b_.i64(0), body_.scalar(runs_).value, 1, [&](Value* run) {
    const LaneValue index = b_.uniform(run);
    Value* const end = b_.load(ends, b_.element_offset(ends, {&index, 1})).value;
    Value* const start = start_of(run);
    for (const Buffer& buffer : buffers_) {
      Value* const last = b_.ir.CreateSub(end, b_.i64(1));
      Value* const line = b_.ir.CreateAnd(last, b_.i64(-buffer.length));
      copy(buffer, run, b_.greater_of(start, line), end);
    }
  });
}

} // namespace sinter::jit
