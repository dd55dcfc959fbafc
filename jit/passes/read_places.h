// How the elements of arrays are read: whether nothing else becomes of an array, and whether each
// place that reads it reads an element once at most.
//
//   s = soac n () { (i)
//     k = add i 1
//     r = index xss[k]
//     t = soac m (r, ys) { (j, x, y) …        each element of `xss` once; `ys` n times
//     z = index zs[y]                         any element of `zs`, any number of times
//
// Numbers that follow from a SOAC's index by steps, and by choices of such, are taken to be others
// for each index.  Bodies of scans run twice.
#pragma once

#include "jit/ir/ir.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace sinter::jit {

struct ReadPlaces {
  std::size_t count = 0;
  bool is_only_read = true;
  bool is_read_once = true;     ///< each element, by each place
  bool is_read_in_order = true; ///< the innermost SOAC's index goes along the last dimension
};

/// Of each array that is not a view, by its value; what is read of views is read of it.
std::unordered_map<std::uint32_t, ReadPlaces> read_places(const ir::Function& function);

} // namespace sinter::jit
