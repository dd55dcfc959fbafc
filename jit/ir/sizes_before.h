// What the statements that stand before a point say of sizes, for who goes through a function.
#pragma once

#include "jit/ir/ir.h"
#include "jit/ir/operations.h"
#include "jit/ir/size_facts.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace sinter::ir {

/// Is told of statements in their order, and of the end of bodies.
class SizesBefore {
public:
  SizesBefore() = default;
  SizesBefore(const SizesBefore&) = delete; // the facts know where the definitions are
  SizesBefore& operator=(const SizesBefore&) = delete;

  /// The statement stands before what is asked next.
  void note(const Statement& statement) {
    if (is_scalar_operation(statement.operation))
      scalars_.insert_or_assign(statement.results[0].index, statement.operation);
    else if (const auto* check = std::get_if<Check>(&statement.operation))
      facts_.assume(check->condition);
  }
  /// At the beginning of a body; to give to `leave`, at its end.
  std::size_t enter() const { return facts_.mark(); }
  void leave(std::size_t entered) { facts_.undo_to(entered); }

  /// The number that the value comes to wherever the point is reached, if that is known of an i64.
  std::optional<std::int64_t> number(ValueId value) const { return facts_.number(Operand(value)); }

private:
  std::unordered_map<std::uint32_t, Operation> scalars_; ///< what defines them
  SizeFacts facts_{[this](ValueId value) -> const Operation* {
    const auto found = scalars_.find(value.index);
    return found == scalars_.end() ? nullptr : &found->second;
  }};
};

} // namespace sinter::ir
