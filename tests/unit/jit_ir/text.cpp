// The text form: what is printed is read back to the same text, and errors say where.
#include "jit/ir/build.h"
#include "jit/ir/names.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/ir/scalar_text.h"

#include <doctest/doctest.h>

#include <set>

using namespace sinter;
using namespace sinter::ir;

namespace {

void check_round_trip(std::string_view text) {
  CHECK(print(parse(text)) == text);
}

} // namespace

TEST_CASE("every operation is read back") {
  check_round_trip(R"(fn scalars(a: i64, b: f32, c: bool) -> (i64, f32, u8, bool) {
  x: i64 = add a -3i64
  y: f32 = ldexp b 2i32
  z: u8 = convert a
  s: i64 = select c x 255i64
  w: bool = isnan y
  t: f32 = fma b y 1.5f32
  ret s, t, z, w
}
)");
  check_round_trip(R"(fn control(n: i64, xs: [n]f64, c: bool) -> ([n]f64, i64, i32) {
  ys: [n]f64 = if c {
    yield xs
  } else {
    copied: [n]f64 = copy xs
    yield copied
  }
  zs: [n]f64 = if c {
    yield xs
  } else always {
    yield ys
  }
  k: i64 = for n (0i64) { (i: i64, state: i64)
    next: i64 = add i state
    yield next
  }
  m: i32 = while (1i32) { (w: i32)
    small: bool = lt w 100i32
    yield small
  } do { (v: i32)
    twice: i32 = mul v 2i32
    yield twice
  }
  if c {
    check c, out_of_memory "too \"big\"\n\\"
    yield
  } else {
    yield
  }
  ret ys, k, m
}
)");
  check_round_trip(
      R"(fn soacs(n: i64, m: i64, xs: [n][m]f32, is: [n]i64, d: [m]f32, e: [m]f32, g: [m]f32) -> ([m]f32, [m]f32, [n][m]f32) {
  rows: [n][m]f32, total: [m]f32, prefixes: [n]f32, s: [m]f32, h: [m]f32, k: i64, kept: [k]i64 = soac n (xs, is) { (i: i64, row: [m]f32, j: i64)
    x: f32 = index row[0i64]
    c: bool = lt i j
    yield row, row, x, j, x, j, x, c, j
  } map reduce commutative (e) { (a: [m]f32, b: [m]f32)
    yield a
  } scan (0.0f32) { (p: f32, q: f32)
    r: f32 = add p q
    yield r
  } scatter 1 d histogram 1 (g) (0.0f32) { (u: f32, v: f32)
    w: f32 = add u v
    yield w
  } filter 1
  ret s, h, rows
}
)");
  check_round_trip(R"(fn kinds(k: i64, n: i64, xs: [n]i32) -> ([k]i64, [n]i64, [4]i64) {
  c: [k]i64, r: [n]i64, d: [4]i64 = soac n (xs) { (i: i64, x: i32)
    yield x, i, x
  } partition k 1 partition 4i64 0
  ret c, r, d
}
)");
  check_round_trip(R"(fn arrays(n: i64, m: i64, xs: [n][m]f32, v: [m]f32) -> [m][n]f32 {
  row: [m]f32 = index xs[0i64]
  part: [2][m]f32 = slice xs[1i64:-1i64, 0i64:1i64]
  flat: [n]f32 = reshape row
  joined: [4][m]f32 = concat (part, part)
  few: [2]i32 = array (1i32, 2i32)
  rows: [2][m]f32 = array (row, v)
  c: [n][m]f32 = copy xs
  u: [n][m]f32 = update c[1i64] = v
  w: [n][m]f32 = update_slice u[0i64:1i64, 0i64:1i64] = part
  t: [m][n]f32 = transpose w (1, 0)
  ret t
}
)");
}

TEST_CASE("white space and comments mean nothing") {
  const Function function = parse("fn f(x: i64)->i64{-- doubles\ny: i64 = add x x ret y}");
  CHECK(print(function) == "fn f(x: i64) -> i64 {\n  y: i64 = add x x\n  ret y\n}\n");
}

TEST_CASE("names are made unique and readable") {
  Builder builder("f g");
  const Type type{ElementType::I64, {}};
  builder.parameter(type, "x");
  builder.parameter(type, "x");
  builder.parameter(type, "+^");
  builder.parameter(type, "x1");
  builder.parameter(type, "x1");
  builder.parameter(type, "yield");
  const Function function = builder.finish({});
  const std::string text = print(function);
  CHECK(text == "fn \"f g\"(x: i64, x1: i64, v0: i64, x1_1: i64, x1_2: i64, _yield: i64) -> () {\n"
                "  ret\n}\n");
  CHECK(print(parse(text)) == text);
}

TEST_CASE("constants keep their bits") {
  for (ElementType element : all_element_types)
    for (std::uint64_t bits : {0x0ull,
                               0x1ull,
                               0x7full,
                               0x8000ull,
                               0x7e00ull,
                               0x7c00ull,
                               0x7e01ull,
                               0xfe00ull,
                               0x7fc00000ull,
                               0x7fc00001ull,
                               0xffc00000ull,
                               0x7f800000ull,
                               0x80000000ull,
                               0x3f8ccccdull,
                               0x7ff8000000000000ull,
                               0xfff8000000000000ull,
                               0x7ff0000000000001ull,
                               0x8000000000000000ull,
                               0x0010000000000000ull,
                               0x3ff199999999999aull}) {
      const Scalar scalar = with_cpp_type(element, [&]<typename T>() {
        if constexpr (std::is_same_v<T, bool>)
          return Scalar::of((bits & 1) != 0);
        else
          return Scalar::of(
              Scalar{bits & (sizeof(T) == 8 ? ~0ull : (1ull << (8 * sizeof(T) % 64)) - 1)}
                  .template as<T>());
      });
      const std::string text = scalar_text(element, scalar);
      CAPTURE(text);
      const auto read = read_scalar_text(text);
      REQUIRE(read);
      CHECK(read->first == element);
      CHECK(read->second == scalar);
      Builder builder("f");
      const std::string function = print(builder.finish({Operand::constant(element, scalar)}));
      CHECK(parse(function).body.results[0] == Operand::constant(element, scalar));
    }
}

TEST_CASE("no primitive is called like another operation") {
  std::set<std::string_view> words = {"select",    "if",      "for",    "while",        "soac",
                                      "index",     "slice",   "update", "update_slice", "concat",
                                      "transpose", "reshape", "array",  "copy",         "check"};
  for (const primitives::Primitive& primitive : primitives::all_primitives())
    CHECK_FALSE(words.contains(primitive.name));
}

TEST_CASE("each primitive is read back") {
  for (const primitives::Primitive& primitive : primitives::all_primitives()) {
    const std::string operand(name(primitive.operand));
    const bool takes_exponent = primitive.operation == primitives::Operation::LoadExponent;
    std::string text = "fn f(a: " + operand + ", b: " + (takes_exponent ? "i32" : operand) +
                       ", c: " + operand + ") -> " + std::string(name(primitive.result)) +
                       " {\n  r: " + std::string(name(primitive.result)) + " = " +
                       std::string(primitive.name) + " a" + (primitive.arity > 1 ? " b" : "") +
                       (primitive.arity > 2 ? " c" : "") + "\n  ret r\n}\n";
    const Function function = parse(text);
    const auto& operation = std::get<Primitive>(function.body.statements[0].operation);
    CHECK(operation.primitive == &primitive);
    CHECK(print(function) == text);
  }
}

TEST_CASE("errors say where") {
  const auto where = [](std::string_view text) {
    try {
      parse(text);
    } catch (const ParseError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK(where("fn f() -> () {\n  x: i64 = add y 1i64\n  ret\n}") ==
        "2:16: unknown value, found `y`");
  CHECK(where("fn f() -> () {\n  x: i64 = frobnicate 1i64\n  ret\n}") ==
        "2:12: unknown operation `frobnicate`");
  CHECK(where("fn f(x: i65) -> () { ret }") == "1:9: expected an element type, found `i65`");
  CHECK(where("fn f(x: i64, x: i64) -> () { ret }") == "1:14: the name is taken, found `x`");
  CHECK(where("fn f() -> () { ret } more") == "1:22: expected the end of the text, found `more`");
  CHECK(where("fn f() -> i64 { ret }") == "1:11: the function has 0 results");
  CHECK(where("fn f(x: i64) -> i32 { ret x }") == "1:17: result 0 has another type");
  CHECK(where("fn f(x: f32) -> () { y: f32 = shl x x ret }") ==
        "1:31: `shl` does not exist at f32");
  CHECK(where("fn f() -> () { check true, \"open") == "1:28: the string has no end");
  CHECK(where("fn f() -> () { ret ~ }") == "1:20: unexpected character");
  CHECK(where("fn f(x: i64) -> () { y: i32 = add x x ret }")
            .starts_with("1:1: the function breaks a rule: the result has type i32, not i64"));
  std::string deep = "fn f() -> () {";
  for (int i = 0; i < 1000; ++i)
    deep += "if true {";
  CHECK(where(deep).find("nested too deeply") != std::string::npos);
}

TEST_CASE("checks with one message share a site") {
  const Function function = parse("fn f(a: bool, b: bool) -> () { check a, \"m\" check b, \"n\" "
                                  "check b, \"m\" ret }");
  REQUIRE(function.failures.size() == 2);
  CHECK(function.failures[1].message == "n");
  CHECK(std::get<Check>(function.body.statements[2].operation).site.index == 0);
}
