// Every scalar primitive as emitted, against the table's meaning, on the numbers that matter.
#include "lang/primitives/primitives.h"
#include "jit/ir/parse.h"
#include "kernel_runner.h"
#include "numbers_that_matter.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <random>
#include <sstream>

using namespace sinter;
using namespace sinter::jit;

namespace {

/// A map whose results are the primitives of the operand type, all at once.
struct Sample {
  ir::Function function;
  std::vector<const primitives::Primitive*> primitives;
};
Sample sample_of(ElementType element) {
  Sample sample;
  ir::Function& f = sample.function;
  f.name = "sample";
  const ir::ValueId n = f.add_value({ElementType::I64, {}}, "n");
  f.body.parameters.push_back(n);
  ir::Soac soac;
  soac.extent = n;
  soac.body.parameters.push_back(f.add_value({ElementType::I64, {}}, "i"));
  for (const ElementType type : {element, element, element, ElementType::I32}) {
    const ir::ValueId input = f.add_value({type, {n}});
    f.body.parameters.push_back(input);
    soac.inputs.push_back(input);
    soac.body.parameters.push_back(f.add_value({type, {}}));
  }
  ir::Statement statement;
  for (const primitives::Primitive& primitive : primitives::all_primitives()) {
    if (primitive.operand != element) continue;
    sample.primitives.push_back(&primitive);
    ir::Primitive op{&primitive, {}};
    for (std::size_t i = 0; i < primitive.arity; ++i) {
      const bool is_exponent = primitive.operation == primitives::Operation::LoadExponent && i == 1;
      op.arguments.push_back(soac.body.parameters[is_exponent ? 4 : i + 1]);
    }
    const ir::ValueId result = f.add_value({primitive.result, {}});
    soac.body.statements.push_back({{result}, op, {}});
    soac.body.results.push_back(result);
    soac.groups.emplace_back(ir::MapGroup{});
    statement.results.push_back(f.add_value({primitive.result, {n}}));
    f.body.results.push_back(statement.results.back());
  }
  statement.operation = std::move(soac);
  f.body.statements.push_back(std::move(statement));
  return sample;
}

} // namespace

TEST_CASE("each primitive has the table's meaning") {
  std::uint64_t place = 0;
  for (const ElementType element : all_element_types) {
    if (!is_tried(place++, 5)) continue;
    const Sample sample = sample_of(element);
    const std::vector<Scalar> numbers = numbers_that_matter(element);
    std::mt19937 random(3);
    ir::DenseArray a{element, {}, {}}, b = a, c = a, e{ElementType::I32, {}, {}};
    for (const Scalar x : numbers)
      for (const Scalar y : numbers) {
        a.elements.push_back(x);
        b.elements.push_back(y);
        c.elements.push_back(numbers[random() % numbers.size()]);
        e.elements.push_back(Scalar::of(static_cast<std::int32_t>(random() % 400) - 200));
      }
    std::mt19937_64 bits(4);
    const auto any_number = [&] {
      return with_cpp_type(element, [&]<typename T>() {
        if constexpr (std::is_same_v<T, bool>) return Scalar::of(bits() % 2 == 0);
        const T number = Scalar{bits() >> (64 - 8 * sizeof(T))}.as<T>();
        // (Of several NaNs, which one a result is depends on how code is generated.)
        return Scalar::of(number == number ? number : static_cast<T>(NAN));
      });
    };
    for (int i = 0; i < 2000; ++i) {
      a.elements.push_back(any_number());
      b.elements.push_back(any_number());
      c.elements.push_back(any_number());
      e.elements.push_back(Scalar::of(static_cast<std::int32_t>(random() % 4000) - 2000));
    }
    const auto n = static_cast<std::int64_t>(a.elements.size());
    for (ir::DenseArray* array : {&a, &b, &c, &e})
      array->extents = {n};
    struct Way {
      unsigned lanes;
      RunnerOptions::Processor processor;
    };
    using enum RunnerOptions::Processor;
    for (const auto [lanes, processor] :
         {Way{1, Host}, Way{4, Host}, Way{8, Avx2}, Way{16, Host}, Way{4, Sse2}}) {
      const ir::Evaluation evaluation = run_kernel(sample.function, {Scalar::of(n), a, b, c, e},
                                                   {.lanes = lanes, .processor = processor});
      const auto& results = std::get<std::vector<ir::DenseValue>>(evaluation);
      for (std::size_t p = 0; p < sample.primitives.size(); ++p) {
        const primitives::Primitive& primitive = *sample.primitives[p];
        const bool takes_exponent = primitive.operation == primitives::Operation::LoadExponent;
        const auto& values = std::get<ir::DenseArray>(results[p]).elements;
        int wrong = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
          const Scalar second = takes_exponent ? e.elements[i] : b.elements[i];
          const Scalar expected = primitive.apply(a.elements[i], second, c.elements[i]);
          if (values[i] == expected) continue;
          // Which NaN an operation gives is left open, except where bits are the result.
          if (is_float(primitive.result) && is_nan(primitive.result, values[i]) &&
              is_nan(primitive.result, expected))
            continue;
          if (++wrong > 3) continue;
          CAPTURE(primitive.name);
          const unsigned width = lanes;
          CAPTURE(width);
          CAPTURE(print(element, a.elements[i]));
          CAPTURE(print(takes_exponent ? ElementType::I32 : element, second));
          CAPTURE(print(element, c.elements[i]));
          CHECK(print(primitive.result, values[i]) == print(primitive.result, expected));
        }
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("no primitive calls anything outside of the module") {
  for (const ElementType element : all_element_types)
    for (const unsigned lanes : {1u, 8u}) {
      std::istringstream code(kernel_text(sample_of(element).function, {.lanes = lanes}));
      for (std::string line; std::getline(code, line);)
        if (line.starts_with("declare") || line.find(" external ") != std::string::npos) {
          const bool is_memory = line.find("@sinter_arena_") != std::string::npos;
          CAPTURE(line);
          CHECK((is_memory || line.find("@llvm.") != std::string::npos));
        }
    }
}

namespace {

/// Whether the operation has the table's meaning on all those numbers where each of the others is a
/// constant on its right.
void check_with_constants(const primitives::Primitive& primitive,
                          const std::vector<Scalar>& numbers,
                          const std::vector<Scalar>& constants) {
  const ElementType element = primitive.operand;
  ir::Function f;
  f.name = "constants";
  const ir::ValueId n = f.add_value({ElementType::I64, {}}, "n");
  const ir::ValueId xs = f.add_value({element, {n}});
  f.body.parameters = {n, xs};
  ir::Soac soac;
  soac.extent = n;
  soac.inputs = {xs};
  const ir::ValueId x = f.add_value({element, {}});
  soac.body.parameters = {f.add_value({ElementType::I64, {}}, "i"), x};
  ir::Statement statement;
  for (const Scalar constant : constants) {
    const ir::ValueId result = f.add_value({element, {}});
    ir::Primitive op{&primitive, {x, ir::Operand::constant(element, constant)}};
    soac.body.statements.push_back({{result}, std::move(op), {}});
    soac.body.results.push_back(result);
    soac.groups.emplace_back(ir::MapGroup{});
    statement.results.push_back(f.add_value({element, {n}}));
  }
  f.body.results.assign(statement.results.begin(), statement.results.end());
  statement.operation = std::move(soac);
  f.body.statements.push_back(std::move(statement));

  const auto count = static_cast<std::int64_t>(numbers.size());
  const ir::DenseArray inputs{element, {count}, numbers};
  struct Way {
    unsigned lanes;
    RunnerOptions::Processor processor;
  };
  using enum RunnerOptions::Processor;
  for (const auto [lanes, processor] : {Way{1, Host}, Way{8, Host}, Way{8, Avx2}}) {
    CAPTURE(lanes);
    const ir::Evaluation evaluation =
        run_kernel(f, {Scalar::of(count), inputs}, {.lanes = lanes, .processor = processor});
    const auto& results = std::get<std::vector<ir::DenseValue>>(evaluation);
    for (std::size_t c = 0; c < constants.size(); ++c)
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const Scalar found = std::get<ir::DenseArray>(results[c]).elements[i];
        const Scalar expected = primitive.apply(numbers[i], constants[c], {});
        if (is_nan(element, found) && is_nan(element, expected)) continue;
        if (found == expected) continue;
        CAPTURE(primitive.name);
        CAPTURE(print(element, numbers[i]));
        CAPTURE(print(element, constants[c]));
        CHECK(print(element, found) == print(element, expected));
      }
  }
}

} // namespace

TEST_CASE("a power with a constant exponent has the table's meaning") {
  std::uint64_t place = 0;
  for (const ElementType element : all_element_types)
    if (const auto* const power = primitives::find(primitives::Operation::Power, element);
        power && is_tried(place++, 4))
      check_with_constants(*power, numbers_that_matter(element), numbers_that_matter(element));
}

TEST_CASE("the lesser and greater of a number and a constant have the table's meaning") {
  using enum primitives::Operation;
  for (const ElementType element : {ElementType::F16, ElementType::F32, ElementType::F64})
    for (const auto operation : {Minimum, Maximum})
      check_with_constants(*primitives::find(operation, element), numbers_that_matter(element),
                           numbers_that_matter(element));
}

TEST_CASE("the greater of a number and zero is one instruction") {
  const auto text = [](const std::string& operation, const std::string& bound) {
    return kernel_text(ir::parse("fn f(n: i64, xs: [n]f32) -> [n]f32 { ys: [n]f32 = soac n (xs) { "
                                 "(i: i64, x: f32) y: f32 = " +
                                 operation + " x " + bound + " yield y } map ret ys }"),
                       {.lanes = 8});
  };
  const auto has = [](const std::string& code, const char* part) {
    return code.find(part) != std::string::npos;
  };
  for (const auto& [operation, bound] :
       {std::pair("max", "0f32"), {"max", "-1f32"}, {"min", "1f32"}, {"min", "-0f32"}}) {
    CAPTURE(operation);
    CAPTURE(bound);
    CHECK(!has(text(operation, bound), "fcmp oeq"));
    CHECK(!has(text(operation, bound), "fcmp uno"));
  }
  // Of zeros it is the one with the sign, which is seen by their bits, or by an instruction.
  for (const auto& [operation, bound] : {std::pair("min", "0f32"), {"max", "-0f32"}}) {
    const std::string code = text(operation, bound);
    CHECK((has(code, "fcmp oeq") || has(code, "avx512.mask.range")));
  }
}

TEST_CASE("a division by a constant has the table's meaning") {
  using enum primitives::Operation;
  std::uint64_t place = 0;
  for (const ElementType element : all_element_types) {
    if (element == ElementType::Bool || is_float(element) || !is_tried(place++)) continue;
    std::vector<Scalar> divisors = numbers_that_matter(element);
    // Beside multiples, where quotients are nearly whole.
    std::vector<Scalar> numbers = with_cpp_type(element, [&]<typename T>() {
      std::vector<Scalar> result = divisors;
      std::mt19937_64 random(5);
      for (const Scalar divisor : divisors)
        for (unsigned shift = 0; shift < 64; shift += 3)
          for (const std::uint64_t rest : {0, 1, -1}) {
            const auto by = static_cast<std::uint64_t>(divisor.as<T>());
            const std::uint64_t near = (std::uint64_t{1} << 50) / std::max<std::uint64_t>(by, 1);
            result.push_back(Scalar::of(static_cast<T>(by * (random() >> shift) + rest)));
            result.push_back(Scalar::of(static_cast<T>(by * (near - shift / 3) + rest)));
          }
      return result;
    });
    for (const auto operation : {Divide, Modulo, Quotient, Remainder})
      if (const auto* const division = primitives::find(operation, element))
        check_with_constants(*division, numbers, divisors);
  }
}

TEST_CASE("whole constant exponents are products in the code") {
  const auto text = [](const std::string& type, const std::string& exponent) {
    const ir::Function function =
        ir::parse("fn f(n: i64, xs: [n]" + type + ") -> [n]" + type + " { ys: [n]" + type +
                  " = soac n (xs) { (i: i64, x: " + type + ") y: " + type + " = pow x " + exponent +
                  type + " yield y } map ret ys }");
    return kernel_text(function, {.lanes = 4});
  };
  const auto has = [](const std::string& code, const char* part) {
    return code.find(part) != std::string::npos;
  };
  CHECK(has(text("f64", "2.5"), "fdiv")); // of the logarithm
  for (const char* exponent : {"0.0", "2.0", "3.0", "8.0"}) {
    const std::string code = text("f64", exponent);
    CHECK_FALSE(has(code, "fdiv"));
    CHECK_FALSE(has(code, "seldom"));
  }
  for (const char* exponent : {"2", "3", "1000"}) {
    const std::string code = text("i32", exponent);
    CHECK(has(code, "mul <4 x i32>"));
    CHECK_FALSE(has(code, "square"));
  }
}
