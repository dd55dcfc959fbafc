// What a loop's round defines and uses, in bodies inside of it too.
#pragma once

#include "jit/ir/ir.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace sinter::jit {

/// The round must outlive this, and stay as it is.
class RoundValues {
public:
  RoundValues(const ir::Function& function, const ir::Body& round);

  /// Whether the value is defined by the round, or in it.
  bool is_inside(ir::ValueId value) const { return inside_.contains(value.index); }
  bool is_inside(const ir::Operand& operand) const {
    return operand.is_value() && is_inside(operand.value());
  }
  /// Null for parameters, and for what is not defined inside.
  const ir::Statement* definition(const ir::Operand& operand) const;
  /// Whether the value is defined by a statement of the body itself.
  bool is_computed_in(const ir::Body& body, const ir::Operand& value) const;
  /// By whom the value is used, once for each use; null: as a body's result.
  std::span<const ir::Statement* const> users(ir::ValueId value) const;
  std::size_t uses(const ir::Operand& operand) const {
    return operand.is_value() ? users(operand.value()).size() : 0;
  }

private:
  struct Definition {
    const ir::Statement* statement = nullptr; ///< null for parameters
    const ir::Body* body = nullptr;
  };
  void look_at(const ir::Function& function, const ir::Body& body);
  void use(const ir::Operand& operand, const ir::Statement* by);

  std::unordered_map<std::uint32_t, Definition> inside_;
  std::unordered_map<std::uint32_t, std::vector<const ir::Statement*>> users_;
};

} // namespace sinter::jit
