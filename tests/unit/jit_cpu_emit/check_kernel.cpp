#include "check_kernel.h"

#include "jit/ir/parse.h"
#include "kernel_runner.h"
#include "lang/values/scalar.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <ostream>
#include <random>
#include <string>

namespace sinter::jit {

namespace {

/// Deterministic small numbers: reductions of floats are exact, so any order gives the same.
Scalar small_number(ElementType element, std::mt19937& random) {
  const int number = static_cast<int>(random() % 17) - 5;
  return with_cpp_type(element, [&]<typename T>() {
    if constexpr (std::is_same_v<T, bool>)
      return Scalar::of((number & 1) != 0);
    else
      return Scalar::of(static_cast<T>(number));
  });
}

} // namespace

std::vector<ir::DenseValue> arguments_for(const ir::Function& function,
                                          std::vector<std::int64_t> sizes, std::mt19937& random) {
  std::vector<ir::DenseValue> arguments;
  std::size_t next = 0;
  const auto size = [&](const ir::Operand& extent) {
    if (extent.is_constant()) return extent.scalar().as<std::int64_t>();
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (function.body.parameters[i] == extent.value())
        return std::get<Scalar>(arguments[i]).as<std::int64_t>();
    FAIL("an extent that is no parameter");
    return std::int64_t{0};
  };
  for (const ir::ValueId parameter : function.body.parameters) {
    const ir::Type& type = function.type(parameter);
    if (type.is_scalar()) {
      arguments.push_back(type.element == ElementType::I64 && next < sizes.size()
                              ? Scalar::of(sizes[next++])
                              : small_number(type.element, random));
      continue;
    }
    ir::DenseArray array{type.element, {}, {}};
    std::int64_t count = 1;
    for (const ir::Operand& extent : type.extents) {
      array.extents.push_back(size(extent));
      count *= array.extents.back();
    }
    for (std::int64_t i = 0; i < count; ++i)
      array.elements.push_back(small_number(type.element, random));
    arguments.push_back(std::move(array));
  }
  return arguments;
}

std::string text_of(const ir::Evaluation& evaluation) {
  if (const auto* site = std::get_if<std::uint32_t>(&evaluation))
    return "failure " + std::to_string(*site);
  std::string text;
  for (const ir::DenseValue& datum : std::get<0>(evaluation)) {
    if (const auto* scalar = std::get_if<Scalar>(&datum)) {
      text += std::to_string(scalar->bits) + "; ";
      continue;
    }
    const auto& array = std::get<ir::DenseArray>(datum);
    text += "[";
    for (std::int64_t extent : array.extents)
      text += std::to_string(extent) + " ";
    text += "]";
    for (std::size_t i = 0; i < array.elements.size() && i < 40; ++i)
      text += print(array.element, array.elements[i], false) + " ";
    text += "; ";
  }
  return text;
}

void check_kernel(std::string_view source, const std::vector<std::vector<std::int64_t>>& sizes) {
  const ir::Function function = ir::parse(source);
  REQUIRE(cannot_emit(function).value_or("") == "");
  KernelRunner kernel(function);
  std::mt19937 random(1);
  for (const auto& size : sizes) {
    // (The last one is the largest, mostly.)
    if (!is_tried(static_cast<std::uint64_t>(&sizes.back() - &size), 4)) continue;
    const std::vector<ir::DenseValue> arguments = arguments_for(function, size, random);
    const ir::Evaluation expected = ir::evaluate(function, arguments);
    for (std::int64_t chunk : {std::int64_t{1} << 30, std::int64_t{37}, std::int64_t{1}}) {
      CAPTURE(chunk);
      const ir::Evaluation result = kernel.run(arguments, {.chunk = chunk, .plain = true});
      if (!(result == expected)) CHECK(text_of(result) == text_of(expected));
    }
    {
      // (What runs here may have more instructions.)
      const ir::Evaluation result = kernel.run(
          arguments, {.lanes = 8, .chunk = 37, .processor = RunnerOptions::Processor::Avx2});
      if (!(result == expected)) CHECK(text_of(result) == text_of(expected));
    }
    for (unsigned lanes : {1u, 4u, 16u})
      for (std::int64_t chunk : {std::int64_t{1} << 30, std::int64_t{37}})
        for (bool strided : {false, true}) {
          if (strided && (chunk == 37 || lanes == 4)) continue;
          if (is_sanitized && (lanes == 4 || (strided && lanes == 1))) continue;
          CAPTURE(lanes);
          CAPTURE(chunk);
          CAPTURE(strided);
          CAPTURE(size[0]);
          CAPTURE(function.name);
          for (bool streamed : {false, true}) {
            if (streamed && (lanes != 16 || strided || is_sanitized)) continue;
            CAPTURE(streamed);
            const ir::Evaluation result = kernel.run(
                arguments,
                {.lanes = lanes, .chunk = chunk, .strided = strided, .streamed = streamed});
            if (!(result == expected)) CHECK(text_of(result) == text_of(expected));
          }
        }
  }
}

} // namespace sinter::jit
