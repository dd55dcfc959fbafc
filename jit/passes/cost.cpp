#include "jit/passes/cost.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <cstdint>

namespace sinter::jit {

using namespace ir;

namespace {

unsigned repeated(const Operand& count, unsigned cost) {
  if (!count.is_constant()) return much;
  const auto times = std::clamp<std::int64_t>(count.scalar().as<std::int64_t>(), 0, much);
  return static_cast<unsigned>(
      std::min<std::uint64_t>(much, static_cast<std::uint64_t>(times) * cost));
}

} // namespace

unsigned cost(const Statement& statement) {
  const ir::Operation& operation = statement.operation;
  if (const auto* primitive = std::get_if<ir::Primitive>(&operation))
    return primitive->primitive->cost;
  if (const auto* choice = std::get_if<If>(&operation))
    return std::min(much, 1 + cost(choice->then_body) + cost(choice->else_body));
  if (const auto* loop = std::get_if<For>(&operation))
    return repeated(loop->bound, 1 + cost(loop->body));
  if (const auto* soac = std::get_if<Soac>(&operation)) {
    unsigned each = cost(soac->body);
    for (const Group& group : soac->groups)
      for_each_body(group,
                    [&](const Body& combine) { each = std::min(much, each + cost(combine)); });
    return repeated(soac->extent, 1 + each);
  }
  return row_of(operation).cost;
}

unsigned cost(const Body& body) {
  unsigned result = 0;
  for (const Statement& statement : body.statements)
    result = std::min(much, result + cost(statement));
  return result;
}

} // namespace sinter::jit
