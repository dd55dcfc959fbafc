// Launches that are run together, against the same ones run one by one.
#include "jit/cpu/repeat.h"
#include "jit/ir/parse.h"
#include "jit/runtime/executable.h"
#include "jit/runtime/leaf_operations.h"
#include "tests/unit/jit_cpu_launch/cpu_backend.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::jit;
using namespace sinter::test;

namespace {

/// Steps whose first parameters are extents and `last`, the greatest index; then comes the number
/// of the step, and then arrays, of which the last ones are what the step before has made.
struct Step {
  const char* name;
  const char* text;
  int rank, arrays, fed;
};
constexpr Step steps[] = {
    {"clamped neighbours in a row",
     R"(fn f(n: i64, last: i64, t: i64, ws: [n]i32, xs: [n]i32) -> [n]i32 {
  ys: [n]i32 = soac n (ws) { (i: i64, w: i32)
    a: i64 = add i -1i64
    b: i64 = max a 0i64
    c: i64 = add i 2i64
    d: i64 = min last c
    x: i32 = index xs[b]
    y: i32 = index xs[d]
    z: i32 = mul x 3i32
    u: i32 = add z y
    v: i32 = xor u w
    k: i32 = convert t
    r: i32 = add v k
    yield r
  } map
  ret ys
})",
     1, 2, 1},
    {"rows above and below",
     R"(fn f(n: i64, m: i64, last: i64, t: i64, xs: [n][m]i32) -> [n][m]i32 {
  ys: [n][m]i32 = soac n () { (i: i64)
    a: i64 = sub i 1i64
    b: i64 = max 0i64 a
    c: i64 = add i 1i64
    d: i64 = min c last
    row: [m]i32 = soac m () { (j: i64)
      w: i64 = mul j j
      e: i64 = rem w m
      x: i32 = index xs[b, j]
      y: i32 = index xs[d, e]
      z: i32 = index xs[i, j]
      p: i32 = sub x y
      q: i32 = mul p 5i32
      s: i32 = xor q z
      yield s
    } map
    yield row
  } map
  ret ys
})",
     2, 1, 1},
    {"two fields",
     R"(fn f(n: i64, m: i64, last: i64, t: i64, us: [n][m]i32, vs: [n][m]i32) -> ([n][m]i32, [n][m]i32) {
  ps: [n][m]i32, qs: [n][m]i32 = soac n (us) { (i: i64, own: [m]i32)
    c: i64 = add i 3i64
    d: i64 = min c last
    p: [m]i32, q: [m]i32 = soac m (own) { (j: i64, u: i32)
      v: i32 = index vs[d, j]
      x: i32 = mul u 7i32
      y: i32 = add x v
      z: i32 = sub v u
      yield y, z
    } map map
    yield p, q
  } map map
  ret ps, qs
})",
     2, 2, 2},
};

/// Numbers that tell places apart.
Leaf numbers(MemoryBudget& memory, const Extents& extents, std::uint32_t seed) {
  Leaf leaf = allocate_leaf(memory, ElementType::I32, extents);
  auto* data = reinterpret_cast<std::uint32_t*>(leaf.buffer->overwrite());
  for (std::int64_t i = 0; i < element_count(extents); ++i)
    data[i] = (static_cast<std::uint32_t>(i) + seed) * 2654435761u;
  return leaf;
}

std::vector<Datum> first_arguments(MemoryBudget& memory, const Step& step, std::int64_t n) {
  Extents extents = {n};
  if (step.rank == 2) extents.push_back(37);
  std::vector<Datum> result;
  for (const std::int64_t extent : extents)
    result.emplace_back(Scalar::of(extent));
  result.emplace_back(Scalar::of(n - 1));
  result.emplace_back(Scalar::of(std::int64_t{0}));
  for (int i = 0; i < step.arrays; ++i)
    result.emplace_back(numbers(memory, extents, static_cast<std::uint32_t>(i) * 77u));
  return result;
}

/// Launches that each begin where the one before has ended.
Repetition repetition_of(std::vector<Datum> arguments, std::size_t fed, std::int64_t count) {
  Repetition result;
  result.count = static_cast<std::size_t>(count);
  for (std::size_t i = arguments.size() - fed; i < arguments.size(); ++i)
    result.fed.emplace_back(static_cast<std::uint32_t>(i));
  for (std::int64_t launch = 0; launch < count; ++launch) {
    std::int64_t left = 0;
    for (const Datum& argument : arguments)
      left += std::holds_alternative<Scalar>(argument);
    for (const Datum& argument : arguments)
      if (const auto* scalar = std::get_if<Scalar>(&argument))
        result.scalars.push_back(--left == 0 ? Scalar::of(launch) : *scalar);
  }
  result.arguments = std::move(arguments);
  return result;
}

Outcome one_by_one(Kernel& kernel, std::vector<Datum> arguments, std::size_t fed,
                   std::int64_t count, std::size_t number, const RunContext& context) {
  for (std::int64_t launch = 0; launch < count; ++launch) {
    arguments[number] = Scalar::of(launch);
    Outcome outcome = kernel.launch(arguments, context);
    if (std::holds_alternative<Stopped>(outcome)) return outcome;
    auto& results = std::get<std::vector<Datum>>(outcome);
    for (std::size_t i = 0; i < fed; ++i)
      arguments[arguments.size() - fed + i] = std::move(results[i]);
  }
  return std::vector<Datum>(arguments.end() - static_cast<std::ptrdiff_t>(fed), arguments.end());
}

bool are_equal(const Datum& a, const Datum& b) {
  const Leaf &x = std::get<Leaf>(a), &y = std::get<Leaf>(b);
  return x.extents == y.extents && is_row_major(x) && is_row_major(y) &&
         std::memcmp(first_element(x), first_element(y), content_bytes(x)) == 0;
}

std::shared_ptr<Kernel> kernel_of(const char* text, unsigned lanes = 0) {
  const ir::Function function = ir::parse(text);
  CompileOptions options;
  options.lanes = lanes;
  return backend().compile(function, ir::all_dense(function.body.parameters.size()), options);
}

} // namespace

TEST_CASE("launches run together give what they give one by one") {
  for (const Step& step : steps)
    for (const unsigned lanes : {0u, 1u}) {
      const std::shared_ptr<Kernel> kernel = kernel_of(step.text, lanes);
      const std::int64_t many = step.rank == 2 ? 1'500 : 9'001;
      for (const std::int64_t n : {std::int64_t{1}, std::int64_t{2}, std::int64_t{5},
                                   std::int64_t{130}, std::int64_t{400}, many})
        for (const std::int64_t count : {1, 2, 7, 40})
          for (const unsigned threads : {1u, 2u, 3u}) {
            if (step.rank == 2 && n > 1'000 && threads != 2) continue;
            CAPTURE(step.name);
            CAPTURE(n);
            CAPTURE(count);
            CAPTURE(threads);
            MemoryBudget memory;
            const RunContext context{.memory = &memory, .threads = threads};
            const auto fed = static_cast<std::size_t>(step.fed);
            const Outcome expected =
                one_by_one(*kernel, first_arguments(memory, step, n), fed, count,
                           static_cast<std::size_t>(step.rank) + 1, context);
            Repetition repetition = repetition_of(first_arguments(memory, step, n), fed, count);
            std::optional<Outcome> outcome = kernel->repeat(repetition, context);
            REQUIRE(outcome);
            REQUIRE(std::holds_alternative<std::vector<Datum>>(*outcome));
            const auto& results = std::get<std::vector<Datum>>(*outcome);
            for (std::size_t i = 0; i < fed; ++i)
              CHECK(are_equal(results[i], std::get<std::vector<Datum>>(expected)[i]));
          }
    }
}

TEST_CASE("what lies in no cache goes slab by slab, too") {
  const Step& step = steps[0];
  const std::shared_ptr<Kernel> kernel = kernel_of(step.text);
  for (const unsigned threads : {1u, 2u}) {
    MemoryBudget memory;
    const RunContext context{.memory = &memory, .threads = threads};
    const std::int64_t n = 1 << 20, count = 7;
    const Outcome expected =
        one_by_one(*kernel, first_arguments(memory, step, n), 1, count, 2, context);
    Repetition repetition = repetition_of(first_arguments(memory, step, n), 1, count);
    const std::optional<Outcome> outcome = kernel->repeat(repetition, context);
    REQUIRE(outcome);
    REQUIRE(std::holds_alternative<std::vector<Datum>>(*outcome));
    CHECK(are_equal(std::get<std::vector<Datum>>(*outcome)[0],
                    std::get<std::vector<Datum>>(expected)[0]));
  }
}

TEST_CASE("slabs of long rows fit the second cache") {
  constexpr std::int64_t megabyte = 1 << 20;
  for (const unsigned threads : {1u, 2u, 16u})
    for (const std::int64_t row_bytes : {12'288, 24'576, 49'152}) {
      const SlabPlan plan =
          plan_slabs({.rows = 4'096, .row_bytes = row_bytes, .reach = 1, .threads = threads});
      CHECK(plan.slabs > 1);
      CHECK(plan.slab_rows * row_bytes <= megabyte);
    }
}

TEST_CASE(
    "where launches read other memory each, slabs are long: one a thread needs, or the cache") {
  const SlabQuestion question{
      .rows = 262'144, .row_bytes = 12, .reach = 1, .multiple = 64, .reads_anew = true};
  CHECK(plan_slabs(question).slabs == 1);
  SlabQuestion of_two = question;
  of_two.threads = 2;
  CHECK(plan_slabs(of_two).slabs == 4);
  SlabQuestion large = question;
  large.rows = 4 << 20;
  const SlabPlan plan = plan_slabs(large);
  CHECK(plan.slab_rows * large.row_bytes <= 1 << 20);
  CHECK(plan.slab_rows * large.row_bytes >= 1 << 19);
  // What all of them read stays with a slab in the first cache.
  SlabQuestion again = question;
  again.reads_anew = false;
  CHECK(plan_slabs(again).slab_rows * again.row_bytes <= 48 << 10);
}

TEST_CASE("of launches run together the first failure counts") {
  // Numbers grow from launch to launch, from right to left; two checks fail in different places.
  const std::shared_ptr<Kernel> kernel =
      kernel_of(R"(fn f(n: i64, last: i64, t: i64, limits: [n]i64, xs: [n]i64) -> [n]i64 {
  ys: [n]i64 = soac n (limits) { (i: i64, limit: i64)
    c: i64 = add i 1i64
    d: i64 = min last c
    x: i64 = index xs[d]
    y: i64 = add x 1i64
    o: bool = lt t 1000i64
    check o, "never"
    p: bool = le y limit
    check p, "too much"
    q: bool = lt t limit
    check q, "too late"
    yield y
  } map
  ret ys
})");
  const std::int64_t n = 9'000, count = 60;
  for (const unsigned threads : {1u, 2u, 3u})
    for (const std::int64_t first : {0, 1, 200, 4'480, 4'500, 4'511, 8'999})
      for (const std::int64_t limit : {-5, 0, 1, 3, 17, 59}) {
        CAPTURE(threads);
        CAPTURE(first);
        CAPTURE(limit);
        MemoryBudget memory;
        const RunContext context{.memory = &memory, .threads = threads};
        const auto arguments = [&] {
          Leaf limits = allocate_leaf(memory, ElementType::I64, {n});
          Leaf zeros = allocate_leaf(memory, ElementType::I64, {n});
          for (std::int64_t i = 0; i < n; ++i) {
            // Farther right, what fails is a launch later.
            const bool is_limited = i == first || i == n - 2;
            const std::int64_t most = is_limited ? limit + (i == first ? 0 : 1) : 1'000;
            store_scalar(ElementType::I64, limits.buffer->overwrite(), i, Scalar::of(most));
            store_scalar(ElementType::I64, zeros.buffer->overwrite(), i,
                         Scalar::of(std::int64_t{0}));
          }
          return std::vector<Datum>{Scalar::of(n), Scalar::of(n - 1), Scalar::of(std::int64_t{0}),
                                    limits, zeros};
        };
        const Outcome expected = one_by_one(*kernel, arguments(), 1, count, 2, context);
        Repetition repetition = repetition_of(arguments(), 1, count);
        const std::optional<Outcome> outcome = kernel->repeat(repetition, context);
        REQUIRE(outcome);
        REQUIRE(std::holds_alternative<Stopped>(expected));
        REQUIRE(std::holds_alternative<Stopped>(*outcome));
        const Stopped &a = std::get<Stopped>(expected), &b = std::get<Stopped>(*outcome);
        CHECK(b.why == Stopped::Why::Failed);
        CHECK(b.site == a.site);
        CHECK(b.first_index == a.first_index);
      }
}

TEST_CASE("what others hold is not overwritten, and runs one by one") {
  const Step& step = steps[0];
  const std::shared_ptr<Kernel> kernel = kernel_of(step.text);
  MemoryBudget memory;
  const RunContext context{.memory = &memory};
  const std::vector<Datum> arguments = first_arguments(memory, step, 500);
  Repetition repetition = repetition_of(arguments, 1, 5);
  CHECK(!kernel->repeat(repetition, context));
  REQUIRE(repetition.arguments.size() == arguments.size());
  CHECK(are_equal(repetition.arguments.back(), arguments.back()));
}

TEST_CASE("how far a kernel reads") {
  const auto farthest_of = [](const std::string& index, std::int64_t bound) -> std::int64_t {
    const ir::Function function = ir::parse(
        "fn f(n: i64, b: i64, xs: [n]i32) -> [n]i32 { ys: [n]i32 = soac n () { (i: i64) " + index +
        " y: i32 = index xs[p] yield y } map ret ys }");
    const std::optional<Reach> reach = reaches(function)[2];
    if (!reach) return -1;
    const std::vector<std::uint64_t> scalars = {100, static_cast<std::uint64_t>(bound), 0};
    return farthest(*reach, 100, scalars);
  };
  CHECK(farthest_of("p: i64 = add i 0i64", 0) == 0);
  CHECK(farthest_of("p: i64 = add i -3i64", 0) == 3);
  CHECK(farthest_of("p: i64 = sub i 5i64", 0) == 5);
  CHECK(farthest_of("q: i64 = add i 4i64 p: i64 = sub q 6i64", 0) == 2);
  CHECK(farthest_of("q: i64 = add i 1i64 p: i64 = min q b", 99) == 1);
  CHECK(farthest_of("q: i64 = add i 1i64 p: i64 = min b q", 90) == 9);
  CHECK(farthest_of("q: i64 = add i -1i64 p: i64 = max q 0i64", 0) == 1);
  CHECK(farthest_of("q: i64 = add i -1i64 p: i64 = max q b", 7) == 7);
  CHECK(farthest_of("q: i64 = min i b p: i64 = add q 2i64", 99) == 2);
  CHECK(farthest_of("q: i64 = min i b p: i64 = add q -2i64", 98) == 3);
  CHECK(farthest_of("p: i64 = mul i 1i64", 0) == -1);
  CHECK(farthest_of("q: i64 = add i 1i64 p: i64 = rem q n", 0) == -1);
  CHECK(farthest_of("p: i64 = add i b", 1) == -1);
  CHECK(farthest_of("p: i64 = min b n", 1) == -1);
  CHECK(farthest_of("p: i64 = add i 9223372036854775807i64", 0) == -1);
}

TEST_CASE("slabs cover all rows, and are longer than what a block leaves out of them") {
  constexpr unsigned reads_anew = 1u << 31;
  for (const std::int64_t rows : {1, 2, 63, 64, 65, 128, 1'000, 4'096, 100'000})
    for (const std::int64_t row_bytes : {1, 12, 1'500, 50'000, 3'000'000})
      for (const std::int64_t reach :
           {std::int64_t{0}, std::int64_t{1}, std::int64_t{3}, std::int64_t{40}, rows})
        for (const std::int64_t multiple : {1, 64})
          for (const unsigned threads : {1u, 2u, 64u, 1u | reads_anew, 2u | reads_anew}) {
            const SlabPlan plan = plan_slabs({.rows = rows,
                                              .row_bytes = row_bytes,
                                              .reach = reach,
                                              .multiple = multiple,
                                              .threads = threads & ~reads_anew,
                                              .reads_anew = (threads & reads_anew) != 0});
            CHECK(plan.begin(0) == 0);
            CHECK(plan.end(plan.slabs - 1) == rows);
            CHECK(plan.skew >= reach);
            if (plan.slabs == 1) continue;
            CHECK(plan.block >= 2);
            for (std::int64_t slab = 0; slab < plan.slabs; ++slab) {
              CHECK(plan.end(slab) - plan.begin(slab) >= 2 * plan.block * plan.skew);
              CHECK(plan.begin(slab) % multiple == 0);
            }
          }
}
