// From IR text to results through the code generator, the engine and the launcher.
#include "jit/cpu/object_cache.h"
#include "jit/gate/precedent_file.h"
#include "tests/unit/jit_cpu_launch/launching.h"
#include "tests/unit/resident_memory.h"
#include "tests/unit/sanitized.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace sinter;
using namespace sinter::jit;
using namespace sinter::test;

TEST_CASE("compiled functions do what the reference evaluator does") {
  std::uint64_t place = 0;
  for (unsigned tier : {1u, 2u})
    for (unsigned lanes : {0u, 1u})
      for (const IrProgram& program : ir_programs) {
        CAPTURE(program.name);
        CAPTURE(tier);
        CAPTURE(lanes);
        if (!is_tried(place++, 3)) continue;
        CompileOptions options;
        options.tier = tier;
        options.lanes = lanes;
        std::shared_ptr<Executable> executable = compile(program.text, options);
        unsigned seed = 0;
        for (std::int64_t n : {7, 0, 1, 50})
          for (std::int64_t m : {5, 17})
            check_executable(*executable, n, m, seed++);
        for (const Executable::KernelDescription& kernel : executable->kernels(false))
          CHECK_MESSAGE(kernel.not_compiled == "", kernel.ir);
      }
}

TEST_CASE("the same in many chunks, on one thread and on several") {
  std::uint64_t place = 0;
  for (const IrProgram& program : ir_programs) {
    if (program.name == "rearrangements" || program.name.ends_with(" of rows")) continue; // n * m
    if (!is_tried(place++)) continue;
    CAPTURE(program.name);
    std::shared_ptr<Executable> executable = compile(program.text);
    for (unsigned threads : {1u, 3u})
      check_executable(*executable, is_sanitized ? 10'007 : 30'011, 5, 6, threads);
  }
}

TEST_CASE("launches of other sizes, and on other threads, than the one before") {
  std::uint64_t place = 0;
  for (const IrProgram& program : ir_programs) {
    if (!is_tried(place++)) continue;
    CAPTURE(program.name);
    std::shared_ptr<Executable> executable = compile(program.text);
    unsigned seed = 0;
    for (const std::int64_t n : {300, 0, 300, 301, 1, 70, 300})
      for (const unsigned threads : {1u, 2u})
        check_executable(*executable, n, 3 + n % 2, ++seed, threads);
  }
}

TEST_CASE("maps of fewer elements than threads are gone through by the host") {
  // A row that is made, one that is handed on, and a sum: [n][m] results from [n][m] inputs.
  constexpr std::string_view text = R"(fn f(n: i64, m: i64, xss: [n][m]f32)
      -> ([n][m]f32, [n][m]f32, [n]f32) {
  yss: [n][m]f32, zss: [n][m]f32, ss: [n]f32 = soac n (xss) { (i: i64, xs: [m]f32)
    s: f32 = soac m (xs) { (j: i64, x: f32)
      yield x
    } reduce (0f32) { (a: f32, b: f32)
      c: f32 = add a b
      yield c
    }
    ys: [m]f32 = soac m (xs) { (k: i64, v: f32)
      w: f32 = sub v s
      yield w
    } map
    yield ys, xs, s
  } map map map
  some: bool = gt n 0i64
  wide: bool = gt m 0i64
  both: bool = and some wide
  changed: [n][m]f32 = if both {
    t: [n][m]f32 = update zss[0i64, 0i64] = 7f32
    yield t
  } else {
    yield zss
  }
  ret yss, changed, ss
})";
  const auto kernels_after = [&](std::int64_t n, std::int64_t m, unsigned threads) {
    std::shared_ptr<Executable> executable = compile(text);
    check_executable(*executable, n, m, 5, threads);
    check_executable(*executable, n, m, 6, threads); // (memory of the first run is not its own)
    return executable->kernels(false).size();
  };
  const std::size_t whole = kernels_after(7, 40, 2);
  CHECK(kernels_after(1, 40'000, 1) == whole); // one thread has no use for it
  CHECK(kernels_after(1, 40, 2) == whole);     // little work
  CHECK(kernels_after(2, 40'000, 2) == whole); // enough rows
  const unsigned threads = backend().thread_limit({.threads = 2});
  CHECK(kernels_after(1, 40'000, 2) == whole + (threads > 1 ? 2 : 0));
}

TEST_CASE("maps of a few very large elements are gone through by the host, if they make numbers") {
  constexpr std::string_view of_numbers = R"(fn f(n: i64, m: i64, xss: [n][m]f32) -> [n]f32 {
  ss: [n]f32 = soac n (xss) { (i: i64, xs: [m]f32)
    s: f32 = soac m (xs) { (j: i64, x: f32)
      yield x
    } reduce (0f32) { (a: f32, b: f32)
      c: f32 = add a b
      yield c
    }
    t: f32 = soac m (xs) { (k: i64, v: f32)
      w: f32 = sub v s
      yield w
    } reduce (0f32) { (d: f32, e: f32)
      g: f32 = add d e
      yield g
    }
    yield t
  } map
  ret ss
})";
  constexpr std::string_view of_rows = R"(fn f(n: i64, m: i64, xss: [n][m]f32)
      -> ([n]f32, [n][m]f32) {
  ss: [n]f32, yss: [n][m]f32 = soac n (xss) { (i: i64, xs: [m]f32)
    s: f32 = soac m (xs) { (j: i64, x: f32)
      yield x
    } reduce (0f32) { (a: f32, b: f32)
      c: f32 = add a b
      yield c
    }
    ys: [m]f32 = soac m (xs) { (k: i64, v: f32)
      w: f32 = sub v s
      yield w
    } map
    yield s, ys
  } map map
  ret ss, yss
})";
  constexpr std::string_view of_folds = R"(fn f(n: i64, m: i64, xss: [n][m]f32)
      -> (f32, [n]f32, i32) {
  t: f32, ts: [n]f32, u: i32 = soac n (xss) { (i: i64, xs: [m]f32)
    s: f32 = soac m (xs) { (j: i64, x: f32)
      yield x
    } reduce (0f32) { (a: f32, b: f32)
      c: f32 = add a b
      yield c
    }
    v: i32 = convert i
    yield s, s, v
  } reduce (0f32) { (d: f32, e: f32)
    half: f32 = mul d 0.5f32
    g: f32 = add half e
    yield g
  } scan (0f32) { (h: f32, k: f32)
    l: f32 = add h k
    yield l
  } reduce (0i32) { (o: i32, p: i32)
    q: i32 = add o p
    yield q
  }
  ret t, ts, u
})";
  // (Large as the option says: rows of millions would take the evaluator minutes.)
  const auto kernels_after = [](std::string_view text, std::int64_t n, std::int64_t least) {
    CompileOptions options;
    options.least_inside = least;
    std::shared_ptr<Executable> executable = compile(text, options);
    check_executable(*executable, n, 300, 5, 2);
    return executable->kernels(false).size();
  };
  const unsigned threads = backend().thread_limit({.threads = 2});
  const std::size_t inside = threads > 1 ? 2 : 0;
  const std::size_t whole = kernels_after(of_numbers, 5, 301);
  CHECK(kernels_after(of_numbers, 5, 300) == whole + inside);
  CHECK(kernels_after(of_numbers, 65, 300) == whole);                      // many
  CHECK(kernels_after(of_rows, 5, 300) == kernels_after(of_rows, 5, 301)); // would be copied
  CHECK(kernels_after(of_folds, 5, 300) > kernels_after(of_folds, 5, 301));
}

TEST_CASE("there is special code for short rows") {
  CompileOptions options;
  options.specialisation = Specialisation::AtOnce;
  options.passes.verify = true;
  std::size_t general = 0, special = 0;
  for (const IrProgram& program : ir_programs) {
    CAPTURE(program.name);
    std::shared_ptr<Executable> executable = compile(program.text, options);
    unsigned seed = 0;
    for (const std::int64_t m : {17, 1, 2, 3, 8, 3}) {
      check_executable(*executable, 50, m, seed++, 2);
      if (m == 17) general += executable->kernels(false).size();
    }
    special += executable->kernels(false).size();
    const ExecutableStatistics statistics = executable->statistics();
    CHECK(statistics.compiled_soacs <= statistics.soacs); // each is counted once
  }
  CHECK(special > general + 10);
}

TEST_CASE("code for short rows is made by somebody else where that can be") {
  constexpr std::string_view text = R"(fn f(n: i64, m: i64, xss: [n][m]f32) -> [n]f32 {
  ss: [n]f32 = soac n (xss) { (i: i64, xs: [m]f32)
    s: f32 = soac m (xs) { (j: i64, x: f32)
      y: f32 = sqrt x
      yield y
    } reduce (0f32) { (a: f32, b: f32)
      c: f32 = add a b
      yield c
    }
    yield s
  } map
  ret ss
})";
  MemoryBudget memory;
  const std::int64_t n = 100'000, m = 3;
  Leaf xss = filled(memory, n * m, [](std::int64_t i) { return static_cast<float>(i % 77); });
  xss.extents = {n, m};
  xss.strides = {m, 1};
  for (const bool is_anybody_there : {true, false}) {
    CAPTURE(is_anybody_there);
    std::shared_ptr<Executable> executable = compile(text);
    std::atomic<bool> wants_code{false};
    const RunContext context{.memory = &memory, .threads = 1, .wants_code = &wants_code};
    const auto sums = [&] {
      const std::vector<Datum> results =
          results_of(executable->run({Scalar::of(n), Scalar::of(m), xss}, context));
      const std::span<const float> found = elements<float>(results[0]);
      return std::vector<float>(found.begin(), found.end());
    };
    const auto special_runs = [&] {
      const auto kernels = executable->kernels(false);
      return kernels.size() == 1 ? std::uint64_t{0} : kernels[1].launches.launches;
    };
    const std::vector<float> before = sums();
    for (int i = 0; i < 100'000 && !wants_code; ++i)
      (void)sums();
    REQUIRE(wants_code);
    CHECK(executable->kernels(false).size() == 1);
    // (It is asked for again if it turns out to be long; a run that goes on without it makes it.)
    for (int i = 0; i < 100'000 && special_runs() == 0; ++i) {
      if (is_anybody_there && wants_code.exchange(false)) {
        executable->make_wanted();
        CHECK(executable->kernels(false).size() == 2);
        CHECK(special_runs() == 0);
      }
      CHECK(sums() == before);
    }
    CHECK(special_runs() > 0);
  }
}

TEST_CASE("sums of floats have the same bits on any number of threads") {
  std::shared_ptr<Executable> executable = compile(text_of("dotp"));
  std::int64_t n = 3'000'017;
  MemoryBudget memory;
  Leaf xs = filled(memory, n, [](std::int64_t i) { return 1.0f / static_cast<float>(i + 1); });
  Leaf ys = filled(memory, n, [](std::int64_t i) { return 0.1f + static_cast<float>(i % 77); });
  std::optional<Scalar> first;
  for (unsigned threads : {1u, 2u, 3u, 8u, 0u}) {
    RunContext context{.memory = &memory, .threads = threads};
    Scalar sum = std::get<Scalar>(results_of(executable->run({Scalar::of(n), xs, ys}, context))[0]);
    if (!first) first = sum;
    CHECK(sum == *first);
  }
  double expected = 0;
  std::span<const float> x = elements<float>(xs), y = elements<float>(ys);
  for (std::size_t i = 0; i < x.size(); ++i)
    expected += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  CHECK(first->as<float>() == doctest::Approx(expected).epsilon(1e-5));
}

TEST_CASE("bins that are many take their values in order, on any number of threads") {
  constexpr std::string_view text =
      R"(fn f(n: i64, k: i64, end: i64, at: [n]i32, xs: [n]f32, zeros: [k]f32) -> [k]f32 {
  sums: [k]f32 = soac n (at, xs) { (i: i64, a: i32, x: f32)
    is_early: bool = lt i end
    check is_early, "too late"
    b: i64 = convert a
    yield b, x
  } histogram 1 (zeros) (0f32) { (p: f32, q: f32)
    s: f32 = add p q
    yield s
  }
  ret sums
})";
  CompileOptions options;
  options.tier = 2;
  std::shared_ptr<Executable> executable = compile(text, options);
  MemoryBudget memory;
  // (The last of these is more than one round on three threads.)
  for (const std::int64_t n : {65'535, 65'536, 70'001, 1'000'003}) {
    const std::int64_t k = n / 8;
    const auto bin = [&](std::int64_t i) {
      return static_cast<std::int32_t>(i % 5 == 0 ? i % 3 : i * 7919 % (k + 9) - 4);
    };
    const auto value = [](std::int64_t i) { return 1.0f / static_cast<float>(i % 1009 + 1); };
    std::vector<float> expected(static_cast<std::size_t>(k), 0.0f);
    for (std::int64_t i = 0; i < n; ++i)
      if (bin(i) >= 0 && bin(i) < k) expected[static_cast<std::size_t>(bin(i))] += value(i);
    Leaf at = filled(memory, n, bin), xs = filled(memory, n, value);
    for (const unsigned threads : {1u, 2u, 3u, 0u}) {
      CAPTURE(n);
      CAPTURE(threads);
      const auto run = [&](std::int64_t end) {
        RunContext context{.memory = &memory, .threads = threads};
        Leaf zeros = filled(memory, k, [](std::int64_t) { return 0.0f; });
        return executable->run(
            {Scalar::of(n), Scalar::of(k), Scalar::of(end), at, xs, std::move(zeros)}, context);
      };
      const std::vector<Datum> results = results_of(run(n));
      CHECK(std::ranges::equal(elements<float>(results[0]), expected));
      for (const std::int64_t first : {n - 2, n / 2, std::int64_t{0}}) {
        const Outcome failed = run(first);
        REQUIRE(std::holds_alternative<Stopped>(failed));
        CHECK(std::get<Stopped>(failed).first_index == first);
      }
      // Where there is little memory, or none, beside what is there already.
      for (const std::size_t spare : {std::size_t{3} << 19, std::size_t{1} << 16}) {
        std::vector<Datum> arguments = {Scalar::of(n), Scalar::of(k), Scalar::of(n), at, xs};
        arguments.emplace_back(filled(memory, k, [](std::int64_t) { return 0.0f; }));
        const Buffer* const given = std::get<Leaf>(arguments.back()).buffer.get();
        memory.set_limit(memory.in_use() + spare);
        RunContext context{.memory = &memory, .threads = threads};
        const std::vector<Datum> all = results_of(executable->run(std::move(arguments), context));
        memory.set_limit(SIZE_MAX);
        CHECK(std::get<Leaf>(all[0]).buffer.get() == given);
        CHECK(std::ranges::equal(elements<float>(all[0]), expected));
      }
    }
  }
}

// (Results of this size are stored past the caches.)
TEST_CASE("scans and filters of many rounds") {
  MemoryBudget memory;
  std::int64_t n = 9'000'003;
  RunContext context{.memory = &memory, .threads = 2};
  Leaf xs = filled(memory, n, [](std::int64_t i) { return static_cast<std::int32_t>(i % 7 - 3); });

  std::vector<Datum> scanned =
      results_of(compile(text_of("scan"))->run({Scalar::of(n), xs}, context));
  std::int32_t sum = 0;
  bool is_right = true;
  std::span<const std::int32_t> sums = elements<std::int32_t>(scanned[0]);
  for (std::int64_t i = 0; i < n; ++i) {
    sum += static_cast<std::int32_t>(i % 7 - 3);
    is_right = is_right && sums[static_cast<std::size_t>(i)] == sum;
  }
  CHECK(is_right);

  std::vector<Datum> kept = results_of(
      compile("fn f(n: i64, xs: [n]i32) -> (i64, [n]i64) { k: i64, ks: [k]i64 = soac n (xs) { (i: "
              "i64, x: i32) c: bool = lt x 0i32 yield c, i } filter 1 ms: [n]i64 = soac n () { (j: "
              "i64) l: bool = lt j k p: i64 = if l { q: i64 = index ks[j] yield q } else { yield "
              "-1i64 } yield p } map ret k, ms }")
          ->run({Scalar::of(n), xs}, context));
  std::size_t count = 0;
  is_right = true;
  std::span<const std::int64_t> indices = elements<std::int64_t>(kept[1]);
  for (std::int64_t i = 0; i < n; ++i)
    if (i % 7 - 3 < 0) is_right = is_right && indices[count++] == i;
  CHECK(is_right);
  CHECK(std::get<Scalar>(kept[0]).as<std::int64_t>() == static_cast<std::int64_t>(count));
}

TEST_CASE("several filters in one kernel, joined on several threads") {
  MemoryBudget memory;
  std::shared_ptr<Executable> executable =
      compile("fn f(n: i64, xs: [n]i32) -> (i64, [m]i32) { "
              "k: i64, ks: [k]i32, l: i64, ls: [l]i32 = soac n (xs) { (i: i64, x: i32) "
              "p: bool = lt x 0i32 q: bool = ge x 0i32 yield p, x, q, x } filter 1 filter 1 "
              "m: i64 = add k l ms: [m]i32 = concat (ks, ls) ret m, ms }");
  for (std::int64_t n : {0, 100, 3'000'001})
    for (unsigned threads : {1u, 3u}) {
      Leaf xs =
          filled(memory, n, [](std::int64_t i) { return static_cast<std::int32_t>(i % 7 - 3); });
      RunContext context{.memory = &memory, .threads = threads};
      std::vector<Datum> results = results_of(executable->run({Scalar::of(n), xs}, context));
      std::vector<std::int32_t> expected;
      for (bool is_negative : {true, false})
        for (std::int64_t i = 0; i < n; ++i)
          if ((i % 7 - 3 < 0) == is_negative)
            expected.push_back(static_cast<std::int32_t>(i % 7 - 3));
      std::span<const std::int32_t> joined = elements<std::int32_t>(results[1]);
      CHECK(std::equal(joined.begin(), joined.end(), expected.begin(), expected.end()));
    }
}

TEST_CASE("a dying argument's memory becomes the result's") {
  std::shared_ptr<Executable> executable = compile(text_of("map"));
  MemoryBudget memory;
  std::int64_t n = 1'000'000;
  RunContext context{.memory = &memory, .threads = 2};
  Leaf xs = filled(memory, n, [](std::int64_t i) { return static_cast<float>(i % 100); });
  Leaf ys = filled(memory, n, [](std::int64_t i) { return static_cast<float>(i % 10); });
  const std::byte* x_data = xs.buffer->contents();
  std::vector<Datum> arguments = {Scalar::of(n)};
  arguments.emplace_back(std::move(xs));
  arguments.emplace_back(ys); // shared: must stay as it is
  std::vector<Datum> results = results_of(executable->run(std::move(arguments), context));
  CHECK(std::get<Leaf>(results[0]).buffer->contents() == x_data);
  bool is_right = true;
  std::span<const float> y = elements<float>(ys), z = elements<float>(results[0]);
  for (std::int64_t i = 0; i < n; ++i) {
    auto at = static_cast<std::size_t>(i);
    auto y_value = static_cast<float>(i % 10);
    is_right =
        is_right && y[at] == y_value && z[at] == 2.5f * static_cast<float>(i % 100) + y_value;
  }
  CHECK(is_right);
}

#ifndef __SANITIZE_ADDRESS__ // which keeps what is freed for a while
TEST_CASE("kernels compiled and dropped leave no memory behind") {
  auto round = [&] {
    std::shared_ptr<Executable> executable = compile(text_of("dotp"), {.tier = 1});
    executable->compile_all();
  };
  for (int i = 0; i < 50; ++i)
    round();
  std::size_t before = tests::resident_bytes();
  for (int i = 0; i < 150; ++i)
    round();
  CHECK(tests::resident_bytes() < before + (std::size_t{4} << 20));
}
#endif

TEST_CASE("several threads may compile and launch at once") {
  std::shared_ptr<Executable> executable = compile(text_of("loops around kernels"));
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      std::shared_ptr<Executable> own = compile(text_of(t % 2 ? "scan" : "dotp"));
      own->compile_all();
      MemoryBudget memory;
      RunContext context{.memory = &memory, .threads = 2};
      std::int64_t n = 10'000;
      for (int i = 0; i < 20; ++i) {
        Leaf xs = filled(memory, n, [](std::int64_t at) { return static_cast<double>(at % 3); });
        Outcome outcome = executable->run({Scalar::of(n), std::move(xs)}, context);
        right += std::holds_alternative<std::vector<Datum>>(outcome);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(right == 80);
}

TEST_CASE("the first tier takes the second one's code where that lies ready, if it may") {
  const tests::TemporaryFolder temporary;
  setenv("SINTER_CACHE", (temporary.path() / "cache").c_str(), 1);
  auto tier_of = [&](unsigned tier, bool takes_better) {
    std::unique_ptr<Backend> own = make_cpu_backend();
    CompileOptions options;
    options.tier = tier;
    options.takes_better = takes_better;
    std::shared_ptr<Executable> executable =
        make_executable(ir::parse(text_of("dotp")), *own, options);
    executable->compile_all();
    check_executable(*executable, 1000, 3, 2);
    return executable->kernels(false).at(0).facts.tier;
  };
  CHECK(tier_of(1, true) == 1); // it does not lie ready
  CHECK(tier_of(2, false) == 2);
  CHECK(tier_of(1, true) == 2);
  CHECK(tier_of(1, false) == 1);
  setenv("SINTER_CACHE", "off", 1);
}

TEST_CASE("objects on disk are found again, and damaged ones are not used") {
  const tests::TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path() / "cache";
  setenv("SINTER_CACHE", folder.c_str(), 1);
  auto run = [&] {
    std::unique_ptr<Backend> own = make_cpu_backend();
    std::shared_ptr<Executable> executable =
        make_executable(ir::parse(text_of("dotp")), *own, CompileOptions{});
    executable->compile_all();
    check_executable(*executable, 1000, 3, 2);
  };
  auto files = [&] {
    std::vector<std::filesystem::path> result;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      result.push_back(entry.path());
    return result;
  };
  run();
  std::size_t count = files().size();
  CHECK(count > 0);
  run();
  CHECK(files().size() == count);
  for (const std::filesystem::path& file : files()) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(200);
    stream.write("damage", 6);
  }
  run();
  CHECK(files().size() == count);

  ObjectCache cache(folder, 1000, "maker");
  CHECK(files().size() == count); // to open it looks at no entries
  std::ofstream(folder / precedent_file_name) << "what is known of all that";
  CHECK(cache.store("00", "object"));
  CHECK(files().size() == 1); // the oldest went, and what is known of them
  CHECK(cache.find("00") == "object");
  cache.store("key", "object");
  CHECK(cache.find("key") == "object");
  CHECK_FALSE(cache.find("other").has_value());
  std::filesystem::remove_all(folder);
  setenv("SINTER_CACHE", "off", 1);
  cache.store("key", "object"); // without its folder, a cache does nothing
  CHECK_FALSE(cache.find("key").has_value());
}
