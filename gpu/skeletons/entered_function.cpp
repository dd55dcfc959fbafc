#include "gpu/skeletons/entered_function.h"

#include "jit/emit/frame.h"
#include "jit/emit/kernel_abi.h"

#include <cstdint>
#include <utility>
#include <vector>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

using jit::LaneBuilder;
using llvm::Value;

namespace {

/// Of arrays whose elements follow each other: as many of the innermost strides as follow from
/// constant extents are constants.  (Places at constant indices are then one address, and a number
/// each.  On a processor, whose registers are others, that was no gain.)
void set_known_strides(jit::BodyEmitter& body, const ir::Function& function,
                       const ir::ArrayLayouts& layouts) {
  for (std::size_t i = 0; i < function.body.parameters.size(); ++i) {
    const ir::ValueId parameter = function.body.parameters[i];
    const ir::Type& type = function.type(parameter);
    if (type.is_scalar() || i >= layouts.size() || layouts[i] != ir::ArrayLayout::Dense) continue;
    jit::ArrayView view = body.array(parameter);
    std::int64_t stride = 1;
    for (std::size_t d = type.rank(); d-- > 0;) {
      view.strides[d] = body.b.i64(stride);
      if (!type.extents[d].is_constant() ||
          __builtin_mul_overflow(stride, type.extents[d].scalar().as<std::int64_t>(), &stride))
        break;
    }
    body.bind(parameter, view);
  }
}

} // namespace

KernelAround::KernelAround(jit::KernelModule& kernel, const ir::Function& function,
                           ir::ArrayLayouts layouts)
    : kernel_(kernel), function_(function), layouts_(std::move(layouts)),
      plan_(function, 1, jit::AlongRows::InLongVectors) {}

std::unique_ptr<EnteredFunction> KernelAround::enter(const std::string& name, unsigned words,
                                                     unsigned pointers) const {
  llvm::LLVMContext& context = kernel_.module.getContext();
  std::vector<llvm::Type*> types = {llvm::PointerType::get(context, 0)};
  types.insert(types.end(), words, llvm::Type::getInt64Ty(context));
  types.insert(types.end(), pointers, llvm::PointerType::get(context, 0));
  auto* const function =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getInt64Ty(context), types, false),
                             llvm::Function::InternalLinkage, name, kernel_.module);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addFnAttr(llvm::Attribute::AlwaysInline);
  std::unique_ptr<EnteredFunction> entered(
      new EnteredFunction{function, jit::BodyEmitter(kernel_, function_, plan_, function)});
  LaneBuilder& b = entered->body.b;
  entered->body.frame = jit::frame_pointers(b, entered->frame());
  jit::bind_parameters(entered->body, layouts_,
                       jit::frame_field(b, entered->frame(), offsetof(jit::KernelFrame, arguments),
                                        b.ir.getPtrTy()));
  set_known_strides(entered->body, function_, layouts_);
  ir::Body before;
  before.statements.assign(function_.body.statements.begin(), function_.body.statements.end() - 1);
  entered->body.statements(before);
  return entered;
}

jit::ArrayView component_slot(LaneBuilder& b, Value* components, std::size_t i, ElementType type) {
  jit::ArrayView view;
  view.element = type;
  view.base = b.ir.CreateConstGEP1_64(b.ir.getInt8Ty(), components, i * component_bytes);
  view.offset = b.index(0);
  view.is_row_major = true;
  return view;
}

std::vector<jit::Emitted> loaded_components(LaneBuilder& b, Value* components,
                                            const std::vector<ElementType>& types) {
  std::vector<jit::Emitted> values;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const jit::ArrayView view = component_slot(b, components, i, types[i]);
    values.emplace_back(b.load(view, view.offset));
  }
  return values;
}

} // namespace sinter::gpu
