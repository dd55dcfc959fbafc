// What a skeleton tells the launcher: entry points one after the other, their shapes, the memory
// that they share.  Sizes decide alone, and results do not depend on it.
#pragma once

#include "gpu/device/device.h"
#include "gpu/device/occupancy.h"
#include "jit/emit/kernel_layout.h"
#include "jit/runtime/datum.h"
#include "lang/values/extents.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace sinter::gpu {

/// What is known when a kernel is launched.
struct LaunchSizes {
  const jit::KernelLayout& layout;
  std::span<const jit::Datum> arguments;
  /// By parameter; 0 for arrays, and for those that the device has to itself, which are none of
  /// the layout's sizes and neutral elements.
  std::span<const std::uint64_t> scalars;
  std::int64_t count = 0;      ///< of indices, all extents of the index space together
  std::int64_t most_bytes = 0; ///< that work areas may take, if it can be done with them
  unsigned multiprocessors = 1;
  std::size_t shared_bytes = 0; ///< that a block may have
  /// Of the launch's code, that a multiprocessor has at once: where blocks go on with other
  /// elements, more of them would be behind the others.
  unsigned blocks_of_multiprocessor = usual_blocks_of_multiprocessor;

  const Extents& extents(std::uint32_t parameter) const { ///< of an array
    return std::get<Leaf>(arguments[parameter]).extents;
  }
};

/// Memory of the device that lives as long as the launch, for what threads leave each other.
struct WorkArea {
  /// The same element again and again.
  struct Element {
    std::uint64_t bits = 0;
    std::size_t bytes = 0; ///< 1, 2, 4 or 8
  };
  /// The elements of an argument, row-major, again and again.
  struct Argument {
    std::uint32_t parameter = 0;
  };
  std::int64_t bytes = 0; ///< INT64_MAX: more than there is
  /// What is there before the first step.
  std::variant<std::monostate, Element, Argument> beginning;
};

/// A launch of an entry point.
struct LaunchStep {
  std::string entry;
  LaunchShape shape;
  /// Whether fewer blocks, or threads of a block, do the same work: where there is no scratch
  /// memory for all of them.
  bool is_elastic = false;
};

/// Where a filter's kept elements lie that are not packed: chunk c, of `size` indices, has left
/// their number in the area as word c, and the elements in the result from index c * size on.
struct KeptInChunks {
  std::int64_t size = 1, chunks = 1;
};

struct LaunchPlan {
  std::vector<std::uint64_t> numbers; ///< the skeleton's own words, as many as its entries take
  std::vector<WorkArea> areas;        ///< likewise
  std::vector<LaunchStep> steps;
  /// Of filters; else each has left its number as a scalar result, and its elements packed.
  /// `count_partial` of the layout's results is the number of the area.
  std::optional<KeptInChunks> kept;
  /// Parameters, whose arguments (row-major, of two dimensions or more) steps find as copies in
  /// which the first dimension is the innermost one in memory.  Where there is no room for a copy
  /// it is the argument: entry points go by its strides.
  std::vector<std::uint32_t> turned;
};

/// A scalar as it lies in memory.
WorkArea::Element element_of(ElementType type, Scalar scalar);

using Planner = std::function<LaunchPlan(const LaunchSizes&)>;

inline constexpr std::uint32_t usual_threads = 256; ///< of a block

constexpr std::int64_t divided_up(std::int64_t number, std::int64_t by) {
  return (number + by - 1) / by;
}
/// Of numbers that are not negative; INT64_MAX where it is more than that.
std::int64_t saturating_product(std::int64_t a, std::int64_t b);

/// For so many threads that have work, or as many as the device has at once: entry points go on
/// with as many indices further as there are threads.
LaunchShape shape_for_threads(const LaunchSizes& sizes, std::int64_t threads,
                              std::uint32_t threads_of_block = usual_threads);
/// The same for blocks that have work.
LaunchShape shape_for_blocks(const LaunchSizes& sizes, std::int64_t blocks,
                             std::uint32_t threads = usual_threads);
/// For so many tasks of a warp each, blocks of one warp, or as many as the device has at once.
LaunchShape shape_for_warps(const LaunchSizes& sizes, std::int64_t tasks);
/// At most so many blocks are those.
std::int64_t most_warps(const LaunchSizes& sizes);
inline constexpr LaunchShape one_thread{.blocks = {1, 1, 1}, .threads = 1};

} // namespace sinter::gpu
