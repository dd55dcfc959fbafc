// One walk over the operands, nested bodies and definitions of an operation, for passes and
// printers: nothing else needs to switch over the kinds of operation to find them.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::ir {

/// Calls `visit(Operand&)` for each operand that the operation itself reads (not those inside its
/// bodies); ValueId members are visited through a temporary and written back.
template <typename OperationType, typename Visit>
void for_each_operand(OperationType& operation, Visit&& visit);
/// Calls `visit(Body&)` for each body of the operation, operators of groups included.
template <typename OperationType, typename Visit>
void for_each_body(OperationType& operation, Visit&& visit);
/// Values that the operation uses from outside of it: operands, and what its bodies use without
/// defining (types' extents included), each once in order of first use.
std::vector<ValueId> free_values(const Function& function, const Operation& operation);
std::vector<ValueId> free_values(const Function& function, const Body& body);
/// Whether the operation may fail, or holds one that may (a check anywhere inside).
bool may_fail(const Operation& operation);
/// Operands that the operation consumes itself or inside its bodies (free values only).
std::vector<ValueId> consumed_values(const Function& function, const Operation& operation);
/// Replaces free uses of values, in types of values defined inside too.
/// Copies a body with fresh ids for everything that it defines.
Body clone(Function& function, const Body& body,
           std::vector<std::pair<ValueId, Operand>> replacements = {});

} // namespace sinter::ir

#include "jit/ir/walk_implementation.h"
