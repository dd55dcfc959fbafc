// Maps of fewer elements than there are threads, or of a few very large ones, each of which goes
// through many itself: the host goes through those few, and the threads share what is inside.
//
//   soac n (xss) { (i: i64, xs: [m]f32)     n = 1, m = 10⁸, two threads: one launch has work for
//     s = soac m (xs) { … } reduce …        one of them; a launch of the reduction has it for both
//     yield s
//   } map
//
// So with what becomes of the elements besides, if that is little: numbers that are folded are
// folded by the host, in the same order (runtime/machine_soac.cpp).
//
// The choice between the outer level and the inner one by sizes when it runs is that of Henriksen,
// Thorøe, Elsman and Oancea, "Incremental flattening for nested data parallelism", PPoPP 2019.
#pragma once

#include "jit/ir/ir.h"
#include "jit/runtime/datum.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinter::jit {

/// A kernel that is such a map, perhaps with folds of numbers: by whose extents, which are
/// parameters, it is chosen.
class FewRows {
public:
  /// Nothing if the function maps, reduces or scans nothing over SOACs of unknown extents.
  static std::optional<FewRows> of(const ir::Function& kernel);
  /// Whether, with these arguments and threads, the host should go through the elements: there are
  /// fewer than threads, or a few from which numbers are made or over which loops go, and SOACs
  /// inside have at least so many themselves (0: as many as are worth it).
  bool applies(std::span<const Datum> arguments, unsigned threads, std::int64_t least_inside) const;

private:
  std::size_t extent_ = 0;          ///< of the map: which parameter
  std::vector<std::size_t> inside_; ///< of SOACs inside
  /// The elements are rows that are written as they are made: several are not worth a copy.
  bool makes_rows_alone_ = false;
  bool makes_rows_ = false; ///< among others
  bool has_loops_ = false;  ///< that go over rows again and again
};

} // namespace sinter::jit
