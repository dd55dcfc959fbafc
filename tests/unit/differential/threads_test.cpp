// Compiled code gives the same bits on any number of threads and on every run.
#include "repl/comparing/differences.h"
#include "repl/session/session.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

using namespace sinter;

namespace {

/// A program of tests/bench/core: an entry that makes the input of a size, and one that is run.
/// The sizes are such that work is split between threads.
struct Benchmark {
  const char *program, *input, *kernel;
  std::int64_t size;
};

constexpr Benchmark benchmarks[] = {
    {"blackscholes", "input_f32", "kernel_f32", 20'000},
    {"conv3x3", "input", "kernel_conv", 300},
    {"dotp", "input", "kernel", 500'000},
    {"filter", "input", "kernel_filter", 200'000},
    {"filter", "input", "kernel_partition", 200'000},
    {"histogram", "input_256", "kernel", 300'000},
    {"histogram", "input_65536", "kernel", 300'000},
    {"kmeans", "input", "kernel", 2'000},
    {"mandelbrot", "input", "kernel", 100},
    {"matmul", "input", "kernel", 100},
    {"nbody", "input", "kernel", 500},
    {"nestedsum", "input_powerlaw", "kernel", 10'000},
    {"nestedsum", "input_short", "kernel", 50'000},
    {"radixsort", "input", "kernel", 50'000},
    {"scan", "input_i32", "kernel_i32", 300'000},
    {"scan", "input_f32", "kernel_f32", 300'000},
    {"spmv", "input_powerlaw", "kernel", 10'000},
    {"sum", "input", "kernel", 1'000'000},
};

std::vector<Value> results_of(const core::EntryPoint& entry, const Value& value) {
  if (entry.results.size() == 1) return {value};
  return {value.fields().begin(), value.fields().end()};
}

/// Inputs, made by the compiled program, and the kernel's results on so many threads.
class Runner {
public:
  explicit Runner(const Benchmark& benchmark) {
    const std::string path =
        std::string(SINTER_SOURCE_DIR) + "/tests/bench/core/" + benchmark.program + ".fut";
    const repl::Outcome loaded = session_.load(path);
    REQUIRE_MESSAGE(loaded.ok(), loaded.messages);
    const core::EntryPoint input =
        session_.specialiser().entry_point(*session_.loaded(), benchmark.input);
    kernel_ = session_.specialiser().entry_point(*session_.loaded(), benchmark.kernel);
    use(1);
    inputs_ = results_of(input, call(input, {Value(Scalar::of(benchmark.size))}));
  }
  std::vector<comparing::ScalarsOf> run(unsigned threads) {
    use(threads);
    const std::vector<Value> values = results_of(kernel_, call(kernel_, inputs_));
    std::vector<comparing::ScalarsOf> scalars;
    for (std::size_t i = 0; i < values.size(); ++i)
      scalars.push_back(comparing::scalars_of(session_.representations(), values[i],
                                              kernel_.results[i].representation));
    return scalars;
  }
  bool has_compiled() {
    for (const jit::RegionReport& region : session_.report().regions)
      if (region.compiled_runs > 0 && region.kernel_launches > 0) return true;
    return false;
  }

private:
  void use(unsigned threads) {
    jit::SwapOptions options;
    options.mode = jit::Mode::Jit;
    options.threads = threads;
    session_.accelerate(options);
  }
  Value call(const core::EntryPoint& entry, std::vector<Value> arguments) {
    repl::Outcome outcome = session_.guarded(
        [&] { return session_.evaluator().call(*entry.function, std::move(arguments)); });
    REQUIRE_MESSAGE(outcome.ok(), outcome.messages);
    return outcome.value;
  }

  repl::Session session_;
  core::EntryPoint kernel_;
  std::vector<Value> inputs_;
};

} // namespace

TEST_CASE("kernels give the same bits on one thread, on two, and again") {
  setenv("SINTER_CACHE", "off", 1);
  for (const Benchmark& benchmark : benchmarks) {
    CAPTURE(benchmark.program);
    CAPTURE(benchmark.input);
    Runner runner(benchmark);
    const std::vector<comparing::ScalarsOf> wanted = runner.run(1);
    CHECK(runner.has_compiled());
    for (const unsigned threads : {2, 2, 3}) {
      CAPTURE(threads);
      const std::vector<comparing::ScalarsOf> found = runner.run(threads);
      REQUIRE(found.size() == wanted.size());
      for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(comparing::difference(wanted[i], found[i]).is_same());
    }
  }
}
