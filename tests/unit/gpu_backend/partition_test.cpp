// Partitions by kinds by a device's own skeleton: the host's bits and order, whatever the order of
// blocks.
#include "both_places.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::test;

namespace {

/// By `kinds`, a constant or `m`, which is that number then: two arrays beside a map.
std::string partition_by(const std::string& kinds, const std::string& element) {
  return "fn f(n: i64, m: i64, js: [n]i64, xs: [n]" + element + ") -> ([" + kinds + "]i64, [n]" +
         element + ", [n]i64, [n]i64) {\n  c: [" + kinds + "]i64, r: [n]" + element +
         ", s: [n]i64, t: [n]i64 = soac n (js, xs) { (i: i64, j: i64, x: " + element +
         ")\n    k: i32 = convert j\n    t1: i64 = add i j\n    yield k, x, i, t1\n  } partition " +
         kinds + (kinds == "m" ? "" : "i64") + " 2 map\n  ret c, r, s, t\n}";
}

std::vector<ir::DenseValue> arguments(std::int64_t count, std::int64_t kinds, ElementType element,
                                      const Element& kind, const Element& value) {
  generate::Random random(static_cast<std::uint64_t>(count + kinds));
  return {Scalar::of(count), Scalar::of(kinds), array_of(ElementType::I64, {count}, random, kind),
          array_of(element, {count}, random, value)};
}

const std::vector<std::int64_t> counts = {0, 1, 31, 32, 33, 1000, 1025, 5000};
/// More than one chunk for each warp that the device has at once.
const std::int64_t many = is_sanitized ? 40'000 : 150'001;

Scalar any_bool(generate::Random& random, std::int64_t) {
  return Scalar::of(random.below(2) == 1);
}
Scalar any_i16(generate::Random& random, std::int64_t) {
  return Scalar::of(static_cast<std::int16_t>(random.below(60'000)));
}

} // namespace

TEST_CASE("a device partitions elements by kinds as the host does") {
  struct Case {
    const char* kinds;
    std::int64_t number;
    const char* element;
    ElementType type;
    Element value;
  };
  const Case cases[] = {{"1", 1, "f32", ElementType::F32, any_float},
                        {"2", 2, "i16", ElementType::I16, any_i16},
                        {"16", 16, "bool", ElementType::Bool, any_bool},
                        {"256", 256, "f32", ElementType::F32, any_float},
                        {"5000", 5000, "i64", ElementType::I64, below(1 << 30)},
                        {"m", 300, "f32", ElementType::F32, any_float}};
  for (const Case& one : cases)
    for (const std::uint64_t seed : {0, 3}) {
      if (!is_tried(seed)) continue;
      CAPTURE(one.kinds);
      const Both both(partition_by(one.kinds, one.element), mixed_up(seed));
      for (const std::int64_t count : counts)
        both.check(arguments(count, one.number, one.type, below(one.number), one.value));
      CHECK(both.ways() == std::vector<std::string>{"partition"});
    }
}

TEST_CASE("elements of many chunks, of which all, few or neighbours are of one kind") {
  const Both both(partition_by("256", "f32"), mixed_up(5));
  const Element patterns[] = {below(256),
                              [](auto&, std::int64_t) { return Scalar::of(std::int64_t{255}); },
                              [](auto&, std::int64_t i) { return Scalar::of(i % 256); },
                              [](auto&, std::int64_t i) { return Scalar::of(i / 1000 % 3 * 100); }};
  for (const Element& kind : patterns)
    both.check(arguments(many, 0, ElementType::F32, kind, any_float));
  const Both far(partition_by("m", "f32"), mixed_up(6));
  far.check(arguments(many, 70, ElementType::F32, below(70), any_float));
}

TEST_CASE("elements whose body is long are stored before they are partitioned") {
  const Both both(R"(fn f(n: i64, xs: [n]i64) -> ([8]i64, [n]i64) {
  c: [8]i64, r: [n]i64 = soac n (xs) { (i: i64, x: i64)
    y: i64 = for x (i) { (j: i64, a: i64)
      b: i64 = mul a 5i64
      d: i64 = add b j
      yield d
    }
    z: i64 = and y 7i64
    k: i32 = convert z
    yield k, y
  } partition 8i64 1
  ret c, r
})");
  generate::Random random(1);
  for (const std::int64_t count : counts)
    both.check({Scalar::of(count), array_of(ElementType::I64, {count}, random, below(20))});
  // (What has been taken apart is there, too, and no kernel of the device's.)
  CHECK(both.ways() == std::vector<std::string>{"", "map", "partition"});
}

TEST_CASE("a check that fails where elements are counted is the host's") {
  const std::string text = R"(fn f(n: i64, xs: [n]i64) -> ([8]i64, [n]i64) {
  c: [8]i64, r: [n]i64 = soac n (xs) { (i: i64, x: i64)
    is_near: bool = lt x 1990i64
    check is_near, "far"
    z: i64 = and x 7i64
    k: i32 = convert z
    yield k, x
  } partition 8i64 1
  ret c, r
})";
  const DevicePlace emulated(mixed_up(2));
  const auto there = emulated.executable(ir::parse(text));
  MemoryBudget memory;
  jit::RunContext context{.memory = &memory};
  for (const std::int64_t count : {100, 2500}) {
    generate::Random random(1);
    const std::vector<ir::DenseValue> given = {
        Scalar::of(count), array_of(ElementType::I64, {count}, random,
                                    [](auto&, std::int64_t i) { return Scalar::of(i); })};
    const jit::Outcome outcome =
        there->run(to_leaves(there->function(), given, memory, Arrangement::Dense), context);
    const auto* stopped = std::get_if<jit::Stopped>(&outcome);
    REQUIRE((stopped != nullptr) == (count > 1990));
    if (stopped) CHECK(stopped->site == 0);
  }
}
