// Random functions as kernels: on their own (sequential), and as the body of a map, so that their
// operations run in lanes with varying numbers, sizes and conditions.
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "jit/ir/walk.h"
#include "jit/passes/pipeline.h"
#include "kernel_runner.h"
#include "tests/generate/ir/ir_generator.h"
#include "tests/generate/ir/ir_outcome.h"
#include "tests/unit/sanitized.h"

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

/// `map (\i -> f …) (iota count)`, in the making.
class Mapped {
public:
  Mapped(const ir::Function& original, const Variation& variation)
      : original_(original), variation_(variation), f_(original),
        count_(f_.add_value({ElementType::I64, {}}, "count")),
        index_(f_.add_value({ElementType::I64, {}})) {
    soac_.extent = count_;
    soac_.body.parameters = {index_};
  }

  std::optional<ir::Function> function() {
    for (std::size_t p = 0; p < original_.body.parameters.size(); ++p)
      vary(original_.body.parameters[p], p < 2);
    ir::Body inner;
    inner.statements = original_.body.statements;
    inner.results = original_.body.results;
    inner = ir::clone(f_, inner, replacements_);
    soac_.body.statements.insert(soac_.body.statements.end(), inner.statements.begin(),
                                 inner.statements.end());
    ir::Statement statement;
    f_.body.results.clear();
    for (const ir::Operand& result : shown(inner)) {
      ir::Type type = f_.type(result);
      if (!std::ranges::all_of(type.extents, [&](const auto& e) { return is_outer(e); })) continue;
      soac_.body.results.push_back(result);
      soac_.groups.emplace_back(ir::MapGroup{});
      type.extents.insert(type.extents.begin(), count_);
      statement.results.push_back(f_.add_value(std::move(type)));
      f_.body.results.push_back(statement.results.back());
    }
    if (soac_.groups.empty()) return std::nullopt;
    statement.operation = std::move(soac_);
    f_.body.parameters.insert(f_.body.parameters.begin(), count_);
    f_.body.statements.clear();
    f_.body.statements.push_back(std::move(statement));
    return std::move(f_);
  }

private:
  ir::ValueId append(ir::Operation operation, ir::Type type) {
    const ir::ValueId value = f_.add_value(std::move(type));
    soac_.body.statements.push_back({{value}, std::move(operation), {}});
    return value;
  }
  ir::ValueId primitive(primitives::Operation operation, ElementType element, ir::Operand a,
                        ir::Operand b) {
    return append(ir::Primitive{primitives::find(operation, element), {a, b}}, {element, {}});
  }
  ir::Operand renamed(const ir::Operand& operand) const {
    for (const auto& [from, to] : replacements_)
      if (operand == ir::Operand(from)) return to;
    return operand;
  }

  /// Replaces a parameter by what depends on the element.
  void vary(ir::ValueId parameter, bool is_extent) {
    const ir::Type type = f_.type(parameter);
    if (is_extent && variation_.is_ragged) {
      const ir::ValueId limit =
          primitive(primitives::Operation::Add, ElementType::I64, parameter, ir::Operand::i64(1));
      replacements_.push_back({parameter, primitive(primitives::Operation::Remainder,
                                                    ElementType::I64, index_, limit)});
    } else if (!is_extent && type.is_scalar() && is_number(type.element)) {
      const ir::ValueId converted =
          append(ir::Primitive{primitives::conversion(ElementType::I64, type.element), {index_}},
                 {type.element, {}});
      replacements_.push_back(
          {parameter, primitive(primitives::Operation::Add, type.element, parameter, converted)});
    } else if (!type.is_scalar()) {
      ir::ValueId array = parameter;
      ir::Type own = type;
      if (variation_.is_ragged) {
        ir::Slice slice{array, {}};
        for (ir::Operand& extent : own.extents) {
          extent = renamed(extent);
          slice.dimensions.push_back({ir::Operand::i64(0), ir::Operand::i64(1)});
        }
        array = append(slice, own);
      }
      if (variation_.copies_arrays) array = append(ir::Copy{array}, own);
      replacements_.push_back({parameter, array});
    }
  }

  /// The results, and what was computed on the way to them.
  std::vector<ir::Operand> shown(const ir::Body& inner) const {
    std::vector<ir::Operand> shown = inner.results;
    for (const ir::Statement& made : inner.statements)
      for (const ir::ValueId value : made.results)
        if (f_.type(value).is_scalar() ||
            (variation_.shows_arrays && std::holds_alternative<ir::Soac>(made.operation)))
          shown.push_back(value);
    return shown;
  }
  bool is_outer(const ir::Operand& extent) const {
    return extent.is_constant() || std::ranges::find(original_.body.parameters, extent.value()) !=
                                       original_.body.parameters.end();
  }

  const ir::Function& original_;
  const Variation& variation_;
  ir::Function f_;
  const ir::ValueId count_, index_;
  ir::Soac soac_;
  std::vector<ir::Replacement> replacements_;
};

/// `map (\i -> f …) (iota count)`, for the results whose sizes do not depend on the element.
/// Nothing if there are none.
std::optional<ir::Function> mapped(const ir::Function& original, const Variation& variation) {
  return Mapped(original, variation).function();
}

int compare(const ir::Function& function, std::vector<std::vector<ir::DenseValue>> arguments,
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
  const std::uint64_t count = from_environment("SINTER_RANDOM_FUNCTIONS", some_of(12, 4));
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
