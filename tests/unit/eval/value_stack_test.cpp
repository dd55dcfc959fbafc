#include "lang/eval/value_stack.h"

#include "lang/eval/concrete_domain.h"
#include "tests/unit/resident_memory.h"

#include <doctest/doctest.h>

#include <optional>

using namespace sinter::eval;
using Values = ConcreteDomain::Values;

TEST_CASE("a stack of values is lent again, and two at a time are two") {
  ValueStacks<Values> stacks;
  const ValueStack<Values>* first = nullptr;
  {
    const ValueStacks<Values>::Loan loan(stacks);
    first = &loan.stack();
    const ValueStack<Values>::Slots slots(loan.stack(), 3);
    CHECK(loan.stack().bytes() == 3 * sizeof(slots[0]));
  }
  const ValueStacks<Values>::Loan again(stacks), other(stacks);
  CHECK(&again.stack() == first);
  CHECK(again.stack().bytes() == 0);
  CHECK(&other.stack() != first);
}

TEST_CASE("a high stack of values does not stay") {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  ValueStacks<Values> stacks;
  std::optional<ValueStacks<Values>::Loan> loan(stacks);
  const std::size_t before = sinter::tests::resident_bytes();
  {
    const ValueStack<Values>::Slots slots(loan->stack(), 40 * mebibyte / sizeof(sinter::Value));
    CHECK(sinter::tests::resident_bytes() > before + 38 * mebibyte);
  }
  loan.reset();
  CHECK(sinter::tests::resident_bytes() < before + 8 * mebibyte);
  // What was given back can be used again.
  loan.emplace(stacks);
  const ValueStack<Values>::Slots slots(loan->stack(), mebibyte / sizeof(sinter::Value));
  CHECK(slots[mebibyte / sizeof(sinter::Value) - 1].kind() == sinter::Value::Kind::Nothing);
}
