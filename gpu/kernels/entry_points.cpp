#include "gpu/kernels/entry_points.h"

#include "gpu/kernels/calls.h"
#include "gpu/kernels/control_block.h"
#include "gpu/kernels/gpu_hooks.h"
#include "gpu/kernels/registers.h"
#include "jit/emit/kernel_abi.h"
#include "jit/emit/kernel_shape.h"
#include "jit/emit/skeletons.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stdexcept>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

using llvm::Value;

namespace {

/// Numbers of an entry point's words, in front of the lists.
enum Word : unsigned {
  Control,
  Scalars,
  Count,
  ChunkSize,
  ChunkCount,
  FoldUnit,
  FoldUnits,
  Scratch,
  ScratchBytes,
  FirstOfLists
};

/// How long the lists are.
struct WordCounts {
  unsigned arguments = 0, results = 0, partials = 0;
  unsigned all() const { return FirstOfLists + arguments + results + 2 * partials; }
};

WordCounts word_counts(const ir::Function& function, const ir::Soac& soac) {
  WordCounts counts;
  for (const ir::ValueId parameter : function.body.parameters)
    counts.arguments += 1 + static_cast<unsigned>(function.type(parameter).rank());
  counts.results = static_cast<unsigned>(function.body.results.size());
  for (const ir::Group& group : soac.groups)
    counts.partials += static_cast<unsigned>(jit::partial_values(group).size());
  return counts;
}

/// One entry point in the making, around an emitted function.
class EntryBuilder {
public:
  EntryBuilder(llvm::Module& module, std::string_view name, WordCounts counts)
      : module_(module), ir_(module.getContext()), counts_(counts) {
    const std::vector<llvm::Type*> words(counts.all(), ir_.getInt64Ty());
    entry_ = llvm::Function::Create(llvm::FunctionType::get(ir_.getVoidTy(), words, false),
                                    llvm::Function::ExternalLinkage,
                                    llvm::StringRef(name.data(), name.size()), module);
    entry_->addFnAttr(llvm::Attribute::NoUnwind);
    exit_ = block("exit");
    ir_.SetInsertPoint(exit_);
    ir_.CreateRetVoid();
    llvm::BasicBlock* const first = llvm::BasicBlock::Create(module.getContext(), "entry", entry_,
                                                             /*InsertBefore=*/exit_);
    ir_.SetInsertPoint(first);
    make_frame();
  }

  /// The thread's chunks.
  void take_chunks(llvm::Function& function) {
    Value* const step =
        ir_.CreateMul(wide(AbstractFunction::grid_size_x), wide(AbstractFunction::block_size));
    Value* const first = thread_number();
    set_scratch(first);
    llvm::BasicBlock *head = block("chunk"), *body = block("elements"), *next = block("next"),
                     *step_on = block("step");
    llvm::BasicBlock* const before = ir_.GetInsertBlock();
    ir_.CreateBr(head);
    ir_.SetInsertPoint(head);
    llvm::PHINode* const chunk = ir_.CreatePHI(ir_.getInt64Ty(), 2);
    chunk->addIncoming(first, before);
    ir_.CreateCondBr(ir_.CreateICmpSLT(chunk, word(ChunkCount)), body, exit_);
    ir_.SetInsertPoint(body);
    ir_.CreateStore(ir_.getInt64(0), scratch_field(offsetof(ScratchPiece, used)));
    Value* const begin = ir_.CreateMul(chunk, word(ChunkSize));
    Value* const full = ir_.CreateAdd(begin, word(ChunkSize));
    Value* const end = ir_.CreateSelect(ir_.CreateICmpSLT(full, word(Count)), full, word(Count));
    Value* const status = ir_.CreateCall(&function, {frame_, begin, end, chunk});
    ir_.CreateCondBr(is_zero(status), next, exit_);
    ir_.SetInsertPoint(next);
    Value* const may_go_on = poll_at_times(ir_, *entry_, control_);
    ir_.CreateCondBr(may_go_on, step_on, exit_);
    ir_.SetInsertPoint(step_on);
    chunk->addIncoming(ir_.CreateAdd(chunk, step), step_on);
    ir_.CreateBr(head);
  }

  /// By the first thread; `is_scalar` tells which results are words.
  void combine(llvm::Function& function, const std::vector<bool>& is_scalar) {
    Value* const number = thread_number();
    set_scratch(number);
    llvm::BasicBlock *work = block("work"), *done = block("done");
    ir_.CreateCondBr(is_zero(number), work, exit_);
    ir_.SetInsertPoint(work);
    Value* const status = ir_.CreateCall(&function, {frame_, word(ChunkCount)});
    ir_.CreateCondBr(is_zero(status), done, exit_);
    ir_.SetInsertPoint(done);
    for (unsigned r = 0; r < is_scalar.size(); ++r) {
      if (!is_scalar[r]) continue;
      Value* const place = ir_.CreateIntToPtr(word(Scalars), ir_.getPtrTy(global_space));
      ir_.CreateAlignedStore(ir_.CreateLoad(ir_.getInt64Ty(), slot(results_, r)), slot(place, r),
                             llvm::Align(8));
    }
    ir_.CreateBr(exit_);
  }

  /// Goes on only where nothing has failed, or was asked to stop, in an earlier kernel of the
  /// launch.
  void end_if_stopped() {
    llvm::BasicBlock* const goes_on = block("goes_on");
    const auto field = [&](llvm::Type* type, std::size_t offset) {
      Value* const place = ir_.CreateAddrSpaceCast(
          ir_.CreateConstGEP1_64(ir_.getInt8Ty(), control_, offset), ir_.getPtrTy(global_space));
      llvm::LoadInst* const load =
          ir_.CreateAlignedLoad(type, place, llvm::Align(type->getIntegerBitWidth() / 8));
      load->setAtomic(llvm::AtomicOrdering::Monotonic);
      return load;
    };
    Value* const is_calm = is_zero(field(ir_.getInt32Ty(), offsetof(ControlBlock, stop)));
    Value* const is_right = ir_.CreateICmpEQ(
        field(ir_.getInt64Ty(), offsetof(ControlBlock, failure)), ir_.getInt64(UINT64_MAX));
    Value* const is_whole = is_zero(field(ir_.getInt64Ty(), offsetof(ControlBlock, scratch)));
    ir_.CreateCondBr(ir_.CreateAnd({is_calm, is_right, is_whole}), goes_on, exit_);
    ir_.SetInsertPoint(goes_on);
  }

  EntryPoint entry() const {
    EntryPoint point;
    point.name = entry_->getName().str();
    point.words = counts_.all();
    return point;
  }

private:
  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(module_.getContext(), name, entry_);
  }
  Value* word(unsigned number) { return entry_->getArg(number); }
  Value* wide(AbstractFunction function) {
    return ir_.CreateZExt(call_abstract(ir_, module_, function), ir_.getInt64Ty());
  }
  Value* thread_number() {
    return ir_.CreateAdd(
        ir_.CreateMul(wide(AbstractFunction::block_index_x), wide(AbstractFunction::block_size)),
        wide(AbstractFunction::thread_index));
  }
  Value* is_zero(Value* number) {
    return ir_.CreateICmpEQ(number, llvm::ConstantInt::get(number->getType(), 0));
  }
  Value* slot(Value* array, unsigned number) {
    return ir_.CreateConstGEP1_64(ir_.getInt64Ty(), array, number);
  }
  /// A thread's own array of so many words.
  llvm::AllocaInst* own_words(unsigned count) {
    llvm::AllocaInst* const words =
        ir_.CreateAlloca(llvm::ArrayType::get(ir_.getInt64Ty(), std::max(count, 1u)));
    words->setAlignment(llvm::Align(8));
    return words;
  }
  /// … with the parameters from a number on.
  Value* array(unsigned first, unsigned count) {
    llvm::AllocaInst* const words = own_words(count);
    for (unsigned i = 0; i < count; ++i)
      ir_.CreateStore(word(first + i), slot(words, i));
    return words;
  }

  void make_frame() {
    constexpr auto frame_words = static_cast<unsigned>((sizeof(jit::KernelFrame) + 7) / 8);
    constexpr auto scratch_words = static_cast<unsigned>(sizeof(ScratchPiece) / 8);
    frame_ = own_words(frame_words);
    scratch_ = own_words(scratch_words);
    const unsigned results = FirstOfLists + counts_.arguments;
    const unsigned partials = results + counts_.results;
    results_ = array(results, counts_.results);
    control_ = ir_.CreateIntToPtr(word(Control), ir_.getPtrTy());
    const auto set = [&](std::size_t offset, Value* value) {
      ir_.CreateStore(value, ir_.CreateConstGEP1_64(ir_.getInt8Ty(), frame_, offset));
    };
    set(offsetof(jit::KernelFrame, arguments), array(FirstOfLists, counts_.arguments));
    set(offsetof(jit::KernelFrame, results), results_);
    set(offsetof(jit::KernelFrame, partials), array(partials, counts_.partials));
    set(offsetof(jit::KernelFrame, partial_strides),
        array(partials + counts_.partials, counts_.partials));
    set(offsetof(jit::KernelFrame, chunks), word(ChunkCount));
    set(offsetof(jit::KernelFrame, streams_results), ir_.getInt64(0));
    set(offsetof(jit::KernelFrame, fold_unit), word(FoldUnit));
    set(offsetof(jit::KernelFrame, fold_begin), ir_.getInt64(0));
    set(offsetof(jit::KernelFrame, fold_units), word(FoldUnits));
    set(offsetof(jit::KernelFrame, epoch), llvm::ConstantPointerNull::get(ir_.getPtrTy()));
    set(offsetof(jit::KernelFrame, start_epoch), ir_.getInt64(0));
    set(offsetof(jit::KernelFrame, failure), control_);
    set(offsetof(jit::KernelFrame, arena), scratch_);
  }
  Value* scratch_field(std::size_t offset) {
    return ir_.CreateConstGEP1_64(ir_.getInt8Ty(), scratch_, offset);
  }
  void set_scratch(Value* thread) {
    ir_.CreateStore(ir_.CreateAdd(word(Scratch), ir_.CreateMul(thread, word(ScratchBytes))),
                    scratch_field(offsetof(ScratchPiece, base)));
    ir_.CreateStore(ir_.getInt64(0), scratch_field(offsetof(ScratchPiece, used)));
    ir_.CreateStore(word(ScratchBytes), scratch_field(offsetof(ScratchPiece, bytes)));
  }

  llvm::Module& module_;
  llvm::IRBuilder<> ir_;
  WordCounts counts_;
  llvm::Function* entry_ = nullptr;
  llvm::BasicBlock* exit_ = nullptr;
  Value *frame_ = nullptr, *scratch_ = nullptr, *results_ = nullptr, *control_ = nullptr;
};

} // namespace

std::vector<std::uint64_t> words_of(const LaunchNumbers& numbers) {
  std::vector<std::uint64_t> words(FirstOfLists);
  words[Control] = numbers.control;
  words[Scalars] = numbers.scalars;
  words[Count] = static_cast<std::uint64_t>(numbers.count);
  words[ChunkSize] = static_cast<std::uint64_t>(numbers.chunk_size);
  words[ChunkCount] = static_cast<std::uint64_t>(numbers.chunks);
  words[FoldUnit] = static_cast<std::uint64_t>(numbers.fold_unit);
  words[FoldUnits] = static_cast<std::uint64_t>(numbers.fold_units);
  words[Scratch] = numbers.scratch;
  words[ScratchBytes] = numbers.scratch_bytes;
  for (const auto* list :
       {&numbers.arguments, &numbers.results, &numbers.partials, &numbers.partial_strides})
    words.insert(words.end(), list->begin(), list->end());
  return words;
}

std::optional<std::string> has_no_entries(const ir::Function& function) {
  if (std::optional<std::string> objection = jit::cannot_emit(function)) return objection;
  const ir::Soac* const soac = jit::parallel_soac(function);
  if (!soac) return "it is work for one thread";
  if (function.failures.size() > most_failure_sites) return "it has too many checks";
  if (word_counts(function, *soac).all() > most_entry_words) return "it has too many parameters";
  return std::nullopt;
}

KernelEntries make_entries(const ir::Function& function, std::vector<bool> dense,
                           jit::FloatMode floats) {
  KernelEntries result;
  result.module.context = std::make_unique<llvm::LLVMContext>();
  result.module.module = std::make_unique<llvm::Module>("kernel", *result.module.context);
  llvm::Module& module = *result.module.module;
  const GpuHooks hooks;
  jit::EmitOptions options;
  options.lanes = 1;
  options.floats = floats;
  options.dense = std::move(dense);
  options.hooks = &hooks;
  options.is_inlined = true;
  const jit::EmittedFunctions emitted = jit::emit_functions(module, function, options);
  if (emitted.refusal) throw std::runtime_error("a device has no " + *emitted.refusal);
  result.skeleton = emitted.skeleton;
  result.index_space = emitted.index_space;
  result.has_combine = !emitted.combine.empty();
  result.has_finish = !emitted.finish.empty();
  result.uses_scratch = hooks.use_scratch();
  const WordCounts counts = word_counts(function, *jit::parallel_soac(function));
  {
    EntryBuilder run(module, run_entry, counts);
    run.take_chunks(*module.getFunction(emitted.run));
    result.module.entries.push_back(run.entry());
  }
  if (result.has_combine) {
    std::vector<bool> is_scalar;
    for (const ir::Operand& operand : function.body.results)
      is_scalar.push_back(function.type(operand).is_scalar());
    EntryBuilder combine(module, combine_entry, counts);
    combine.end_if_stopped();
    combine.combine(*module.getFunction(emitted.combine), is_scalar);
    result.module.entries.push_back(combine.entry());
  }
  if (result.has_finish) {
    EntryBuilder finish(module, finish_entry, counts);
    finish.end_if_stopped();
    finish.take_chunks(*module.getFunction(emitted.finish));
    result.module.entries.push_back(finish.entry());
  }
  keep_in_registers(module);
  promise_global_addresses(module);
  return result;
}

} // namespace sinter::gpu
