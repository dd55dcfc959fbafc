#include "jit/cpu/split_masks.h"

#include "jit/cpu/masks.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace sinter::jit {

namespace {

using llvm::cast;
using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;
using llvm::Value;

class Splitting {
public:
  Splitting(llvm::Function& function, unsigned register_bits)
      : function_(function), register_bits_(register_bits) {}

  void run() {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    reachable_.insert(order.begin(), order.end());
    for (llvm::BasicBlock* const block : order)
      for (llvm::PHINode& phi : block->phis())
        if (joins_masks(phi) && !lanes_.contains(&phi)) find_component(phi);
    // A phi may ask for what comes after it: all of them are there first.
    for (Instruction* joint : joints_)
      if (auto* const phi = dyn_cast<llvm::PHINode>(joint)) begin(*phi);
    for (Instruction* joint : joints_)
      static_cast<void>(parts_of(joint, lanes_[joint]));
    for (Instruction* joint : joints_)
      if (auto* const phi = dyn_cast<llvm::PHINode>(joint)) end(*phi);
    for (Instruction* joint : joints_)
      replace_uses(*joint);
    for (Instruction* joint : joints_)
      joint->dropAllReferences();
    for (Instruction* joint : joints_)
      joint->eraseFromParent();
  }

private:
  using Parts = std::vector<Value*>;

  /// All that are joined with each other, if there are more lanes than a register has.
  void find_component(llvm::PHINode& first) {
    llvm::SetVector<Instruction*> members;
    members.insert(&first);
    std::array<unsigned, 65> votes{};
    const auto vote = [&](const llvm::Type* type) {
      if (!isa<llvm::FixedVectorType>(type)) return;
      const unsigned bits = type->getScalarSizeInBits();
      if (bits >= 8 && bits <= 64) ++votes[bits];
    };
    bool is_whole = true;
    for (std::size_t at = 0; at < members.size(); ++at) {
      Instruction* const member = members[at];
      for (Value* operand : member->operands()) {
        if (!is_mask(operand->getType())) continue;
        if (joins_masks(*operand))
          members.insert(cast<Instruction>(operand));
        else if (const auto* compare = dyn_cast<llvm::CmpInst>(operand))
          vote(compare->getOperand(0)->getType());
      }
      for (llvm::User* user : member->users()) {
        if (joins_masks(*user))
          members.insert(cast<Instruction>(user));
        else if (isa<llvm::SelectInst>(user))
          vote(user->getType());
      }
      is_whole = is_whole && reachable_.contains(member->getParent());
    }
    const auto bits = static_cast<unsigned>(std::ranges::max_element(votes) - votes.begin());
    const unsigned lanes = bits == 0 ? lanes_of(first) : register_bits_ / bits;
    const bool is_split = is_whole && lanes_of(first) > lanes && lanes_of(first) % lanes == 0;
    for (Instruction* member : members) {
      lanes_[member] = is_split ? lanes : 0;
      if (is_split) joints_.push_back(member);
    }
  }

  void begin(llvm::PHINode& phi) {
    const unsigned lanes = lanes_[&phi];
    auto* const type = llvm::FixedVectorType::get(phi.getType()->getScalarType(), lanes);
    Parts& parts = parts_[&phi];
    for (unsigned part = 0; part < lanes_of(phi) / lanes; ++part)
      parts.push_back(
          llvm::PHINode::Create(type, phi.getNumIncomingValues(), "", phi.getIterator()));
  }
  void end(llvm::PHINode& phi) {
    const Parts parts = parts_[&phi];
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      llvm::BasicBlock* const from = phi.getIncomingBlock(i);
      const Parts incoming = parts_of(phi.getIncomingValue(i), lanes_[&phi], from->getTerminator());
      for (std::size_t part = 0; part < parts.size(); ++part)
        cast<llvm::PHINode>(parts[part])->addIncoming(incoming[part], from);
    }
  }

  /// Of a joint where it is; of anything else before `place`.
  Parts parts_of(Value* mask, unsigned lanes, Instruction* place = nullptr) {
    const auto known = parts_.find(mask);
    if (known != parts_.end()) return known->second;
    const auto joint = lanes_.find(mask);
    if (joint == lanes_.end() || joint->second == 0) return taken_apart(mask, lanes, place);
    auto& instruction = cast<Instruction>(*mask);
    llvm::IRBuilder<> ir(&instruction);
    ir.SetCurrentDebugLocation(instruction.getDebugLoc());
    llvm::SmallVector<Parts, 3> operands;
    for (Value* operand : instruction.operands())
      operands.push_back(is_mask(operand->getType()) ? parts_of(operand, lanes, &instruction)
                                                     : Parts(lanes_of(*mask) / lanes, operand));
    Parts parts;
    for (unsigned part = 0; part < lanes_of(*mask) / lanes; ++part)
      if (auto* const logic = dyn_cast<llvm::BinaryOperator>(&instruction))
        parts.push_back(ir.CreateBinOp(logic->getOpcode(), operands[0][part], operands[1][part]));
      else if (isa<llvm::FreezeInst>(instruction))
        parts.push_back(ir.CreateFreeze(operands[0][part]));
      else
        parts.push_back(ir.CreateSelect(operands[0][part], operands[1][part], operands[2][part]));
    parts_[mask] = parts;
    return parts;
  }
  static Parts taken_apart(Value* mask, unsigned lanes, Instruction* place) {
    llvm::IRBuilder<> ir(place);
    Parts parts;
    for (unsigned begin = 0; begin < lanes_of(*mask); begin += lanes) {
      std::vector<int> indices(lanes);
      std::iota(indices.begin(), indices.end(), static_cast<int>(begin));
      parts.push_back(ir.CreateShuffleVector(mask, indices));
    }
    return parts;
  }

  /// By all that is no joint.
  void replace_uses(Instruction& joint) {
    const Parts& parts = parts_[&joint];
    for (llvm::Use& use : llvm::make_early_inc_range(joint.uses())) {
      auto& user = *cast<Instruction>(use.getUser());
      if (joins_masks(user)) continue; // goes away
      llvm::IRBuilder<> ir(&user);
      if (asks_for_any(user)) {
        // Whether one of all is set needs them not one behind the other.
        Value* some = parts[0];
        for (Value* part : llvm::drop_begin(parts))
          some = ir.CreateOr(some, part);
        Value* const bits = ir.CreateBitCast(some, ir.getIntNTy(lanes_of(*some)));
        user.replaceAllUsesWith(ir.CreateZExt(bits, user.getType()));
        user.eraseFromParent();
      } else {
        use.set(joined(ir, parts));
      }
    }
  }
  static bool asks_for_any(const Instruction& user) {
    return isa<llvm::BitCastInst>(user) && user.getType()->isIntegerTy() &&
           llvm::all_of(user.users(), [](const llvm::User* each) {
             const auto* const compare = dyn_cast<llvm::ICmpInst>(each);
             const auto* const zero =
                 compare ? dyn_cast<llvm::ConstantInt>(compare->getOperand(1)) : nullptr;
             return zero && compare->isEquality() && zero->isZero();
           });
  }
  /// Made where it is used, so that what selects instructions sees the parts.
  static Value* joined(llvm::IRBuilder<>& ir, Parts parts) {
    while (parts.size() > 1) {
      std::vector<int> indices(std::size_t{2} * lanes_of(*parts[0]));
      std::iota(indices.begin(), indices.end(), 0);
      Parts pairs;
      for (std::size_t part = 0; part < parts.size(); part += 2)
        pairs.push_back(ir.CreateShuffleVector(parts[part], parts[part + 1], indices));
      parts = std::move(pairs);
    }
    return parts[0];
  }

  llvm::Function& function_;
  unsigned register_bits_;
  llvm::SetVector<const llvm::BasicBlock*> reachable_;
  std::vector<Instruction*> joints_;             ///< of components that are split
  llvm::DenseMap<const Value*, unsigned> lanes_; ///< of a part of joints; 0: not split
  llvm::DenseMap<const Value*, Parts> parts_;
};

} // namespace

void split_masks(llvm::Function& function, unsigned register_bits) {
  if (!function.isDeclaration()) Splitting(function, register_bits).run();
}

} // namespace sinter::jit
