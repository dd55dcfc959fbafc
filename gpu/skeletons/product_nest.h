// Which kernels are reductions over a plane of rows and columns, whose elements combine something
// of the row with something of the column (a matrix product, distances between points):
//
//   c = soac n (a) { (i: i64, r: [m]f32)       rows
//     u = soac p () { (j: i64)                 columns
//       s = soac m (r) { (k: i64, x: f32)      reduction
//         y = index b[k, j]                    x is of the row, y of the column,
//         z = mul x y                          z of both
//         yield z
//       } reduce (0f32) { … }
//       yield s
//     } map
//     yield u
//   } map
//
// Maps around it make as many planes of them, one for each of their elements (a batch of products).
//
// What is of the row alone is the same for all columns, and the other way round: a block of threads
// can compute it once for all of its own.
#pragma once

#include "jit/ir/ir.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace sinter::gpu {

/// Something that an element of the reduction needs of its row, or of its column.
struct ProductSide {
  /// Scalars that are computed for each row (or column) and depth, and then used by both: elements
  /// of the reduction's inputs, or results of its statements.
  std::vector<ir::ValueId> values;
  /// Whether neighbours along the depth lie together in memory, as far as is known, rather than
  /// neighbours among rows (or columns).
  bool lies_along_depth = true;
};

/// The parts of such a kernel; they point into its function.  No code in it can fail, and nothing
/// needs memory of its own.
struct ProductNest {
  std::vector<const ir::Soac*> around; ///< maps around the rows, outermost first
  const ir::Soac* rows = nullptr;
  const ir::Soac* columns = nullptr;
  const ir::Soac* reduction = nullptr;
  const ir::Statement* reduction_statement = nullptr;
  ProductSide row, column;
  // Code in order, with nothing in it that the other sides need only.
  ir::Body of_row;    ///< what the row's values need, for one row and depth
  ir::Body of_column; ///< the same of the column
  ir::Body of_both;   ///< the rest of what an element needs
  /// Numbers of the reduction's inputs: of rows, of columns, of neither; and of those of the
  /// columns' inputs that are the same in all rows.
  std::vector<std::size_t> row_inputs, column_inputs, common_inputs, inputs_of_columns;
  ir::Body before; ///< what the rows' and columns' bodies do before the reduction, …
  ir::Body after;  ///< … and after it
};

/// The kernel as such a nest, if it is one.
std::optional<ProductNest> find_product_nest(const ir::Function& kernel);

} // namespace sinter::gpu
