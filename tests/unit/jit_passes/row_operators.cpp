// Folds of short rows are folds of their elements: what they become gives the same.
#include "check.h"

#include "jit/ir/evaluate.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "jit/passes/row_operators.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter;

namespace {

/// A fold of rows of `length` elements, which are read, or made by a map; its operator depends on
/// positions, and its order shows.
std::string fold(const std::string& kind, std::int64_t length, bool is_made) {
  const std::string row = "[" + std::to_string(length) + "]f32";
  const std::string extent = std::to_string(length) + "i64";
  const std::string result = kind == "scan" ? "[n]" + row : row;
  const std::string maker = "  made: [n]" + row + " = soac n (xs) { (h: i64, o: " + row + R"()
    q: )" + row + " = soac " +
                            extent + R"( (o) { (l: i64, e: f32)
      f: f32 = add e 0.25f32
      yield f
    } map
    yield q
  } map
)";
  return "fn f(n: i64, xs: [n]" + row + ", z: " + row + ") -> (" + result + ", f32) {\n" +
         (is_made ? maker : "") + "  r: " + result + ", g: f32 = soac n (" +
         (is_made ? "made" : "xs") + ") { (i: i64, u: " + row + R"()
    w: f32 = index u[0i64]
    yield u, w
  } )" + kind +
         " (z) { (as: " + row + ", bs: " + row + R"()
    cs: )" +
         row + " = soac " + extent + R"( (as, bs) { (k: i64, a: f32, b: f32)
      p: f32 = convert k
      t: f32 = mul a p
      c: f32 = add t b
      yield c
    } map
    yield cs
  } reduce (0f32) { (m: f32, v: f32)
    y: f32 = add m v
    yield y
  }
  ret r, g
})";
}

} // namespace

TEST_CASE("folds of short rows give what they gave") {
  for (const std::string kind : {"reduce", "scan"})
    for (const bool is_made : {false, true})
      for (const std::int64_t length : {1, 2, 3, 4, 7, 8, 16, 17}) {
        CAPTURE(kind);
        CAPTURE(is_made);
        CAPTURE(length);
        const ir::Function before = ir::parse(fold(kind, length, is_made));
        REQUIRE(ir::verify(before) == std::nullopt);
        ir::Function after = before;
        jit::write_row_operators(after);
        REQUIRE(ir::verify(after) == std::nullopt);
        // Rows of which a register holds whole ones are left as they are where they are read.
        const bool lies_well = !is_made && (length == 4 || length == 8 || length == 16);
        CHECK((ir::print(after) == ir::print(before)) == (length > 16 || lies_well));
        ir::DenseArray neutral = jit::matrix(1, length, 3);
        neutral.extents = {length};
        for (const std::int64_t n : {0, 1, 64, 65, 4200}) {
          if (is_sanitized && n > 65 && length != 7) continue;
          CAPTURE(n);
          const std::vector<ir::DenseValue> arguments = {Scalar::of(n), jit::matrix(n, length, 7),
                                                         neutral};
          CHECK(ir::evaluate(before, arguments) == ir::evaluate(after, arguments));
        }
      }
}
