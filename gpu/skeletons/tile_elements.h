// A tile of elements in shared memory: computed by threads beside each other, read by threads that
// each have some that follow each other.
#pragma once

#include "gpu/skeletons/fold_set.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace sinter::gpu {

struct TileElements {
  explicit TileElements(const std::vector<ElementType>& types)
      : TileElements(types, words_of(types)) {}
  /// `words`: registers that a thread needs for each of its elements.
  TileElements(const std::vector<ElementType>& types, std::size_t words);
  /// Of a block: many, as blocks that run at once look back past each other.
  static constexpr std::uint32_t threads = 512;
  std::int64_t of_thread = 0; ///< elements
  ComponentArrays arrays;     ///< of a tile of the usual threads

  /// By so many threads as there are elements for, and blocks likewise.
  LaunchShape shape(const LaunchSizes& sizes) const;
  /// What lies behind the elements.
  llvm::Value* behind(EntryBuilder& entry, llvm::Value* shared) const;
  /// Where element `number` (i64) of a tile lies.  (Something lies between each 32, so that threads
  /// that read their own ask different banks.)
  static llvm::Value* place(EntryBuilder& entry, llvm::Value* number);
  llvm::Value* place_of_own(EntryBuilder& entry, std::int64_t i) const;
};

/// An entry point whose blocks have that many threads.
EntryPoint with_threads(EntryPoint point);

/// Elements of tiles as one entry point computes them.
class TileComputation {
public:
  /// `behind` stands in tiles behind the last element.
  TileComputation(EntryBuilder& entry, const TileElements& tile, const ElementFunction& element,
                  Components behind, llvm::Value* count);
  /// Leaves the tile's elements in shared memory; no barrier follows.  After a failed check the
  /// thread computes no more.
  void compute(llvm::Value* tile, llvm::Value* shared);
  /// Indices of a tile, of threads beside each other, and their places.
  void for_each_index(llvm::Value* tile,
                      const std::function<void(llvm::Value* index, llvm::Value* place)>& body);

private:
  llvm::Value* first_of(llvm::Value* tile);
  void calm_if(llvm::Value* condition);
  void compute_each(llvm::Value* first, llvm::Value* shared);
  void compute_wide(llvm::Value* first, llvm::Value* shared);

  EntryBuilder& entry_;
  const TileElements& tile_;
  const ElementFunction& element_;
  Components behind_;
  llvm::Value *count_, *may_be_wide_;
  jit::Variable is_calm_;
};

} // namespace sinter::gpu
