// Each scalar primitive on a device, against the table's meaning: of a GPU the only test of what
// code generation and the driver's assembler do with it.
#include "both_places.h"
#include "lang/primitives/operand_types.h"
#include "lang/primitives/primitives.h"
#include "lang/values/scalar.h"
#include "tests/unit/gpu_ptx/primitive_map.h"
#include "tests/unit/jit_cpu_emit/numbers_that_matter.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::test;

namespace {

/// Any bits, but one NaN only: of several, which one a result is depends on how code is generated.
Scalar any_number(ElementType element, generate::Random& random) {
  return with_cpp_type(element, [&]<typename T>() {
    if constexpr (std::is_same_v<T, bool>) return Scalar::of(random.below(2) == 0);
    const T number = Scalar{random.next() >> (64 - 8 * sizeof(T))}.as<T>();
    return Scalar::of(std::isnan(static_cast<double>(number)) ? static_cast<T>(NAN) : number);
  });
}

/// Operands: each pair of numbers that matter, with any third one; then any numbers.
std::vector<ir::DenseArray> operands_of(const primitives::Primitive& primitive, std::size_t count) {
  std::vector<ir::DenseArray> operands;
  std::vector<std::vector<Scalar>> numbers;
  for (std::size_t i = 0; i < primitive.arity; ++i) {
    const ElementType element = primitives::operand_type(primitive, i);
    operands.push_back({element, {}, {}});
    numbers.push_back(numbers_that_matter(element));
  }
  generate::Random random(static_cast<std::uint64_t>(primitive.operation));
  const std::size_t second = primitive.arity > 1 ? numbers[1].size() : 1;
  for (std::size_t pair = 0; pair < numbers[0].size() * second; ++pair) {
    operands[0].elements.push_back(numbers[0][pair / second]);
    if (primitive.arity > 1) operands[1].elements.push_back(numbers[1][pair % second]);
    if (primitive.arity > 2)
      operands[2].elements.push_back(numbers[2][random.below(numbers[2].size())]);
  }
  while (operands[0].elements.size() < count)
    for (std::size_t i = 0; i < operands.size(); ++i)
      operands[i].elements.push_back(random.chance(90) ? any_number(operands[i].element, random)
                                                       : random.pick(numbers[i]));
  for (ir::DenseArray& operand : operands)
    operand.extents = {static_cast<std::int64_t>(operand.elements.size())};
  return operands;
}

void check(const DevicePlace& place, const primitives::Primitive& primitive, std::size_t count) {
  const std::vector<ir::DenseArray> operands = operands_of(primitive, count);
  const auto n = static_cast<std::int64_t>(operands[0].elements.size());
  const auto executable = place.executable(gpu::map_of(primitive));
  std::vector<ir::DenseValue> arguments = {Scalar::of(n)};
  arguments.insert(arguments.end(), operands.begin(), operands.end());
  MemoryBudget memory;
  jit::RunContext context{.memory = &memory};
  const jit::Outcome outcome = executable->run(
      to_leaves(executable->function(), arguments, memory, Arrangement::Dense), context);
  if (const auto* stopped = std::get_if<jit::Stopped>(&outcome))
    REQUIRE_MESSAGE(false, stopped->words);
  for (const auto& kernel : executable->kernels(false))
    CHECK_MESSAGE(kernel.refusals.empty(), kernel.refusals.front().why);
  const std::vector<ir::DenseValue> results =
      from_leaves(std::get<std::vector<jit::Datum>>(outcome));
  const std::vector<Scalar>& found = std::get<ir::DenseArray>(results[0]).elements;
  int wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto operand = [&](std::size_t which) {
      return which < operands.size() ? operands[which].elements[i] : Scalar();
    };
    const Scalar expected = primitive.apply(operand(0), operand(1), operand(2));
    if (found[i] == expected) continue;
    if (is_float(primitive.result) && is_nan(primitive.result, found[i]) &&
        is_nan(primitive.result, expected))
      continue;
    if (++wrong > 3) continue;
    std::string words;
    for (const ir::DenseArray& given : operands)
      words += " " + print(given.element, given.elements[i]);
    CAPTURE(words);
    CHECK(print(primitive.result, found[i]) == print(primitive.result, expected));
  }
  CHECK(wrong == 0);
}

} // namespace

TEST_CASE("results are compared bit by bit, but for which NaN a NaN is") {
  const ir::Function function =
      ir::parse(R"(fn f(x: f32, y: i32, zs: [1]f16) -> (f32, i32, [1]f16) {
  ret x, y, zs
})");
  const auto results = [](std::uint32_t x, std::uint32_t y, std::uint16_t z) {
    return std::vector<ir::DenseValue>{Scalar{x}, Scalar{y},
                                       ir::DenseArray{ElementType::F16, {1}, {Scalar{z}}}};
  };
  const auto are_same = [&](const std::vector<ir::DenseValue>& a,
                            const std::vector<ir::DenseValue>& b) {
    return have_same_bits(function, a, b);
  };
  constexpr std::uint32_t nan = 0x7fffffff, other_nan = 0xffc00000;
  CHECK(are_same(results(nan, nan, 0x7fff), results(other_nan, nan, 0xfe00)));
  CHECK(!are_same(results(nan, nan, 0), results(nan, other_nan, 0))); // integers
  CHECK(!are_same(results(0, 0, 0), results(0x80000000, 0, 0)));      // zeros
  CHECK(!are_same(results(0, 0, 0), results(0, 0, 0x8000)));
  CHECK(!are_same(results(nan, 0, 0), results(0x7f800000, 0, 0)));
  CHECK(!are_same(results(0, 0, 0), {}));
}

TEST_CASE("each primitive has the table's meaning on a device") {
  const DevicePlace place;
  // (A GPU has time for many numbers, and shows what emulation cannot.)
  const std::size_t count = is_gpu_under_test() ? 200'000 : 3'000;
  std::uint64_t at = 0;
  for (const ElementType element : all_element_types)
    SUBCASE(std::string(name(element)).c_str()) {
      for (const primitives::Primitive& primitive : primitives::all_primitives()) {
        if (primitive.operand != element) continue;
        if (!is_gpu_under_test() && (++at % 6 != 0 || !is_tried(at / 6, 4))) continue;
        CAPTURE(primitive.name);
        CAPTURE(name(primitive.result));
        check(place, primitive, count);
      }
    }
  CHECK(place.backend->launches_by_host() == 0);
}
