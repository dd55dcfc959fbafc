#include "gpu/ptx/lowerable.h"

#include "gpu/kernels/abstract_functions.h"
#include "gpu/kernels/calls.h"
#include "gpu/ptx/lower_functions.h"
#include "gpu/ptx/lowerable_intrinsics.h"
#include "gpu/ptx/rules.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace sinter::gpu {

namespace {

using Reason = std::optional<std::string>;

std::string in_words(const llvm::Type& type) {
  std::string words;
  llvm::raw_string_ostream stream(words);
  type.print(stream);
  return "`" + words + "`";
}

constexpr unsigned most_lanes = 64, most_bits = 128, most_divided_bits = 64;

/// Of a value or of memory.
Reason refuses_type(const llvm::Type& type) {
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(&type))
    return refuses_type(*array->getElementType());
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(&type)) {
    for (const llvm::Type* field : structure->elements())
      if (Reason reason = refuses_type(*field)) return reason;
    return structure->isOpaque() ? Reason("the type " + in_words(type)) : std::nullopt;
  }
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type))
    if (vector->getNumElements() > most_lanes) return "the type " + in_words(type);
  if (llvm::isa<llvm::ScalableVectorType>(type)) return "the type " + in_words(type);
  const llvm::Type& scalar = *type.getScalarType();
  if (scalar.isIntegerTy() && scalar.getIntegerBitWidth() <= most_bits) return std::nullopt;
  if (scalar.isHalfTy() || scalar.isFloatTy() || scalar.isDoubleTy()) return std::nullopt;
  if (scalar.isPointerTy()) {
    const unsigned space = scalar.getPointerAddressSpace();
    if (space == 0 || space == global_space || space == shared_space) return std::nullopt;
  }
  if (scalar.isVoidTy() || scalar.isLabelTy() || scalar.isMetadataTy()) return std::nullopt;
  return "the type " + in_words(type);
}

bool is_wide(const llvm::Type& type) {
  return type.isIntOrIntVectorTy() && type.getScalarSizeInBits() > most_divided_bits;
}

// ---- calls -------------------------------------------------------------------------------------

const AbstractFunctionRow* abstract_function(const llvm::Function& function) {
  for (const AbstractFunctionRow& row : abstract_functions())
    if (function.getName() == llvm::StringRef(row.symbol.data(), row.symbol.size())) return &row;
  return nullptr;
}

Reason refuses_call(const llvm::CallBase& call) {
  if (!llvm::isa<llvm::CallInst>(call)) return "a call that may end in an exception";
  if (const auto* code = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return is_ordering_assembly(*code) ? std::nullopt : Reason("inline assembly");
  const llvm::Function* const callee = call.getCalledFunction();
  if (!callee || callee->getFunctionType() != call.getFunctionType()) return "an indirect call";
  if (llvm::cast<llvm::CallInst>(call).isMustTailCall()) return "a call that must be a jump";
  if (callee->isIntrinsic()) return refuses_intrinsic(llvm::cast<llvm::IntrinsicInst>(call));
  if (callee->isVarArg()) return "a function with any number of arguments";
  return std::nullopt; // what is declared has been looked at
}

// ---- instructions ------------------------------------------------------------------------------

Reason refuses_atomic(const llvm::Instruction& instruction) {
  const auto is_word = [](const llvm::Type& type) {
    return type.isIntegerTy(32) || type.isIntegerTy(64);
  };
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    switch (update->getOperation()) {
    case llvm::AtomicRMWInst::Xchg:
    case llvm::AtomicRMWInst::Add:
    case llvm::AtomicRMWInst::Sub:
    case llvm::AtomicRMWInst::And:
    case llvm::AtomicRMWInst::Or:
    case llvm::AtomicRMWInst::Xor:
    case llvm::AtomicRMWInst::Max:
    case llvm::AtomicRMWInst::Min:
    case llvm::AtomicRMWInst::UMax:
    case llvm::AtomicRMWInst::UMin:
      break;
    default:
      return "an atomic `" + llvm::AtomicRMWInst::getOperationName(update->getOperation()).str() +
             "`";
    }
    if (!is_word(*update->getType()))
      return "an atomic update of the type " + in_words(*update->getType());
  }
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    const llvm::Type& type = *exchange->getCompareOperand()->getType();
    if (!is_word(type)) return "a compare-and-swap of the type " + in_words(type);
  }
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  if (load && load->isAtomic() && !is_word(*load->getType()))
    return "an atomic load of the type " + in_words(*load->getType());
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (store && store->isAtomic() && !is_word(*store->getValueOperand()->getType()))
    return "an atomic store of the type " + in_words(*store->getValueOperand()->getType());
  return std::nullopt;
}

Reason refuses_opcode(const llvm::Instruction& instruction) {
  using llvm::Instruction;
  const llvm::Type& type = *instruction.getType();
  switch (instruction.getOpcode()) {
  case Instruction::Ret:
  case Instruction::Br:
  case Instruction::Switch:
  case Instruction::Unreachable:
  case Instruction::FNeg:
  case Instruction::Add:
  case Instruction::FAdd:
  case Instruction::Sub:
  case Instruction::FSub:
  case Instruction::Mul:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Load:
  case Instruction::Store:
  case Instruction::GetElementPtr:
  case Instruction::AtomicCmpXchg:
  case Instruction::AtomicRMW:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::FPTrunc:
  case Instruction::FPExt:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
  case Instruction::ICmp:
  case Instruction::FCmp:
  case Instruction::PHI:
  case Instruction::Select:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::Freeze:
    return std::nullopt;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return is_wide(type) ? Reason("a division of the type " + in_words(type)) : std::nullopt;
  case Instruction::FPToUI:
  case Instruction::FPToSI:
    return is_wide(type) ? Reason("a conversion to " + in_words(type)) : std::nullopt;
  case Instruction::UIToFP:
  case Instruction::SIToFP: {
    const llvm::Type& from = *instruction.getOperand(0)->getType();
    return is_wide(from) ? Reason("a conversion of " + in_words(from)) : std::nullopt;
  }
  case Instruction::Alloca:
    return llvm::cast<llvm::AllocaInst>(instruction).isStaticAlloca()
               ? std::nullopt
               : Reason("memory on the stack whose size is not known");
  default:
    return "the instruction `" + std::string(instruction.getOpcodeName()) + "`";
  }
}

Reason refuses_constant(const llvm::Constant& constant) {
  if (llvm::isa<llvm::ConstantData>(constant) || llvm::isa<llvm::GlobalVariable>(constant))
    return std::nullopt;
  const bool is_made_of_others =
      llvm::isa<llvm::ConstantAggregate>(constant) || llvm::isa<llvm::ConstantExpr>(constant);
  if (!is_made_of_others) return "the address of code";
  for (const llvm::Use& part : constant.operands())
    if (Reason reason = refuses_constant(*llvm::cast<llvm::Constant>(part))) return reason;
  return std::nullopt;
}

Reason refuses_instruction(const llvm::Instruction& instruction) {
  if (Reason reason = breaks_rules(instruction)) return reason;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    if (Reason reason = refuses_call(*call)) return reason;
  } else if (Reason reason = refuses_opcode(instruction)) {
    return reason;
  }
  if (Reason reason = refuses_atomic(instruction)) return reason;
  if (Reason reason = refuses_type(*instruction.getType())) return reason;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  for (const llvm::Use& operand : instruction.operands()) {
    if (Reason reason = refuses_type(*operand->getType())) return reason;
    if (call && call->isCallee(&operand)) continue;
    const auto* constant = llvm::dyn_cast<llvm::Constant>(operand);
    if (!constant) continue;
    if (Reason reason = refuses_constant(*constant)) return reason;
  }
  if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return refuses_type(*slot->getAllocatedType());
  return std::nullopt;
}

// ---- functions and variables -------------------------------------------------------------------

Reason refuses_declaration(const llvm::Function& function) {
  if (function.isIntrinsic() || function.use_empty()) return std::nullopt;
  const AbstractFunctionRow* const row = abstract_function(function);
  if (!row) return "a call of the host's function `" + function.getName().str() + "`";
  if (function.getFunctionType() != type_of(*row, function.getContext()))
    return "`" + function.getName().str() + "` with another type than it has";
  return std::nullopt;
}

Reason refuses_variable(const llvm::GlobalVariable& variable) {
  const std::string name = "`" + variable.getName().str() + "`";
  if (variable.use_empty()) return std::nullopt;
  const unsigned space = variable.getAddressSpace();
  if (space == shared_space) return std::nullopt; // of the block, or that of the launch
  if (variable.isDeclaration()) return "the host's variable " + name;
  if (variable.isThreadLocal() || (space != 0 && space != global_space))
    return "the variable " + name + ", which has no memory on a device";
  if (Reason reason = refuses_type(*variable.getValueType())) return reason;
  const auto is_plain = [](const auto& self, const llvm::Constant& constant) -> bool {
    if (llvm::isa<llvm::ConstantData>(constant)) return true;
    if (!llvm::isa<llvm::ConstantAggregate>(constant)) return false;
    return llvm::all_of(constant.operands(), [&](const llvm::Use& part) {
      return self(self, *llvm::cast<llvm::Constant>(part));
    });
  };
  if (!is_plain(is_plain, *variable.getInitializer()))
    return "the variable " + name + ", which refers to others";
  return std::nullopt;
}

/// Functions that have been left, and those that are being walked through.
using Walked = llvm::DenseMap<const llvm::Function*, bool>;

/// All functions are inlined, so that none may call itself.
Reason refuses_recursion(const llvm::Function& function, Walked& is_left) {
  const auto [place, is_new] = is_left.try_emplace(&function, false);
  if (!is_new)
    return place->second
               ? std::nullopt
               : Reason("the function `" + function.getName().str() + "`, which calls itself");
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isDeclaration()) continue;
      if (Reason reason = refuses_recursion(*callee, is_left)) return reason;
    }
  is_left[&function] = true;
  return std::nullopt;
}

Reason refuses_function(const llvm::Function& function) {
  if (function.isDeclaration()) return refuses_declaration(function);
  if (function.isVarArg()) return "a function with any number of arguments";
  if (function.hasPersonalityFn() || function.hasPrefixData() || function.hasGC())
    return "the function `" + function.getName().str() + "`, which needs the host's run time";
  for (const llvm::Argument& argument : function.args())
    if (Reason reason = refuses_type(*argument.getType())) return reason;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block)
      if (Reason reason = refuses_instruction(instruction)) return reason;
  return std::nullopt;
}

} // namespace

std::optional<std::string> not_lowerable(const llvm::Module& module) {
  if (!module.getModuleInlineAsm().empty()) return "inline assembly";
  if (!module.alias_empty() || !module.ifunc_empty()) return "a second name of a function";
  for (const llvm::GlobalVariable& variable : module.globals())
    if (Reason reason = refuses_variable(variable)) return reason;
  // (First what is called, as that says most.)
  for (const llvm::Function& function : module)
    if (Reason reason = refuses_function(function)) return reason;
  Walked is_left;
  for (const llvm::Function& function : module)
    if (Reason reason = refuses_recursion(function, is_left)) return reason;
  return std::nullopt;
}

} // namespace sinter::gpu
