// The folds of all groups of a SOAC as one, over the components of all of them: in registers, in
// memory, across the threads of a block.
#pragma once

#include "gpu/skeletons/body_functions.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace sinter::gpu {

/// Running values in variables.
using RunningValues = std::vector<llvm::AllocaInst*>;

/// Memory for a number of values: each component an array of its own, one behind the other.
struct ComponentArrays {
  std::vector<std::int64_t> begins; ///< bytes, by component
  std::int64_t bytes = 0;           ///< of all, a multiple of 16
};
ComponentArrays component_arrays(const std::vector<ElementType>& types, std::int64_t count);
/// Number `index` of such arrays, which begin at `memory`.
Components load_components(EntryBuilder& entry, const std::vector<ElementType>& types,
                           llvm::Value* memory, const ComponentArrays& arrays, llvm::Value* index);
void store_components(EntryBuilder& entry, llvm::Value* memory, const ComponentArrays& arrays,
                      llvm::Value* index, const Components& values);

/// Registers for what is loaded at once: of folds, and in entry points that have prefixes to keep
/// and to store, too, where more would be fewer threads.
inline constexpr std::size_t words_of_folds = 16, words_beside_prefixes = 8;

/// What else is done where values are folded in order.
struct FoldSteps {
  /// Around each value, by its index; what they store is no later value.
  std::function<void(llvm::Value*)> before = {}, after = {};
  /// Whether (i1) the first value takes the place of the running one; null: it does not.
  llvm::Value* takes_first = nullptr;
  std::size_t words_at_once = words_of_folds;
  /// That there are others behind as many as are loaded at once: not worth any code.
  bool rests_are_rare = false;
};

class FoldSet {
public:
  void add(FoldFunctions fold) {
    types_.insert(types_.end(), fold.types.begin(), fold.types.end());
    folds_.push_back(std::move(fold));
  }
  const std::vector<ElementType>& types() const { return types_; }
  std::size_t size() const { return types_.size(); }
  const std::vector<FoldFunctions>& parts() const { return folds_; } ///< components in order

  Components neutral(EntryBuilder& entry) const;
  Components combined(EntryBuilder& entry, const Components& left, const Components& right) const;

  // ---- running values
  RunningValues running(EntryBuilder& entry, const Components& initial) const;
  Components get(EntryBuilder& entry, const RunningValues& running) const;
  void set(EntryBuilder& entry, const RunningValues& running, const Components& values) const;
  /// running = running op right; or (i1), as the first of its kind, right.
  void fold(EntryBuilder& entry, const RunningValues& running, const Components& right) const;
  void begin_or_fold(EntryBuilder& entry, llvm::Value* is_first, const RunningValues& running,
                     const Components& right) const;
  /// Folds what `load` gives for [begin, end), in order.  Several are loaded before they are
  /// combined, where the operator is short enough to be written down for each: a thread that waited
  /// for each value by itself would do little else.
  void fold_in_order(EntryBuilder& entry, const RunningValues& running, llvm::Value* begin,
                     llvm::Value* end, const std::function<Components(llvm::Value*)>& load,
                     const FoldSteps& steps = {}) const;

  // ---- memory
  Components load(EntryBuilder& entry, llvm::Value* memory, const ComponentArrays& arrays,
                  llvm::Value* index) const {
    return load_components(entry, types_, memory, arrays, index);
  }
  void store(EntryBuilder& entry, llvm::Value* memory, const ComponentArrays& arrays,
             llvm::Value* index, const Components& values) const {
    store_components(entry, memory, arrays, index, values);
  }
  /// Number `index` in areas of the plan, one for each component from `first` on.
  Components load_areas(EntryBuilder& entry, unsigned first, llvm::Value* index) const;
  void store_areas(EntryBuilder& entry, unsigned first, llvm::Value* index,
                   const Components& values) const;

  // ---- across threads; the order must not show, and all threads of the block take part
  /// Of each thread's value: of all of the warp, in its first thread.
  Components over_warp(EntryBuilder& entry, const Components& values) const;
  /// Of all of the block, in its first thread; by way of shared memory, which `arrays` describe and
  /// have room for 32 in.
  Components over_block(EntryBuilder& entry, const Components& values, llvm::Value* shared,
                        const ComponentArrays& arrays) const;

private:
  /// How many values are loaded at once, in so many registers.
  std::int64_t values_at_once(std::size_t words) const;

  std::vector<FoldFunctions> folds_;
  std::vector<ElementType> types_;
};

/// Another thread's components; `function` is a row of the table that takes a value and `which`
/// (i32).
Components shuffled(EntryBuilder& entry, AbstractFunction function, const Components& values,
                    llvm::Value* which);
/// One of two lists of components, by a condition (i1).
Components selected(EntryBuilder& entry, llvm::Value* condition, const Components& yes,
                    const Components& no);
/// A component as a scalar result's word (i64).
llvm::Value* word_of(EntryBuilder& entry, llvm::Value* component, ElementType type);

} // namespace sinter::gpu
