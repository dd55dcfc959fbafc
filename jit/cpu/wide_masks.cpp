#include "jit/cpu/wide_masks.h"

#include "jit/cpu/masks.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace sinter::jit {

namespace {

using llvm::cast;
using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;
using llvm::Value;

/// The masks among the operands of such an instruction.
std::vector<Value*> joined_masks(Instruction& instruction) {
  std::vector<Value*> result;
  for (Value* operand : instruction.operands())
    if (is_mask(operand->getType())) result.push_back(operand);
  return result;
}

/// Bits of an element as registers have it; 0 if it is not a vector's.
unsigned element_bits(const llvm::Type* type) {
  const auto* const vector = dyn_cast<llvm::FixedVectorType>(type);
  if (!vector) return 0;
  return vector->getElementType()->isPointerTy() ? 64 : vector->getScalarSizeInBits();
}

/// Masks that should have one width: joined with each other.
struct Component {
  std::vector<Value*> members;
  llvm::Type* wide = nullptr; ///< <N x iB>
};

class Widening {
public:
  explicit Widening(llvm::Function& function) : function_(function) {}

  void run() {
    find_components();
    if (components_.empty()) return;
    std::vector<Instruction*> joints;
    // A phi may ask for what comes after it: all of them are there first.
    for (llvm::BasicBlock& block : function_)
      for (llvm::PHINode& phi : block.phis())
        if (llvm::Type* const wide = wide_type(&phi)) {
          wide_[&phi] =
              llvm::PHINode::Create(wide, phi.getNumIncomingValues(), "", phi.getIterator());
          joints.push_back(&phi);
        }
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    for (llvm::BasicBlock* const block : order)
      for (Instruction& each : llvm::make_early_inc_range(*block))
        if (wide_type(&each) && !isa<llvm::PHINode>(each)) {
          widen(each);
          if (joins_masks(each)) joints.push_back(&each);
        }
    for (Instruction* joint : joints)
      if (auto* const phi = dyn_cast<llvm::PHINode>(joint))
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
          cast<llvm::PHINode>(wide_[phi])
              ->addIncoming(wide_of(phi->getIncomingValue(i), wide_type(phi)),
                            phi->getIncomingBlock(i));
    for (const Component& component : components_)
      for (Value* member : component.members)
        replace_uses(*member);
    for (Instruction* joint : joints)
      joint->dropAllReferences();
    for (Instruction* joint : joints) {
      assert(joint->use_empty());
      joint->eraseFromParent();
    }
  }

private:
  void find_components() {
    llvm::EquivalenceClasses<Value*> classes;
    llvm::SetVector<Value*> masks; // in the order of the code, so that the code is always the same
    // (What cannot be reached stays as it is, and with it all that it is joined with.)
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    llvm::SetVector<const llvm::BasicBlock*> reachable(order.begin(), order.end());
    for (llvm::BasicBlock* const block : order)
      for (Instruction& each : *block) {
        if (!is_mask(each.getType())) continue;
        masks.insert(&each);
        classes.insert(&each);
        if (!joins_masks(each)) continue;
        for (Value* operand : joined_masks(each))
          if (!isa<llvm::Constant>(operand)) {
            masks.insert(operand);
            classes.unionSets(&each, operand);
          }
      }
    llvm::DenseMap<Value*, std::size_t> numbers; // by leader
    std::vector<Component> found;
    for (Value* mask : masks) {
      const auto [place, is_new] = numbers.try_emplace(classes.getLeaderValue(mask), found.size());
      if (is_new) found.emplace_back();
      found[place->second].members.push_back(mask);
    }
    for (Component& component : found) {
      if (!is_worth_it(component, reachable)) continue;
      const unsigned bits = width(component);
      if (bits < 8 || bits > 64) continue;
      component.wide =
          llvm::FixedVectorType::get(llvm::IntegerType::get(function_.getContext(), bits),
                                     lanes_of(*component.members.front()));
      for (Value* member : component.members)
        number_of_[member] = components_.size();
      components_.push_back(std::move(component));
    }
  }

  /// Whether it leaves a block or is computed from masks; and everything is instructions that run.
  static bool is_worth_it(const Component& component,
                          const llvm::SetVector<const llvm::BasicBlock*>& reachable) {
    bool result = false;
    for (Value* member : component.members) {
      auto* const instruction = dyn_cast<Instruction>(member);
      if (!instruction || !instruction->getParent() || instruction->isTerminator()) return false;
      result |= joins_masks(*instruction);
      for (const llvm::User* user : member->users()) {
        const llvm::BasicBlock* const block = cast<Instruction>(user)->getParent();
        if (!reachable.contains(block)) return false;
        result |= block != instruction->getParent();
      }
    }
    return result;
  }

  /// What most of the comparisons, choices and extensions have; the narrower if as many.
  static unsigned width(const Component& component) {
    std::array<unsigned, 65> votes{};
    const auto vote = [&](const llvm::Type* type) {
      if (const unsigned bits = element_bits(type); bits >= 8 && bits <= 64) ++votes[bits];
    };
    for (Value* member : component.members) {
      if (const auto* compare = dyn_cast<llvm::CmpInst>(member))
        vote(compare->getOperand(0)->getType());
      for (const llvm::User* user : member->users()) {
        if (const auto* choice = dyn_cast<llvm::SelectInst>(user);
            choice && !is_mask(choice->getType()))
          vote(choice->getType());
        else if (isa<llvm::SExtInst, llvm::ZExtInst>(user))
          vote(user->getType());
        else if (const auto* call = dyn_cast<llvm::IntrinsicInst>(user))
          vote(call->getType()->isVoidTy() ? call->getArgOperand(0)->getType() : call->getType());
      }
    }
    return static_cast<unsigned>(std::ranges::max_element(votes) - votes.begin());
  }

  llvm::Type* wide_type(const Value* value) const {
    const auto found = number_of_.find(value);
    return found == number_of_.end() ? nullptr : components_[found->second].wide;
  }

  Value* wide_of(Value* mask, llvm::Type* wide) {
    if (auto* const constant = dyn_cast<llvm::Constant>(mask))
      return wide_constant(*constant, wide);
    Value* const found = wide_.lookup(mask);
    assert(found && found->getType() == wide);
    return found;
  }
  static Value* wide_constant(llvm::Constant& mask, llvm::Type* wide) {
    if (isa<llvm::PoisonValue>(mask)) return llvm::PoisonValue::get(wide);
    llvm::Type* const element = wide->getScalarType();
    std::vector<llvm::Constant*> lanes;
    for (unsigned lane = 0; lane < lanes_of(mask); ++lane) {
      llvm::Constant* const bit = mask.getAggregateElement(lane);
      assert(bit);
      lanes.push_back(isa<llvm::PoisonValue>(bit) ? llvm::PoisonValue::get(element)
                      : bit->isOneValue()         ? llvm::Constant::getAllOnesValue(element)
                                                  : llvm::Constant::getNullValue(element));
    }
    return llvm::ConstantVector::get(lanes);
  }

  void widen(Instruction& mask) {
    llvm::Type* const wide = wide_type(&mask);
    // (Behind what makes it: a phi's is among phis.)
    llvm::IRBuilder<> ir(mask.getParent(), std::next(mask.getIterator()));
    ir.SetCurrentDebugLocation(mask.getDebugLoc());
    wide_[&mask] = joins_masks(mask) ? joined(ir, mask, wide) : extended(ir, mask, wide);
  }

  static Value* extended(llvm::IRBuilder<>& ir, Instruction& mask, llvm::Type* wide) {
    if (Value* const same = llvm::getSplatValue(&mask))
      return ir.CreateVectorSplat(lanes_of(mask), ir.CreateSExt(same, wide->getScalarType()));
    return ir.CreateSExt(&mask, wide);
  }

  Value* joined(llvm::IRBuilder<>& ir, Instruction& mask, llvm::Type* wide) {
    const auto operand = [&](unsigned i) { return wide_of(mask.getOperand(i), wide); };
    if (isa<llvm::FreezeInst>(mask)) return ir.CreateFreeze(operand(0));
    if (auto* const logic = dyn_cast<llvm::BinaryOperator>(&mask))
      return ir.CreateBinOp(logic->getOpcode(), operand(0), operand(1));
    auto& choice = cast<llvm::SelectInst>(mask);
    Value* const condition = choice.getCondition();
    if (!is_mask(condition->getType())) return ir.CreateSelect(condition, operand(1), operand(2));
    // (A lane that is not chosen may be poison, and logic would pass that on; but what selects
    // instructions takes it for any bits, which the other operand covers.  Freezing it would hide
    // from it that it reads from memory.)
    const auto* const no = dyn_cast<llvm::Constant>(choice.getFalseValue());
    if (no && no->isNullValue()) return ir.CreateAnd(operand(0), operand(1));
    const auto* const yes = dyn_cast<llvm::Constant>(choice.getTrueValue());
    if (yes && yes->isAllOnesValue()) return ir.CreateOr(operand(0), operand(2));
    return ir.CreateSelect(narrowed(ir, operand(0)), operand(1), operand(2));
  }

  static Value* narrowed(llvm::IRBuilder<>& ir, Value* wide) {
    return ir.CreateICmpSLT(wide, llvm::Constant::getNullValue(wide->getType()));
  }

  /// By all that is not a mask of its component.
  void replace_uses(Value& mask) {
    Value* const wide = wide_[&mask];
    const bool is_comparison = !joins_masks(cast<Instruction>(mask));
    for (llvm::Use& use : llvm::make_early_inc_range(mask.uses())) {
      auto& user = *cast<Instruction>(use.getUser());
      if (wide_type(&user) && joins_masks(user)) continue; // goes away
      // What a comparison gives is as wide as it should be where it is made.
      if (user.getParent() == cast<Instruction>(mask).getParent() && is_comparison) continue;
      if (&user == wide) continue;
      if (isa<llvm::SExtInst>(user) && user.getType() == wide->getType()) {
        user.replaceAllUsesWith(wide);
        user.eraseFromParent();
        continue;
      }
      llvm::IRBuilder<> ir(&user);
      if (Value* const kept = kept_lanes(ir, user, mask, wide)) {
        user.replaceAllUsesWith(kept);
        user.eraseFromParent();
        continue;
      }
      use.set(narrowed(ir, wide));
    }
  }

  /// A choice between values as wide as the mask and zeros: logic.  Null if it is not such a
  /// choice.
  Value* kept_lanes(llvm::IRBuilder<>& ir, Instruction& user, Value& mask, Value* wide) {
    auto* const choice = dyn_cast<llvm::SelectInst>(&user);
    if (!choice || choice->getCondition() != &mask ||
        element_bits(choice->getType()) != wide->getType()->getScalarSizeInBits() ||
        choice->getType()->isPtrOrPtrVectorTy())
      return nullptr;
    const auto is_zero = [](const Value* value) {
      const auto* const constant = dyn_cast<llvm::Constant>(value);
      return constant && constant->isNullValue();
    };
    const bool is_inverse = is_zero(choice->getTrueValue());
    if (!is_inverse && !is_zero(choice->getFalseValue())) return nullptr;
    Value* const value = is_inverse ? choice->getFalseValue() : choice->getTrueValue();
    Value* const bits = ir.CreateBitCast(value, wide->getType());
    return ir.CreateBitCast(ir.CreateAnd(is_inverse ? inverse(mask, wide) : wide, bits),
                            choice->getType());
  }

  /// The mask that has the other lanes, where the mask is made.
  Value* inverse(Value& mask, Value* wide) {
    Value*& known = inverse_[&mask];
    if (known) return known;
    auto& made = *cast<Instruction>(isa<Instruction>(wide) ? wide : &mask);
    llvm::BasicBlock& block = *made.getParent();
    llvm::IRBuilder<> ir(&block, isa<llvm::PHINode>(made) ? block.getFirstInsertionPt()
                                                          : std::next(made.getIterator()));
    if (auto* const compare = dyn_cast<llvm::CmpInst>(&mask)) {
      Value* const other = ir.CreateCmp(compare->getInversePredicate(), compare->getOperand(0),
                                        compare->getOperand(1));
      known = ir.CreateSExt(other, wide->getType());
    } else {
      known = ir.CreateNot(wide);
    }
    return known;
  }

  llvm::Function& function_;
  std::vector<Component> components_;
  llvm::DenseMap<const Value*, std::size_t> number_of_; ///< of members, among the components
  llvm::DenseMap<const Value*, Value*> wide_;           ///< of members
  llvm::DenseMap<const Value*, Value*> inverse_;        ///< of those that are wanted
};

} // namespace

void widen_masks(llvm::Function& function) {
  if (!function.isDeclaration()) Widening(function).run();
}

} // namespace sinter::jit
