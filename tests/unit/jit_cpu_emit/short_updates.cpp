// Histograms whose elements do nothing but update a bin.
#include "check_kernel.h"
#include "jit/ir/parse.h"
#include "kernel_runner.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::jit;

namespace {

/// Counts numbers that are made of elements by `statements`, and sums up what goes with them.
std::string counting(const std::string& statements, const std::string& index,
                     const std::string& element = "i32", const std::string& added = "x") {
  return "fn count(n: i64, m: i64, xs: [n]" + element +
         ", bins: [m]i32) -> [m]i32 {\n"
         "  r: [m]i32 = soac n (xs) { (i: i64, x: " +
         element + ") " + statements + " yield " + index + ", " + added +
         " } histogram 1 (bins) (0i32) { (a: i32, b: i32) c: i32 = add a b yield c }\n"
         "  ret r\n}";
}

const std::string key_that_is_read = "k: i64 = convert x";
const std::string key_that_is_computed =
    "k0: i64 = convert x k1: i64 = mul k0 k0 k2: i64 = and k1 255i64 "
    "k3: i64 = xor k2 k0 k: i64 = add k3 k1";

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t result = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at)
    ++result;
  return result;
}

} // namespace

TEST_CASE("bins are updated one element after the other, without vectors, where that is all") {
  const std::string text = kernel_text(ir::parse(counting(key_that_is_read, "k")), {.lanes = 8});
  CHECK(occurrences(text, "extractelement") == 0);
  CHECK(occurrences(text, "load <8 x i32>") == 0);
  // Eight elements of `run`'s a turn, and the rest of them.
  CHECK(occurrences(text, "icmp ult i64") >= 9);
  // What takes longer is computed in lanes.
  CHECK(occurrences(kernel_text(ir::parse(counting(key_that_is_computed, "k")), {.lanes = 8}),
                    "extractelement") != 0);
  // So are integers that floats become, which takes comparisons.
  const std::string of_floats =
      counting("w: f32 = mul x 16f32 k: i64 = convert w", "k", "f32", "1i32");
  CHECK(occurrences(kernel_text(ir::parse(of_floats), {.lanes = 8}), "extractelement") != 0);
}

TEST_CASE("any number of elements is counted, also of bins that there are not") {
  const std::vector<std::vector<std::int64_t>> sizes = {{0, 3}, {1, 3},   {7, 5},  {8, 5},
                                                        {9, 1}, {16, 40}, {37, 0}, {1000, 17}};
  check_kernel(counting(key_that_is_read, "k"), sizes);
  check_kernel(counting(key_that_is_computed, "k"), sizes);
  check_kernel(counting("", "i"), sizes);
}
