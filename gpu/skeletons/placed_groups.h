// Groups whose elements go to places that their indices say: scatters and histograms.
#pragma once

#include "gpu/kernels/gpu_hooks.h"
#include "gpu/skeletons/body_functions.h"
#include "gpu/skeletons/entry_builder.h"
#include "gpu/skeletons/launch_plan.h"
#include "gpu/skeletons/skeletons.h"
#include "gpu/skeletons/slots.h"
#include "jit/ir/array_layout.h"
#include "jit/ir/ir.h"
#include "lang/base/element_type.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace sinter::gpu {

/// An array that elements go to, a parameter of the function: where its words are among the
/// arguments'.
struct Destination {
  std::uint32_t parameter = 0;
  ElementType element{};
  unsigned first_word = 0; ///< the address; the strides follow
  bool is_dense = false;   ///< the last stride is 1
};

struct PlacedGroup {
  /// A number that a launch knows: the argument's word, or a constant.
  struct Extent {
    std::int64_t constant = 0;
    std::optional<unsigned> word;
  };
  std::vector<Extent> extents; ///< of the places that indices choose from
  std::vector<Destination> destinations;
  const ir::HistogramGroup* histogram = nullptr; ///< of the function; null: a scatter
  std::vector<ir::Operand> neutral;              ///< of a histogram

  /// How many places there are.
  std::int64_t places(const LaunchSizes& sizes) const;
};

/// In order; none if there is a group that is neither placed nor a map, or whose elements are no
/// scalars, or whose destinations are no parameters.
std::vector<PlacedGroup> placed_groups(const ir::Function& function,
                                       const ir::ArrayLayouts& layouts);

/// The place of those indices (i64) by its number, row-major; -1 if there is none.
llvm::Value* place_number(EntryBuilder& entry, const PlacedGroup& group,
                          std::span<llvm::Value* const> indices);
/// Its address (i64) in a destination; anything if there is no such place.
llvm::Value* address_of(EntryBuilder& entry, const Destination& destination,
                        std::span<llvm::Value* const> indices);
/// The indices of a place by its number.
std::vector<llvm::Value*> indices_of(EntryBuilder& entry, const PlacedGroup& group,
                                     llvm::Value* place);
/// The scalars of all destinations at those indices.
Components load_places(EntryBuilder& entry, const PlacedGroup& group,
                       std::span<llvm::Value* const> indices);
void store_place(EntryBuilder& entry, const Destination& destination,
                 std::span<llvm::Value* const> indices, llvm::Value* value);

/// What an element has for a group.
struct PlacedElement {
  llvm::Value* place = nullptr; ///< i64; -1: nowhere
  std::vector<llvm::Value*> indices;
  Components values;
};
/// Of the components that the function computes.
std::vector<PlacedElement> placed_elements(EntryBuilder& entry,
                                           const std::vector<PlacedGroup>& groups,
                                           const Components& components);
/// Emits `body` for each of the indices that the function computes the elements of.  The thread
/// goes through no more of them once a check has failed, or it was asked to stop; it then goes on
/// behind the loop.
void for_each_element(
    EntryBuilder& entry, const ElementFunction& element, const std::vector<PlacedGroup>& groups,
    const Stride& stride,
    const std::function<void(llvm::Value*, std::span<const PlacedElement>)>& body);

/// A kernel in the making whose elements go to places.
struct PlacedKernel {
  PlacedKernel(const ir::Function& function, const SkeletonOptions& options,
               std::vector<PlacedGroup> groups);

  /// Nothing if the device has no code for the kernel.
  std::optional<KernelEntries> finish(Planner plan);

  KernelEntries entries;
  GpuHooks hooks;
  jit::KernelModule kernel;
  BodyFunctions body;
  std::vector<PlacedGroup> groups;
};

} // namespace sinter::gpu
