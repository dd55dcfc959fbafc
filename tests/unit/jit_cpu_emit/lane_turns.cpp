// Loops that end apart in their lanes, several turns at a time.
#include "check_kernel.h"
#include "jit/ir/parse.h"
#include "kernel_runner.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::jit;

TEST_CASE("whether a lane is still active is asked after several turns that only compute") {
  // A lane goes on for up to 40 turns, and all of them for at most `m`.
  const auto program = [](const std::string& next, const std::string& condition) {
    return R"(fn turns(n: i64, m: i64, xs: [n]i32) -> ([n]i64, [n]i32) {
    a: [n]i64, c: [n]i32 = soac n (xs) { (i: i64, x: i32)
      r: i32 = mul x 7i32
      s: i32 = and r 63i32
      k: i64, z: i32 = while (0i64, s) { (k0: i64, z0: i32)
        few: bool = lt k0 m
        small: bool = lt z0 40i32
        go: bool = )" +
           condition + R"(
        yield go
      } do { (k1: i64, z1: i32)
        k2: i64 = add k1 1i64
        z2: i32 = )" +
           next + R"(
        yield k2, z2
      }
      yield k, z
    } map map
    ret a, c
  })";
  };
  const auto questions = [](const std::string& source) {
    const std::string text = kernel_text(ir::parse(source), {.lanes = 16});
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find("icmp slt <16 x i32>", at)) != std::string::npos; ++at)
      ++count;
    return count;
  };
  const std::string both = "and few small", other_way = "and small few", either = "or few small";
  const std::string sum = "add z1 1i32", quotient = "quot z1 1i32";
  // Once alone, and four times together; with and without a mask.
  CHECK(questions(program(sum, both)) == 5 * questions(program(quotient, both)));
  std::vector<std::vector<std::int64_t>> sizes;
  for (const std::int64_t most : {0, 1, 7, 8, 9, 11, 12, 13, 39, 100})
    sizes.push_back({37, most});
  check_kernel(program(sum, both), sizes);
  check_kernel(program(sum, other_way), sizes);
  check_kernel(program(sum, either), {{37, 0}, {37, 9}, {37, 50}});
  check_kernel(program(quotient, both), sizes);
}
