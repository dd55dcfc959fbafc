#include "jit/ir/straight_code.h"

#include "jit/ir/operations.h"

#include <algorithm>
#include <variant>

namespace sinter::ir {

namespace {

enum class Updates : bool { None, Some };

bool touches_elements(const Function& function, const Body& body, Updates updates) {
  return std::all_of(
      body.statements.begin(), body.statements.end(), [&](const Statement& statement) {
        const Operation& operation = statement.operation;
        if (std::holds_alternative<Update>(operation)) return updates == Updates::Some;
        if (!std::all_of(statement.results.begin(), statement.results.end(),
                         [&](ValueId result) { return function.type(result).is_scalar(); }))
          return false;
        if (const auto* branch = std::get_if<If>(&operation))
          return touches_elements(function, branch->then_body, updates) &&
                 touches_elements(function, branch->else_body, updates);
        return is_scalar_operation(operation) || std::holds_alternative<Index>(operation) ||
               std::holds_alternative<Check>(operation);
      });
}

} // namespace

bool is_elementary(const Function& function, const Body& body) {
  return touches_elements(function, body, Updates::None);
}

bool is_straight(const Function& function, const Body& body) {
  return touches_elements(function, body, Updates::Some);
}

} // namespace sinter::ir
