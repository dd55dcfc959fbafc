// The parts of each operation, listed once; the templates of walk.h go over the list.
#pragma once

#include "jit/ir/ir.h"

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

/// `T` or `const T`.
template <typename Candidate, typename T>
concept Is = std::same_as<std::remove_const_t<Candidate>, T>;

/// The members of an operation or group that are, or hold, operands and bodies, in the order in
/// which the text form shows them.
auto of(Is<Primitive> auto& o) {
  return std::tie(o.arguments);
}
auto of(Is<Select> auto& o) {
  return std::tie(o.condition, o.then_value, o.else_value);
}
auto of(Is<If> auto& o) {
  return std::tie(o.condition, o.then_body, o.else_body);
}
auto of(Is<For> auto& o) {
  return std::tie(o.bound, o.initial, o.body);
}
auto of(Is<While> auto& o) {
  return std::tie(o.initial, o.condition, o.body);
}
auto of(Is<Soac> auto& o) {
  return std::tie(o.extent, o.inputs, o.body, o.groups);
}
auto of(Is<Index> auto& o) {
  return std::tie(o.array, o.indices);
}
auto of(Is<Slice> auto& o) {
  return std::tie(o.array, o.dimensions);
}
auto of(Is<Transpose> auto& o) {
  return std::tie(o.array);
}
auto of(Is<Reshape> auto& o) {
  return std::tie(o.array);
}
auto of(Is<Update> auto& o) {
  return std::tie(o.array, o.indices, o.value);
}
auto of(Is<UpdateSlice> auto& o) {
  return std::tie(o.array, o.dimensions, o.value);
}
auto of(Is<Concat> auto& o) {
  return std::tie(o.arrays);
}
auto of(Is<ArrayLiteral> auto& o) {
  return std::tie(o.elements);
}
auto of(Is<Copy> auto& o) {
  return std::tie(o.array);
}
auto of(Is<Check> auto& o) {
  return std::tie(o.condition);
}
auto of(Is<Slice::Dimension> auto& d) {
  return std::tie(d.begin, d.stride);
}
auto of(Is<MapGroup> auto&) {
  return std::tuple<>();
}
auto of(Is<ReduceGroup> auto& g) {
  return std::tie(g.neutral, g.combine);
}
auto of(Is<ScanGroup> auto& g) {
  return std::tie(g.neutral, g.combine);
}
auto of(Is<ScatterGroup> auto& g) {
  return std::tie(g.destination);
}
auto of(Is<HistogramGroup> auto& g) {
  return std::tie(g.destinations, g.neutral, g.combine);
}
auto of(Is<FilterGroup> auto&) {
  return std::tuple<>();
}

template <typename T>
inline constexpr bool is_variant = false;
template <typename... T>
inline constexpr bool is_variant<std::variant<T...>> = true;
template <typename T>
inline constexpr bool is_vector = false;
template <typename T>
inline constexpr bool is_vector<std::vector<T>> = true;

/// Visits the operands and bodies in a part.
template <typename Part, typename OnOperand, typename OnBody>
void visit(Part& part, OnOperand& on_operand, OnBody& on_body) {
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
  } else if constexpr (is_vector<Plain>) {
    for (auto& member : part)
      visit(member, on_operand, on_body);
  } else if constexpr (is_variant<Plain>) {
    std::visit([&](auto& member) { visit(member, on_operand, on_body); }, part);
  } else {
    std::apply([&](auto&... members) { (visit(members, on_operand, on_body), ...); }, of(part));
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
  parts::visit(operation, visit, ignore);
}

template <typename OperationType, typename Visit>
void for_each_body(OperationType& operation, Visit&& visit) {
  parts::Ignore ignore;
  parts::visit(operation, ignore, visit);
}

template <typename Visit>
void for_each_use(const Function& function, const Statement& statement, Visit&& visit) {
  for_each_operand(statement.operation, visit);
  for (ValueId result : statement.results)
    for (const Operand& extent : function.type(result).extents)
      visit(extent);
}

} // namespace sinter::ir
