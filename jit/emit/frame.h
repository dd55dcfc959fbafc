// What the code of a function reads from its frame (KernelFrame), before its body and in it: for
// the functions of kernels, and for entry points that other targets have instead.
#pragma once

#include "jit/emit/body.h"
#include "jit/ir/array_layout.h"

#include <cstddef>
#include <vector>

namespace sinter::jit {

/// A field of the frame, at `offset` in KernelFrame.
llvm::Value* frame_field(LaneBuilder& builder, llvm::Value* frame, std::size_t offset,
                         llvm::Type* type);
/// What the hooks are given of it.
FramePointers frame_pointers(LaneBuilder& builder, llvm::Value* frame);
/// Binds the function's parameters to the arguments' words; `layouts` as in EmitOptions.
void bind_parameters(BodyEmitter& body, const ir::ArrayLayouts& layouts, llvm::Value* words);
/// An array of the type that lies there without gaps.
ArrayView row_major(BodyEmitter& body, llvm::Value* data, const ir::Type& type);

} // namespace sinter::jit
