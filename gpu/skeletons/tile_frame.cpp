#include "gpu/skeletons/tile_frame.h"

#include "jit/emit/frame.h"
#include "jit/emit/kernel_abi.h"

#include <numeric>

namespace sinter::gpu {

using jit::ArrayView;
using jit::LaneBuilder;
using jit::LaneValue;
using llvm::Value;

llvm::Function* declare_tile(jit::KernelModule& kernel, const std::string& name) {
  llvm::LLVMContext& context = kernel.module.getContext();
  llvm::Type* const word = llvm::Type::getInt64Ty(context);
  auto* const made = llvm::Function::Create(
      llvm::FunctionType::get(word, {llvm::PointerType::get(context, 0), word}, false),
      llvm::Function::InternalLinkage, name, kernel.module);
  made->addFnAttr(llvm::Attribute::NoUnwind);
  made->addFnAttr(llvm::Attribute::AlwaysInline);
  return made;
}

void begin_tile(jit::BodyEmitter& body, llvm::Function* tile, const ir::ArrayLayouts& layouts) {
  LaneBuilder& b = body.b;
  body.frame = jit::frame_pointers(b, tile->getArg(0));
  jit::bind_parameters(
      body, layouts,
      jit::frame_field(b, tile->getArg(0), offsetof(jit::KernelFrame, arguments), b.ir.getPtrTy()));
  const std::vector<ir::Statement>& statements = body.source().body.statements;
  ir::Body before;
  before.statements.assign(statements.begin(), statements.end() - 1);
  body.statements(before);
}

ArrayView result_array(jit::BodyEmitter& body, llvm::Function* tile, std::size_t result) {
  LaneBuilder& b = body.b;
  Value* const words =
      jit::frame_field(b, tile->getArg(0), offsetof(jit::KernelFrame, results), b.ir.getPtrTy());
  Value* const data =
      b.ir.CreateLoad(b.ir.getPtrTy(), b.ir.CreateConstGEP1_64(b.ir.getInt64Ty(), words, result));
  return jit::row_major(body, data, body.source().type(body.source().body.results[result]));
}

void bind_elements(jit::BodyEmitter& body, const ir::Soac& soac,
                   const std::vector<std::size_t>& inputs, Value* index) {
  LaneBuilder& b = body.b;
  const LaneValue at = b.uniform(index);
  body.bind(soac.body.parameters[0], at);
  for (const std::size_t number : inputs) {
    const ArrayView& input = body.array(soac.inputs[number]);
    const ir::ValueId element = soac.body.parameters[number + 1];
    if (input.strides.size() == 1)
      body.bind(element, b.load(input, b.element_offset(input, {&at, 1})));
    else
      body.bind(element, b.subarray(input, {&at, 1}));
  }
}

std::vector<std::size_t> all_inputs(const ir::Soac& soac) {
  std::vector<std::size_t> numbers(soac.inputs.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

} // namespace sinter::gpu
