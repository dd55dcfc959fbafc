#include "gpu/ptx/shared_arrays.h"

#include "gpu/kernels/abstract_functions.h"

#include <bit>
#include <optional>
#include <vector>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

namespace {

using llvm::Value;

/// Of a block's memory, in bytes: as components of kernels are.
constexpr std::uint64_t alignment = 16;

/// An array of a thread, and what becomes of it.
struct OwnArray {
  llvm::AllocaInst* slot = nullptr;
  std::uint64_t bytes = 0;
  std::uint64_t element_bytes = 0;
  std::vector<llvm::Instruction*> uses; ///< addresses before what uses them
};

/// Whether all parts of an address are multiples of so many bytes.
bool is_multiple_of(const llvm::GetElementPtrInst& address, std::uint64_t bytes) {
  const llvm::DataLayout& layout = address.getModule()->getDataLayout();
  const unsigned bits = layout.getIndexTypeSizeInBits(address.getType());
  llvm::MapVector<Value*, llvm::APInt> factors;
  llvm::APInt rest(bits, 0);
  return address.collectOffset(layout, bits, factors, rest) && rest.urem(bytes) == 0 &&
         llvm::all_of(factors, [&](const auto& part) { return part.second.urem(bytes) == 0; });
}

/// Whether what is read or written there is a scalar of the size of all others.
bool take_access(OwnArray& array, const llvm::Type& type) {
  if (!type.isIntegerTy() && !type.isFloatingPointTy()) return false;
  const std::uint64_t bytes =
      array.slot->getModule()->getDataLayout().getTypeStoreSize(const_cast<llvm::Type*>(&type));
  if (!std::has_single_bit(bytes)) return false;
  if (array.element_bytes == 0) array.element_bytes = bytes;
  return array.element_bytes == bytes;
}

/// All uses of an address within the array; false if one of them is something else.
bool take_uses(OwnArray& array, Value& address) {
  return llvm::all_of(address.users(), [&](llvm::User* user) {
    auto* const instruction = llvm::cast<llvm::Instruction>(user);
    array.uses.push_back(instruction);
    if (instruction->isLifetimeStartOrEnd()) return true;
    if (auto* const further = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction))
      return further->getType()->isPointerTy() && take_uses(array, *further);
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      return load->isSimple() && take_access(array, *load->getType());
    const auto* const store = llvm::dyn_cast<llvm::StoreInst>(instruction);
    return store && store->isSimple() && store->getValueOperand() != &address &&
           take_access(array, *store->getValueOperand()->getType());
  });
}

std::optional<OwnArray> as_array(llvm::AllocaInst& slot) {
  const auto bytes = slot.getAllocationSize(slot.getModule()->getDataLayout());
  if (!bytes || bytes->isScalable()) return std::nullopt;
  OwnArray array{.slot = &slot, .bytes = bytes->getFixedValue()};
  if (!take_uses(array, slot) || array.element_bytes == 0) return std::nullopt;
  for (const llvm::Instruction* use : array.uses)
    if (const auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(use))
      if (!is_multiple_of(*address, array.element_bytes)) return std::nullopt;
  const std::uint64_t element = array.element_bytes;
  array.bytes = (array.bytes + element - 1) / element * element;
  return array;
}

/// Lets all that uses the address use `shared` in its place.
void move_uses(const OwnArray& array, Value& address, Value* shared, unsigned threads) {
  for (llvm::User* const user : llvm::make_early_inc_range(address.users())) {
    auto* const instruction = llvm::cast<llvm::Instruction>(user);
    if (instruction->isLifetimeStartOrEnd()) {
      instruction->eraseFromParent();
      continue;
    }
    if (auto* const further = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
      llvm::IRBuilder<> ir(further);
      Value* const own = llvm::emitGEPOffset(&ir, further->getModule()->getDataLayout(), further);
      Value* const distance = ir.CreateMul(own, llvm::ConstantInt::get(own->getType(), threads));
      move_uses(array, *further, ir.CreateGEP(ir.getInt8Ty(), shared, distance), threads);
      further->eraseFromParent();
      continue;
    }
    const llvm::Align align(array.element_bytes);
    llvm::IRBuilder<> ir(instruction);
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
      load->replaceAllUsesWith(ir.CreateAlignedLoad(load->getType(), shared, align));
      load->eraseFromParent();
    } else {
      auto* const store = llvm::cast<llvm::StoreInst>(instruction);
      ir.CreateAlignedStore(store->getValueOperand(), shared, align);
      store->eraseFromParent();
    }
  }
}

} // namespace

std::uint64_t share_own_arrays(llvm::Function& function, unsigned threads, std::uint64_t most_bytes,
                               const std::function<Value*(llvm::IRBuilderBase&)>& thread) {
  std::vector<OwnArray> arrays;
  std::vector<std::uint64_t> begins;
  std::uint64_t taken = 0;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    std::optional<OwnArray> array = slot ? as_array(*slot) : std::nullopt;
    if (!array) continue;
    const std::uint64_t bytes = (array->bytes * threads + alignment - 1) / alignment * alignment;
    if (taken + bytes > most_bytes) continue;
    begins.push_back(taken);
    taken += bytes;
    arrays.push_back(std::move(*array));
  }
  if (arrays.empty()) return 0;
  llvm::Module& module = *function.getParent();
  auto* const type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), taken);
  auto* const memory = new llvm::GlobalVariable(
      module, type, false, llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(type),
      "sinter_own_arrays", nullptr, llvm::GlobalValue::NotThreadLocal, shared_space);
  memory->setAlignment(llvm::Align(alignment));
  llvm::IRBuilder<> ir(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value* const number = ir.CreateZExt(thread(ir), ir.getInt64Ty());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    Value* const own = ir.CreateAdd(ir.CreateMul(number, ir.getInt64(arrays[i].element_bytes)),
                                    ir.getInt64(begins[i]));
    move_uses(arrays[i], *arrays[i].slot, ir.CreateGEP(ir.getInt8Ty(), memory, own), threads);
    arrays[i].slot->eraseFromParent();
  }
  return taken;
}

} // namespace sinter::gpu
