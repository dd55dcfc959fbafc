#include "check.h"

#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/ir/verify.h"

#include <doctest/doctest.h>

namespace sinter::jit {

namespace {

/// The text with numbers for names: what values are called does not matter.
std::string anonymous(ir::Function function) {
  for (ir::ValueInfo& value : function.values)
    value.name.clear();
  return ir::print(function);
}

ir::Function run_on(Run run, const std::string& text) {
  ir::Function function = ir::parse(text);
  run(function);
  const auto violation = ir::verify(function);
  CHECK_MESSAGE(!violation, violation.value_or(""), "\n", ir::print(function));
  return function;
}

} // namespace

std::string after(Run run, const std::string& text) {
  return ir::print(run_on(run, text));
}

void check_rewrites(Run run, const std::string& before, const std::string& expected) {
  CHECK_EQ(anonymous(run_on(run, before)), anonymous(ir::parse(expected)));
}

ir::DenseArray matrix(std::int64_t rows, std::int64_t columns, std::int64_t step) {
  ir::DenseArray array{ElementType::F32, {rows, columns}, {}};
  for (std::int64_t i = 0; i < rows * columns; ++i)
    array.elements.push_back(Scalar::of(static_cast<float>(i * step % 23 - 11) / 7));
  return array;
}

} // namespace sinter::jit
