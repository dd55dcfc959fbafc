// Executables whose launches choose between the host and a place with memory of its own.
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "jit/passes/pipeline.h"
#include "jit/runtime/places.h"
#include "tests/generate/ir/ir_generator.h"
#include "tests/generate/ir/ir_outcome.h"
#include "tests/unit/jit_runtime/ir_programs.h"
#include "tests/unit/jit_runtime/remote_place.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>

using namespace sinter;
using namespace sinter::jit;
using namespace sinter::test;

namespace {

/// The host: runs kernels by the reference evaluator, in its own memory, and refuses some.
class PlainHost : public Backend {
public:
  explicit PlainHost(unsigned refused = 0) : refused_(refused) {}
  class HostKernel final : public Kernel {
  public:
    explicit HostKernel(ir::Function function) : function_(std::move(function)) {}
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
  std::string name() const override { return "cpu"; }
  std::optional<std::string> rejects(const ir::Function& kernel) const override {
    CHECK(ir::verify(kernel).value_or("") == "");
    if (++asked_ % 100 < refused_) return "on principle";
    return {};
  }
  std::shared_ptr<Kernel> compile(const ir::Function& kernel, ir::ArrayLayouts,
                                  const CompileOptions&) override {
    return std::make_shared<HostKernel>(kernel);
  }

private:
  unsigned refused_;
  mutable std::atomic<unsigned> asked_{0};
};

/// The same, but what it prepares becomes two kernels where that can be.
class BranchingHost final : public PlainHost {
public:
  PreparedKernel prepare(ir::Function kernel, const CompileOptions&) const override {
    return branched(std::move(kernel));
  }
};

/// Chooses by chance, and counts.
class ByChance final : public PlaceChooser {
public:
  explicit ByChance(unsigned seed) : random_(seed) {}
  PlaceId choose(const WorkFacts& work) const override {
    CHECK(work.bytes_there.size() == 2);
    return work.possible[random_() % work.possible.size()];
  }

private:
  mutable std::minstd_rand random_;
};

/// The first place whenever it may be, or the last.
class Always final : public PlaceChooser {
public:
  explicit Always(bool is_first) : is_first_(is_first) {}
  PlaceId choose(const WorkFacts& work) const override {
    return is_first_ ? work.possible.front() : work.possible.back();
  }

private:
  bool is_first_;
};

/// The first place and the last one, by turns.
class ByTurns final : public PlaceChooser {
public:
  PlaceId choose(const WorkFacts& work) const override {
    return work.possible[++turn_ % work.possible.size()];
  }

private:
  mutable std::atomic<unsigned> turn_{0};
};

ir::Evaluation evaluation_of(const Outcome& outcome) {
  if (const auto* stopped = std::get_if<Stopped>(&outcome)) {
    REQUIRE(stopped->why == Stopped::Why::Failed);
    return stopped->site;
  }
  return from_leaves(std::get<std::vector<Datum>>(outcome));
}

std::vector<Datum> results_of(Outcome outcome) {
  REQUIRE(std::holds_alternative<std::vector<Datum>>(outcome));
  return std::get<std::vector<Datum>>(std::move(outcome));
}

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

constexpr std::string_view chain = R"(fn f(n: i64, xs: [n]i64) -> ([n]i64, i64) {
  ys: [n]i64 = soac n (xs) { (i: i64, x: i64)
    y: i64 = add x 1i64
    yield y
  } map
  s: i64 = soac n (ys) { (j: i64, a: i64)
    yield a
  } reduce (0i64) { (p: i64, q: i64)
    r: i64 = add p q
    yield r
  }
  zs: [n]i64 = soac n (ys) { (k: i64, b: i64)
    c: i64 = mul b s
    yield c
  } map
  ret zs, s
})";

constexpr std::string_view checked = R"(fn f(n: i64, m: i64, xs: [n]i64) -> (i64, [n]i64) {
  ys: [n]i64 = soac n (xs) { (i: i64, x: i64)
    is_small: bool = lt x 100i64
    check is_small, "first"
    yield x
  } map
  zs: [n]i64 = soac n (ys) { (j: i64, y: i64)
    z: i64 = add y 1i64
    yield z
  } map
  is_few: bool = lt m 5i64
  check is_few, "second"
  ret m, zs
})";

} // namespace

TEST_CASE("places chosen by chance change no result") {
  for (const IrProgram& program : ir_programs) {
    CAPTURE(program.name);
    for (unsigned seed = 0; seed < 4; ++seed) {
      RemotePlace remote(seed + 1, {.refused = 15, .broken = 10, .prepared = 30, .pending = 60});
      PlainHost host(seed == 3 ? 30 : 0);
      const Places places({&remote, &host}, std::make_shared<ByChance>(seed + 1));
      const auto executable = make_executable(ir::parse(program.text), places, CompileOptions{});
      for (const std::int64_t n : {7, 1, 0, 23})
        for (const std::int64_t m : {5, 1})
          check_executable(*executable, n, m, seed);
      CHECK(remote.remote_memory().count() == 0); // everything was forgotten
    }
  }
}

TEST_CASE(
    "where there is no other place, what the host prepares is host-level code like all other") {
  BranchingHost host;
  for (const IrProgram& program : ir_programs) {
    CAPTURE(program.name);
    const auto executable =
        make_executable(ir::parse(program.text), host, {.passes = {.verify = true}});
    for (const std::int64_t n : {7, 1, 0, 23})
      for (const std::int64_t m : {5, 1})
        check_executable(*executable, n, m, 1);
  }
  const auto executable = make_executable(ir::parse(chain), host, CompileOptions{});
  CHECK(executable->kernels(false).size() == 6);
  CHECK(executable->passes().size() == 3);
  CHECK(executable->statistics().soacs == 6);
  CHECK(executable->statistics().compiled_soacs == 6);
  check_executable(*executable, 10, 0, 1);
  CHECK(executable->statistics().kernel_launches == 3 * executable->statistics().runs);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    generate::Random random(seed);
    ir::Function function = generate::random_function(random, {.depth = 2});
    const ir::Function original = function;
    const auto made = make_executable(function, host, {.passes = {.verify = true}});
    const auto arguments = generate::random_arguments(original, random, 7);
    MemoryBudget memory;
    RunContext context{.memory = &memory};
    const Outcome outcome =
        made->run(to_leaves(original, arguments, memory, Arrangement::Dense), context);
    REQUIRE(generate::same_outcome(original, ir::evaluate(original, arguments),
                                   evaluation_of(outcome)));
  }
}

TEST_CASE("what another place prepared as several kernels counts as those") {
  RemotePlace remote(1, {.prepared = 100});
  PlainHost host;
  const Places places({&remote, &host}, std::make_shared<Always>(true));
  const auto executable = make_executable(ir::parse(chain), places, CompileOptions{});
  check_executable(*executable, 10, 0, 1);
  // Each of three kernels is the host's too, and two of the other place's.
  CHECK(executable->kernels(false).size() == 9);
  CHECK(executable->statistics().kernel_launches == 3 * executable->statistics().runs);
  CHECK(remote.launches() == executable->statistics().kernel_launches);
}

TEST_CASE("random functions keep what they mean with places chosen by chance") {
  const std::uint64_t first = from_environment("SINTER_RANDOM_SEED", 0);
  const std::uint64_t count = from_environment("SINTER_RANDOM_FUNCTIONS", 500);
  std::uint64_t launches = 0, pending = 0, late = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    generate::Random random(seed);
    generate::IrOptions options;
    options.statements = 5 + seed % 12;
    options.checks = seed % 3 == 0;
    options.depth = seed % 2 == 0 ? 1 : 3;
    const ir::Function original = generate::random_function(random, options);
    ir::Function function = original;
    if (seed % 4 != 0) optimise(function);
    RemotePlace remote(static_cast<unsigned>(seed) + 1,
                       {.refused = 15, .broken = 10, .prepared = 25, .pending = 60});
    PlainHost host(seed % 5 == 0 ? 30 : 0);
    const Places places({&remote, &host},
                        std::make_shared<ByChance>(static_cast<unsigned>(seed) + 1));
    const auto executable = make_executable(function, places, CompileOptions{});
    for (const std::size_t extent : {5, 0, 9}) {
      const auto arguments = generate::random_arguments(original, random, extent);
      const ir::Evaluation expected = ir::evaluate(original, arguments);
      for (const auto arrangement : {Arrangement::Dense, Arrangement::Spread}) {
        const bool is_shared = random.chance(50);
        MemoryBudget memory;
        RunContext context{.memory = &memory, .threads = 1};
        std::vector<Datum> leaves = to_leaves(function, arguments, memory, arrangement);
        const std::vector<Datum> kept = is_shared ? leaves : std::vector<Datum>();
        const ir::Evaluation found = evaluation_of(executable->run(std::move(leaves), context));
        REQUIRE_MESSAGE(generate::same_outcome(original, expected, found),
                        "seed " << seed << "\n"
                                << ir::print(original) << "\noptimised:\n"
                                << ir::print(function));
        if (is_shared) REQUIRE(from_leaves(kept) == arguments);
      }
    }
    CHECK(remote.remote_memory().count() == 0);
    launches += remote.launches();
    pending += remote.pending_arguments();
    late += remote.late_failures();
  }
  if (count >= 500) {
    CHECK(launches > 1000);
    CHECK(pending > 10);
    CHECK(late > 10);
  }
}

TEST_CASE("what is made elsewhere stays there between kernels, scalars too, and takes no memory") {
  RemotePlace remote(1, {.pending = 100});
  PlainHost host;
  const Places places({&remote, &host}, std::make_shared<Always>(true));
  const auto executable = make_executable(ir::parse(chain), places, CompileOptions{});
  MemoryBudget memory;
  RunContext context{.memory = &memory};
  const std::vector<ir::DenseValue> arguments = make_arguments(executable->function(), 100, 0, 1);
  const std::vector<Datum> leaves =
      to_leaves(executable->function(), arguments, memory, Arrangement::Dense);
  std::vector<Datum> results = results_of(executable->run(leaves, context));
  CHECK(remote.launches() == 3);
  CHECK(remote.remote_memory().uploads() == 1);
  CHECK(remote.remote_memory().fetches() == 0);
  CHECK(remote.pending_arguments() == 1); // the sum, for the last kernel
  CHECK(std::holds_alternative<Scalar>(results[1]));
  CHECK(memory.in_use() == 800); // the argument
  CHECK(ir::Evaluation(from_leaves(results)) == ir::evaluate(executable->function(), arguments));
  CHECK(remote.remote_memory().fetches() == 1);
  for (const Executable::KernelDescription& kernel : executable->kernels(false)) {
    CHECK(kernel.facts.place == "remote");
    CHECK(kernel.facts.registers == 40);
    CHECK(kernel.refusals.empty());
  }
}

TEST_CASE("each launch chooses its place, and each place has its versions") {
  RemotePlace remote(1, {});
  PlainHost host;
  const Places places({&remote, &host}, std::make_shared<ByTurns>());
  const auto executable = make_executable(ir::parse(chain), places, CompileOptions{});
  for (int round = 0; round < 4; ++round)
    check_executable(*executable, 10, 0, 1);
  for (const Executable::KernelDescription& kernel : executable->kernels(false))
    CHECK(kernel.versions >= 2);
  CHECK(remote.launches() > 0);
}

TEST_CASE("what a place refuses goes to the next one, and what that refuses is walked") {
  RemotePlace remote(1, {.refused = 100});
  PlainHost host;
  const Places places({&remote, &host}, std::make_shared<Always>(true));
  const auto executable = make_executable(ir::parse(chain), places, CompileOptions{});
  check_executable(*executable, 10, 0, 1);
  CHECK(remote.launches() == 0);
  for (const Executable::KernelDescription& kernel : executable->kernels(false)) {
    CHECK(kernel.not_compiled.empty());
    CHECK(kernel.facts.place == "cpu");
    REQUIRE(kernel.refusals.size() == 1);
    CHECK(kernel.refusals[0].place == "remote");
    CHECK(kernel.refusals[0].why == "it is Monday");
  }
  // So is what does not compile there.
  RemotePlace broken(1, {.broken = 100});
  PlainHost unwilling(100);
  for (Backend* const last : {static_cast<Backend*>(&host), static_cast<Backend*>(&unwilling)}) {
    const Places others({&broken, last}, std::make_shared<Always>(true));
    const auto again = make_executable(ir::parse(chain), others, CompileOptions{});
    check_executable(*again, 10, 0, 1);
    CHECK(again->kernels(false).at(0).not_compiled == (last == &host ? "" : "on principle"));
  }
}

TEST_CASE("a failure elsewhere is told when its launch is waited for, before those after it") {
  RemotePlace remote(1, {});
  PlainHost host;
  const Places places({&remote, &host}, std::make_shared<Always>(true));
  const auto executable = make_executable(ir::parse(checked), places, CompileOptions{});
  MemoryBudget memory;
  RunContext context{.memory = &memory};
  for (const std::int64_t m : {1, 7}) // the host's check fails as well
    for (const bool fails : {true, false}) {
      const std::vector<ir::DenseValue> arguments = {
          Scalar::of(std::int64_t{2}), Scalar::of(m),
          ir::DenseArray{ElementType::I64,
                         {2},
                         {Scalar::of(std::int64_t{3}), Scalar::of(std::int64_t{fails ? 200 : 4})}}};
      const Outcome outcome = executable->run(
          to_leaves(executable->function(), arguments, memory, Arrangement::Dense), context);
      CHECK(evaluation_of(outcome) == ir::evaluate(executable->function(), arguments));
    }
  CHECK(remote.late_failures() == 2);
  CHECK(memory.in_use() == 0);
}

TEST_CASE("a fetch that finds no memory ends the run, not the session") {
  RemotePlace remote(1, {});
  PlainHost host;
  const Places places({&remote, &host}, std::make_shared<ByTurns>());
  const auto executable = make_executable(ir::parse(chain), places, CompileOptions{});
  MemoryBudget memory(1000);
  RunContext context{.memory = &memory};
  const std::vector<ir::DenseValue> arguments = make_arguments(executable->function(), 100, 0, 1);
  for (int round = 0; round < 4; ++round) {
    memory.set_limit(SIZE_MAX);
    std::vector<Datum> leaves =
        to_leaves(executable->function(), arguments, memory, Arrangement::Dense);
    memory.set_limit(round % 2 == 0 ? 1000 : 100'000);
    const Outcome outcome = executable->run(std::move(leaves), context);
    if (const auto* const stopped = std::get_if<Stopped>(&outcome)) {
      CHECK(stopped->why == Stopped::Why::OutOfMemory);
      CHECK(round % 2 == 0);
    } else if (round % 2 == 1) {
      CHECK(evaluation_of(outcome) == ir::evaluate(executable->function(), arguments));
    }
  }
  CHECK(memory.in_use() == 0);
}
