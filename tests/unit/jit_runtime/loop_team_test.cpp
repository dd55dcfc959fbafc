// A team of any number of threads, over launches that are written here: more threads than there are
// processors, and than there are parts.
#include "jit/runtime/loop_team.h"

#include "jit/runtime/leaf_operations.h"
#include "lang/values/strided.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

using namespace sinter;
using namespace sinter::jit;

namespace {

/// So many threads, each of its own.
class ThreadsPlace final : public Backend {
public:
  explicit ThreadsPlace(unsigned threads) : threads_(threads) {}
  std::string name() const override { return "threads"; }
  unsigned thread_limit(const RunContext&) const override { return threads_; }
  std::optional<std::string> rejects(const ir::Function&) const override { return "none here"; }
  std::shared_ptr<Kernel> compile(const ir::Function&, ir::ArrayLayouts,
                                  const CompileOptions&) override {
    return nullptr;
  }
  void on_threads(unsigned threads, const std::function<void(unsigned)>& body) override {
    std::vector<std::thread> others;
    std::atomic<unsigned> there = 1;
    for (unsigned number = 1; number < threads; ++number)
      others.emplace_back([&, number] {
        ++there;
        body(number);
      });
    // The first one does not wait for long: all are to be there, or hardly anyone.
    while (are_in_time && there < threads)
      std::this_thread::yield();
    if (are_in_time) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    body(0);
    for (std::thread& other : others)
      other.join();
  }
  bool are_in_time = true;

private:
  unsigned threads_;
};

/// Elements of an array that is its first argument, in parts.
class Parts : public StandingLaunch, public LaunchParts {
public:
  /// Of so many elements each; the last one has the rest.
  Parts(std::int64_t elements, std::int64_t size)
      : elements_(elements), count_((elements + size - 1) / size), size_(size) {}
  bool run(const RunContext&, std::optional<Stopped>&) override { return false; }
  LaunchParts* parts(unsigned) override { return this; }

  std::int64_t count() const override { return count_; }
  std::int64_t begin(std::int64_t part) const override { return std::min(part * size_, elements_); }
  std::int64_t rows() const override { return elements_; }
  std::span<const std::uint32_t> size_parameters() const override { return {}; }
  const Extents& strides(std::size_t) const override { return strides_; }
  bool stands(const RunContext&) const override { return true; }
  bool run(const Call& call, std::int64_t part) override {
    return run_range(call, begin(part), begin(part + 1));
  }

  void rest() override {}

protected:
  static std::int64_t* array(std::uint64_t word) { return std::bit_cast<std::int64_t*>(word); }
  const std::int64_t elements_, count_;

private:
  const std::int64_t size_;
  const Extents strides_{1};
};

/// (xs) -> their sum.
class Sum final : public Parts {
public:
  Sum(std::int64_t elements, std::int64_t size)
      : Parts(elements, size), sums_(static_cast<std::size_t>(2 * count_)) {}
  std::optional<Reach> reach(std::size_t) const override { return Reach{}; }
  Result result(std::size_t) const override { return {.is_number = true}; }
  bool has_numbers() const override { return true; }
  bool run(const Call& call, std::int64_t part) override {
    std::int64_t& sum = sums_[static_cast<std::size_t>(call.turn * count_ + part)];
    sum = 0;
    for (std::int64_t i = begin(part); i < begin(part + 1); ++i)
      sum += array(call.arguments[0])[i];
    return true;
  }
  bool run_range(const Call&, std::int64_t, std::int64_t) override {
    FAIL("numbers are made by whole parts");
    return false;
  }
  bool combine(const Call& call) override {
    // (What a thread's number stands for, such as memory, is no other one's at the same time.)
    if (is_busy_[call.thread].exchange(true)) FAIL_CHECK("two threads with one number");
    std::this_thread::yield();
    is_busy_[call.thread] = false;
    const auto first = sums_.begin() + call.turn * count_;
    call.results[0] = static_cast<std::uint64_t>(std::accumulate(first, first + count_, 0L));
    return true;
  }

private:
  std::vector<std::int64_t> sums_;
  std::array<std::atomic<bool>, 16> is_busy_{};
};

/// (xs, ys, number, iteration) -> of each element and those around it.
class Around final : public Parts {
public:
  Around(std::int64_t elements, std::int64_t size, std::int64_t before, std::int64_t behind)
      : Parts(elements, size), before_(before), behind_(behind) {}
  /// In that iteration, from that index on.
  void fail(std::int64_t iteration, std::int64_t index) {
    failing_iteration_ = iteration;
    failing_index_ = index;
  }
  std::optional<Reach> reach(std::size_t parameter) const override {
    if (parameter == 0) return Reach{before_, behind_};
    return Reach{};
  }
  Result result(std::size_t) const override {
    Leaf leaf;
    leaf.element = ElementType::I64;
    leaf.extents = {elements_};
    leaf.strides = {1};
    return {.leaf = leaf, .bytes = static_cast<std::size_t>(elements_) * sizeof(std::int64_t)};
  }
  bool has_numbers() const override { return false; }
  bool run_range(const Call& call, std::int64_t first, std::int64_t last) override {
    if (first < 0 || first > last || last > elements_) FAIL_CHECK("not a range of indices");
    const auto number = static_cast<std::int64_t>(call.arguments[4]);
    const auto iteration = static_cast<std::int64_t>(call.arguments[5]);
    for (std::int64_t i = first; i < last; ++i) {
      if (iteration == failing_iteration_ && i >= failing_index_) return false;
      array(call.results[0])[i] = at(array(call.arguments[0]), array(call.arguments[2]), number, i);
    }
    return true;
  }
  bool combine(const Call&) override { return false; }
  std::int64_t at(const std::int64_t* xs, const std::int64_t* ys, std::int64_t number,
                  std::int64_t i) const {
    const std::int64_t low = std::max<std::int64_t>(i - before_, 0);
    const std::int64_t high = std::min(i + behind_, elements_ - 1);
    return (3 * xs[i] + xs[low] - 5 * xs[high] + ys[i] + number) % 1'000'003;
  }

private:
  const std::int64_t before_, behind_;
  std::int64_t failing_iteration_ = -1, failing_index_ = 0;
};

/// for … (s, a) { (t, s, a)  s2 = sum a; c = around a (a, s2, t); b = around c (a, s2, t) } s2, b
struct Loop {
  enum : plan::Slot { Index, State, Sum2, Scalars };
  enum : plan::Slot { A, C, B, Arrays };

  Loop(std::int64_t elements, std::int64_t size, std::int64_t before, std::int64_t behind,
       std::int64_t sum_size = 0)
      : n(elements), sum(elements, sum_size > 0 ? sum_size : size), first(elements, size, 1, 2),
        second(elements, size, before, behind), scalars(Scalars), arrays(Arrays) {
    step.action = plan::CountedLoop{};
    step.targets = {{State, false}, {A, true}};
    plan::Block& body = step.blocks.emplace_back();
    body.parameters = {{Index, false}, {State, false}, {A, true}};
    const auto launch = [&](std::uint32_t number, std::vector<plan::Use> uses, plan::Target to) {
      plan::Step& made = body.steps.emplace_back();
      made.action = plan::Launch{nullptr, number};
      made.uses = std::move(uses);
      made.targets = {to};
    };
    launch(0, {{A, true}}, {Sum2, false});
    launch(1, {{A, true}, {A, true}, {Sum2}, {Index}}, {C, true});
    launch(2, {{C, true, true}, {A, true, true}, {Sum2}, {Index}}, {B, true});
    body.results = {{Sum2}, {B, true, true}};
    arrays[A] = allocate_leaf(memory, ElementType::I64, {n});
    for (std::int64_t i = 0; i < n; ++i)
      now.push_back(i * i % 97);
    std::ranges::copy(now, reinterpret_cast<std::int64_t*>(arrays[A].buffer->overwrite()));
  }
  std::unique_ptr<LoopTeam> team(Backend& place) {
    return LoopTeam::of(
        step, {scalars, arrays},
        [this](std::uint32_t number) -> StandingLaunch* {
          if (number == 0) return &sum;
          return number == 1 ? &first : &second;
        },
        context, place);
  }
  /// What iterations should come to.
  void expect(std::uint64_t iterations) {
    for (std::uint64_t t = 0; t < iterations; ++t) {
      state = std::accumulate(now.begin(), now.end(), std::int64_t{0});
      std::vector<std::int64_t> c, b;
      for (std::int64_t i = 0; i < n; ++i)
        c.push_back(first.at(now.data(), now.data(), state, i));
      for (std::int64_t i = 0; i < n; ++i)
        b.push_back(second.at(c.data(), now.data(), state, i));
      now = std::move(b);
    }
    CHECK(scalars[State].as<std::int64_t>() == state);
    const auto* const is = reinterpret_cast<const std::int64_t*>(first_element(arrays[A]));
    CHECK(std::equal(now.begin(), now.end(), is));
  }

  std::int64_t n;
  MemoryBudget memory;
  Sum sum;
  Around first, second;
  std::vector<Scalar> scalars;
  std::vector<Leaf> arrays;
  plan::Step step;
  RunContext context{.memory = &memory};
  std::vector<std::int64_t> now;
  std::int64_t state = 0;
};

} // namespace

TEST_CASE("a team of any size, over any number of parts") {
  constexpr std::uint64_t iterations = 12;
  for (const unsigned threads : {1u, 2u, 5u, 11u})
    for (const bool are_in_time : {true, false})
      for (const std::int64_t size : {1, 8, 128, 1000})
        for (const std::int64_t n : {9, 513, 1001}) {
          CAPTURE(threads);
          CAPTURE(size);
          CAPTURE(n);
          Loop loop(n, size, 3, size % 3);
          ThreadsPlace place(threads);
          place.are_in_time = are_in_time;
          const std::unique_ptr<LoopTeam> team = loop.team(place);
          REQUIRE(team);
          std::uint64_t done = 0;
          while (done < iterations) {
            const std::optional<LoopTeam::Ran> ran =
                team->run(done, iterations - done, loop.context);
            REQUIRE(ran);
            REQUIRE(!ran->step);
            CHECK(ran->launches == 3 * ran->iterations);
            done += ran->iterations;
          }
          loop.expect(iterations);
        }
}

TEST_CASE("what one thread has summed up, all of a team combine") {
  Loop loop(1000, 100, 1, 1, /*sum_size=*/1000);
  ThreadsPlace place(5);
  const std::unique_ptr<LoopTeam> team = loop.team(place);
  REQUIRE(team);
  const std::optional<LoopTeam::Ran> ran = team->run(0, 50, loop.context);
  REQUIRE(ran);
  CHECK(!ran->step);
  loop.expect(ran->iterations);
}

TEST_CASE("a team stops in front of the launch that fails") {
  for (const unsigned threads : {1u, 3u})
    for (const std::int64_t iteration : {0, 1, 13})
      for (const bool in_second : {false, true})
        for (const std::int64_t index : {0, 60, 999}) {
          CAPTURE(threads);
          CAPTURE(iteration);
          CAPTURE(in_second);
          CAPTURE(index);
          Loop loop(1000, 200, 2, 1);
          (in_second ? loop.second : loop.first).fail(iteration, index);
          ThreadsPlace place(threads);
          const std::unique_ptr<LoopTeam> team = loop.team(place);
          REQUIRE(team);
          std::uint64_t done = 0;
          std::optional<std::size_t> step;
          while (done < 20 && !step) {
            const std::optional<LoopTeam::Ran> ran = team->run(done, 20 - done, loop.context);
            REQUIRE(ran);
            done += ran->iterations;
            step = ran->step;
          }
          CHECK(done == static_cast<std::uint64_t>(iteration));
          CHECK(step == (in_second ? 2u : 1u));
          // What the launch reads is there.
          CHECK(loop.scalars[Loop::Index].as<std::int64_t>() == iteration);
          CHECK(loop.arrays[Loop::A].buffer);
          CHECK(bool(loop.arrays[Loop::C].buffer) == in_second);
          loop.expect(done);
        }
}

TEST_CASE("sizes that a loop changes, and memory that there is not, are not for a team") {
  Loop loop(100, 50, 1, 1);
  ThreadsPlace place(2);
  SUBCASE("a launch that does not stand") {
    CHECK(!LoopTeam::of(
        loop.step, {loop.scalars, loop.arrays}, [](std::uint32_t) { return nullptr; }, loop.context,
        place));
  }
  SUBCASE("memory") {
    loop.memory.set_limit(loop.memory.in_use() + 100);
    CHECK(!loop.team(place));
  }
  SUBCASE("other strides than the launch was made for") {
    loop.arrays[Loop::A].strides[0] = 2;
    CHECK(!loop.team(place));
  }
}
