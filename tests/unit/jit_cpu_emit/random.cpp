// Random functions as kernels: on their own (sequential), and as the body of a map, so that their
// operations run in lanes with varying numbers, sizes and conditions.
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "jit/ir/walk.h"
#include "jit/passes/pipeline.h"
#include "kernel_runner.h"
#include "tests/generate/ir/ir_generator.h"
#include "tests/generate/ir/ir_outcome.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

using namespace sinter;
using namespace sinter::jit;

namespace {

/// More with SINTER_RANDOM_FUNCTIONS=N in the environment, from SINTER_RANDOM_SEED on; with
/// SINTER_RANDOM_TRACE each function is shown before it runs.
std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// What each element of the map does before it runs the function.
struct Variation {
  bool is_ragged = false;    ///< the extents depend on the element
  bool copies_arrays = true; ///< each element has its own arrays
  bool shows_arrays = true;  ///< not only scalars of those that the function computes on its way
};

/// `map (\i -> f …) (iota count)`, for the results whose sizes do not depend on the element.
/// Nothing if there are none.
std::optional<ir::Function> mapped(const ir::Function& original, const Variation& variation) {
  ir::Function f = original;
  const auto scalar = [&](ElementType element) { return f.add_value({element, {}}); };
  const ir::ValueId count = f.add_value({ElementType::I64, {}}, "count");
  ir::Soac soac;
  soac.extent = count;
  const ir::ValueId index = scalar(ElementType::I64);
  soac.body.parameters = {index};
  const auto append = [&](ir::Operation operation, ir::Type type) {
    const ir::ValueId value = f.add_value(std::move(type));
    soac.body.statements.push_back({{value}, std::move(operation), {}});
    return value;
  };
  const auto primitive = [&](primitives::Operation operation, ElementType element, ir::Operand a,
                             ir::Operand b) {
    return append(ir::Primitive{primitives::find(operation, element), {a, b}}, {element, {}});
  };

  std::vector<ir::Replacement> replacements;
  const auto renamed = [&](const ir::Operand& operand) {
    for (const auto& [from, to] : replacements)
      if (operand == ir::Operand(from)) return to;
    return operand;
  };
  for (std::size_t p = 0; p < original.body.parameters.size(); ++p) {
    const ir::ValueId parameter = original.body.parameters[p];
    const ir::Type type = f.type(parameter);
    const bool is_extent = p < 2;
    if (is_extent && variation.is_ragged) {
      const ir::ValueId limit =
          primitive(primitives::Operation::Add, ElementType::I64, parameter, ir::Operand::i64(1));
      replacements.push_back(
          {parameter, primitive(primitives::Operation::Remainder, ElementType::I64, index, limit)});
    } else if (!is_extent && type.is_scalar() && is_number(type.element)) {
      const ir::ValueId converted =
          append(ir::Primitive{primitives::conversion(ElementType::I64, type.element), {index}},
                 {type.element, {}});
      replacements.push_back(
          {parameter, primitive(primitives::Operation::Add, type.element, parameter, converted)});
    } else if (!type.is_scalar()) {
      ir::ValueId array = parameter;
      ir::Type own = type;
      if (variation.is_ragged) {
        ir::Slice slice{array, {}};
        for (ir::Operand& extent : own.extents) {
          extent = renamed(extent);
          slice.dimensions.push_back({ir::Operand::i64(0), ir::Operand::i64(1)});
        }
        array = append(slice, own);
      }
      if (variation.copies_arrays) array = append(ir::Copy{array}, own);
      replacements.push_back({parameter, array});
    }
  }
  ir::Body inner;
  inner.statements = original.body.statements;
  inner.results = original.body.results;
  inner = ir::clone(f, inner, replacements);
  soac.body.statements.insert(soac.body.statements.end(), inner.statements.begin(),
                              inner.statements.end());
  ir::Statement statement;
  f.body.results.clear();
  std::vector<ir::Operand> shown = inner.results;
  for (const ir::Statement& made : inner.statements)
    for (const ir::ValueId value : made.results)
      if (f.type(value).is_scalar() ||
          (variation.shows_arrays && std::holds_alternative<ir::Soac>(made.operation)))
        shown.push_back(value);
  for (const ir::Operand& result : shown) {
    ir::Type type = f.type(result);
    const auto is_outer = [&](const ir::Operand& extent) {
      const auto& parameters = original.body.parameters;
      return extent.is_constant() ||
             std::find(parameters.begin(), parameters.end(), extent.value()) != parameters.end();
    };
    if (!std::all_of(type.extents.begin(), type.extents.end(), is_outer)) continue;
    soac.body.results.push_back(result);
    soac.groups.emplace_back(ir::MapGroup{});
    type.extents.insert(type.extents.begin(), count);
    statement.results.push_back(f.add_value(std::move(type)));
    f.body.results.push_back(statement.results.back());
  }
  if (soac.groups.empty()) return std::nullopt;
  statement.operation = std::move(soac);
  f.body.parameters.insert(f.body.parameters.begin(), count);
  f.body.statements.clear();
  f.body.statements.push_back(std::move(statement));
  return f;
}

int compare(const ir::Function& function, std::vector<std::vector<ir::Datum>> arguments,
            unsigned lanes, std::uint64_t seed) {
  const auto violation = ir::verify(function);
  REQUIRE_MESSAGE(!violation, *violation << "\n" << ir::print(function));
  if (cannot_emit(function)) return 0;
  if (std::getenv("SINTER_RANDOM_TRACE"))
    MESSAGE("seed " << seed << ", " << lanes << " lanes\n" << ir::print(function));
  KernelRunner kernel(function);
  for (const auto& list : arguments) {
    const ir::Evaluation expected = ir::evaluate(function, list);
    const ir::Evaluation result = kernel.run(list, {.lanes = lanes, .chunk = 40});
    REQUIRE_MESSAGE(generate::same_outcome(function, expected, result),
                    "seed " << seed << ", " << lanes << " lanes\n"
                            << ir::print(function));
    REQUIRE_MESSAGE(
        generate::same_outcome(function, expected, kernel.run(list, {.chunk = 40, .plain = true})),
        "seed " << seed << ", plain\n"
                << ir::print(function));
  }
  return 1;
}

} // namespace

TEST_CASE("kernels keep what random functions mean") {
  const std::uint64_t first = from_environment("SINTER_RANDOM_SEED", 0);
  const std::uint64_t count = from_environment("SINTER_RANDOM_FUNCTIONS", 40);
  int sequential = 0, parallel = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    generate::Random random(seed);
    generate::IrOptions options;
    options.statements = 5 + seed % 9;
    options.checks = seed % 3 == 0;
    options.updates = seed % 4 != 0;
    const ir::Function original = generate::random_function(random, options);
    const auto arguments = generate::random_arguments(original, random);
    const unsigned lanes = seed % 5 == 0 ? 1 : seed % 2 == 0 ? 4 : 16;
    sequential += compare(original, {arguments}, lanes, seed);
    Variation variation{.is_ragged = seed % 2 == 0,
                        .copies_arrays = options.updates || random.chance(50)};
    auto function = mapped(original, variation);
    if (function && ir::verify(*function)) { // an array that is shown has been consumed
      variation.shows_arrays = false;
      function = mapped(original, variation);
    }
    if (!function) continue;
    auto mapped_arguments = arguments;
    mapped_arguments.insert(mapped_arguments.begin(),
                            Scalar::of(static_cast<std::int64_t>(seed % 50)));
    parallel += compare(*function, {mapped_arguments}, lanes, seed);
    ir::Function optimised = *function; // the shapes that passes leave behind
    jit::optimise(optimised, {}, {}, jit::all_passes());
    const ir::Evaluation expected = ir::evaluate(*function, mapped_arguments);
    REQUIRE(generate::same_outcome(*function, expected, ir::evaluate(optimised, mapped_arguments)));
    compare(optimised, {mapped_arguments}, lanes, seed);
  }
  CHECK(static_cast<std::uint64_t>(sequential) * 4 >= count);
  CHECK(static_cast<std::uint64_t>(parallel) * 4 >= count);
}
