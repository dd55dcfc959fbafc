// Executables against the IR's reference evaluator, without a code generator: all is walked, or
// kernels are run by the reference evaluator, which tests how they are cut out.
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "jit/runtime/compile_threads.h"
#include "jit/runtime/leaf_operations.h"
#include "tests/unit/jit_runtime/ir_programs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <future>
#include <thread>

using namespace sinter;
using namespace sinter::jit;
using namespace sinter::test;

namespace {

/// Takes no kernel at all.
class Refusing final : public Backend {
public:
  std::string name() const override { return "none"; }
  std::optional<std::string> rejects(const ir::Function&) const override { return "on principle"; }
  std::shared_ptr<Kernel> compile(const ir::Function&, ir::ArrayLayouts,
                                  const CompileOptions&) override {
    throw std::runtime_error("never");
  }
};

/// Takes every kernel, and compiles none.
class Breaking final : public Backend {
public:
  std::string name() const override { return "broken"; }
  std::optional<std::string> rejects(const ir::Function&) const override { return {}; }
  std::shared_ptr<Kernel> compile(const ir::Function&, ir::ArrayLayouts,
                                  const CompileOptions&) override {
    throw std::runtime_error("out of order");
  }
};

/// Runs kernels by the reference evaluator.
class Evaluating : public Backend {
public:
  class EvaluatedKernel final : public Kernel {
  public:
    explicit EvaluatedKernel(ir::Function function) : function_(std::move(function)) {}
    Outcome launch(std::vector<Datum> arguments, const RunContext& context) override {
      ir::Evaluation result = ir::evaluate(function_, from_leaves(arguments));
      if (const auto* site = std::get_if<std::uint32_t>(&result))
        return Stopped{Stopped::Why::Failed, *site, {}};
      return to_leaves(function_, std::get<std::vector<ir::DenseValue>>(result), *context.memory,
                       Arrangement::Dense);
    }
    KernelFacts facts() const override { return {.skeleton = ir::Skeleton::Walked}; }
    std::string assembly() const override { return "none"; }

  private:
    ir::Function function_;
  };

  std::string name() const override { return "evaluator"; }
  std::optional<std::string> rejects(const ir::Function& kernel) const override {
    CHECK(ir::verify(kernel).value_or("") == "");
    return {};
  }
  std::shared_ptr<Kernel> compile(const ir::Function& kernel, ir::ArrayLayouts layouts,
                                  const CompileOptions&) override {
    CHECK(layouts.size() == kernel.body.parameters.size());
    ++compiled;
    std::string pattern;
    for (std::size_t i = 0; i < layouts.size(); ++i)
      if (!kernel.type(kernel.body.parameters[i]).is_scalar())
        pattern += layouts[i] == ir::ArrayLayout::Dense            ? "dense "
                   : layouts[i] == ir::ArrayLayout::ContiguousRows ? "rows "
                                                                   : "strided ";
    patterns.push_back(pattern);
    return std::make_unique<EvaluatedKernel>(kernel);
  }
  int compiled = 0;
  std::vector<std::string> patterns; ///< how arrays lie, by kernel
};

void check_all(Backend& backend) {
  for (const IrProgram& program : ir_programs) {
    CAPTURE(program.name);
    std::shared_ptr<Executable> executable =
        make_executable(ir::parse(program.text), backend, CompileOptions{});
    unsigned seed = 0;
    for (std::int64_t n : {7, 1, 0, 2, 23})
      for (std::int64_t m : {5, 1, 8})
        check_executable(*executable, n, m, seed++);
  }
}

} // namespace

TEST_CASE("a walked executable does what the reference evaluator does") {
  Refusing backend;
  check_all(backend);
}

TEST_CASE("what is walked folds in the order of all") {
  // Of numbers of which each order of adding rounds in its own way; bins of segments (of 20,000
  // elements), rows that are added, a scan that is looked at again at once.
  Refusing backend;
  std::shared_ptr<Executable> executable =
      make_executable(ir::parse(R"(fn f(n: i64, m: i64, d: [m]f32)
      -> (f32, f32, [n]f32, [m]f32, [2]f32, f32) {
  d2: [2]f32 = array (0f32, 0.25f32)
  s: f32, t: f32, p: [n]f32, e: [m]f32, r: [2]f32 = soac n () { (i: i64)
    x0: f32 = convert i
    x1: f32 = add x0 1.5f32
    x: f32 = div 1f32 x1
    y: f32 = div x0 x1
    b: i64 = rem i 4i64
    row: [2]f32 = array (x, y)
    yield x, y, x, b, x, row
  } reduce (0f32, 1f32) { (a1: f32, b1: f32, a2: f32, b2: f32)
    a3: f32 = add a1 a2
    b4: f32 = mul b1 a2
    b5: f32 = add b4 b2
    yield a3, b5
  } scan (0f32) { (c1: f32, c2: f32)
    c3: f32 = add c1 c2
    yield c3
  } histogram 1 (d) (0f32) { (g1: f32, g2: f32)
    g3: f32 = add g1 g2
    yield g3
  } reduce (d2) { (h1: [2]f32, h2: [2]f32)
    h3: [2]f32 = soac 2i64 (h1, h2) { (j: i64, v: f32, w: f32)
      u: f32 = add v w
      yield u
    } map
    yield h3
  }
  q: f32 = soac n () { (k: i64)
    z0: f32 = convert k
    z1: f32 = add z0 0.3f32
    z: f32 = div 1f32 z1
    yield z
  } scan (0f32) { (l1: f32, l2: f32)
    l3: f32 = add l1 l2
    yield l3
  } post 0 { (k2: i64, prefix: f32)
    yield prefix
  } reduce (0f32) { (o1: f32, o2: f32)
    o3: f32 = add o1 o2
    yield o3
  } end
  ret s, t, p, e, r, q
})"),
                      backend, CompileOptions{});
  for (const std::int64_t n : {0, 1, 63, 64, 65, 129, 4'096, 4'161, 20'000})
    check_executable(*executable, n, 3, 0);
}

TEST_CASE("what is walked goes on from what was before") {
  Refusing backend;
  const ir::Function function = ir::parse(R"(fn f(n: i64, going: bool, before: f32)
      -> ([n]f32, f32, f32) {
  p: [n]f32, s: f32, t: f32 = soac n () { (i: i64)
    x0: f32 = convert i
    x1: f32 = add x0 1.5f32
    x: f32 = div 1f32 x1
    yield x, x, x
  } scan (0f32) { (c1: f32, c2: f32)
    c3: f32 = add c1 c2
    yield c3
  } after going (before)
  reduce (0f32) { (a1: f32, a2: f32)
    a3: f32 = add a1 a2
    yield a3
  } after going (before)
  reduce (0f32) { (b1: f32, b2: f32)
    b3: f32 = add b1 b2
    yield b3
  }
  ret p, s, t
})");
  REQUIRE(ir::verify(function) == std::nullopt);
  const std::shared_ptr<Executable> executable =
      make_executable(function, backend, CompileOptions{});
  for (const std::int64_t n : {0, 1, 64, 65, 4097, 9000})
    for (const bool going : {false, true}) {
      CAPTURE(n);
      CAPTURE(going);
      MemoryBudget memory;
      const RunContext context{.memory = &memory};
      const std::vector<ir::DenseValue> arguments = {Scalar::of(n), Scalar::of(going),
                                                     Scalar::of(0.1F)};
      const Outcome outcome =
          executable->run(to_leaves(function, arguments, memory, Arrangement::Dense), context);
      const std::vector<ir::DenseValue> results =
          from_leaves(std::get<std::vector<Datum>>(outcome));
      CHECK(results == std::get<std::vector<ir::DenseValue>>(ir::evaluate(function, arguments)));
      const auto number = [&](std::size_t i) { return std::get<Scalar>(results[i]).as<float>(); };
      if (n <= 4096) // of one block
        CHECK(number(1) == (!going ? number(2) : n == 0 ? 0.1F : 0.1F + number(2)));
    }
}

TEST_CASE("where compiling fails, kernels are walked") {
  Breaking backend;
  check_all(backend);
  std::shared_ptr<Executable> executable =
      make_executable(ir::parse(ir_programs[0].text), backend, CompileOptions{});
  executable->compile_all();
  REQUIRE(executable->kernels(false).size() == 1);
  CHECK(executable->kernels(false)[0].not_compiled == "out of order");
  CHECK(executable->statistics().compiled_soacs == 0);
  CHECK(executable->statistics().soacs == 1);
}

TEST_CASE("kernels are cut out with all that they need") {
  Evaluating backend;
  check_all(backend);
}

TEST_CASE("kernels know arrays whose rows have no gaps from those with any strides") {
  const auto patterns = [](const std::string& view) {
    Evaluating backend;
    std::shared_ptr<Executable> executable = make_executable(
        ir::parse("fn f(n: i64, m: i64, xs: [n][m]f32) -> (i64, [n][k]f32) {\n" + view +
                  R"(
  zs: [n][k]f32 = soac n (ys) { (i: i64, row: [k]f32)
    us: [k]f32 = soac k (row) { (j: i64, x: f32)
      z: f32 = add x 1.0f32
      yield z
    } map
    yield us
  } map
  ret k, zs
})"),
        backend, CompileOptions{});
    check_executable(*executable, 7, 9, 1);
    return backend.patterns.front(); // (of dense arguments; then they are arranged in other ways)
  };
  CHECK(patterns("  k: i64 = add m 0i64\n  ys: [n][k]f32 = slice xs[0i64:1i64, 0i64:1i64]") ==
        "dense ");
  CHECK(patterns("  k: i64 = add m -2i64\n  ys: [n][k]f32 = slice xs[0i64:1i64, 1i64:1i64]") ==
        "rows ");
  CHECK(patterns("  k: i64 = quot m 2i64\n  ys: [n][k]f32 = slice xs[0i64:1i64, 0i64:2i64]") ==
        "strided ");
}

TEST_CASE("an array that is one scalar throughout takes no kernel") {
  const auto program = [](std::string_view name) {
    return ir::parse(std::ranges::find(ir_programs, name, &IrProgram::name)->text);
  };
  Evaluating backend;
  std::shared_ptr<Executable> fills = make_executable(program("fills"), backend, CompileOptions{});
  CHECK(fills->kernels(false).empty());
  CHECK(fills->statistics().soacs == 6);
  CHECK(fills->statistics().compiled_soacs == 6);
  std::shared_ptr<Executable> others =
      make_executable(program("what looks like fills"), backend, CompileOptions{});
  CHECK(others->kernels(false).size() == 4);
}

TEST_CASE("fills inside of what is walked count as compiled") {
  // The map's rows have sizes of their own, so that no backend takes it whole.
  const std::string_view text = R"(fn f(n: i64, m: i64) -> [n]i64 {
  sums: [n]i64 = soac n () { (i: i64)
    zeros: [m]i64 = soac m () { (j: i64)
      yield 0i64
    } map
    changed: [m]i64 = update zeros[0i64] = i
    first: i64 = index changed[0i64]
    yield first
  } map
  ret sums
})";
  Refusing backend;
  std::shared_ptr<Executable> executable =
      make_executable(ir::parse(text), backend, CompileOptions{});
  check_executable(*executable, 7, 3, 0);
  CHECK(executable->statistics().soacs == 2);
  CHECK(executable->statistics().compiled_soacs == 1);
}

TEST_CASE("an array whose copying was interrupted is nobody's result") {
  /// Is interrupted while it copies.
  class Interrupting final : public Evaluating {
  public:
    void copy(const Leaf&, const Leaf&, const RunContext& context) override {
      context.interrupt->raise(InterruptSource::Reason::Interrupt);
    }
  };
  for (const std::string_view text :
       {"fn f(n: i64) -> [n]i64 { zeros: [n]i64 = soac n () { (i: i64) yield 0i64 } map ret zeros "
        "}",
        "fn f(n: i64, m: i64, xs: [n]i64, ys: [n]i64) -> [m]i64 { zs: [m]i64 = concat (xs, ys) ret "
        "zs "
        "}"}) {
    Interrupting backend;
    MemoryBudget memory;
    InterruptSource interrupt;
    RunContext context{.memory = &memory, .interrupt = &interrupt, .epoch = interrupt.epoch()};
    const bool joins = text.find("concat") != std::string_view::npos;
    std::vector<Datum> arguments = {Scalar::of(std::int64_t{4})};
    if (joins) {
      arguments.push_back(Scalar::of(std::int64_t{8}));
      for (int i = 0; i < 2; ++i)
        arguments.push_back(allocate_leaf(memory, ElementType::I64, {4}));
    }
    const Outcome outcome = make_executable(ir::parse(text), backend, CompileOptions{})
                                ->run(std::move(arguments), context);
    REQUIRE(std::holds_alternative<Stopped>(outcome));
    CHECK(std::get<Stopped>(outcome).why == Stopped::Why::Interrupted);
  }
}

TEST_CASE("a kernel is compiled once for each arrangement of its arguments") {
  Evaluating backend;
  std::shared_ptr<Executable> executable =
      make_executable(ir::parse(ir_programs[0].text), backend, CompileOptions{});
  executable->compile_all();
  CHECK(backend.compiled == 1);
  check_executable(*executable, 10, 3, 0);
  CHECK(backend.compiled == 2); // neither array is row-major
  check_executable(*executable, 11, 3, 1);
  CHECK(backend.compiled == 2);
  CHECK(executable->statistics().kernel_launches == 12);
  CHECK(executable->statistics().runs == 12);
  CHECK(executable->statistics().compiled_soacs == 1);
}

TEST_CASE("what kernels and copies move is counted") {
  Evaluating backend;
  std::shared_ptr<Executable> executable =
      make_executable(ir::parse(R"(fn f(n: i64, m: i64, xs: [n]i32) -> [m]i32 {
  ys: [n]i32 = soac n (xs) { (i: i64, x: i32)
    y: i32 = add x 1i32
    yield y
  } map
  zs: [m]i32 = concat (xs, ys)
  ret zs
})"),
                      backend, CompileOptions{});
  MemoryBudget memory;
  RunContext context;
  context.memory = &memory;
  for (int i = 0; i < 2; ++i) {
    Leaf xs = allocate_leaf(memory, ElementType::I32, {10});
    std::memset(xs.buffer->overwrite(), 0, 40);
    executable->run({Scalar::of(std::int64_t{10}), Scalar::of(std::int64_t{20}), std::move(xs)},
                    context);
  }
  const std::vector<Executable::KernelDescription> kernels = executable->kernels(true);
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].launches.launches == 2);
  CHECK(kernels[0].launches.moved_bytes == 2 * (40 + 40));
  CHECK(kernels[0].assembly == "none");
  CHECK(executable->statistics().moved_bytes == 2 * (80 + 2 * 80));
}

TEST_CASE("what is joined goes behind the first part, where that has room and one owner") {
  Evaluating backend;
  std::shared_ptr<Executable> executable =
      make_executable(ir::parse("fn f(n: i64, m: i64, k: i64, xs: [n]i32, ys: [m]i32) -> [k]i32 { "
                                "zs: [k]i32 = concat (xs, ys) ret zs }"),
                      backend, CompileOptions{});
  struct Case {
    std::int64_t room;
    bool has_other_owner, is_extended;
  };
  for (const Case& one : {Case{30, false, true}, Case{30, true, false}, Case{14, false, false},
                          Case{15, false, true}, Case{1'000, false, false}}) {
    CAPTURE(one.room);
    CAPTURE(one.has_other_owner);
    MemoryBudget memory;
    RunContext context{.memory = &memory};
    Leaf xs = allocate_leaf(memory, ElementType::I32, {one.room});
    Leaf ys = allocate_leaf(memory, ElementType::I32, {5});
    auto* x = reinterpret_cast<std::int32_t*>(xs.buffer->overwrite());
    auto* y = reinterpret_cast<std::int32_t*>(ys.buffer->overwrite());
    for (std::int32_t i = 0; i < one.room; ++i)
      x[i] = i < 10 ? i : -1;
    for (std::int32_t i = 0; i < 5; ++i)
      y[i] = 10 + i;
    xs.extents[0] = 10;
    const std::byte* data = xs.buffer->contents();
    Leaf other;
    if (one.has_other_owner) other = xs;
    std::vector<Datum> arguments = {Scalar::of(std::int64_t{10}), Scalar::of(std::int64_t{5}),
                                    Scalar::of(std::int64_t{15})};
    arguments.emplace_back(std::move(xs));
    arguments.emplace_back(std::move(ys));
    Outcome outcome = executable->run(std::move(arguments), context);
    REQUIRE(std::holds_alternative<std::vector<Datum>>(outcome));
    const Leaf& result = std::get<Leaf>(std::get<std::vector<Datum>>(outcome)[0]);
    CHECK((result.buffer->contents() == data) == one.is_extended);
    const auto* values = reinterpret_cast<const std::int32_t*>(result.buffer->contents());
    for (std::int32_t i = 0; i < 15; ++i)
      CHECK(values[i] == i);
    if (one.has_other_owner) CHECK(x[10] == -1);
  }
}

TEST_CASE("a kernel that is walked shows those inside of it") {
  /// Takes no kernel that holds a loop.
  class Picky final : public Evaluating {
  public:
    std::optional<std::string> rejects(const ir::Function& kernel) const override {
      return ir::print(kernel).find(" for ") == std::string::npos
                 ? std::optional<std::string>()
                 : std::optional<std::string>("a loop");
    }
  };
  Picky backend;
  std::shared_ptr<Executable> executable = make_executable(ir::parse(R"(fn f(n: i64) -> [n]i64 {
  ys: [n]i64 = soac n () { (i: i64)
    s: i64 = for n (0i64) { (k: i64, r: i64)
      t: i64 = soac n () { (j: i64)
        yield j
      } reduce (0i64) { (a: i64, b: i64)
        c: i64 = add a b
        yield c
      }
      u: i64 = add r t
      yield u
    }
    yield s
  } map
  ret ys
})"),
                                                           backend, CompileOptions{});
  const std::vector<Executable::KernelDescription> kernels = executable->kernels(false);
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].not_compiled == "a loop");
  CHECK(kernels[1].not_compiled.empty());
  CHECK(executable->statistics().soacs == 2);
  CHECK(executable->statistics().compiled_soacs == 1);
}

TEST_CASE("loops without worthwhile SOACs are one kernel, others are walked around theirs") {
  Evaluating backend;
  auto kernels = [&](std::string_view text) {
    return make_executable(ir::parse(text), backend, CompileOptions{})->kernels(false).size();
  };
  CHECK(kernels(R"(fn f(n: i64) -> i64 {
  s: i64 = for n (0i64) { (i: i64, r: i64)
    t: i64 = soac 3i64 () { (j: i64)
      yield j
    } reduce (0i64) { (a: i64, b: i64)
      c: i64 = add a b
      yield c
    }
    u: i64 = add r t
    yield u
  }
  ret s
})") == 1);
  CHECK(kernels(R"(fn f(n: i64) -> i64 {
  s: i64 = for n (0i64) { (i: i64, r: i64)
    t: i64 = soac n () { (j: i64)
      yield j
    } reduce (0i64) { (a: i64, b: i64)
      c: i64 = add a b
      yield c
    }
    v: i64 = soac n () { (k: i64)
      yield k
    } reduce (0i64) { (d: i64, e: i64)
      h: i64 = max d e
      yield h
    }
    u: i64 = add r t
    w: i64 = add u v
    yield w
  }
  ret s
})") == 2);
}

TEST_CASE("what is consumed is overwritten where nobody else has it") {
  Refusing backend;
  std::shared_ptr<Executable> executable =
      make_executable(ir::parse("fn f(n: i64, m: i64, d: [n][m]i32) -> [n][m]i32 {\n"
                                "  e: [n][m]i32 = for n (d) { (i: i64, c: [n][m]i32)\n"
                                "    first: [m]i32 = index c[0i64]\n"
                                "    row: [m]i32 = copy first\n"
                                "    b: [n][m]i32 = update c[i] = row\n"
                                "    g: [n][m]i32 = update b[i, 0i64] = 7i32\n"
                                "    yield g\n"
                                "  }\n"
                                "  ret e\n"
                                "}"),
                      backend, CompileOptions{});
  MemoryBudget memory;
  RunContext context{.memory = &memory};
  Leaf array = allocate_leaf(memory, ElementType::I32, {4, 3});
  std::memset(array.buffer->overwrite(), 0, array.buffer->bytes());
  const std::byte* data = array.buffer->contents();
  // A row must be copied aside while it is written into its own array, the array never.
  std::size_t row = 3 * 4;
  memory.set_limit(memory.in_use() + row);
  std::vector<Datum> arguments = {Scalar::of(std::int64_t{4}), Scalar::of(std::int64_t{3})};
  arguments.emplace_back(std::move(array));
  Outcome outcome = executable->run(std::move(arguments), context);
  REQUIRE(std::holds_alternative<std::vector<Datum>>(outcome));
  CHECK(std::get<Leaf>(std::get<std::vector<Datum>>(outcome)[0]).buffer->contents() == data);
}

TEST_CASE("walked code stops when it is interrupted") {
  Refusing backend;
  std::shared_ptr<Executable> executable =
      make_executable(ir::parse("fn f(n: i64) -> i64 { s: i64 = for n (0i64) { (i: i64, r: i64) "
                                "t: i64 = add r i yield t } ret s }"),
                      backend, CompileOptions{});
  MemoryBudget memory;
  InterruptSource interrupt;
  RunContext context{.memory = &memory, .interrupt = &interrupt, .epoch = interrupt.epoch()};
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    interrupt.raise(InterruptSource::Reason::Interrupt);
  });
  Outcome outcome = executable->run({Scalar::of(std::int64_t{1} << 60)}, context);
  stopper.join();
  REQUIRE(std::holds_alternative<Stopped>(outcome));
  CHECK(std::get<Stopped>(outcome).why == Stopped::Why::Interrupted);
}

TEST_CASE("a launch that has to wait for its kernel's code can be interrupted") {
  class Stalling final : public Evaluating {
  public:
    std::shared_ptr<Kernel> compile(const ir::Function& kernel, ir::ArrayLayouts layouts,
                                    const CompileOptions& options) override {
      interrupt.raise(InterruptSource::Reason::Interrupt);
      stalls.get_future().wait();
      return Evaluating::compile(kernel, std::move(layouts), options);
    }
    InterruptSource interrupt;
    std::promise<void> stalls;
  } backend;
  std::shared_ptr<Executable> executable = make_executable(
      ir::parse(
          "fn f(n: i64) -> [n]i64 { xs: [n]i64 = soac n () { (i: i64) yield i } map ret xs }"),
      backend, CompileOptions{});
  MemoryBudget memory;
  CompileThreads threads; // its end waits for the backend
  RunContext context{.memory = &memory,
                     .interrupt = &backend.interrupt,
                     .epoch = backend.interrupt.epoch(),
                     .compile_threads = &threads};
  Outcome outcome = executable->run({Scalar::of(std::int64_t{3})}, context);
  REQUIRE(std::holds_alternative<Stopped>(outcome));
  CHECK(std::get<Stopped>(outcome).why == Stopped::Why::Interrupted);
  CHECK(threads.left_behind() == 1);
  backend.stalls.set_value();
}

TEST_CASE("the memory limit stops a run, and nothing is left behind") {
  Refusing backend;
  std::shared_ptr<Executable> executable = make_executable(
      ir::parse(
          "fn f(n: i64) -> [n]i64 { xs: [n]i64 = soac n () { (i: i64) yield i } map ret xs }"),
      backend, CompileOptions{});
  MemoryBudget memory(1000);
  RunContext context{.memory = &memory};
  Outcome outcome = executable->run({Scalar::of(std::int64_t{1000})}, context);
  REQUIRE(std::holds_alternative<Stopped>(outcome));
  CHECK(std::get<Stopped>(outcome).why == Stopped::Why::OutOfMemory);
  CHECK(memory.in_use() == 0);
}

TEST_CASE("a failure says which element") {
  Refusing backend;
  std::shared_ptr<Executable> executable = make_executable(
      ir::parse("fn f(n: i64) -> [n]i64 { xs: [n]i64 = soac n () { (i: i64) c: bool = ne i 5i64 "
                "check c, \"five\" yield i } map ret xs }"),
      backend, CompileOptions{});
  MemoryBudget memory;
  RunContext context{.memory = &memory};
  Outcome outcome = executable->run({Scalar::of(std::int64_t{10})}, context);
  REQUIRE(std::holds_alternative<Stopped>(outcome));
  CHECK(std::get<Stopped>(outcome).first_index == 5);
}
