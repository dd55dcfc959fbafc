// What plans of segments (segment_nest.h) follow from: how many there are, how long they are, which
// way they lie in memory.
#pragma once

#include "gpu/skeletons/launch_plan.h"
#include "gpu/skeletons/segment_nest.h"
#include "gpu/skeletons/segment_tiles.h"
#include "jit/emit/kernel_layout.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::gpu {

/// Segments that are no longer are a thread's: what it reads is a piece of memory by itself.
inline constexpr std::int64_t most_length_of_thread = 8;
/// Threads that keep a multiprocessor busy.
inline constexpr std::int64_t threads_of_multiprocessor = 512;

/// Of the least power of two at or above a count; of the greatest at or below it.
unsigned bits_for(std::int64_t count);
unsigned bits_within(std::int64_t count);

/// Segments of a launch, of which a thread each is not the best way.
struct Segments {
  std::int64_t length = 0, inner = 1, count = 1;
  SegmentLayout layout;
  bool are_aligned = false; ///< accesses of several elements may be made in each
  bool are_whole = false;   ///< and segments end with one
};

/// What a plan needs of a nest.
struct SegmentSizes {
  SegmentSizes(const ir::Function& function, const SegmentNest& nest,
               const SegmentFunctions& functions);
  std::vector<jit::SizeTerm> extents; ///< of the maps, outermost first
  jit::SizeTerm length;
  std::vector<SegmentRead> reads;
  std::vector<SegmentRow> rows;
  unsigned lanes = 1;             ///< elements of an access
  std::vector<ElementType> types; ///< of what is folded

  /// Nothing: a thread a segment.
  std::optional<Segments> measure(const LaunchSizes& sizes) const;
};

/// Whether all segments are as long, and no longer than a thread takes.
bool are_short(const SegmentNest& nest);

/// Tiles as large as they may be; of whole segments.
SegmentTiles largest_tiles(const Segments& segments, const std::vector<ElementType>& types);
/// So many items give each block some.
std::int64_t wanted_items(const LaunchSizes& sizes);
/// Fewer segments in a tile, as long as there would not be as many groups of them.
void spread_segments(const LaunchSizes& sizes, SegmentTiles& tiles);

} // namespace sinter::gpu
