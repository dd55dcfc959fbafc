#include "jit/ir/build.h"
#include "jit/ir/print.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::ir;
using Op = primitives::Operation;

namespace {

Type scalar_type(ElementType element) {
  return {element, {}};
}
const Type i64 = scalar_type(ElementType::I64);
const Type f32 = scalar_type(ElementType::F32);

} // namespace

TEST_CASE("a dot product is built and printed") {
  Builder builder("dotp");
  const ValueId n = builder.parameter(i64, "n");
  const ValueId xs = builder.parameter({ElementType::F32, {n}}, "xs");
  const ValueId ys = builder.parameter({ElementType::F32, {n}}, "ys");
  builder.open();
  builder.parameter(i64, "i");
  const ValueId x = builder.parameter(f32, "x");
  const ValueId y = builder.parameter(f32, "y");
  const Operand p = builder.binary(Op::Multiply, x, y);
  builder.name(p.value(), "p");
  Body body = builder.close({p});
  builder.open();
  const ValueId a = builder.parameter(f32, "a");
  const ValueId b = builder.parameter(f32, "b");
  const Operand c = builder.binary(Op::Add, a, b);
  builder.name(c.value(), "c");
  ReduceGroup reduce{{Operand::constant(ElementType::F32, Scalar::of(0.0f))}, builder.close({c})};
  const ValueId s =
      builder.append_one(Soac{n, {xs, ys}, std::move(body), {std::move(reduce)}}, f32);
  builder.name(s, "s");
  CHECK(print(builder.finish({s})) == R"(fn dotp(n: i64, xs: [n]f32, ys: [n]f32) -> f32 {
  s: f32 = soac n (xs, ys) { (i: i64, x: f32, y: f32)
    p: f32 = mul x y
    yield p
  } reduce (0.0f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  }
  ret s
}
)");
}

TEST_CASE("equal operations are shared while their body is open, not beyond") {
  Builder builder("f");
  const ValueId x = builder.parameter(i64, "x");
  const ValueId y = builder.parameter(i64, "y");
  const Operand sum = builder.binary(Op::Add, x, y);
  CHECK(builder.binary(Op::Add, y, x) == sum);
  builder.open();
  CHECK(builder.binary(Op::Add, x, y) == sum); // from a body around
  const Operand product = builder.binary(Op::Multiply, x, y);
  CHECK(builder.is_defined_within(product.value(), 1));
  CHECK_FALSE(builder.is_defined_within(sum.value(), 1));
  CHECK(builder.is_defined_within(sum.value(), 2));
  builder.close({});
  CHECK_FALSE(builder.is_defined_within(product.value(), 2));
  CHECK(builder.binary(Op::Multiply, x, y) != product);
  CHECK(builder.statement_count() == 3);
}

TEST_CASE("constants fold, identities apply where they are exact") {
  Builder builder("f");
  const ValueId x = builder.parameter(i64, "x");
  const ValueId f = builder.parameter(f32, "f");
  const auto number = [](float value) {
    return Operand::constant(ElementType::F32, Scalar::of(value));
  };
  CHECK(builder.binary(Op::Add, Operand::i64(2), Operand::i64(3)) == Operand::i64(5));
  CHECK(builder.binary(Op::Add, x, Operand::i64(0)) == Operand(x));
  CHECK(builder.binary(Op::Multiply, Operand::i64(1), x) == Operand(x));
  CHECK(builder.binary(Op::Subtract, x, x) == Operand::i64(0));
  const Operand next = builder.binary(Op::Add, x, Operand::i64(1));
  CHECK(builder.binary(Op::Subtract, next, Operand::i64(1)) == Operand(x));
  // x + 0 is not x for x = -0; x + -0 is.
  CHECK(builder.binary(Op::Add, f, number(0)) != Operand(f));
  CHECK(builder.binary(Op::Add, f, number(-0.0f)) == Operand(f));
  CHECK(builder.binary(Op::Subtract, f, number(0)) == Operand(f));
  CHECK(builder.binary(Op::Multiply, f, number(0)) != number(0));
  CHECK(builder.binary(Op::Equal, f, f).is_value()); // NaN
  // Where the operation is undefined it stays: a check stands before it.
  CHECK(builder.binary(Op::Divide, Operand::i64(1), Operand::i64(0)).is_value());
}

TEST_CASE("an element is taken from where it comes from") {
  Builder builder("f");
  const ValueId n = builder.parameter(i64, "n");
  const ValueId i = builder.parameter(i64, "i");
  const ValueId a = builder.parameter({ElementType::F32, {n, n}}, "a");
  const ValueId row = builder.index(a, {i}).value();
  const Operand element = builder.index(row, {n});
  CHECK(builder.index(a, {i, n}) == element);
  const ValueId transposed = builder.append_one(Transpose{a, {1, 0}}, {ElementType::F32, {n, n}});
  CHECK(builder.index(transposed, {n, i}) == element);
  const ValueId reversed = builder.append_one(Slice{row, {{Operand::i64(3), Operand::i64(-1)}}},
                                              {ElementType::F32, {Operand::i64(2)}});
  CHECK(builder.index(reversed, {Operand::i64(1)}) == builder.index(a, {i, Operand::i64(2)}));
  const ValueId literal =
      builder.append_one(ArrayLiteral{{i, n}}, {ElementType::I64, {Operand::i64(2)}});
  CHECK(builder.index(literal, {Operand::i64(1)}) == Operand(n));
}

TEST_CASE("a check is made once on each path, and not where it holds") {
  Builder builder("f");
  const ValueId c = builder.parameter(scalar_type(ElementType::Bool), "c");
  builder.check(Operand::constant(ElementType::Bool, Scalar::of(true)), {});
  CHECK(builder.statement_count() == 0);
  builder.open();
  builder.check(c, {});
  CHECK(builder.statement_count() == 1);
  builder.close({});
  builder.check(c, {});
  CHECK(builder.statement_count() == 2);
  builder.open();
  builder.check(c, {});
  CHECK(builder.statement_count() == 2);
}

TEST_CASE("what open bodies need is made before the statement that they belong to") {
  Builder builder("f");
  const ValueId n = builder.parameter(i64, "n");
  builder.open();
  builder.parameter(i64, "i");
  Operand twice;
  ValueId m;
  {
    Builder::Outermost outside(builder);
    CHECK(builder.depth() == 0);
    m = builder.parameter(i64, "m");
    twice = builder.binary(Op::Add, n, m);
  }
  CHECK(builder.depth() == 1);
  CHECK(!builder.is_defined_within(twice.value(), 1));
  CHECK(builder.binary(Op::Add, n, m) == twice);
  Body body = builder.close({twice});
  const ValueId made =
      builder.append_one(Soac{n, {}, std::move(body), {MapGroup{}}}, {ElementType::I64, {n}});
  CHECK(print(builder.finish({made})) == "fn f(n: i64, m: i64) -> [n]i64 {\n"
                                         "  v0: i64 = add n m\n"
                                         "  v1: [n]i64 = soac n () { (i: i64)\n"
                                         "    yield v0\n"
                                         "  } map\n"
                                         "  ret v1\n"
                                         "}\n");
}

TEST_CASE("a closed body goes on where another one is open") {
  Builder builder("f");
  const ValueId n = builder.parameter(i64, "n");
  const ValueId c = builder.parameter(scalar_type(ElementType::Bool), "c");
  builder.open();
  const Operand sum = builder.binary(Op::Add, n, Operand::i64(1));
  builder.check(c, {});
  builder.splice(builder.close({}));
  CHECK(builder.statement_count() == 2);
  // What it has computed and checked needs no second time.
  CHECK(builder.binary(Op::Add, n, Operand::i64(1)) == sum);
  builder.check(c, {});
  CHECK(builder.statement_count() == 2);
  CHECK(print(builder.finish({sum})) == "fn f(n: i64, c: bool) -> i64 {\n"
                                        "  v0: i64 = add n 1i64\n"
                                        "  check c, \"\"\n"
                                        "  ret v0\n"
                                        "}\n");
}

TEST_CASE("a scalar of a body gets the name of one around it") {
  Builder builder("f");
  const ValueId n = builder.parameter(i64, "n");
  builder.open();
  builder.parameter(i64, "i");
  const ValueId inner = builder.binary(Op::Add, n, Operand::i64(1)).value();
  const ValueId row = builder.append_one(ArrayLiteral{}, {ElementType::F32, {inner}});
  Body body = builder.close({row});
  const Operand outer = builder.binary(Op::Add, n, Operand::i64(1));
  builder.rename(inner, outer);
  const ValueId made = builder.append_one(Soac{n, {}, std::move(body), {MapGroup{}}},
                                          {ElementType::F32, {n, outer}});
  const Function function = builder.finish({made});
  CHECK(function.type(row).extents[0] == outer);
  CHECK(print(function).find("add") == print(function).rfind("add"));
}
