// Work that goes by pieces: bits, sizes, what is compiled when, memory that is short,
// interruptions.
#include "jit/passes/pipeline.h"
#include "jit/passes/streams.h"
#include "lang/base/interrupt.h"
#include "lang/primitives/fold_order.h"
#include "tests/generate/ir/soac_chain.h"
#include "tests/unit/jit_cpu_launch/launching.h"
#include "tests/unit/sanitized.h"

#include <chrono>
#include <thread>

using namespace sinter;
using namespace sinter::jit;
using namespace sinter::test;

namespace {

constexpr std::string_view filter_scan_reduce = R"(fn f(n: i64, xs: [n]i64) -> (i64, i64) {
  m: i64, ys: [m]i64 = soac n (xs) { (i: i64, x: i64)
    y: i64 = and x 3i64
    p: bool = ne y 0i64
    yield p, x
  } filter 1
  r: i64 = soac m (ys) { (j: i64, z: i64)
    w: i64 = add z j
    yield w, z
  } scan (0i64) { (a: i64, b: i64)
    c: i64 = add a b
    yield c
  } post 1 { (k: i64, s: i64, u: i64)
    v: i64 = xor s u
    yield v
  } reduce (0i64) { (d: i64, e: i64)
    f: i64 = xor d e
    yield f
  } end
  ret m, r
})";

std::shared_ptr<Executable> streamed(std::string_view text, CompileOptions options = {}) {
  ir::Function function = ir::parse(text);
  write_streams(function);
  return make_executable(std::move(function), backend(), options);
}

std::int64_t element(std::int64_t i) {
  return (i * 7919 + 11) % 100'003;
}

/// What the function gives for `element(0)`, `element(1)`, ….
std::pair<std::int64_t, std::int64_t> expected(std::int64_t n) {
  std::int64_t kept = 0, prefix = 0, result = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t x = element(i);
    if ((x & 3) == 0) continue;
    prefix += x + kept++;
    result ^= prefix ^ x;
  }
  return {kept, result};
}

ir::DenseValue some_numbers(std::int64_t count, std::int64_t step) {
  ir::DenseArray array{ElementType::I64, {count}, {}};
  for (std::int64_t i = 0; i < count; ++i)
    array.elements.push_back(Scalar::of(i * step % 1001 - 400));
  return array;
}

/// Whether what `function` was compiled to gives for `n` elements what the evaluator makes of the
/// chain as it was.
void check_chain(const ir::Function& original, const ir::Function& function, Executable& executable,
                 std::int64_t n, unsigned threads) {
  const std::vector<ir::DenseValue> arguments = {Scalar::of(n), some_numbers(n, 7919),
                                                 some_numbers(n, 104'729), some_numbers(5, 31)};
  MemoryBudget memory;
  const RunContext context{.memory = &memory, .threads = threads};
  const std::vector<Datum> results = results_of(
      executable.run(to_leaves(function, arguments, memory, Arrangement::Dense), context));
  CHECK(from_leaves(results) ==
        std::get<std::vector<ir::DenseValue>>(ir::evaluate(original, arguments)));
}

/// Sums of floats along the way, whose bits show the order.
constexpr std::string_view float_chain = R"(fn f(n: i64, xs: [n]f32) -> (f32, f32, f64) {
  ss: [n]f32 = soac n (xs) { (i: i64, x: f32)
    yield x
  } scan (0f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  }
  ms: [n]f32 = soac n (xs) { (i2: i64, x2: f32)
    h: f32 = mul x2 x2
    yield h
  } scan (-f32.inf) { (a2: f32, b2: f32)
    c2: f32 = max a2 b2
    yield c2
  }
  q: f32, t: f32, w: f64 = soac n (ss, ms, xs) { (j: i64, s: f32, m: f32, y: f32)
    u: f32 = mul s m
    v: f32 = add u y
    z: f64 = convert v
    yield v, y, z
  } reduce (0f32) { (a3: f32, b3: f32)
    c3: f32 = add a3 b3
    yield c3
  } reduce (1f32) { (a4: f32, b4: f32)
    c4: f32 = sub a4 b4
    yield c4
  } reduce (0f64) { (a5: f64, b5: f64)
    c5: f64 = add a5 b5
    yield c5
  }
  ret q, t, w
})";

float some_float(std::int64_t i) {
  return static_cast<float>(element(i) % 2003 - 700) / 7;
}

std::pair<std::int64_t, std::int64_t> numbers(Outcome outcome) {
  const std::vector<Datum> results = results_of(std::move(outcome));
  return {std::get<Scalar>(results[0]).as<std::int64_t>(),
          std::get<Scalar>(results[1]).as<std::int64_t>()};
}

} // namespace

TEST_CASE("pieces of any size give the bits of the whole") {
  const std::int64_t n = 10'007;
  for (const std::int64_t piece : {7, 63, 64, 1000, 4096, 20'000}) {
    CAPTURE(piece);
    CompileOptions options;
    options.piece = piece;
    const std::shared_ptr<Executable> executable = streamed(filter_scan_reduce, options);
    for (const unsigned threads : {1U, 2U}) {
      MemoryBudget memory;
      const RunContext context{.memory = &memory, .threads = threads};
      Leaf xs = filled(memory, n, element);
      CHECK(numbers(executable->run({Scalar::of(n), xs}, context)) == expected(n));
    }
    const auto streams = executable->streams();
    REQUIRE(streams.size() == 1);
    CHECK(streams[0].totals.runs == 2);
    CHECK(streams[0].totals.pieces == 2 * static_cast<std::uint64_t>((n + piece - 1) / piece));
    CHECK(streams[0].totals.why == PieceReason::Forced);
  }
}

TEST_CASE("sums of floats have the bits of the whole in pieces of whole blocks") {
  const std::shared_ptr<Executable> whole =
      make_executable(ir::parse(float_chain), backend(), CompileOptions{});
  for (const std::int64_t n : {std::int64_t{1}, std::int64_t{4096}, std::int64_t{4097},
                               std::int64_t{20'000}, std::int64_t{1'000'003}})
    for (const std::int64_t piece : {std::int64_t{1}, std::int64_t{9000}, std::int64_t{300'000}})
      for (const unsigned threads : {1U, 2U}) {
        CAPTURE(n);
        CAPTURE(piece);
        CAPTURE(threads);
        if (n > 100'000 && piece < 5000) continue;
        CompileOptions options;
        options.piece = piece;
        options.tier = 1 + threads % 2;
        const std::shared_ptr<Executable> executable = streamed(float_chain, options);
        MemoryBudget memory;
        const RunContext context{.memory = &memory, .threads = threads};
        const Leaf xs = filled(memory, n, some_float);
        CHECK(from_leaves(results_of(executable->run({Scalar::of(n), xs}, context))) ==
              from_leaves(results_of(whole->run({Scalar::of(n), xs}, context))));
        const auto streams = executable->streams();
        REQUIRE(streams.size() == 1);
        const std::int64_t size = std::max<std::int64_t>(piece / 4096, 1) * 4096;
        CHECK(streams[0].totals.pieces == static_cast<std::uint64_t>((n + size - 1) / size));
      }
}

TEST_CASE("sums of what comes from behind the caches have the order's bits") {
  const ir::Function function = ir::parse(
      "fn f(n: i64, xs: [n]f32, ys: [n]f32) -> (f32, f32) { s: f32 = soac n (xs) { (i: i64, x: "
      "f32) yield x } reduce (0f32) { (a: f32, b: f32) c: f32 = add a b yield c } t: f32 = soac n "
      "(xs, ys) { (j: i64, y: f32, z: f32) p: f32 = mul y z yield p } reduce (0f32) { (d: f32, e: "
      "f32) g: f32 = add d e yield g } ret s, t }");
  CompileOptions options;
  options.tier = 2;
  const std::shared_ptr<Executable> executable = make_executable(function, backend(), options);
  constexpr std::int64_t n = is_sanitized ? 8'400'000 : 9'000'001; // 32 MiB, and some
  MemoryBudget memory;
  const Leaf xs = filled(memory, n, some_float);
  const Leaf ys = filled(memory, n, [](std::int64_t i) { return some_float(i + 77); });
  const auto add = [](float&& a, float&& b) { return a + b; };
  primitives::RunningFold<float, decltype(add)> sum(0.0F, add), products(0.0F, add);
  for (std::int64_t i = 0; i < n; ++i) {
    sum.push(some_float(i));
    products.push(some_float(i) * some_float(i + 77));
  }
  const std::vector<ir::DenseValue> expected = {Scalar::of(std::move(sum).result()),
                                                Scalar::of(std::move(products).result())};
  for (const unsigned threads : {1U, 2U}) {
    const RunContext context{.memory = &memory, .threads = threads};
    CHECK(from_leaves(results_of(executable->run({Scalar::of(n), xs, ys}, context))) == expected);
  }
}

TEST_CASE("scans and reductions go on from blocks before, whoever has the chunks") {
  const std::string head = "fn f(n: i64, going: bool, sum: f32, xs: [n]f32) -> ";
  const std::string adds = " { (a: f32, b: f32) c: f32 = add a b yield c } after going (sum) ";
  const std::string scan =
      "ss: [n]f32 = soac n (xs) { (i: i64, x: f32) yield x } scan (0f32)" + adds;
  const std::string reduce = "s: f32 = soac n (xs) { (j: i64, y: f32) yield y } reduce (0f32) "
                             "{ (d: f32, e: f32) g: f32 = add d e yield g } after going (sum) ";
  // The scan's chunks hand on what they carry.
  const ir::Function function =
      ir::parse(head + "([n]f32, f32) { " + scan + reduce + "ret ss, s }");
  const auto of_size = [&](unsigned tier) {
    CompileOptions options;
    options.tier = tier;
    return make_executable(function, backend(), options);
  };
  for (const unsigned tier : {1U, 2U})
    for (const unsigned threads : {1U, 2U}) {
      const std::shared_ptr<Executable> executable = of_size(tier);
      MemoryBudget memory;
      const RunContext context{.memory = &memory, .threads = threads};
      const auto run = [&](std::int64_t begin, std::int64_t end, std::optional<float> before) {
        const Leaf xs =
            filled(memory, end - begin, [&](std::int64_t i) { return some_float(begin + i); });
        const std::vector<Datum> results =
            results_of(executable->run({Scalar::of(end - begin), Scalar::of(before.has_value()),
                                        Scalar::of(before.value_or(77.7F)), xs},
                                       context));
        return std::pair{std::get<ir::DenseArray>(from_leaves(results)[0]).elements,
                         std::get<Scalar>(results[1]).as<float>()};
      };
      constexpr std::int64_t n = 1'500'007;
      const auto [prefixes, sum] = run(0, n, std::nullopt);
      for (const std::int64_t cut : {std::int64_t{4096}, std::int64_t{40'960},
                                     std::int64_t{700'416}, std::int64_t{1'499'136}}) {
        CAPTURE(tier);
        CAPTURE(threads);
        CAPTURE(cut);
        auto [left, total] = run(0, cut, std::nullopt);
        const auto [right, both] = run(cut, n, total);
        left.own().insert(left.end(), right.begin(), right.end());
        CHECK(left == prefixes);
        CHECK(both == sum);
      }
    }
}

TEST_CASE("chains with folds whose order shows give the same whole, in pieces, and evaluated") {
  int by_pieces = 0;
  for (std::uint64_t seed = 0; seed < some_of(40, 3); ++seed) {
    CAPTURE(seed);
    generate::Random random(seed);
    const std::string text = generate::random_soac_chain(random, generate::FoldOrders::SomeShow);
    CAPTURE(text);
    const ir::Function original = ir::parse(text);
    ir::Function function = original;
    if (seed % 4 == 0)
      optimise(function);
    else
      write_streams(function);
    CompileOptions options;
    options.piece = 1 + static_cast<std::int64_t>(seed % 3) * 4096;
    options.tier = 1 + seed % 2;
    const std::shared_ptr<Executable> executable = make_executable(function, backend(), options);
    for (const std::int64_t n : {std::int64_t{0}, std::int64_t{70}, std::int64_t{9000}}) {
      CAPTURE(n);
      check_chain(original, function, *executable, n, 1 + static_cast<unsigned>(seed % 2));
    }
    for (const auto& stream : executable->streams())
      by_pieces += stream.totals.pieces > stream.totals.runs;
  }
  CHECK(by_pieces > static_cast<int>(some_of(4, 3)));
}

TEST_CASE("chains of SOACs give the same whole, in pieces, and by the evaluator") {
  int by_pieces = 0;
  for (std::uint64_t seed = 0; seed < some_of(80, 3); ++seed) {
    CAPTURE(seed);
    generate::Random random(seed);
    const std::string text = generate::random_soac_chain(random);
    CAPTURE(text);
    const ir::Function original = ir::parse(text);
    ir::Function function = original;
    // (Most of them become one SOAC in the whole pipeline.)
    if (seed % 4 == 0)
      optimise(function);
    else
      write_streams(function);
    for (const std::int64_t piece : {std::int64_t{0}, static_cast<std::int64_t>(1 + seed % 70)}) {
      CAPTURE(piece);
      CompileOptions options;
      options.piece = piece;
      options.tier = 1 + seed % 2;
      const std::shared_ptr<Executable> executable = make_executable(function, backend(), options);
      for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{150}}) {
        CAPTURE(n);
        check_chain(original, function, *executable, n, 2);
      }
      for (const auto& stream : executable->streams())
        by_pieces += stream.totals.pieces > 1;
    }
  }
  CHECK(by_pieces > static_cast<int>(some_of(20, 3)));
}

TEST_CASE("code for pieces is made when arrays are large, and only then") {
  const std::shared_ptr<Executable> executable = streamed(filter_scan_reduce);
  executable->compile_all();
  CHECK(executable->kernels(false).size() == 2);
  CHECK(executable->statistics().soacs == 2);
  CHECK(executable->statistics().compiled_soacs == 2);
  MemoryBudget memory;
  const RunContext context{.memory = &memory, .threads = 2};
  const auto run = [&](std::int64_t n) {
    Leaf xs = filled(memory, n, element);
    CHECK(numbers(executable->run({Scalar::of(n), xs}, context)) == expected(n));
  };
  constexpr std::int64_t large = least_streamed_bytes / 8;
  run(large - 1);
  CHECK(executable->kernels(false).size() == 2);
  CHECK(executable->streams().at(0).totals.runs == 0);
  run(large);
  CHECK(executable->kernels(false).size() == 4);
  CHECK(executable->statistics().soacs == 2); // another way to do the same
  CHECK(executable->statistics().compiled_soacs == 2);
  const PieceMeter::Totals totals = executable->streams().at(0).totals;
  CHECK(totals.runs == 1);
  CHECK(totals.pieces > 1);
  CHECK(totals.first_size * 16 <= 2 * second_level_cache_bytes());
}

TEST_CASE("pieces take little memory, and less where there is little") {
  const std::shared_ptr<Executable> executable = streamed(filter_scan_reduce);
  constexpr std::int64_t n = least_streamed_bytes / 8 + 12'345;
  MemoryBudget memory;
  Leaf xs = filled(memory, n, element);
  memory.release_spare();
  const std::size_t input = memory.in_use();
  const RunContext context{.memory = &memory, .threads = 2};
  for (const std::size_t room : {std::size_t{16} << 20, std::size_t{256} << 10}) {
    CAPTURE(room);
    memory.set_limit(input + room);
    CHECK(numbers(executable->run({Scalar::of(n), xs}, context)) == expected(n));
    CHECK(memory.in_use() == input);
  }
  CHECK(executable->streams().at(0).totals.why != PieceReason::Caches);
  // Without any, it stops, and nothing is left behind.
  memory.set_limit(input);
  const Outcome outcome = executable->run({Scalar::of(n), xs}, context);
  REQUIRE(std::holds_alternative<Stopped>(outcome));
  CHECK(std::get<Stopped>(outcome).why == Stopped::Why::OutOfMemory);
  CHECK(memory.in_use() == input);
}

TEST_CASE("between pieces, somebody may interrupt") {
  // As many elements as there are, of no input: it would take hours.
  std::string text(filter_scan_reduce);
  text.replace(text.find(", xs: [n]i64"), 12, "");
  text.replace(text.find("(xs) { (i: i64, x: i64)"), 23, "() { (i: i64) x: i64 = mul i i");
  const std::shared_ptr<Executable> executable = streamed(text);
  MemoryBudget memory;
  InterruptSource interrupt;
  const RunContext context{
      .memory = &memory, .interrupt = &interrupt, .epoch = interrupt.epoch(), .threads = 2};
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    interrupt.raise(InterruptSource::Reason::Interrupt);
  });
  const Outcome outcome = executable->run({Scalar::of(std::int64_t{1} << 44)}, context);
  stopper.join();
  REQUIRE(std::holds_alternative<Stopped>(outcome));
  CHECK(std::get<Stopped>(outcome).why == Stopped::Why::Interrupted);
  CHECK(memory.in_use() == 0);
}

TEST_CASE("a check that fails in a piece ends the run") {
  constexpr std::string_view text = R"(fn f(n: i64, xs: [n]i64) -> i64 {
  m: i64, ys: [m]i64 = soac n (xs) { (i: i64, x: i64)
    q: bool = lt x 100000i64
    check q, "large"
    p: bool = lt 7i64 x
    yield p, x
  } filter 1
  s: i64 = soac m (ys) { (j: i64, y: i64)
    z: i64 = mul y j
    yield z
  } reduce (0i64) { (a: i64, b: i64)
    c: i64 = add a b
    yield c
  }
  ret s
})";
  CompileOptions options;
  options.piece = 100;
  const std::shared_ptr<Executable> executable = streamed(text, options);
  MemoryBudget memory;
  const std::int64_t n = 1000;
  Leaf xs = filled(memory, n, [](std::int64_t i) { return i == 777 ? std::int64_t{100'000} : i; });
  const std::size_t input = memory.in_use();
  const RunContext context{.memory = &memory, .threads = 2};
  const Outcome outcome = executable->run({Scalar::of(n), xs}, context);
  REQUIRE(std::holds_alternative<Stopped>(outcome));
  CHECK(std::get<Stopped>(outcome).why == Stopped::Why::Failed);
  CHECK(std::get<Stopped>(outcome).site == 0);
  CHECK(!std::get<Stopped>(outcome).first_index); // not one of a piece
  CHECK(memory.in_use() == input);
}
