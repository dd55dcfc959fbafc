#include "jit/passes/nest.h"

#include "jit/ir/walk.h"
#include "jit/passes/index_reads.h"

#include <cstdint>
#include <unordered_set>

namespace sinter::jit {

using namespace ir;

namespace {

void collect(const Body& body, std::unordered_set<std::uint32_t>& transposed) {
  for (const Statement& statement : body.statements) {
    if (std::holds_alternative<Transpose>(statement.operation))
      transposed.insert(statement.results[0].index);
    for_each_body(statement.operation, [&](const Body& inner) { collect(inner, transposed); });
  }
}

} // namespace

void read_transposed_by_index(Function& function) {
  std::unordered_set<std::uint32_t> transposed;
  collect(function.body, transposed);
  if (transposed.empty()) return;
  read_by_index(function, [&](ValueId array) { return transposed.contains(array.index); });
}

} // namespace sinter::jit
