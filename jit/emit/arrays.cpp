// Arrays: scratch memory, views, copies and updates.
#include "jit/emit/body.h"

#include <algorithm>
#include <cassert>

namespace sinter::jit {

using llvm::Value;

// ---- scratch memory ----------------------------------------------------------------------------

/// Row-major strides over the greatest extents of any lane.  In lane code element k of lane l lies
/// at k*W + l, so that lanes that read the same index read contiguous memory.
ArrayView BodyEmitter::dense_view(ElementType element, Value* base, const ir::Type& type,
                                  bool is_private) {
  ArrayView view;
  view.element = element;
  view.base = base;
  view.is_row_major = true;
  view.is_private = is_private;
  view.offset = is_private ? b.linear(b.i64(0)) : b.index(0);
  view.strides.resize(type.rank());
  Value* stride = b.i64(is_private ? b.lanes() : 1);
  const std::vector<LaneValue> sizes = extents(type);
  for (std::size_t d = type.rank(); d-- > 0;) {
    view.strides[d] = stride;
    if (d > 0) stride = b.ir.CreateMul(stride, b.greatest(sizes[d]));
  }
  return view;
}

/// A product, or more than any memory has where it cannot be counted.
Value* BodyEmitter::saturating_product(Value* left, Value* right) {
  const auto* x = llvm::dyn_cast<llvm::ConstantInt>(left);
  const auto* y = llvm::dyn_cast<llvm::ConstantInt>(right);
  if (x && y) {
    std::uint64_t product = 0;
    const bool overflows = __builtin_mul_overflow(x->getZExtValue(), y->getZExtValue(), &product);
    return b.i64(overflows ? -1 : static_cast<std::int64_t>(product));
  }
  Value* const both = b.ir.CreateBinaryIntrinsic(llvm::Intrinsic::umul_with_overflow, left, right);
  return b.ir.CreateSelect(b.ir.CreateExtractValue(both, 1), b.i64(-1),
                           b.ir.CreateExtractValue(both, 0));
}

/// The bytes of an array, in lane code of those of all lanes.
Value* BodyEmitter::bytes_of(const ir::Type& type) {
  const std::int64_t lanes = b.in_lanes() ? b.lanes() : 1;
  Value* bytes = b.i64(static_cast<std::int64_t>(byte_size(type.element)) * lanes);
  const std::vector<LaneValue> sizes = extents(type);
  // One extent is too small to overflow with.
  if (sizes.size() == 1) return b.ir.CreateMul(bytes, b.greatest(sizes[0]));
  for (const LaneValue& size : sizes)
    bytes = saturating_product(bytes, b.greatest(size));
  return bytes;
}

ArrayView BodyEmitter::allocate(const ir::Type& type) {
  ArrayView view = dense_view(type.element, nullptr, type, b.in_lanes());
  const std::size_t before = scratch_allocations_;
  view.base = scratch(bytes_of(type), byte_size(type.element));
  if (scratch_allocations_ == before) return view; // on the stack
  if (Value* const apart = b.kernel.hooks.scratch_stride(b, frame))
    for (Value*& stride : view.strides)
      stride = b.ir.CreateMul(stride, apart);
  return view;
}

ArrayView BodyEmitter::copied(const Emitted& array, const ir::Type& type) {
  ArrayView saved = allocate(type);
  copy(std::get<ArrayView>(array), saved, type);
  return saved;
}

/// So many bytes of elements, until the scratch memory around is given back.
Value* BodyEmitter::scratch(Value* wanted, std::size_t element_bytes) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(wanted)) {
    const std::int64_t bytes = std::max<std::int64_t>(number->getSExtValue(), 1);
    if (!number->isNegative() && bytes <= b.kernel.facts().stack_limit &&
        stack_bytes_ + bytes <= b.kernel.facts().stack_limit_of_function) {
      stack_bytes_ += bytes;
      auto* const memory = b.stack(b.ir.getInt8Ty(), bytes);
      memory->setAlignment(llvm::Align(b.kernel.facts().vector_bytes == 0 ? 16 : 64));
      return memory;
    }
  }
  Value* const memory = b.kernel.hooks.allocate(b, frame, wanted, element_bytes, failed_);
  if (!memory) {
    b.kernel.refuse("scratch memory");
    return llvm::PoisonValue::get(b.ir.getPtrTy());
  }
  ++scratch_allocations_;
  return memory;
}

void BodyEmitter::with_scratch(const std::function<void()>& body) {
  Value* const mark = b.kernel.hooks.mark(b, frame);
  const std::size_t before = scratch_allocations_;
  body();
  if (scratch_allocations_ == before) {
    if (auto* const taken = llvm::dyn_cast<llvm::Instruction>(mark)) taken->eraseFromParent();
    return;
  }
  b.kernel.hooks.release(b, frame, mark);
}

// ---- places ------------------------------------------------------------------------------------

/// A result that its body yields can be built where it is wanted, if the statement that makes it
/// makes a fresh array.
void BodyEmitter::suggest_place(const ir::Body& body, const ir::Operand& result,
                                const ArrayView& place) {
  if (!result.is_value()) return;
  const ir::ValueId fresh = in_place_origin(body, result.value());
  for (const ir::Statement& statement : body.statements)
    if (std::find(statement.results.begin(), statement.results.end(), fresh) !=
        statement.results.end())
      places_.insert_or_assign(fresh.index, place);
}

std::optional<ArrayView> BodyEmitter::suggested_place(ir::ValueId result) {
  const auto suggested = places_.find(result.index);
  if (suggested == places_.end()) return std::nullopt;
  ArrayView view = suggested->second;
  places_.erase(suggested); // only its definition may use it
  return view;
}

ArrayView BodyEmitter::place(ir::ValueId result) {
  const std::optional<ArrayView> suggested = suggested_place(result);
  return suggested ? *suggested : allocate(source_.type(result));
}

/// Rows that an update will put into an array are made there, and a loop's next state where the
/// state lies, where no lane has a layout of its own.
void BodyEmitter::suggest_known_places(const ir::Statement& statement) {
  if (b.in_lanes()) return;
  for (const ir::ValueId result : statement.results) {
    if (const auto state = states_in_place_.find(result.index); state != states_in_place_.end()) {
      places_.insert_or_assign(result.index, array(state->second));
      continue;
    }
    const auto found = rows_of_updates_.find(result.index);
    if (found == rows_of_updates_.end()) continue;
    const ir::Update& update = *found->second.update;
    const ArrayView row = b.subarray(array(update.array), scalars(update.indices));
    places_.insert_or_assign(result.index, row);
    Stored stored{.places = {row}};
    if (!found->second.is_read_again)
      stored.streams = b.ir.CreateICmpUGE(bytes_of(source_.type(update.array)),
                                          b.i64(b.kernel.facts().beyond_caches_bytes));
    updated_rows_.insert_or_assign(result.index, std::move(stored));
  }
}

/// Where a map inside of a body stores a result.
Stored BodyEmitter::stored_row(const ir::Soac& soac, ir::ValueId result) {
  const ArrayView here = fresh_place(soac, result);
  const auto updated = updated_rows_.find(result.index);
  if (updated != updated_rows_.end() && is_same_place(here, updated->second.places[0]))
    return updated->second;
  return {.places = {here}};
}

// ---- copies ------------------------------------------------------------------------------------

void BodyEmitter::copy(const ArrayView& from, const ArrayView& to, const ir::Type& type) {
  if (is_same_place(from, to)) return;
  if (may_copy_turned(from, to, type)) return copy_turned(from, to, extents(type)[0].value);
  for_each_index(extents(type), [&](std::span<const LaneValue> indices) {
    b.store(to, b.element_offset(to, indices), b.load(from, b.element_offset(from, indices)));
  });
}

void BodyEmitter::put(const ArrayView& to, std::span<const LaneValue> indices, const Emitted& value,
                      const ir::Type& value_type) {
  if (const auto* number = std::get_if<LaneValue>(&value))
    b.store(to, b.element_offset(to, indices), *number);
  else
    copy(std::get<ArrayView>(value), b.subarray(to, indices), value_type);
}

// ---- views -------------------------------------------------------------------------------------

/// Where lanes each ask for an element of one short row: that is read once, and they pick from it.
std::optional<LaneValue> BodyEmitter::picked_from_row(const ir::Index& op, const ArrayView& from,
                                                      std::span<const LaneValue> indices) {
  constexpr std::int64_t row_length = 16; // of registers of 64 bytes, or two of 32
  const ir::Operand& extent = source_.type(op.array).extents.back();
  const auto* const stride = llvm::dyn_cast<llvm::ConstantInt>(from.strides.back());
  const auto is_uniform = [](const LaneValue& value) { return value.shape == Shape::Uniform; };
  if (!b.in_lanes() || !b.kernel.facts().picks_lanes || byte_size(from.element) != 4 ||
      b.lanes() * 4 % b.kernel.facts().vector_bytes != 0 ||
      indices.back().shape != Shape::Varying ||
      !std::ranges::all_of(indices.first(indices.size() - 1), is_uniform) ||
      !is_uniform(from.offset) || !stride || !stride->isOne() || !extent.is_constant())
    return std::nullopt;
  const auto length = extent.scalar().as<std::int64_t>();
  if (length < 2 || length > row_length) return std::nullopt;
  std::vector<LaneValue> of_row(indices.begin(), indices.end());
  of_row.back() = b.index(0);
  auto* const word = b.ir.getInt32Ty();
  Value* row = b.ir.CreateAlignedLoad(
      llvm::FixedVectorType::get(word, static_cast<unsigned>(length)),
      b.ir.CreateGEP(b.memory_type(from.element), from.base, b.element_offset(from, of_row).value),
      llvm::Align(4));
  std::vector<int> numbers(row_length, -1);
  for (std::int64_t i = 0; i < length; ++i)
    numbers[static_cast<std::size_t>(i)] = static_cast<int>(i);
  if (length < row_length) row = b.ir.CreateShuffleVector(row, numbers);
  Value* const places =
      b.ir.CreateTrunc(b.vector(indices.back()), llvm::FixedVectorType::get(word, b.lanes()));
  Value* const picked = b.kernel.hooks.pick(b, row, places);
  return b.varying(b.ir.CreateBitCast(picked, b.type(from.element, Shape::Varying)), from.element);
}

void BodyEmitter::emit(const ir::Statement& statement, const ir::Index& op) {
  if (const auto known = edges_.find(statement.results[0].index); known != edges_.end())
    return bind(statement.results[0], known->second);
  const ArrayView& from = array(op.array);
  const std::vector<LaneValue> indices = scalars(op.indices);
  if (indices.size() == from.strides.size()) {
    if (const auto parts = read_in_two_parts(op, from, indices))
      return bind(statement.results[0], *parts);
    if (const auto picked = picked_from_row(op, from, indices))
      return bind(statement.results[0], *picked);
    const LaneValue offset = b.element_offset(from, indices);
    bind(statement.results[0], b.load(from, offset));
    if (offset.shape != Shape::Linear || !b.in_lanes()) return;
    if ((comes_from_memory_ || streamed_.contains(op.array.index)) && !b.mask)
      fetch_ahead(from, offset.value, 1);
    if (seldom_read_.contains(statement.results[0].index))
      fetch_ahead(from, offset.value, b.lanes());
  } else
    bind(statement.results[0], b.subarray(from, indices));
}

/// The slice as a view, if its strides are uniform.
std::optional<ArrayView> BodyEmitter::sliced(const ArrayView& array,
                                             std::span<const ir::Slice::Dimension> dimensions) {
  ArrayView view = array;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const LaneValue stride = scalar(dimensions[d].stride);
    if (stride.shape != Shape::Uniform) return std::nullopt;
    view.offset = b.add(view.offset, b.multiply(scalar(dimensions[d].begin), array.strides[d]));
    view.strides[d] = b.ir.CreateMul(array.strides[d], stride.value);
  }
  view.is_row_major = dimensions.size() == 1; // counts may be less than the extents
  return view;
}

/// The offset of the slice's element at the indices, whatever its strides are.
LaneValue BodyEmitter::sliced_offset(const ArrayView& array,
                                     std::span<const ir::Slice::Dimension> dimensions,
                                     std::span<const LaneValue> indices) {
  LaneValue offset = array.offset;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const LaneValue stride = scalar(dimensions[d].stride);
    const LaneValue step =
        b.varying(b.ir.CreateMul(b.vector(indices[d]), b.vector(stride)), ElementType::I64);
    const LaneValue at = b.add(scalar(dimensions[d].begin), step);
    offset = b.add(offset, b.multiply(at, array.strides[d]));
  }
  return offset;
}

void BodyEmitter::emit(const ir::Statement& statement, const ir::Slice& op) {
  const ArrayView from = array(op.array);
  if (const auto view = sliced(from, op.dimensions)) {
    bind(statement.results[0], *view);
    return;
  }
  const ArrayView gathered = place(statement.results[0]);
  for_each_index(extents(source_.type(statement.results[0])),
                 [&](std::span<const LaneValue> indices) {
                   b.store(gathered, b.element_offset(gathered, indices),
                           b.load(from, sliced_offset(from, op.dimensions, indices)));
                 });
  bind(statement.results[0], gathered);
}

void BodyEmitter::emit(const ir::Statement& statement, const ir::Transpose& op) {
  ArrayView view = array(op.array);
  const std::vector<Value*> strides = view.strides;
  bool is_identity = true;
  for (std::size_t d = 0; d < strides.size(); ++d) {
    view.strides[d] = strides[op.permutation[d]];
    is_identity = is_identity && op.permutation[d] == d;
  }
  view.is_row_major = view.is_row_major && is_identity;
  bind(statement.results[0], view);
}

/// A reshape whose extents differ between lanes: each element's number in row-major order leads to
/// its place.
ArrayView BodyEmitter::reshaped_copy(const ArrayView& from, const ir::Type& old_type,
                                     ir::ValueId result) {
  const ir::Type& type = source_.type(result);
  ArrayView to = place(result);
  const std::vector<LaneValue> old_sizes = extents(old_type);
  const std::vector<LaneValue> sizes = extents(type);
  const auto lanes_of = [&](Value* value) { return b.varying(value, ElementType::I64); };
  for_each_index(sizes, [&](std::span<const LaneValue> indices) {
    Value* number = b.vector(indices[0]);
    for (std::size_t d = 1; d < indices.size(); ++d)
      number = b.ir.CreateAdd(b.ir.CreateMul(number, b.vector(sizes[d])), b.vector(indices[d]));
    std::vector<LaneValue> old_indices(old_sizes.size());
    for (std::size_t d = old_sizes.size(); d-- > 0;) {
      if (d == 0) {
        old_indices[d] = lanes_of(number);
        break;
      }
      Value* const size = b.vector(old_sizes[d]); // not 0 where a lane is active
      Value* const divisor =
          b.ir.CreateSelect(b.ir.CreateICmpEQ(size, llvm::Constant::getNullValue(size->getType())),
                            llvm::ConstantInt::get(size->getType(), 1), size);
      old_indices[d] = lanes_of(b.ir.CreateURem(number, divisor));
      number = b.ir.CreateUDiv(number, divisor);
    }
    b.store(to, b.element_offset(to, indices), b.load(from, b.element_offset(from, old_indices)));
  });
  return to;
}

void BodyEmitter::emit(const ir::Statement& statement, const ir::Reshape& op) {
  ArrayView from = array(op.array);
  const ir::Type& old_type = source_.type(op.array);
  const ir::Type& type = source_.type(statement.results[0]);
  // Where extents vary between lanes, strides are not those of the lane's own extents.
  const auto varies = [&](const ir::Type& t) {
    const auto sizes = extents(t);
    return std::any_of(sizes.begin(), sizes.end(),
                       [](const LaneValue& size) { return size.shape != Shape::Uniform; });
  };
  const bool is_ragged =
      (old_type.rank() > 1 && varies(old_type)) || (type.rank() > 1 && varies(type));
  if (is_ragged) {
    bind(statement.results[0], reshaped_copy(from, old_type, statement.results[0]));
    return;
  }
  if (!from.is_row_major) {
    const ArrayView dense = allocate(old_type);
    copy(from, dense, old_type);
    from = dense;
  }
  ArrayView view = from;
  view.strides.assign(type.rank(), nullptr);
  Value* stride = from.strides.back();
  const std::vector<LaneValue> sizes = extents(type);
  for (std::size_t d = type.rank(); d-- > 0;) {
    view.strides[d] = stride;
    if (d > 0) stride = b.ir.CreateMul(stride, b.greatest(sizes[d]));
  }
  bind(statement.results[0], view);
}

// ---- new arrays --------------------------------------------------------------------------------

void BodyEmitter::emit(const ir::Statement& statement, const ir::Copy& op) {
  const ArrayView to = place(statement.results[0]);
  copy(array(op.array), to, source_.type(statement.results[0]));
  bind(statement.results[0], to);
}

void BodyEmitter::emit(const ir::Statement& statement, const ir::Concat& op) {
  const ArrayView to = place(statement.results[0]);
  LaneValue begin = b.index(0);
  for (ir::ValueId part : op.arrays) {
    const ir::Type& type = source_.type(part);
    ArrayView rows = to;
    rows.offset = b.add(to.offset, b.multiply(begin, to.strides[0]));
    copy(array(part), rows, type);
    begin = b.add(begin, scalar(type.extents[0]));
  }
  bind(statement.results[0], to);
}

void BodyEmitter::emit(const ir::Statement& statement, const ir::ArrayLiteral& op) {
  const ir::Type& type = source_.type(statement.results[0]);
  const bool are_constants =
      std::all_of(op.elements.begin(), op.elements.end(),
                  [](const ir::Operand& element) { return element.is_constant(); });
  if (tables_[statement.results[0].index] && are_constants && !op.elements.empty()) {
    std::vector<llvm::Constant*> elements;
    for (const ir::Operand& element : op.elements)
      elements.push_back(type.element == ElementType::Bool
                             ? b.ir.getInt8(element.scalar().bits != 0)
                             : b.literal(type.element, element.scalar()));
    auto* const data = llvm::ConstantArray::get(
        llvm::ArrayType::get(b.memory_type(type.element), elements.size()), elements);
    auto* const table = new llvm::GlobalVariable(b.kernel.module, data->getType(), true,
                                                 llvm::GlobalValue::PrivateLinkage, data, "table");
    bind(statement.results[0], dense_view(type.element, table, type, false));
    return;
  }
  const bool is_shared = b.in_lanes() && !uniformity_.varies(statement.results[0]);
  if (is_shared) { // uniform elements that are only read: one copy for all lanes
    auto* const memory =
        b.stack(b.memory_type(type.element), static_cast<std::int64_t>(op.elements.size()));
    const ArrayView view = dense_view(type.element, memory, type, false);
    for (std::size_t i = 0; i < op.elements.size(); ++i) {
      Value* element = scalar(op.elements[i]).value;
      if (type.element == ElementType::Bool) element = b.ir.CreateZExt(element, b.ir.getInt8Ty());
      b.ir.CreateStore(element, b.ir.CreateConstGEP1_64(b.memory_type(type.element), memory, i));
    }
    bind(statement.results[0], view);
    return;
  }
  const ArrayView to = place(statement.results[0]);
  const auto put_each = [&] {
    for (std::size_t i = 0; i < op.elements.size(); ++i) {
      const LaneValue index = b.index(static_cast<std::int64_t>(i));
      put(to, {&index, 1}, emitted(op.elements[i]), source_.type(op.elements[i]));
    }
  };
  if (type.rank() == 1 && may_put_together(to, op.elements.size())) {
    const std::vector<LaneValue> columns = scalars(op.elements);
    b.if_then_else(
        are_together(to, columns.size()), [&] { put_together(to, columns); }, put_each);
  } else {
    put_each();
  }
  bind(statement.results[0], to);
}

// ---- updates -----------------------------------------------------------------------------------

void BodyEmitter::emit(const ir::Statement& statement, const ir::Update& op) {
  const ArrayView to = array(op.array);
  const auto made =
      op.value.is_value() ? updated_rows_.find(op.value.value().index) : updated_rows_.end();
  if (made == updated_rows_.end() ||
      !is_same_place(array(op.value.value()), made->second.places[0]))
    put(to, scalars(op.indices), emitted(op.value), source_.type(op.value));
  bind(statement.results[0], to);
}

void BodyEmitter::emit(const ir::Statement& statement, const ir::UpdateSlice& op) {
  const ArrayView to = array(op.array);
  const ArrayView from = array(op.value);
  const ir::Type& type = source_.type(op.value);
  if (const auto view = sliced(to, op.dimensions))
    copy(from, *view, type);
  else
    for_each_index(extents(type), [&](std::span<const LaneValue> indices) {
      b.store(to, sliced_offset(to, op.dimensions, indices),
              b.load(from, b.element_offset(from, indices)));
    });
  bind(statement.results[0], to);
}

} // namespace sinter::jit
