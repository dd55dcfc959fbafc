// Folds, scans and filters that read 16 bytes of a stream at once: the bits of those that cannot,
// wherever the stream begins, and the least index of what fails in the middle of an access.
#include "both_places.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::test;

namespace {

struct WideCase {
  std::string way, text;
  ElementType element;
  Element make;
};

std::string with_operator(const std::string& type, const std::string& kind,
                          const std::string& result) {
  return "fn f(n: i64, xs: [n]" + type + ") -> " + result + " {\n  s: " + result +
         " = soac n (xs) { (i: i64, x: " + type + ")\n    y: " + type +
         " = mul x x\n    yield y\n  } " + kind + " (0" + type + ") { (a: " + type +
         ", b: " + type + ")\n    c: " + type + " = add a b\n    yield c\n  }\n  ret s\n}";
}

Scalar any_i32(generate::Random& random, std::int64_t) {
  return Scalar::of(static_cast<std::int32_t>(random.below(1000)));
}
Scalar any_u8(generate::Random& random, std::int64_t) {
  return Scalar::of(static_cast<std::uint8_t>(random.below(256)));
}
Scalar any_f64(generate::Random& random, std::int64_t i) {
  return Scalar::of(static_cast<double>(any_float(random, i).as<float>()) / 7.0);
}

const std::vector<WideCase>& wide_cases() {
  static const std::vector<WideCase> cases = {
      {"reduce", with_operator("i32", "reduce", "i32"), ElementType::I32, any_i32},
      {"reduce", with_operator("u8", "reduce", "u8"), ElementType::U8, any_u8},
      {"reduce_by_rows", with_operator("f32", "reduce", "f32"), ElementType::F32, any_float},
      {"reduce_by_rows", with_operator("f64", "reduce", "f64"), ElementType::F64, any_f64},
      {"scan", with_operator("i32", "scan", "[n]i32"), ElementType::I32, any_i32},
      {"scan_by_rows", with_operator("f32", "scan", "[n]f32"), ElementType::F32, any_float},
      {"filter", R"(fn f(n: i64, xs: [n]i32) -> (i64, [k]i32, [k]i64) {
  k: i64, ks: [k]i32, is: [k]i64 = soac n (xs) { (i: i64, x: i32)
    c: bool = lt x 500i32
    yield c, x, i
  } filter 2
  ret k, ks, is
})",
       ElementType::I32, any_i32},
  };
  return cases;
}

} // namespace

TEST_CASE("streams are read by 16 bytes or one by one, with the same bits") {
  for (const WideCase& one : wide_cases()) {
    CAPTURE(one.way);
    const Both both(one.text);
    generate::Random random(2);
    const ir::DenseValue array = array_of(one.element, {30000}, random, one.make);
    for (const std::int64_t n : {3, 64, 1000, 4096, 8195, 29990})
      for (const std::int64_t begin : {0, 1, 4, 7}) {
        CAPTURE(n);
        CAPTURE(begin);
        check_slice(*both.on_device, *both.on_host, array, begin, n);
      }
    CHECK(both.emulated.backend->launches_by_host() == 0);
    CHECK(both.ways() == std::vector<std::string>{one.way});
  }
}

TEST_CASE("a check that fails in the middle of 16 bytes tells its own index") {
  for (const char* type : {"i32", "f32"}) {
    const std::string name = type;
    std::string text = with_operator(name, "reduce", name);
    text.replace(text.find("    y: "), 0,
                 "    is: bool = lt x 5" + name + "\n    check is, \"large\"\n");
    const Both both(text);
    MemoryBudget memory;
    jit::RunContext context{.memory = &memory};
    for (const std::int64_t wrong : {0, 1, 6, 1023, 4098}) {
      ir::DenseArray numbers{name == "i32" ? ElementType::I32 : ElementType::F32, {5000}, {}};
      for (std::int64_t i = 0; i < 5000; ++i) {
        const int number = i == wrong || i == wrong + 1 || i == 4999 ? 9 : 1;
        numbers.elements.push_back(name == "i32" ? Scalar::of(std::int32_t{number})
                                                 : Scalar::of(static_cast<float>(number)));
      }
      const jit::Outcome outcome = both.on_device->run(
          to_leaves(both.on_device->function(), {Scalar::of(std::int64_t{5000}), numbers}, memory,
                    Arrangement::Dense),
          context);
      REQUIRE(std::holds_alternative<jit::Stopped>(outcome));
      CHECK(std::get<jit::Stopped>(outcome).first_index == wrong);
    }
  }
}
