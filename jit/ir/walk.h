// One walk over the operands, nested bodies and definitions of an operation, for passes and
// printers: nothing else needs to switch over the kinds of operation to find them.
#pragma once

#include "jit/ir/ir.h"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::ir {

/// What stands for a value from now on.
using Replacement = std::pair<ValueId, Operand>;

/// Calls `visit(Operand&)` for each operand that the operation itself reads (not those inside its
/// bodies), `visit(const Operand&)` if the operation is const; ValueId members are visited through
/// a temporary and written back (they must stay values).
template <typename OperationType, typename Visit>
void for_each_operand(OperationType& operation, Visit&& visit);
/// Calls `visit(Body&)` (or `const Body&`) for each body of the operation, operators of groups
/// included.
template <typename OperationType, typename Visit>
void for_each_body(OperationType& operation, Visit&& visit);
/// Calls `visit(std::uint64_t)` for each number of the operation, which tell operations with equal
/// operands apart: permutations, counts, rows of the primitive table.
template <typename Visit>
void for_each_number(const Operation& operation, Visit&& visit);
/// Calls `visit(const Operand&)` for everything that the statement reads itself: its operands and
/// the extents of its results' types.
template <typename Visit>
void for_each_use(const Function& function, const Statement& statement, Visit&& visit);

/// Whether it has a group of that kind.
template <typename GroupType>
bool has_group(const Soac& soac) {
  return std::ranges::any_of(
      soac.groups, [](const Group& group) { return std::holds_alternative<GroupType>(group); });
}

/// Whether all groups (there may be none) are of those kinds.
template <typename... GroupTypes>
bool has_only(const Soac& soac) {
  return std::ranges::all_of(soac.groups, [](const Group& group) {
    return (std::holds_alternative<GroupTypes>(group) || ...);
  });
}

/// The only group, if it is of that kind; null otherwise.
template <typename GroupType>
const GroupType* only_group(const Soac& soac) {
  return soac.groups.size() == 1 ? std::get_if<GroupType>(&soac.groups[0]) : nullptr;
}

/// Values that the operation uses from outside of it: operands, and what its bodies use without
/// defining (types' extents included), each once in order of first use.
std::vector<ValueId> free_values(const Function& function, const Operation& operation);
std::vector<ValueId> free_values(const Function& function, const Body& body);
/// The same, and the extents of the statement's results (the counts of a slice, say).
std::vector<ValueId> free_values(const Function& function, const Statement& statement);
/// How often each value is used as an operand, a result of a body or an extent of a defined
/// value's type; by index.
std::vector<std::uint32_t> count_uses(const Function& function);
/// Whether the operation may fail, or holds one that may (a check anywhere inside).
bool may_fail(const Operation& operation);
/// The same of a body's statements.
bool may_fail(const Body& body);
/// Those of a body, and of bodies inside.
std::size_t statement_count(const Body& body);
/// Whether the body itself defines the value, as a parameter or by a statement of its own.
bool is_defined_in(const Body& body, const Operand& operand);
/// The arrays that the operation itself overwrites (bodies not looked into).
std::vector<ValueId> directly_consumed(const Operation& operation);
/// Operands that the operation consumes itself or inside its bodies (free values only), each once.
std::vector<ValueId> consumed_values(const Function& function, const Operation& operation);
/// Replaces free uses of values, in types of values defined inside too.  A value that is used as an
/// array must be replaced by a value.
void replace_uses(Function& function, Body& body, std::span<const Replacement> replacements);
void replace_uses(Function& function, Statement& statement,
                  std::span<const Replacement> replacements);
/// Takes the statements out that define one of the values alone, in bodies inside too.
void erase_definitions(Body& body, std::span<const Replacement> values);
/// Copies a body with fresh ids for everything that it defines, and uses replaced.
Body clone(Function& function, const Body& body, std::vector<Replacement> replacements = {});
Statement clone(Function& function, const Statement& statement,
                std::vector<Replacement>& replacements);

} // namespace sinter::ir

#include "jit/ir/walk_implementation.h"
