#include "gpu/skeletons/entry_builder.h"

#include "gpu/kernels/calls.h"
#include "gpu/kernels/control_block.h"
#include "gpu/kernels/gpu_hooks.h"
#include "gpu/kernels/rolled_loops.h"
#include "jit/emit/kernel_abi.h"

#include <algorithm>
#include <array>
#include <vector>

namespace sinter::gpu {

using llvm::Value;

namespace {

llvm::Function* make_function(llvm::Module& module, std::string_view name, unsigned words) {
  llvm::LLVMContext& context = module.getContext();
  const std::vector<llvm::Type*> types(words, llvm::Type::getInt64Ty(context));
  llvm::Function* const function = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false),
      llvm::Function::ExternalLinkage, llvm::StringRef(name.data(), name.size()), module);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  return function;
}

Value* is_zero(llvm::IRBuilderBase& ir, Value* number) {
  return ir.CreateICmpEQ(number, llvm::ConstantInt::get(number->getType(), 0));
}

} // namespace

EntryBuilder::EntryBuilder(jit::KernelModule& kernel, std::string_view name, WordCounts counts)
    : b(kernel, make_function(kernel.module, name, counts.all())), counts_(counts),
      exit_(b.block("exit")) {
  make_frame();
  end_if_stopped_before();
}

// ---- words -------------------------------------------------------------------------------------

Value* EntryBuilder::argument_word(unsigned number) {
  return b.function->getArg(number);
}

Value* EntryBuilder::place(Value* address, Value* bytes) {
  if (bytes) address = b.ir.CreateAdd(address, bytes);
  return b.ir.CreateIntToPtr(address, b.ir.getPtrTy(global_space));
}

void EntryBuilder::store_scalar_result(unsigned result, Value* word_value) {
  b.ir.CreateAlignedStore(word_value, place(word(Word::Scalars), b.i64(8 * std::int64_t{result})),
                          llvm::Align(8));
}

// ---- threads -----------------------------------------------------------------------------------

Value* EntryBuilder::call(AbstractFunction function, std::initializer_list<Value*> arguments) {
  return call_abstract(b.ir, b.kernel.module, function, arguments);
}

Value* EntryBuilder::wide(AbstractFunction function) {
  return b.ir.CreateZExt(call(function), b.ir.getInt64Ty());
}

Value* EntryBuilder::thread_number() {
  return b.ir.CreateAdd(
      b.ir.CreateMul(wide(AbstractFunction::block_index_x), wide(AbstractFunction::block_size)),
      wide(AbstractFunction::thread_index));
}

Value* EntryBuilder::thread_count() {
  return b.ir.CreateMul(wide(AbstractFunction::grid_size_x), wide(AbstractFunction::block_size));
}

void EntryBuilder::for_each(Value* begin, Value* end, Value* step,
                            const std::function<void(Value*)>& body) {
  const jit::Variable next = b.variable(ElementType::I64, jit::Shape::Uniform);
  b.set(next, b.uniform(begin));
  b.while_loop([&] { return b.ir.CreateICmpSLT(b.get(next).value, end); },
               [&] {
                 Value* const i = b.get(next).value;
                 body(i);
                 b.set(next, b.uniform(b.ir.CreateAdd(i, step)));
               });
}

void EntryBuilder::for_each_of_block(Value* begin, Value* end,
                                     const std::function<void(Value*)>& body) {
  for_each(b.ir.CreateAdd(begin, wide(AbstractFunction::thread_index)), end,
           wide(AbstractFunction::block_size), body);
}

void EntryBuilder::by_first_thread(const std::function<void()>& body) {
  b.if_then(b.ir.CreateICmpEQ(wide(AbstractFunction::thread_index), b.i64(0)), body);
}

// ---- the kernel's functions --------------------------------------------------------------------

Value* EntryBuilder::own_words(unsigned count) {
  auto* const words = b.stack(llvm::ArrayType::get(b.ir.getInt64Ty(), std::max(count, 1u)), 1);
  words->setAlignment(llvm::Align(8));
  return words;
}

Value* EntryBuilder::own_list(unsigned first, unsigned count) {
  Value* const words = own_words(count);
  for (unsigned i = 0; i < count; ++i)
    b.ir.CreateStore(argument_word(first + i),
                     b.ir.CreateConstGEP1_64(b.ir.getInt64Ty(), words, i));
  return words;
}

Value* EntryBuilder::own_areas(unsigned first, unsigned count) {
  return own_list(counts_.first_area() + first, count);
}

Value* EntryBuilder::own_numbers(unsigned first, unsigned count) {
  return own_list(counts_.first_number() + first, count);
}

void EntryBuilder::set_frame_field(std::size_t offset, Value* value) {
  b.ir.CreateStore(value, b.ir.CreateConstGEP1_64(b.ir.getInt8Ty(), frame_, offset));
}

void EntryBuilder::make_frame() {
  frame_ = own_words((sizeof(jit::KernelFrame) + 7) / 8);
  scratch_ = own_words(sizeof(ScratchPiece) / 8);
  results_ = own_list(counts_.first_result(), counts_.results);
  control_ = b.ir.CreateIntToPtr(word(Word::Control), b.ir.getPtrTy());
  set_frame_field(offsetof(jit::KernelFrame, arguments),
                  own_list(static_cast<unsigned>(Word::FirstOfLists), counts_.arguments));
  set_frame_field(offsetof(jit::KernelFrame, results), results_);
  set_frame_field(offsetof(jit::KernelFrame, streams_results), b.i64(0));
  set_frame_field(offsetof(jit::KernelFrame, fold_begin), b.i64(0));
  set_frame_field(offsetof(jit::KernelFrame, epoch),
                  llvm::ConstantPointerNull::get(b.ir.getPtrTy()));
  set_frame_field(offsetof(jit::KernelFrame, start_epoch), b.i64(0));
  set_frame_field(offsetof(jit::KernelFrame, failure), control_);
  set_frame_field(offsetof(jit::KernelFrame, arena), scratch_);
}

Value* EntryBuilder::scalar_result(unsigned result) {
  return b.ir.CreateLoad(b.ir.getInt64Ty(),
                         b.ir.CreateConstGEP1_64(b.ir.getInt64Ty(), results_, result));
}

void EntryBuilder::set_scratch() {
  const auto set = [&](std::size_t offset, Value* value) {
    b.ir.CreateStore(value, b.ir.CreateConstGEP1_64(b.ir.getInt8Ty(), scratch_, offset));
  };
  Value* const neighbours = argument_word(static_cast<unsigned>(Word::ScratchNeighbours));
  Value* const together = b.ir.CreateShl(b.i64(1), neighbours);
  set(offsetof(ScratchPiece, together), together);
  std::array<Value*, scratch_regions> bytes = {};
  Value* sum = b.i64(0);
  for (unsigned r = 0; r < scratch_regions; ++r) {
    bytes[r] = argument_word(static_cast<unsigned>(Word::ScratchBytes) + r);
    set(offsetof(ScratchPiece, bytes) + r * sizeof(std::uint64_t), bytes[r]);
    sum = b.ir.CreateAdd(sum, bytes[r]);
  }
  Value* const thread = thread_number();
  Value* const own = b.ir.CreateAnd(thread, b.ir.CreateSub(together, b.i64(1)));
  Value* region =
      b.ir.CreateAdd(word(Word::Scratch), b.ir.CreateMul(b.ir.CreateSub(thread, own), sum));
  for (unsigned r = 0; r < scratch_regions; ++r) {
    Value* const first = b.ir.CreateMul(own, b.ir.getInt64(scratch_element_bytes(r)));
    set(offsetof(ScratchPiece, base) + r * sizeof(std::uint64_t), b.ir.CreateAdd(region, first));
    region = b.ir.CreateAdd(region, b.ir.CreateShl(bytes[r], neighbours));
  }
  empty_scratch();
}

void EntryBuilder::empty_scratch() {
  for (std::size_t r = 0; r < scratch_regions; ++r)
    b.ir.CreateStore(b.i64(0), b.ir.CreateConstGEP1_64(b.ir.getInt8Ty(), scratch_,
                                                       offsetof(ScratchPiece, used) +
                                                           r * sizeof(std::uint64_t)));
}

// ---- stopping ----------------------------------------------------------------------------------

void EntryBuilder::end_unless(Value* condition) {
  llvm::BasicBlock* const goes_on = b.block("goes_on");
  b.ir.CreateCondBr(condition, goes_on, exit_);
  b.ir.SetInsertPoint(goes_on);
}

void EntryBuilder::end_if_stopped_before() {
  // (One thread looks for all: each look is an access of the same memory.  What it finds is asked
  // for before, and needed behind the other block's fields, so that both are waited for at once.)
  Value* const is_one = is_zero(b.ir, b.ir.CreateOr(call(AbstractFunction::thread_index),
                                                    call(AbstractFunction::block_index_x)));
  const jit::Variable stop = b.variable(ElementType::I32, jit::Shape::Uniform);
  b.set(stop, b.uniform(b.ir.getInt32(0), ElementType::I32));
  b.if_then(is_one, [&] {
    Value* const there =
        b.ir.CreateConstGEP1_64(b.ir.getInt8Ty(), control_, offsetof(ControlBlock, stop));
    b.set(stop, b.uniform(call(AbstractFunction::poll,
                               {b.ir.CreateAddrSpaceCast(there, b.ir.getPtrTy(global_space))}),
                          ElementType::I32));
  });
  const auto field = [&](llvm::Type* type, std::size_t offset) {
    Value* const there = place(word(Word::ControlBefore), b.i64(static_cast<std::int64_t>(offset)));
    return b.ir.CreateAlignedLoad(type, there, llvm::Align(type->getIntegerBitWidth() / 8));
  };
  Value* const is_first = is_zero(b.ir, field(b.ir.getInt32Ty(), offsetof(ControlBlock, ended)));
  Value* const is_right = b.ir.CreateICmpEQ(
      field(b.ir.getInt64Ty(), offsetof(ControlBlock, failure)), b.ir.getInt64(UINT64_MAX));
  Value* const is_whole = is_zero(b.ir, field(b.ir.getInt64Ty(), offsetof(ControlBlock, scratch)));
  Value* const may_begin = b.ir.CreateAnd({is_first, is_right, is_whole});
  Value* const is_calm = b.ir.CreateAnd(may_begin, is_zero(b.ir, b.get(stop).value));
  b.if_then(b.ir.CreateAnd(is_one, b.ir.CreateNot(is_calm)), [&] { note_end(b.ir, control_); });
  end_unless(may_begin);
}

Value* EntryBuilder::may_go_on() {
  return poll_at_times(b.ir, *b.function, control_);
}

EntryPoint EntryBuilder::finish() {
  b.ir.CreateBr(exit_);
  b.ir.SetInsertPoint(exit_);
  b.ir.CreateRetVoid();
  b.promote_variables();
  // Skeletons take several elements at once where that is of use.  The assembler would write their
  // loops down four times more, with all that is inlined there, and take as much longer.
  keep_loops_rolled(*b.function);
  EntryPoint point;
  point.name = b.function->getName().str();
  point.words = counts_.all();
  return point;
}

} // namespace sinter::gpu
