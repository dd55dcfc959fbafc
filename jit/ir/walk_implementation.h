// The templates of walk.h: they go over the parts that operations.def and groups.def list.
#pragma once

#include "jit/ir/ir.h"
#include "jit/ir/operations.h"

#include <cassert>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::ir {
namespace parts {

/// Visits the operands, bodies and numbers in a part.
template <typename Part, typename OnOperand, typename OnBody, typename OnNumber>
void visit(Part& part, OnOperand& on_operand, OnBody& on_body, OnNumber& on_number) {
  using Plain = std::remove_const_t<Part>;
  if constexpr (std::same_as<Plain, Operand>) {
    on_operand(part);
  } else if constexpr (std::same_as<Plain, ValueId>) {
    if constexpr (std::is_const_v<Part>) {
      const Operand operand(part);
      on_operand(operand);
    } else {
      Operand operand(part);
      on_operand(operand);
      assert(operand.is_value());
      part = operand.value();
    }
  } else if constexpr (std::same_as<Plain, Body>) {
    on_body(part);
  } else if constexpr (is_number<Plain>) {
    on_number(part);
  } else if constexpr (is_vector<Plain>) {
    for (auto& member : part)
      visit(member, on_operand, on_body, on_number);
  } else if constexpr (is_variant<Plain>) {
    std::visit([&](auto& member) { visit(member, on_operand, on_body, on_number); }, part);
  } else {
    std::apply([&](auto&... members) { (visit(members, on_operand, on_body, on_number), ...); },
               of(part));
  }
}

struct Ignore {
  template <typename T>
  void operator()(T&&) const {}
};

} // namespace parts

template <typename OperationType, typename Visit>
void for_each_operand(OperationType& operation, Visit&& visit) {
  parts::Ignore ignore;
  parts::visit(operation, visit, ignore, ignore);
}

template <typename OperationType, typename Visit>
void for_each_body(OperationType& operation, Visit&& visit) {
  parts::Ignore ignore;
  parts::visit(operation, ignore, visit, ignore);
}

template <typename Visit>
void for_each_number(const Operation& operation, Visit&& visit) {
  parts::Ignore ignore;
  const auto on_number = [&](const auto& number) {
    using Number = std::remove_cvref_t<decltype(number)>;
    if constexpr (std::is_pointer_v<Number>)
      visit(std::uint64_t{reinterpret_cast<std::uintptr_t>(number)});
    else if constexpr (std::same_as<Number, FailureId>)
      visit(std::uint64_t{number.index});
    else
      visit(std::uint64_t{number});
  };
  parts::visit(operation, ignore, ignore, on_number);
}

template <typename Visit>
void for_each_use(const Function& function, const Statement& statement, Visit&& visit) {
  for_each_operand(statement.operation, visit);
  for (ValueId result : statement.results)
    for (const Operand& extent : function.type(result).extents)
      visit(extent);
}

} // namespace sinter::ir
