// Prefixes over all tiles of a launch in one pass, by looking back at what other blocks have told
// so far: where it does not show which neighbours are combined first, as that depends on who is how
// far.  (What stands left stays left.  After D. Merrill and M. Garland, "Single-pass parallel
// prefix scan with decoupled look-back", NVIDIA technical report NVR-2016-002.)
//
// Blocks take tiles by tickets, so that all tiles before are taken by blocks that run or have
// ended. A block folds its tile, and tells that; its threads then look back, a tile each, to the
// nearest one whose prefix is known, and the first one tells the block's own prefix.
//
// What is told is words of 64 bits, each a piece of a value and what it is: so nobody has to wait
// for other memory to be seen, which takes a GPU longer than the rest of it.  As many tiles are
// under way as there are blocks, and each look takes half a microsecond: with fewer of them at a
// time, looks would take longer than the elements.
#pragma once

#include "gpu/skeletons/fold_set.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace sinter::gpu {

class LookBack {
public:
  /// What is told: any values; or numbers that are not negative and below 2^62, for which a word
  /// each will do.
  enum class Told : bool { Values, Counts };

  /// An area of the plan, number `first_area`.
  LookBack(const FoldSet& folds, unsigned first_area, Told told = Told::Values)
      : folds_(folds), told_(told), first_area_(first_area), arrays_(shared_arrays(folds.types())) {
  }

  static constexpr std::size_t area_count = 1;
  static void add_areas(LaunchPlan& plan, const std::vector<ElementType>& types, std::int64_t tiles,
                        Told told = Told::Values);
  /// Bytes of shared memory that `shared` below points to.
  static std::int64_t shared_bytes(const std::vector<ElementType>& types) {
    return 16 + shared_arrays(types).bytes + 4 * most_warps;
  }

  /// `body` for each tile that the block gets; all of it comes to the same barriers in it, one at
  /// least.  Everything that `body` wants to say of the tile's threads it says by `prefix`.
  void for_each_tile(EntryBuilder& entry, llvm::Value* tiles, llvm::Value* shared,
                     const std::function<void(llvm::Value* tile)>& body) const;

  struct Prefix {
    Components
        before;      ///< of all threads before, in this tile and others; the neutral element first
    Components tile; ///< before the tile
    Components all;  ///< up to the end of the tile
  };
  /// `total`: of the thread's elements, with the neutral element.
  Prefix prefix(EntryBuilder& entry, llvm::Value* tile, llvm::Value* tiles, llvm::Value* shared,
                const Components& total) const;

private:
  static constexpr std::int64_t most_warps = most_threads / warp_size;
  static ComponentArrays shared_arrays(const std::vector<ElementType>& types) {
    return component_arrays(types, 2 * most_warps);
  }
  llvm::Value* arrays_in(EntryBuilder& entry, llvm::Value* shared) const;
  llvm::Value* word_of(EntryBuilder& entry, llvm::Value* tile, llvm::Value* tiles,
                       std::size_t number) const;
  void tell(EntryBuilder& entry, llvm::Value* tile, llvm::Value* tiles, std::uint32_t state,
            const Components& values) const;
  struct Heard {
    llvm::Value* state; ///< i32
    Components values;
  };
  Heard hear(EntryBuilder& entry, llvm::Value* tile, llvm::Value* tiles) const;
  template <typename Combined>
  Components by_doubling(EntryBuilder& entry, const Components& values, Combined&& combined) const;
  Components over_tiles(EntryBuilder& entry, const Components& values) const;
  Components inclusive_of_warp(EntryBuilder& entry, const Components& values) const;
  Components of_lane(EntryBuilder& entry, const Components& values, llvm::Value* lane) const;
  llvm::Value* flag_in(EntryBuilder& entry, llvm::Value* shared, llvm::Value* warp) const;
  void leave(EntryBuilder& entry, llvm::Value* shared, const Components& values,
             llvm::Value* flag) const;
  void look(EntryBuilder& entry, llvm::Value* seen, llvm::Value* tiles, llvm::Value* shared) const;
  Components look_back(EntryBuilder& entry, llvm::Value* tile, llvm::Value* tiles,
                       llvm::Value* shared) const;

  const FoldSet& folds_;
  Told told_;
  unsigned first_area_;
  ComponentArrays arrays_; ///< of warps' totals, and of what they have seen of tiles before
};

} // namespace sinter::gpu
