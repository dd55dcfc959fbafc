// Pieces of a kernel's body as functions of its module, which entry points call where they need an
// element or an operator.  Calls of them are always inlined: what they hand over is in registers.
#pragma once

#include "gpu/skeletons/entered_function.h"
#include "gpu/skeletons/entry_builder.h"
#include "gpu/skeletons/skeletons.h"
#include "gpu/skeletons/wide_elements.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinter::gpu {

/// What combines components, and what it begins with: of a reduction, a scan or a histogram.
struct FoldFunctions {
  std::vector<ElementType> types; ///< by component
  llvm::Function* neutral = nullptr;
  llvm::Function* combine = nullptr;
  std::size_t statements = 1; ///< of `combine`, about
};
/// What the body gives for an element, but for what maps store.
struct ElementFunction {
  std::vector<ElementType> types; ///< body results of all groups but maps, in order
  llvm::Function* function = nullptr;
  std::int64_t array_bytes = 0; ///< of arrays that a thread has while it computes one
  WideElements wide;            ///< of such, where there are some (`element_and_lanes`)
};

class BodyFunctions {
public:
  /// `function` is a parallel kernel; all of it outlives this.
  BodyFunctions(jit::KernelModule& kernel, const ir::Function& function,
                const SkeletonOptions& options);

  enum class Maps : bool { Left, Stored };
  /// Of scalars, but for results of maps.  `Stored`: these are stored at the index.
  ElementFunction element(Maps maps);
  /// The same, with functions for several at once where no map is stored beside.
  ElementFunction element_and_lanes(Maps maps, Access access = Access::Whole);
  /// Of scalars, by an operator that cannot fail.  `neutral` are operands of the function.
  FoldFunctions fold(const std::vector<ir::Operand>& neutral, const ir::Body& combine);
  /// The sum of i64 numbers.
  FoldFunctions counting();

private:
  std::unique_ptr<EnteredFunction> enter(const std::string& name, unsigned words,
                                         unsigned pointers) {
    return around_.enter(name, words, pointers);
  }

  const ir::Function& function_;
  KernelAround around_;
  unsigned folds_ = 0;
};

// ---- calls -------------------------------------------------------------------------------------

struct ComputedElement {
  llvm::Value* is_right = nullptr; ///< i1: no check failed; else values are 0
  Components values;
};
/// `condition`: whether (i1) it is computed at all; else its values are 0.  Null: it is.
ComputedElement compute_element(EntryBuilder& entry, const ElementFunction& element,
                                llvm::Value* index, llvm::Value* condition = nullptr);
/// The same of a function that takes several indices.
ComputedElement compute_element(EntryBuilder& entry, const ElementFunction& element,
                                std::span<llvm::Value* const> indices, llvm::Value* condition);
/// i1: whether there are such functions, and they may be called.
llvm::Value* may_be_wide(EntryBuilder& entry, const ElementFunction& element);
/// `element.wide.lanes` elements from the index on, as `compute_element`; `is_right`: all of them.
struct ComputedElements {
  llvm::Value* is_right = nullptr;
  std::vector<Components> values;
};
ComputedElements compute_wide(EntryBuilder& entry, const ElementFunction& element,
                              llvm::Value* index, llvm::Value* condition);
/// The same of functions that take several indices.
ComputedElements compute_wide(EntryBuilder& entry, const ElementFunction& element,
                              std::span<llvm::Value* const> indices, llvm::Value* condition);
/// Components where functions of the module look for them.
llvm::Value* handed_over(EntryBuilder& entry, const Components& values);
Components neutral_of(EntryBuilder& entry, const FoldFunctions& fold);
Components combined(EntryBuilder& entry, const FoldFunctions& fold, const Components& left,
                    const Components& right);

/// A kernel around such pieces.  `make` adds entry points and the plan; nothing comes of it where
/// the code that was emitted needs scratch memory, or something that a device does not have.
std::optional<KernelEntries> make_around_body(
    const ir::Function& function, const SkeletonOptions& options,
    const std::function<void(jit::KernelModule&, BodyFunctions&, KernelEntries&)>& make);

/// Whether the operator is of scalars, and has neither checks nor loops.
bool is_plain_operator(const ir::Function& function, const ir::Body& combine);

} // namespace sinter::gpu
