// Launches that do not come to their end: failures, interruptions, and memory that there is not.
#include "tests/unit/jit_cpu_launch/launching.h"
#include "tests/unit/resident_memory.h"
#include "tests/unit/sanitized.h"

#include <chrono>
#include <thread>

using namespace sinter;
using namespace sinter::jit;
using namespace sinter::test;

TEST_CASE("the least failing element is found, whichever thread meets one first") {
  std::shared_ptr<Executable> executable =
      compile("fn f(n: i64, xs: [n]i32) -> [n]i32 { ys: [n]i32 = soac n (xs) { (i: i64, x: i32) c: "
              "bool = lt x 1000i32 check c, \"large\" d: bool = lt 0i32 x check d, \"small\" yield "
              "x } map ret ys }");
  MemoryBudget memory;
  std::int64_t n = 3'000'000;
  for (int round = 0; round < 20; ++round) {
    Leaf xs = filled(memory, n, [&](std::int64_t i) {
      return i == 2'111'111 - round ? 0 : i > 2'111'111 ? 5'000 : 7;
    });
    RunContext context{.memory = &memory, .threads = 2};
    Outcome outcome = executable->run({Scalar::of(n), xs}, context);
    REQUIRE(std::holds_alternative<Stopped>(outcome));
    CHECK(std::get<Stopped>(outcome).why == Stopped::Why::Failed);
    CHECK(std::get<Stopped>(outcome).site == 1);
    CHECK(std::get<Stopped>(outcome).first_index == 2'111'111 - round);
  }
}

TEST_CASE("running kernels stop within a tenth of a second") {
  struct Case {
    const char* text;
    std::int64_t n;
  };
  for (const Case& one :
       {Case{"fn f(n: i64) -> i64 { s: i64 = for n (0i64) { (i: i64, r: i64) t: i64 = xor r i u: "
             "i64 = mul t 3i64 yield u } ret s }",
             std::int64_t{1} << 60},
        Case{"fn f(n: i64) -> i64 { s: i64 = soac n () { (i: i64) t: i64 = for i (1i64) { (j: i64, "
             "r: i64) u: i64 = mul r 3i64 v: i64 = xor u j yield v } yield t } reduce (0i64) { (a: "
             "i64, b: i64) c: i64 = add a b yield c } ret s }",
             std::int64_t{1} << 40},
        // Bodies without loops: nobody looks at the epoch within a call.
        Case{"fn f(n: i64) -> i64 { d: [4]i64 = soac 4i64 () { (i: i64) yield i } map e: [4]i64 = "
             "soac n () { (k: i64) j: i64 = and k 3i64 yield j, k } scatter 1 d s: i64 = index "
             "e[0i64] ret s }",
             std::int64_t{1} << 40},
        Case{"fn f(n: i64) -> i64 { s: i64 = soac n () { (i: i64) t: i64 = mul i i yield t } "
             "reduce (0i64) { (a: i64, b: i64) c: i64 = add a b yield c } ret s }",
             std::int64_t{1} << 44},
        Case{"fn f(n: i64) -> i64 { c: [4]i64 = soac n () { (i: i64) j: i64 = and i 3i64 k: i32 = "
             "convert j yield k } partition 4i64 0 s: i64 = index c[0i64] ret s }",
             std::int64_t{1} << 40},
        // Launches that are run together.
        Case{"fn f(n: i64) -> i64 { d: [99]i64 = soac 99i64 () { (i: i64) yield i } map e: [99]i64 "
             "= for n (d) { (t: i64, xs: [99]i64) ys: [99]i64 = soac 99i64 () { (j: i64) a: i64 = "
             "add j 1i64 b: i64 = min a 98i64 x: i64 = index xs[b] yield x } map yield ys } s: i64 "
             "= index e[0i64] ret s }",
             std::int64_t{1} << 60},
        // More chunks than could be gone through.
        Case{"fn f(n: i64) -> i64 { s: i64 = soac n () { (i: i64) t: i64 = mul i i yield t } "
             "reduce (0i64) { (a: i64, b: i64) c: i64 = xor a b yield c } ret s }",
             ir::extent_limit - 1},
        // A SOAC inside a body.
        Case{
            "fn f(n: i64) -> i64 { s: i64 = soac 2i64 () { (i: i64) d: [4]i64 = soac 4i64 () { (q: "
            "i64) yield q } map e: [4]i64 = soac n () { (k: i64) j: i64 = and k 3i64 yield j, k } "
            "scatter 1 d t: i64 = index e[i] yield t } reduce (0i64) { (a: i64, b: i64) c: i64 = "
            "add a b yield c } ret s }",
            ir::extent_limit - 1}}) {
    std::shared_ptr<Executable> executable = compile(one.text);
    executable->compile_all();
    // The least of some tries: the machine may have other things to do.
    auto least = std::chrono::steady_clock::duration::max();
    for (int round = 0; round < 5 && least >= std::chrono::milliseconds(100); ++round) {
      MemoryBudget memory;
      InterruptSource interrupt;
      RunContext context{.memory = &memory, .interrupt = &interrupt, .epoch = interrupt.epoch()};
      std::chrono::steady_clock::time_point raised;
      std::thread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        raised = std::chrono::steady_clock::now();
        interrupt.raise(InterruptSource::Reason::Interrupt);
      });
      Outcome outcome = executable->run({Scalar::of(one.n)}, context);
      auto stopped = std::chrono::steady_clock::now();
      stopper.join();
      REQUIRE(std::holds_alternative<Stopped>(outcome));
      CHECK(std::get<Stopped>(outcome).why == Stopped::Why::Interrupted);
      least = std::min(least, stopped - raised);
    }
    CHECK(least < std::chrono::milliseconds(100));
  }
}

TEST_CASE("the memory limit stops kernels") {
  std::shared_ptr<Executable> executable =
      compile("fn f(n: i64) -> [n]i64 { xs: [n]i64 = soac n () { (i: i64) yield i } map ret xs }");
  MemoryBudget memory(100'000);
  RunContext context{.memory = &memory};
  Outcome outcome = executable->run({Scalar::of(std::int64_t{1'000'000})}, context);
  REQUIRE(std::holds_alternative<Stopped>(outcome));
  CHECK(std::get<Stopped>(outcome).why == Stopped::Why::OutOfMemory);
  CHECK(std::get<Stopped>(outcome).words ==
        "out of memory: an array needs 7.6 MiB, the limit is 97.7 KiB");
  CHECK(memory.in_use() == 0);
}

TEST_CASE("scratch memory that there is not is told, and that cannot be counted") {
  std::shared_ptr<Executable> executable = compile(
      "fn f(n: i64, m: i64) -> i64 { s: i64 = soac 2i64 () { (i: i64) xs: [n][m]i64 = soac n "
      "() { (j: i64) r: [m]i64 = soac m () { (k: i64) p: i64 = mul j k yield p } map yield r "
      "} map ys: [n][m]i64 = soac n (xs) { (h: i64, q: [m]i64) l: i64 = sub n h o: i64 = "
      "sub l 1i64 u: [m]i64 = index xs[o] yield u } map t: i64 = index ys[i, i] yield t } "
      "reduce (0i64) { (a: i64, b: i64) c: i64 = add a b yield c } ret s }");
  const auto words = [&](std::int64_t n, std::int64_t m) {
    MemoryBudget memory(std::size_t{10} << 20);
    const Outcome outcome =
        executable->run({Scalar::of(n), Scalar::of(m)}, RunContext{.memory = &memory});
    REQUIRE(std::holds_alternative<Stopped>(outcome));
    CHECK(std::get<Stopped>(outcome).why == Stopped::Why::OutOfMemory);
    return std::get<Stopped>(outcome).words;
  };
  CHECK(words(3000, 3000).find("out of memory: an array needs ") == 0);
  CHECK(
      words(std::int64_t{1} << 40, std::int64_t{1} << 40).find("out of memory: an array needs ") ==
      0);
}
