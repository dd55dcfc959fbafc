// What loops read of rows: at the loop's index, or so far behind a place that does not change.
#pragma once

#include "jit/ir/ir.h"

#include <optional>
#include <vector>

namespace sinter::jit {

/// A read of an array that there is before the loop, whatever the loop does.
struct RowOfLoop {
  ir::ValueId element;             ///< the statement's result
  ir::ValueId array;               ///< of one dimension
  std::optional<ir::Operand> base; ///< to which the loop's index is added; from outside the loop
  bool is_narrow = false; ///< whether fewer than 64 bits of the index are computed, on the way
};

/// Those of the statements of the loop's body; none if its index is neither an i32 nor an i64, or
/// indices are computed with other numbers.
std::vector<RowOfLoop> rows_of_loop(const ir::For& loop);

/// Whether elements of a SOAC with such a body have loops that go along parts of an array, which
/// begin where another array says: few statements, and much code.
bool goes_along_parts(const ir::Body& body);

/// The body's own statement that makes the value; null: none does.
const ir::Statement* statement_of(const ir::Body& body, const ir::Operand& operand);
/// What the body's own conversions of integers, if there are any, make the operand of.
ir::Operand unconverted(const ir::Body& body, const ir::Operand& operand);

} // namespace sinter::jit
