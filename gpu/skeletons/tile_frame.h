// Functions for one tile, which all threads of a block run together: their beginnings, and the
// places that they know.
#pragma once

#include "jit/emit/body.h"
#include "jit/ir/array_layout.h"
#include "jit/ir/ir.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sinter::gpu {

/// Declares `i64 NAME(ptr frame, i64 tile)`, which is inlined where it is called.
llvm::Function* declare_tile(jit::KernelModule& kernel, const std::string& name);
/// Binds the function's parameters, and what it computes before its last statement.
void begin_tile(jit::BodyEmitter& body, llvm::Function* tile, const ir::ArrayLayouts& layouts);
/// The kernel's result of that number, an array.
jit::ArrayView result_array(jit::BodyEmitter& body, llvm::Function* tile, std::size_t result);

/// Binds the index of a SOAC's element, and its elements of the inputs of those numbers.
void bind_elements(jit::BodyEmitter& body, const ir::Soac& soac,
                   const std::vector<std::size_t>& inputs, llvm::Value* index);
std::vector<std::size_t> all_inputs(const ir::Soac& soac);

} // namespace sinter::gpu
