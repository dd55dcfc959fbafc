#include "gpu/emulator/instrument.h"

#include "gpu/device/device.h"
#include "gpu/emulator/access_check.h"
#include "gpu/emulator/host_functions.h"
#include "gpu/kernels/abstract_functions.h"
#include "jit/cpu/compiler_memory.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

namespace sinter::gpu {

namespace {

[[noreturn]] void no_code(const std::string& words) {
  throw DeviceError(DeviceError::Kind::NoCode, words);
}

std::string text_of(const llvm::Value& value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  value.print(stream);
  return text;
}

/// The row of the table, or nothing.
const AbstractFunctionRow* row_of(const llvm::Function& function) {
  for (const AbstractFunctionRow& row : abstract_functions())
    if (function.getName() == llvm::StringRef(row.symbol)) return &row;
  return nullptr;
}

AbstractFunction function_of(const AbstractFunctionRow& row) {
  return static_cast<AbstractFunction>(&row - abstract_functions().data());
}

class Instrumenter {
public:
  Instrumenter(llvm::Module& module, KernelRun& run, const EmulatedChecks& checks)
      : module_(module), layout_(module.getDataLayout()), builder_(module.getContext()),
        checks_(checks), run_(constant_pointer(&run)) {}

  void rewrite(llvm::Function& function, std::uint32_t& number) {
    // (Its memory effects are others now.)
    function.removeFnAttr(llvm::Attribute::Memory);
    llvm::SmallVector<std::pair<llvm::Instruction*, std::uint32_t>, 64> instructions;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      instructions.emplace_back(&instruction, number++);
    for (std::size_t i = 0; i < instructions.size();) {
      const auto& [instruction, own_number] = instructions[i];
      site_ = builder_.getInt32(own_number);
      builder_.SetInsertPoint(instruction);
      const std::vector<llvm::CallInst*> exchanges = exchanges_from(*instruction);
      if (exchanges.empty())
        rewrite(*instruction);
      else
        lower_together(exchanges);
      i += std::max<std::size_t>(exchanges.size(), 1);
    }
  }

private:
  llvm::Constant* constant_pointer(const void* address) {
    return llvm::ConstantExpr::getIntToPtr(
        builder_.getInt64(reinterpret_cast<std::uint64_t>(address)), builder_.getPtrTy());
  }

  template <typename... Arguments>
  llvm::CallInst* call_host(const void* function, llvm::Type* result, Arguments... arguments) {
    llvm::SmallVector<llvm::Value*, 8> values = {arguments...};
    llvm::SmallVector<llvm::Type*, 8> types;
    for (llvm::Value* value : values)
      types.push_back(value->getType());
    return builder_.CreateCall(llvm::FunctionType::get(result, types, false),
                               constant_pointer(function), values);
  }

  void rewrite(llvm::Instruction& instruction) {
    if (auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return rewrite(*call);
    if (!checks_.memory) return;
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      check(load->getPointerOperand(), load->getType(), load->getAlign(),
            load->isAtomic() ? Access::AtomicRead : Access::Read);
    else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      check(store->getPointerOperand(), store->getValueOperand()->getType(), store->getAlign(),
            store->isAtomic() ? Access::AtomicWrite : Access::Write);
    else if (auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      check(update->getPointerOperand(), update->getType(), update->getAlign(),
            Access::AtomicUpdate);
    else if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      check(exchange->getPointerOperand(), exchange->getNewValOperand()->getType(),
            exchange->getAlign(), Access::AtomicUpdate);
  }

  void check(llvm::Value* pointer, llvm::Type* type, llvm::Align alignment, Access access) {
    const llvm::TypeSize size = layout_.getTypeStoreSize(type);
    if (size.isScalable()) no_code("a type without a fixed size: " + text_of(*pointer));
    const auto bytes = static_cast<std::uint32_t>(size.getFixedValue());
    llvm::Value* const shape = builder_.getInt32(access_shape(bytes, llvm::Log2(alignment)));
    llvm::Value* const object = llvm::getUnderlyingObject(pointer, 0);
    if (const std::uint64_t object_bytes = bytes_of(object); object_bytes > 0) {
      llvm::APInt offset(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
      const llvm::Value* const base =
          pointer->stripAndAccumulateConstantOffsets(layout_, offset, true);
      if (base == object && offset.ule(object_bytes) &&
          bytes <= object_bytes - offset.getZExtValue())
        return;
      call_host(reinterpret_cast<const void*>(check_within), builder_.getVoidTy(), run_,
                address(pointer), shape, address(object), builder_.getInt64(object_bytes), site_);
      return;
    }
    call_host(reinterpret_cast<const void*>(access_check(access, bytes)), builder_.getVoidTy(),
              run_, address(pointer), shape, site_);
  }

  llvm::Value* address(llvm::Value* pointer) {
    return builder_.CreatePtrToInt(pointer, builder_.getInt64Ty());
  }

  /// Of a thread's own array or of a constant one; 0 if it is neither.
  std::uint64_t bytes_of(const llvm::Value* object) const {
    if (const auto* const array = llvm::dyn_cast<llvm::AllocaInst>(object)) {
      const std::optional<llvm::TypeSize> size = array->getAllocationSize(layout_);
      return size && !size->isScalable() ? size->getFixedValue() : 0;
    }
    if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object))
      return layout_.getTypeAllocSize(variable->getValueType());
    return 0;
  }

  void rewrite(llvm::CallBase& call) {
    if (call.isInlineAsm()) no_code("assembly of another machine: " + text_of(call));
    const llvm::Function* const called = call.getCalledFunction();
    if (!called) no_code("a call of what is not known: " + text_of(call));
    if (const AbstractFunctionRow* const row = row_of(*called)) return lower(call, *row);
    if (called->isIntrinsic()) {
      if (checks_.memory) check_intrinsic(call);
    } else if (called->isDeclaration()) {
      no_code("a call of a function that is not there: " + text_of(call));
    }
  }

  /// Which other thread an exchange asks; null for a ballot.
  static llvm::Value* operand_of(const llvm::CallInst& exchange) {
    return exchange.arg_size() > 1 ? exchange.getArgOperand(1) : nullptr;
  }

  /// The calls from here on that follow each other and exchange with the same threads.
  static std::vector<llvm::CallInst*> exchanges_from(llvm::Instruction& first) {
    std::vector<llvm::CallInst*> calls;
    for (llvm::Instruction* next = &first; next; next = next->getNextNode()) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(next);
      const llvm::Function* const called = call ? call->getCalledFunction() : nullptr;
      const AbstractFunctionRow* const row = called ? row_of(*called) : nullptr;
      if (!row || !is_exchange(function_of(*row))) break;
      if (call->arg_size() != row->parameters.size()) break;
      if (!calls.empty() && (called != calls.front()->getCalledFunction() ||
                             operand_of(*call) != operand_of(*calls.front())))
        break;
      if (llvm::is_contained(calls, call->getArgOperand(0)) ||
          llvm::is_contained(calls, operand_of(*call)))
        break;
      calls.push_back(call);
    }
    return calls;
  }

  /// Each thread gives way once for all of them: they are what running takes most of its time for.
  void lower_together(const std::vector<llvm::CallInst*>& calls) {
    llvm::Type* const word = builder_.getInt32Ty();
    llvm::Function& function = *calls.front()->getFunction();
    llvm::IRBuilder<> start(&function.getEntryBlock(), function.getEntryBlock().begin());
    llvm::Value* const words = start.CreateAlloca(llvm::ArrayType::get(word, calls.size()));
    auto place = [&](std::size_t i) { return builder_.CreateConstGEP1_64(word, words, i); };
    for (std::size_t i = 0; i < calls.size(); ++i)
      builder_.CreateStore(builder_.CreateZExt(calls[i]->getArgOperand(0), word), place(i));
    llvm::Value* shape = builder_.getInt64(std::uint64_t{calls.size()} << 32);
    if (llvm::Value* const operand = operand_of(*calls.front()))
      shape = builder_.CreateOr(shape, builder_.CreateZExt(operand, builder_.getInt64Ty()));
    const HostFunction host =
        host_function(function_of(*row_of(*calls.front()->getCalledFunction())));
    call_host(reinterpret_cast<const void*>(host), builder_.getInt64Ty(), run_, address(words),
              shape, site_);
    for (std::size_t i = 0; i < calls.size(); ++i)
      calls[i]->replaceAllUsesWith(builder_.CreateLoad(word, place(i)));
    for (llvm::CallInst* const call : calls)
      call->eraseFromParent();
  }

  void check_intrinsic(llvm::CallBase& call) {
    auto check_bytes = [&](llvm::Value* pointer, llvm::Value* bytes, bool writes) {
      call_host(reinterpret_cast<const void*>(check_range), builder_.getVoidTy(), run_,
                address(pointer), builder_.CreateZExtOrTrunc(bytes, builder_.getInt64Ty()),
                builder_.getInt32(writes), site_);
    };
    if (auto* const transfer = llvm::dyn_cast<llvm::MemTransferInst>(&call)) {
      check_bytes(transfer->getRawSource(), transfer->getLength(), false);
      check_bytes(transfer->getRawDest(), transfer->getLength(), true);
    } else if (auto* const set = llvm::dyn_cast<llvm::MemSetInst>(&call)) {
      check_bytes(set->getRawDest(), set->getLength(), true);
    } else if (call.getCalledFunction()->getName().starts_with("llvm.masked.")) {
      no_code("an access that cannot be checked: " + text_of(call));
    }
  }

  llvm::Value* place(std::size_t offset, llvm::Type* type) {
    llvm::Value* const field = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), run_,
                                                           offsetof(KernelRun, place) + offset);
    return builder_.CreateLoad(type, field);
  }

  llvm::Value* place_value(AbstractFunction function, llvm::Type* result) {
    constexpr std::size_t word = sizeof(std::uint32_t);
    std::size_t offset = 0;
    switch (function) {
    case AbstractFunction::thread_index:
      offset = offsetof(ThreadPlace, thread_index);
      break;
    case AbstractFunction::block_size:
      offset = offsetof(ThreadPlace, block_size);
      break;
    case AbstractFunction::block_index_x:
      offset = offsetof(ThreadPlace, block_index);
      break;
    case AbstractFunction::block_index_y:
      offset = offsetof(ThreadPlace, block_index) + word;
      break;
    case AbstractFunction::block_index_z:
      offset = offsetof(ThreadPlace, block_index) + 2 * word;
      break;
    case AbstractFunction::grid_size_x:
      offset = offsetof(ThreadPlace, grid_size);
      break;
    case AbstractFunction::grid_size_y:
      offset = offsetof(ThreadPlace, grid_size) + word;
      break;
    case AbstractFunction::grid_size_z:
      offset = offsetof(ThreadPlace, grid_size) + 2 * word;
      break;
    default:
      offset = offsetof(ThreadPlace, shared);
      break;
    }
    return place(offset, result);
  }

  void lower(llvm::CallBase& call, const AbstractFunctionRow& row) {
    const AbstractFunction function = function_of(row);
    if (call.arg_size() != row.parameters.size())
      no_code("not the parameters of the table's function: " + text_of(call));
    llvm::Value* result = nullptr;
    if (const HostFunction host = host_function(function)) {
      llvm::Type* const word = builder_.getInt64Ty();
      llvm::Value* words[2] = {builder_.getInt64(0), builder_.getInt64(0)};
      for (unsigned i = 0; i < call.arg_size(); ++i) {
        llvm::Value* const argument = call.getArgOperand(i);
        words[i] = argument->getType()->isPointerTy() ? address(argument)
                                                      : builder_.CreateZExt(argument, word);
      }
      result =
          call_host(reinterpret_cast<const void*>(host), word, run_, words[0], words[1], site_);
      if (!call.getType()->isVoidTy()) result = builder_.CreateTrunc(result, call.getType());
    } else {
      result = place_value(function, call.getType());
    }
    if (!call.getType()->isVoidTy()) call.replaceAllUsesWith(result);
    call.eraseFromParent();
  }

  llvm::Module& module_;
  const llvm::DataLayout& layout_;
  llvm::IRBuilder<> builder_;
  const EmulatedChecks& checks_;
  llvm::Value* run_;
  llvm::Value* site_ = nullptr;
};

/// What an entry point calls, directly or not.
void reach(const llvm::Function& function, std::set<const llvm::Function*>& reached) {
  if (!reached.insert(&function).second) return;
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (const llvm::Function* const called = call->getCalledFunction()) reach(*called, reached);
}

InstrumentedEntry entry_of(const llvm::Module& module, const EntryPoint& entry) {
  const llvm::Function* const function = module.getFunction(entry.name);
  if (!function || function->isDeclaration()) no_code("there is no kernel `" + entry.name + "`");
  if (!function->getReturnType()->isVoidTy() || function->arg_size() != entry.words)
    no_code("the kernel `" + entry.name + "` does not take " + std::to_string(entry.words) +
            " words");
  for (const llvm::Argument& argument : function->args())
    if (!argument.getType()->isIntegerTy(64) && !argument.getType()->isPointerTy())
      no_code("a parameter of the kernel `" + entry.name + "` is not a word of 64 bits");
  InstrumentedEntry result{entry.name, entry.words, entry.threads};
  std::set<const llvm::Function*> reached;
  reach(*function, reached);
  for (const llvm::Function* called : reached) {
    const AbstractFunctionRow* const row = row_of(*called);
    if (row && row->is_synchronising && function_of(*row) != AbstractFunction::poll)
      result.is_synchronising = true;
    for (const llvm::Instruction& instruction : llvm::instructions(*called))
      if (const auto* const array = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        if (const auto size = array->getAllocationSize(module.getDataLayout()))
          result.local_bytes += size->getFixedValue();
  }
  return result;
}

/// `void run(ptr words, i64 entry)`: takes a kernel's words from an array.
void add_run_function(llvm::Module& module, const std::vector<InstrumentedEntry>& entries,
                      const std::vector<llvm::GlobalVariable*>& constants,
                      const std::string& name) {
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::Type* const word = builder.getInt64Ty();
  auto* const run = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy(), word}, false),
      llvm::Function::ExternalLinkage, name, module);
  auto* const start = llvm::BasicBlock::Create(context, "start", run);
  auto* const list = llvm::BasicBlock::Create(context, "constants", run);
  builder.SetInsertPoint(start);
  llvm::SwitchInst* const choice = builder.CreateSwitch(run->getArg(1), list);
  llvm::Value* const words = run->getArg(0);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto* const block = llvm::BasicBlock::Create(context, entries[i].name, run);
    choice->addCase(builder.getInt64(i), block);
    builder.SetInsertPoint(block);
    llvm::Function* const entry = module.getFunction(entries[i].name);
    llvm::SmallVector<llvm::Value*, 16> arguments;
    for (llvm::Argument& argument : entry->args()) {
      llvm::Value* value =
          builder.CreateLoad(word, builder.CreateConstGEP1_64(word, words, argument.getArgNo()));
      if (argument.getType()->isPointerTy())
        value = builder.CreateIntToPtr(value, argument.getType());
      arguments.push_back(value);
    }
    builder.CreateCall(entry, arguments);
    builder.CreateRetVoid();
  }
  builder.SetInsertPoint(list);
  for (std::size_t i = 0; i < constants.size(); ++i) {
    builder.CreateStore(builder.CreatePtrToInt(constants[i], word),
                        builder.CreateConstGEP1_64(word, words, 2 * i));
    builder.CreateStore(
        builder.getInt64(module.getDataLayout().getTypeAllocSize(constants[i]->getValueType())),
        builder.CreateConstGEP1_64(word, words, 2 * i + 1));
  }
  builder.CreateRetVoid();
}

} // namespace

InstrumentedModule instrument(GpuModule gpu_module, KernelRun& run, const EmulatedChecks& checks) {
  const jit::CompilerMemory memory;
  llvm::Module& module = *gpu_module.module;
  std::string words;
  llvm::raw_string_ostream stream(words);
  if (llvm::verifyModule(module, &stream)) no_code("the module is not well-formed: " + words);

  InstrumentedModule result;
  {
    llvm::raw_string_ostream bitcode(result.bitcode);
    llvm::WriteBitcodeToFile(module, bitcode);
  }
  for (const EntryPoint& entry : gpu_module.entries)
    result.entries.push_back(entry_of(module, entry));
  std::vector<llvm::GlobalVariable*> constants;
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (variable.isDeclaration() || !variable.isConstant())
      no_code("a variable that is not constant: " + text_of(variable));
    constants.push_back(&variable);
    result.constant_bytes += module.getDataLayout().getTypeAllocSize(variable.getValueType());
  }
  result.constants = constants.size();

  Instrumenter instrumenter(module, run, checks);
  std::uint32_t number = 0;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) instrumenter.rewrite(function, number);
  result.kernel.run = "sinter_emulated_run";
  add_run_function(module, result.entries, constants, result.kernel.run);
  result.kernel.context = std::move(gpu_module.context);
  result.kernel.module = std::move(gpu_module.module);
  return result;
}

InstructionText instruction_text(const std::string& bitcode, std::uint32_t number) {
  const jit::CompilerMemory memory;
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> module =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "kernels"), context);
  if (!module) {
    llvm::consumeError(module.takeError());
    return {};
  }
  for (const llvm::Function& function : **module)
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (number-- == 0) {
        std::string text = text_of(instruction);
        text.erase(0, text.find_first_not_of(' '));
        return {function.getName().str(), std::move(text)};
      }
  return {};
}

} // namespace sinter::gpu
