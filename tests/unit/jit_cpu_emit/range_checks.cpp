// Conditions that narrow numbers lie within bounds: as 64-bit numbers have it, for bounds of any
// size and sign, though only the narrow ones are looked at.
#include "check_kernel.h"
#include "jit/ir/parse.h"
#include "kernel_runner.h"
#include "numbers_that_matter.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::jit;

namespace {

/// Whether 0 <= x < bound, for numbers of such a type, asked for in this order.
std::string within(const std::string& type, const std::string& conditions) {
  return "fn within(n: i64, bound: i64, xs: [n]" + type +
         ") -> [n]bool { r: [n]bool = soac n (xs) { (i: i64, x: " + type +
         ") w: i64 = convert x below: bool = lt w bound above: bool = le 0i64 w c: bool = and " +
         conditions + " yield c } map ret r }";
}

const std::vector<std::int64_t> bounds = {std::numeric_limits<std::int64_t>::min(),
                                          -(std::int64_t{1} << 40),
                                          -(std::int64_t{1} << 31) - 1,
                                          -(std::int64_t{1} << 31),
                                          -1,
                                          0,
                                          1,
                                          64,
                                          127,
                                          128,
                                          129,
                                          255,
                                          256,
                                          32767,
                                          32768,
                                          65536,
                                          (std::int64_t{1} << 31) - 1,
                                          std::int64_t{1} << 31,
                                          (std::int64_t{1} << 31) + 7,
                                          std::int64_t{1} << 32,
                                          (std::int64_t{1} << 32) + 1,
                                          std::int64_t{1} << 48,
                                          std::numeric_limits<std::int64_t>::max()};

} // namespace

TEST_CASE("narrow numbers lie within bounds as wide ones do") {
  for (const auto& [name, element] : {std::pair{"i8", ElementType::I8},
                                      {"i16", ElementType::I16},
                                      {"i32", ElementType::I32},
                                      {"u8", ElementType::U8},
                                      {"u32", ElementType::U32},
                                      {"i64", ElementType::I64}})
    for (const char* conditions : {"below above", "above below"}) {
      const std::string type = name;
      CAPTURE(type);
      CAPTURE(conditions);
      const ir::Function function = ir::parse(within(type, conditions));
      KernelRunner runner(function);
      ir::DenseArray numbers{element, {}, {}};
      for (const Scalar& number : numbers_that_matter(element))
        numbers.elements.push_back(number);
      const auto count = static_cast<std::int64_t>(numbers.elements.size());
      numbers.extents = {count};
      for (const std::int64_t bound : bounds) {
        CAPTURE(bound);
        const std::vector<ir::DenseValue> arguments = {Scalar::of(count), Scalar::of(bound),
                                                       numbers};
        const std::string expected = text_of(ir::evaluate(function, arguments));
        for (const unsigned lanes : {1U, 4U, 8U, 16U, 32U})
          CHECK(text_of(runner.run(arguments, {.lanes = lanes})) == expected);
      }
    }
}

TEST_CASE("indices of 32 bits are checked as such") {
  const auto text = [](const char* type) {
    return kernel_text(ir::parse(within(type, "below above")), {.lanes = 16});
  };
  CHECK(text("i32").find("icmp ult <16 x i32>") != std::string::npos);
  CHECK(text("i64").find("icmp ult") == std::string::npos);
}
