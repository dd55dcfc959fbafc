#include "jit/passes/round_count.h"

#include "jit/passes/statement_writer.h"

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;

Operand extent_of_rounds(Function& function, const Operand& bound, Span span, Facts& facts,
                         std::vector<Statement>& out) {
  StatementWriter writer(function, span);
  Operand extent = bound;
  if (!facts.is_at_most(Operand::i64(0), extent)) {
    extent = writer.scalar(ScalarOperation::Maximum, extent, Operand::i64(0), out);
    facts.define(out.back());
  }
  if (facts.sizes().is_extent(extent)) return extent;
  if (facts.is_at_most(extent, Operand::i64(extent_limit - 1))) return extent;
  const Operand is_extent =
      writer.scalar(ScalarOperation::Less, extent, Operand::i64(extent_limit), out);
  facts.define(out.back());
  writer.require(is_extent, "a loop of 2^48 rounds or more, which compiled code does not have",
                 out);
  facts.assume(is_extent, true);
  return extent;
}

} // namespace sinter::jit
