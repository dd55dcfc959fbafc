// How many elements come before each with a condition, as scans say it: what the rules share that
// make filters of such counts (counted_filters.h, counted_partitions.h).
//
//   cs = soac n (xs) { (i: i64, x: i32)
//     p = lt x 10i32
//     o = convert p                 the condition `p` is counted
//     yield o
//   } scan (0i64) { … add … }
//   m = if eq n 0 { 0 } else { cs[n-1] }        the total
#pragma once

#include "jit/ir/ir.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

/// The statement that defines the value; null if none of these does.
const ir::Statement* definition_in(const std::vector<ir::Statement>& statements,
                                   const ir::Operand& operand);

template <typename Node>
const Node* defining(const std::vector<ir::Statement>& statements, const ir::Operand& operand) {
  const ir::Statement* statement = definition_in(statements, operand);
  return statement ? std::get_if<Node>(&statement->operation) : nullptr;
}

/// The arguments, if the operand is the result of that operation with operands of that type.
const std::vector<ir::Operand>* arguments_of(const std::vector<ir::Statement>& statements,
                                             const ir::Operand& operand,
                                             primitives::Operation operation, ElementType type);

/// Whether it is `value - 1`.
bool is_one_less(const std::vector<ir::Statement>& statements, const ir::Operand& operand,
                 const ir::Operand& value);

/// Whether two SOACs' bodies compute the same from the same elements.
class CodeComparison {
public:
  CodeComparison(const ir::Soac& first, const ir::Soac& second) : first_(first), second_(second) {}

  /// A value of the first one's and one of the second one's.
  bool are_same(const ir::Operand& a, const ir::Operand& b);

private:
  bool are_same_values(const ir::Operand& a, const ir::Operand& b);

  const ir::Soac &first_, &second_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> known_; ///< to be the same
};

/// What a group sums from the beginning on: that result of the body; nothing if it does something
/// else.
std::optional<ir::Operand> counted_number(const ir::Soac& soac, const ir::Group& group,
                                          std::size_t body_result);
/// The condition that a group counts whose first result of the body that is; a constant if it does
/// something else.
ir::Operand counted_condition(const ir::Soac& soac, const ir::Group& group,
                              std::size_t body_result);

/// The statement of one of the bodies, one inside the other, that defines the value; null if none.
const ir::Statement* definition_around(std::span<const ir::Body* const> around,
                                       const ir::Operand& operand);

/// Whether it is the last one of the counts, and none where there are none: in the last body.
bool is_total_of(std::span<const ir::Body* const> around, const ir::Operand& total,
                 ir::ValueId counts, const ir::Operand& extent);

/// Whether the body may run before: nothing of it fails, however long arrays are.
bool is_early_code(const ir::Function& function, const ir::Soac& soac);

} // namespace sinter::jit
