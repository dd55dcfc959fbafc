#include "check_fold.h"

#include "jit/ir/parse.h"
#include "kernel_runner.h"
#include "lang/values/scalar.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

namespace sinter::jit {

namespace {

/// Numbers of many sizes, so that each rounding shows.
Scalar uneven_number(ElementType element, std::mt19937& random) {
  const double number =
      static_cast<double>(static_cast<std::int32_t>(random())) * (random() % 3 == 0 ? 1e-3 : 1e-9);
  return with_cpp_type(element, [&]<typename T>() { return Scalar::of(static_cast<T>(number)); });
}

std::string bits_of(const ir::Evaluation& evaluation) {
  std::string text;
  for (const ir::DenseValue& datum : std::get<0>(evaluation))
    if (const auto* scalar = std::get_if<Scalar>(&datum)) {
      text += std::to_string(scalar->bits) + "; ";
    } else {
      const auto& array = std::get<ir::DenseArray>(datum);
      for (std::size_t i = 0; i < array.elements.size() && i < 200; ++i)
        text += std::to_string(array.elements[i].bits) + " ";
    }
  return text;
}

} // namespace

std::vector<ir::DenseValue> uneven_arguments(const ir::Function& function,
                                             const std::vector<std::int64_t>& sizes,
                                             std::mt19937& random) {
  std::vector<ir::DenseValue> arguments;
  std::size_t next = 0;
  for (const ir::ValueId parameter : function.body.parameters) {
    const ir::Type& type = function.type(parameter);
    if (type.is_scalar()) {
      arguments.push_back(next < sizes.size() ? Scalar::of(sizes[next++])
                                              : uneven_number(type.element, random));
      continue;
    }
    ir::DenseArray array{type.element, {}, {}};
    std::int64_t count = 1;
    for (const ir::Operand& extent : type.extents) {
      std::int64_t number = 0;
      for (std::size_t i = 0; i < arguments.size(); ++i)
        if (extent == ir::Operand(function.body.parameters[i]))
          number = std::get<Scalar>(arguments[i]).as<std::int64_t>();
      if (extent.is_constant()) number = extent.scalar().as<std::int64_t>();
      array.extents.push_back(number);
      count *= number;
    }
    for (std::int64_t i = 0; i < count; ++i)
      array.elements.push_back(type.element == ElementType::I64
                                   ? Scalar::of(static_cast<std::int64_t>(random() % 100))
                                   : uneven_number(type.element, random));
    arguments.push_back(std::move(array));
  }
  return arguments;
}

void check_fold(std::string_view source, const std::vector<std::vector<std::int64_t>>& sizes) {
  const ir::Function function = ir::parse(source);
  REQUIRE(cannot_emit(function).value_or("") == "");
  KernelRunner kernel(function);
  std::mt19937 random(1);
  for (const auto& size : sizes) {
    // (The last one is the largest, mostly.)
    if (!is_tried(static_cast<std::uint64_t>(&sizes.back() - &size), 4)) continue;
    const std::vector<ir::DenseValue> arguments = uneven_arguments(function, size, random);
    const ir::Evaluation expected = ir::evaluate(function, arguments);
    struct Way {
      std::int64_t unit, chunk;
    };
    const bool is_telling = &size == &sizes.back() || &size == &sizes[sizes.size() / 2];
    for (unsigned lanes : {1u, 4u, 8u, 32u}) {
      if (lanes != 8 && (!is_telling || (is_sanitized && lanes != 32))) continue;
      for (const auto& [unit, chunk] :
           {Way{64 * 64, 1 << 30}, Way{64 * 64, 2 * 64 * 64}, Way{64, 128}, Way{1, 320}}) {
        CAPTURE(lanes);
        CAPTURE(unit);
        CAPTURE(chunk);
        CAPTURE(size[0]);
        CAPTURE(function.name);
        const ir::Evaluation result =
            kernel.run(arguments, {.lanes = lanes, .chunk = chunk, .fold_unit = unit});
        if (!(result == expected)) REQUIRE(bits_of(result) == bits_of(expected));
      }
    }
    using Processor = RunnerOptions::Processor;
    if (is_telling && can_run(Processor::Avx2))
      CHECK(kernel.run(arguments, {.lanes = 8, .processor = Processor::Avx2}) == expected);
  }
}

} // namespace sinter::jit
