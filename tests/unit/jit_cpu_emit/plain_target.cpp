// Emission for a second target: kernels of plain scalar IR, whose functions an entry point of
// another shape takes in.
#include "plain_target.h"

#include "jit/emit/lanes.h"
#include "jit/ir/parse.h"
#include "kernel_runner.h"

#include <doctest/doctest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <stdexcept>
#include <vector>

namespace sinter::jit {

using llvm::Value;

namespace {

Value* call(LaneBuilder& b, const char* name, llvm::Type* result, std::vector<Value*> arguments) {
  std::vector<llvm::Type*> types;
  for (Value* argument : arguments)
    types.push_back(argument->getType());
  return b.ir.CreateCall(
      b.kernel.module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false)),
      arguments);
}

} // namespace

void PlainHooks::note_failure(LaneBuilder& b, const FramePointers& frame, Value* index,
                              std::uint32_t site) const {
  call(b, plain::note_failure, b.ir.getVoidTy(), {frame.failure, index, b.ir.getInt32(site)});
}
Value* PlainHooks::may_go_on(LaneBuilder& b, const FramePointers& frame) const {
  return b.ir.CreateICmpEQ(b.ir.CreateLoad(b.ir.getInt32Ty(), frame.epoch, /*isVolatile=*/true),
                           frame.start_epoch);
}
Value* PlainHooks::allocate(LaneBuilder& b, const FramePointers& frame, Value* bytes, std::size_t,
                            llvm::BasicBlock* lacking) const {
  if (!has_scratch_) return nullptr;
  Value* const memory = call(b, plain::allocate, b.ir.getPtrTy(), {frame.arena, bytes});
  llvm::BasicBlock* const allocated = b.block("allocated");
  b.ir.CreateCondBr(b.ir.CreateIsNull(memory), lacking, allocated);
  b.ir.SetInsertPoint(allocated);
  return memory;
}
Value* PlainHooks::mark(LaneBuilder& b, const FramePointers& frame) const {
  return call(b, plain::mark, b.ir.getInt64Ty(), {frame.arena});
}
void PlainHooks::release(LaneBuilder& b, const FramePointers& frame, Value* mark) const {
  call(b, plain::release, b.ir.getVoidTy(), {frame.arena, mark});
}
namespace {

/// An entry point that calls the function with its own arguments, and takes it in.
std::string add_entry(llvm::Module& module, const std::string& name) {
  if (name.empty()) return {};
  llvm::Function* const function = module.getFunction(name);
  if (!function->hasInternalLinkage() || !function->hasFnAttribute(llvm::Attribute::AlwaysInline))
    throw std::runtime_error(name + " is not for its module alone");
  auto* const entry = llvm::Function::Create(
      function->getFunctionType(), llvm::Function::ExternalLinkage, "entry_" + name, module);
  llvm::IRBuilder<> ir(llvm::BasicBlock::Create(module.getContext(), "entry", entry));
  std::vector<Value*> arguments;
  for (llvm::Argument& argument : entry->args())
    arguments.push_back(&argument);
  ir.CreateRet(ir.CreateCall(function, arguments));
  const auto next_call = [&]() -> llvm::CallInst* {
    for (llvm::Instruction& instruction : llvm::instructions(*entry))
      if (auto* const found = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (const llvm::Function* callee = found->getCalledFunction();
            callee && callee->hasFnAttribute(llvm::Attribute::AlwaysInline))
          return found;
    return nullptr;
  };
  while (llvm::CallInst* const found = next_call()) {
    llvm::InlineFunctionInfo information;
    if (!llvm::InlineFunction(*found, information).isSuccess())
      throw std::runtime_error(name + " cannot be inlined");
  }
  return entry->getName().str();
}

/// Of values and of what memory is allocated as.
bool has_vectors(const llvm::Instruction& instruction) {
  const auto* allocated = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
  if (instruction.getType()->isVectorTy() ||
      (allocated && allocated->getAllocatedType()->isVectorTy()))
    return true;
  for (const Value* operand : instruction.operands())
    if (operand->getType()->isVectorTy()) return true;
  return false;
}

} // namespace

EmittedKernel emit_plain(const ir::Function& function, EmitOptions options) {
  EmittedKernel kernel;
  kernel.context = std::make_unique<llvm::LLVMContext>();
  kernel.module = std::make_unique<llvm::Module>("plain", *kernel.context);
  options.lanes = 1;
  options.is_inlined = true;
  static_cast<EmittedFunctions&>(kernel) = emit_functions(*kernel.module, function, options);
  kernel.run = add_entry(*kernel.module, kernel.run);
  kernel.combine = add_entry(*kernel.module, kernel.combine);
  kernel.finish = add_entry(*kernel.module, kernel.finish);
  kernel.conclude = add_entry(*kernel.module, kernel.conclude);
  return kernel;
}

std::string not_plain(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    const llvm::StringRef name = function.getName();
    if (name.starts_with("llvm.x86.") || name.starts_with("llvm.prefetch") ||
        name.starts_with("llvm.masked.") ||
        (function.isDeclaration() && name.starts_with("sinter_"))) // else it is the module's own
      return name.str();
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (has_vectors(instruction)) return "vectors in " + name.str();
  }
  return {};
}

} // namespace sinter::jit

using namespace sinter;
using namespace sinter::jit;

namespace {

/// What the kernel is refused for by a target without scratch memory.
std::string refusal(const char* source) {
  const PlainHooks hooks(false);
  EmitOptions options;
  options.hooks = &hooks;
  return emit_plain(ir::parse(source), options).refusal.value_or("");
}

} // namespace

TEST_CASE("a kernel for which a target has no memory is refused, and no other") {
  CHECK(refusal("fn f(n: i64, xs: [n]f64) -> [n]f64 {\n"
                "  r: [n]f64 = soac n (xs) { (i: i64, x: f64)\n    y: f64 = sin x\n"
                "    z: f64 = gamma y\n    yield z\n"
                "  } map\n  ret r\n}\n") == "");
  CHECK(refusal("fn f(n: i64, m: i64, xs: [n]f64) -> [n]f64 {\n"
                "  r: [n]f64 = soac n (xs) { (i: i64, x: f64)\n"
                "    ys: [m]f64 = soac m () { (j: i64)\n      y: f64 = convert j\n      yield y\n"
                "    } map\n    z: f64 = index ys[i]\n    yield z\n"
                "  } map\n  ret r\n}\n") == "scratch memory");
}

TEST_CASE("what is not plain is found") {
  const char* const source = "fn f(n: i64, xs: [n]f32) -> [n]f32 {\n"
                             "  r: [n]f32 = soac n (xs) { (i: i64, x: f32)\n"
                             "    y: f32 = add x x\n    yield y\n  } map\n  ret r\n}\n";
  const PlainHooks hooks(true);
  EmitOptions options;
  options.hooks = &hooks;
  CHECK(not_plain(*emit_plain(ir::parse(source), options).module) == "");
  options.lanes = 4;
  CHECK(not_plain(*emit_kernel(ir::parse(source), options).module) != "");
}
