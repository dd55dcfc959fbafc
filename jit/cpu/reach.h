// How far from its own place a kernel reads an array: what a stencil needs of the step before.
//
//   r = soac n () { (i: i64)
//     a = add i -1          i - 1
//     b = max a 0           i - 1, or 0 where that is greater: then i is at most 0 + 1
//     x = index xs[b, …]    from one row before its own to its own
//
// Bounds such as the 0 may be numbers that are known when the kernel is launched.
#pragma once

#include "jit/emit/kernel_layout.h"
#include "jit/ir/ir.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinter::jit {

/// Of the distances from the place of an index to what is read, along the first dimension of the
/// index space: the least, or the greatest, of several.
struct Distance {
  std::int64_t constant = 0;
  std::optional<SizeTerm> bound; ///< the place is this one (and `constant`), the index the last one
};
/// Of one array parameter.
struct Reach {
  std::vector<Distance> least, greatest; ///< empty if it is not read
};

/// Of a kernel that is one SOAC with an index space, by parameter; nothing where the places do not
/// follow from the index (or the parameter is a scalar).
std::vector<std::optional<Reach>> reaches(const ir::Function& function);

/// How many places from its own a launch reads at most, with `count` indices along the first
/// dimension: before its own, behind it, and to either side.
std::int64_t farthest_before(const Reach& reach, std::int64_t count,
                             std::span<const std::uint64_t> scalars);
std::int64_t farthest_behind(const Reach& reach, std::span<const std::uint64_t> scalars);
std::int64_t farthest(const Reach& reach, std::int64_t count,
                      std::span<const std::uint64_t> scalars);

} // namespace sinter::jit
