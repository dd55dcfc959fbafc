// Results that take the memory of arguments.
#include "tests/unit/jit_cpu_launch/launching.h"

#include <string>

using namespace sinter;
using namespace sinter::jit;
using namespace sinter::test;

namespace {

constexpr std::int64_t length = 100'003;

/// An array that is made of `xs`, and one of that, with a sum; `element` is what the second one
/// reads of the first at `i`.
std::string program(const std::string& element, const std::string& results,
                    const std::string& types) {
  return "fn f(n: i64, xs: [n]f32) -> (" + types + R"() {
  ys: [n]f32 = soac n (xs) { (j: i64, x: f32)
    y: f32 = add x 1f32
    yield y
  } map
  last: i64 = sub n 1i64
  zs: [n]f32, s: f32 = soac n () { (i: i64)
)" + element +
         R"(
    z: f32 = mul v 0.5f32
    yield z, v
  } map reduce (-f32.inf) { (a: f32, b: f32)
    c: f32 = max a b
    yield c
  }
  ret )" +
         results + "\n}";
}

/// Runs it with room for so many arrays in all, `xs` among them.
Outcome run(const std::string& text, unsigned threads, std::int64_t arrays) {
  // (Each compiled anew: how it is launched must not depend on launches before.)
  std::shared_ptr<Executable> executable = compile(text);
  static MemoryBudget memory;
  const Leaf xs = filled(memory, length, [](std::int64_t i) { return static_cast<float>(i); });
  constexpr std::size_t besides = 64 << 10;
  memory.set_limit(memory.in_use() +
                   static_cast<std::size_t>((arrays - 1) * length) * sizeof(float) + besides);
  Outcome outcome =
      executable->run({Scalar::of(length), xs}, {.memory = &memory, .threads = threads});
  memory.set_limit(SIZE_MAX);
  return outcome;
}

bool is_out_of_memory(const Outcome& outcome) {
  const auto* stopped = std::get_if<Stopped>(&outcome);
  return stopped && stopped->why == Stopped::Why::OutOfMemory;
}

} // namespace

TEST_CASE("an array that nobody needs any more gives its memory, also where it is folded") {
  const std::string text = program("v: f32 = index ys[i]", "zs, s", "[n]f32, f32");
  for (unsigned threads : {1u, 2u}) {
    const std::vector<Datum> results = results_of(run(text, threads, 2));
    const std::span<const float> zs = elements<float>(results[0]);
    bool is_right = true;
    for (std::int64_t i = 0; i < length; ++i)
      is_right = is_right && zs[static_cast<std::size_t>(i)] == static_cast<float>(i + 1) * 0.5F;
    CHECK(is_right);
    CHECK(std::get<Scalar>(results[1]).as<float>() == static_cast<float>(length));
  }
}

TEST_CASE("it does not where somebody needs it, or where other elements are read") {
  struct Case {
    std::string text;
    std::size_t result; ///< which one `zs` is
    float (*read)(float own, float opposite);
  };
  const std::string opposite = "h: i64 = sub last i\n u: f32 = index ys[h]\n";
  const Case cases[] = {
      {program("v: f32 = index ys[i]", "ys, zs, s", "[n]f32, [n]f32, f32"), 1,
       [](float own, float) { return own; }},
      {program(opposite + "v: f32 = add u 0f32", "zs, s", "[n]f32, f32"), 0,
       [](float, float other) { return other; }},
      {program(opposite + "w: f32 = index ys[i]\n v: f32 = sub u w", "zs, s", "[n]f32, f32"), 0,
       [](float own, float other) { return other - own; }},
  };
  for (const Case& one : cases) {
    CAPTURE(one.text);
    CHECK(is_out_of_memory(run(one.text, 2, 2)));
    const std::vector<Datum> results = results_of(run(one.text, 2, 3));
    const std::span<const float> zs = elements<float>(results[one.result]);
    bool is_right = true;
    for (std::int64_t i = 0; i < length; ++i) {
      const float v = one.read(static_cast<float>(i + 1), static_cast<float>(length - i));
      is_right = is_right && zs[static_cast<std::size_t>(i)] == v * 0.5F;
    }
    CHECK(is_right);
  }
}
