// Consumers of prefixes: what the whole pipeline makes of them is one SOAC, which gives the same,
// whole or taken apart.
#include "jit/passes/post.h"

#include "jit/ir/evaluate.h"
#include "jit/ir/groups.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "jit/passes/pipeline.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

using namespace sinter;

namespace {

std::size_t soac_count(const ir::Function& function) {
  return static_cast<std::size_t>(
      std::ranges::count_if(function.body.statements, [](const ir::Statement& statement) {
        return std::holds_alternative<ir::Soac>(statement.operation);
      }));
}

const std::string add = " { (a: f32, b: f32) c: f32 = add a b yield c } ";
const std::string scan =
    "ss: [n]f32 = soac n (xs) { (i: i64, x: f32) y: f32 = mul x 0.25f32 yield y } "
    "scan (0.0f32)" +
    add;
const std::string map =
    "zs: [n]f32 = soac n (ss) { (k: i64, s: f32) t: f32 = mul s s yield t } map ";
const std::string sum_of_prefixes =
    "r: f32 = soac n (zs) { (l: i64, u: f32) yield u } reduce (0.0f32) "
    "{ (d: f32, e: f32) f: f32 = add d e yield f } ";

} // namespace

TEST_CASE("scans and their consumers are one SOAC") {
  const std::string head = "fn f(n: i64, xs: [n]f32) -> ";
  for (const std::string& text :
       {head + "[n]f32 {" + scan + map + "ret zs }",
        head + "f32 {" + scan + map + sum_of_prefixes + "ret r }",
        head + "([n]f32, [n]f32, f32) {" + scan + map + sum_of_prefixes + "ret ss, zs, r }",
        head + "f32 {" + scan +
            "r: f32 = soac n (ss, xs) { (k: i64, s: f32, z: f32) t: f32 = sub s z yield t } "
            "reduce (-9.0f32) { (d: f32, e: f32) f: f32 = max d e yield f } ret r }"}) {
    const ir::Function before = ir::parse(text);
    CAPTURE(text);
    ir::Function after = before;
    jit::optimise(after);
    CAPTURE(ir::print(after));
    REQUIRE(ir::verify(after) == std::nullopt);
    CHECK(soac_count(after) == 1);
    ir::Function apart = after;
    jit::split_posts(apart);
    REQUIRE(ir::verify(apart) == std::nullopt);
    CHECK(soac_count(apart) == 2);
    for (const std::int64_t n : {0, 1, 3, 200, 5000}) {
      ir::DenseArray xs{ElementType::F32, {n}, {}};
      for (std::int64_t i = 0; i < n; ++i)
        xs.elements.push_back(Scalar::of(static_cast<float>(i * 7919 % 1013 - 500) * 0.37f));
      const std::vector<ir::DenseValue> arguments = {Scalar::of(n), xs};
      const ir::Evaluation expected = ir::evaluate(before, arguments);
      CHECK(ir::evaluate(after, arguments) == expected);
      CHECK(ir::evaluate(apart, arguments) == expected);
    }
  }
}
