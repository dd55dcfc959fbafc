#include "gpu/skeletons/launch_plan.h"

#include "gpu/kernels/abstract_functions.h"

#include <algorithm>
#include <cstddef>

namespace sinter::gpu {

std::int64_t saturating_product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? INT64_MAX : result;
}

WorkArea::Element element_of(ElementType type, Scalar scalar) {
  WorkArea::Element element{0, byte_size(type)};
  store_scalar(type, reinterpret_cast<std::byte*>(&element.bits), 0, scalar);
  return element;
}

LaunchShape shape_for_blocks(const LaunchSizes& sizes, std::int64_t blocks, std::uint32_t threads) {
  const std::int64_t most =
      std::int64_t{std::max(sizes.multiprocessors, 1u)} * sizes.blocks_of_multiprocessor;
  LaunchShape shape;
  shape.blocks[0] = static_cast<std::uint32_t>(std::clamp<std::int64_t>(blocks, 1, most));
  shape.threads = threads;
  return shape;
}

std::int64_t most_warps(const LaunchSizes& sizes) {
  constexpr std::int64_t blocks_of_multiprocessor = 32; // as any has at once
  return std::max<std::int64_t>(sizes.multiprocessors, 1) * blocks_of_multiprocessor;
}

LaunchShape shape_for_warps(const LaunchSizes& sizes, std::int64_t tasks) {
  LaunchShape shape;
  shape.threads = warp_size;
  shape.blocks[0] =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(tasks, 1, most_warps(sizes)));
  return shape;
}

LaunchShape shape_for_threads(const LaunchSizes& sizes, std::int64_t threads,
                              std::uint32_t threads_of_block) {
  const std::int64_t blocks = divided_up(threads, threads_of_block);
  if (blocks > 1) return shape_for_blocks(sizes, blocks, threads_of_block);
  const std::int64_t warps = std::max<std::int64_t>(divided_up(threads, 32), 1);
  return shape_for_blocks(sizes, 1, static_cast<std::uint32_t>(warps * 32));
}

} // namespace sinter::gpu
