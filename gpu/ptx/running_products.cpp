#include "gpu/ptx/running_products.h"

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace sinter::gpu {

namespace {

/// Of a loop: each is two registers.
constexpr std::size_t most_products = 4;

class ProductKeeper {
public:
  ProductKeeper(llvm::Loop& loop, llvm::ScalarEvolution& evolution, const llvm::DataLayout& layout)
      : loop_(loop), evolution_(evolution), expander_(evolution, layout, "product") {}

  void run() {
    if (!loop_.isInnermost() || !loop_.getLoopPreheader() || !loop_.getLoopLatch()) return;
    std::vector<llvm::Instruction*> products;
    for (llvm::BasicBlock* const block : loop_.blocks())
      for (llvm::Instruction& instruction : *block)
        if (instruction.getOpcode() == llvm::Instruction::Mul &&
            instruction.getType()->isIntegerTy(64))
          products.push_back(&instruction);
    for (llvm::Instruction* const product : products)
      replace(*product);
  }

private:
  void replace(llvm::Instruction& product) {
    const auto* const sum = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(&product));
    if (!sum || sum->getLoop() != &loop_ || !sum->isAffine() || !is_of_words(sum)) return;
    llvm::PHINode*& running = running_[sum];
    if (!running) {
      if (running_.size() > most_products || !can_begin(sum)) return;
      running = begin(sum, product);
    }
    product.replaceAllUsesWith(running);
    product.eraseFromParent();
  }

  /// Whether it grows by what the kernel is told, as strides of arguments are.  (Those of scratch
  /// memory follow from the number of threads; where there is scratch memory, registers are short.)
  bool is_of_words(const llvm::SCEVAddRecExpr* sum) const {
    return !llvm::SCEVExprContains(sum->getStepRecurrence(evolution_), [](const llvm::SCEV* part) {
      const auto* const value = llvm::dyn_cast<llvm::SCEVUnknown>(part);
      return value && !llvm::isa<llvm::Argument>(value->getValue());
    });
  }

  bool can_begin(const llvm::SCEVAddRecExpr* sum) const {
    llvm::Instruction* const before = loop_.getLoopPreheader()->getTerminator();
    return expander_.isSafeToExpandAt(sum->getStart(), before) &&
           expander_.isSafeToExpandAt(sum->getStepRecurrence(evolution_), before);
  }

  /// The product as the loop begins.  Of a counter with a number it is one again; else it is made
  /// of what surrounding loops count, which is kept for it.
  llvm::Value* first_of(llvm::Instruction& product, const llvm::SCEVAddRecExpr* sum) {
    llvm::BasicBlock* const before = loop_.getLoopPreheader();
    for (const unsigned i : {0U, 1U}) {
      const auto* const counter = llvm::dyn_cast<llvm::PHINode>(product.getOperand(i));
      llvm::Value* const factor = product.getOperand(1 - i);
      if (counter && counter->getParent() == loop_.getHeader() && loop_.isLoopInvariant(factor))
        return llvm::IRBuilder<>(before->getTerminator())
            .CreateMul(counter->getIncomingValueForBlock(before), factor);
    }
    return expander_.expandCodeFor(sum->getStart(), sum->getType(),
                                   before->getTerminator()->getIterator());
  }

  llvm::PHINode* begin(const llvm::SCEVAddRecExpr* sum, llvm::Instruction& product) {
    llvm::BasicBlock *const before = loop_.getLoopPreheader(), *const last = loop_.getLoopLatch();
    llvm::Type* const type = sum->getType();
    llvm::Value* const first = first_of(product, sum);
    llvm::Value* const step = expander_.expandCodeFor(sum->getStepRecurrence(evolution_), type,
                                                      before->getTerminator()->getIterator());
    llvm::IRBuilder<> ir(&loop_.getHeader()->front());
    llvm::PHINode* const running = ir.CreatePHI(type, 2);
    ir.SetInsertPoint(last->getTerminator());
    running->addIncoming(first, before);
    running->addIncoming(ir.CreateAdd(running, step), last);
    return running;
  }

  llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  llvm::SCEVExpander expander_;
  llvm::DenseMap<const llvm::SCEV*, llvm::PHINode*> running_;
};

} // namespace

void keep_products_running(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop* const loop :
       analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
    ProductKeeper(*loop, evolution, function.getParent()->getDataLayout()).run();
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
}

} // namespace sinter::gpu
