#include "jit/emit/frame.h"

#include "jit/emit/kernel_abi.h"

namespace sinter::jit {

using llvm::Value;

Value* frame_field(LaneBuilder& b, Value* frame, std::size_t offset, llvm::Type* type) {
  return b.ir.CreateLoad(type, b.ir.CreateConstGEP1_64(b.ir.getInt8Ty(), frame, offset));
}

FramePointers frame_pointers(LaneBuilder& b, Value* frame) {
  FramePointers result;
  result.epoch = frame_field(b, frame, offsetof(KernelFrame, epoch), b.ir.getPtrTy());
  result.start_epoch = frame_field(b, frame, offsetof(KernelFrame, start_epoch), b.ir.getInt32Ty());
  result.failure = frame_field(b, frame, offsetof(KernelFrame, failure), b.ir.getPtrTy());
  result.arena = frame_field(b, frame, offsetof(KernelFrame, arena), b.ir.getPtrTy());
  return result;
}

void bind_parameters(BodyEmitter& body, const ir::ArrayLayouts& layouts, Value* words) {
  LaneBuilder& b = body.b;
  const ir::Function& function = body.source();
  std::size_t next = 0;
  const auto word = [&](llvm::Type* type) {
    return b.ir.CreateLoad(type, b.ir.CreateConstGEP1_64(b.ir.getInt64Ty(), words, next++));
  };
  for (std::size_t i = 0; i < function.body.parameters.size(); ++i) {
    const ir::ValueId parameter = function.body.parameters[i];
    const ir::Type& type = function.type(parameter);
    if (type.is_scalar()) {
      body.bind(parameter,
                b.uniform(b.from_word(word(b.ir.getInt64Ty()), type.element), type.element));
      continue;
    }
    ArrayView view;
    view.element = type.element;
    view.base = word(b.ir.getPtrTy());
    view.offset = b.index(0);
    const ir::ArrayLayout layout = i < layouts.size() ? layouts[i] : ir::ArrayLayout::Strided;
    view.is_row_major = layout == ir::ArrayLayout::Dense || type.rank() == 1;
    for (std::size_t d = 0; d < type.rank(); ++d)
      view.strides.push_back(word(b.ir.getInt64Ty()));
    if (layout != ir::ArrayLayout::Strided) view.strides.back() = b.i64(1);
    // (Of small elements, strides are known beforehand.)
    if (layout == ir::ArrayLayout::Dense)
      for (std::size_t d = type.rank() - 1; d > 0 && type.extents[d].is_constant(); --d)
        view.strides[d - 1] =
            b.ir.CreateMul(view.strides[d], b.i64(type.extents[d].scalar().as<std::int64_t>()));
    body.bind(parameter, view);
  }
}

ArrayView row_major(BodyEmitter& body, Value* data, const ir::Type& type) {
  LaneBuilder& b = body.b;
  ArrayView view;
  view.element = type.element;
  view.base = data;
  view.offset = b.index(0);
  view.is_row_major = true;
  view.strides.resize(type.rank());
  Value* stride = b.i64(1);
  for (std::size_t d = type.rank(); d-- > 0;) {
    view.strides[d] = stride;
    if (d > 0) stride = b.ir.CreateMul(stride, body.scalar(type.extents[d]).value);
  }
  return view;
}

} // namespace sinter::jit
