#include "jit/gate/gate.h"

#include "jit/gate/precedent_file.h"
#include "lang/base/interruptible.h"
#include "tests/unit/jit_swap/world.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

using namespace sinter;
using namespace sinter::test;
using namespace sinter::jit;

namespace {

/// Counts what reaches it.
class CountingJit final : public HotSwap {
public:
  explicit CountingJit(int& offers, std::vector<std::string> remarks = {})
      : offers_(offers), remarks_(std::move(remarks)) {}
  std::vector<std::string> remarks() const override { return remarks_; }
  void add_remark(std::string remark) { remarks_.push_back(std::move(remark)); }
  void configure(const SwapOptions&) override {}
  void wait() override {}
  bool is_busy() override { return false; }
  Report report(const ReportOptions&) const override { return {}; }
  void clear_report() override {}
  void enter(const core::Attributed&) override {}
  void leave(const core::Attributed&) noexcept override {}
  std::optional<Value> expression(const eval::ExpressionPlace<Concrete>&, Watch&) override {
    return std::nullopt;
  }
  std::optional<Value> call(const core::Function&, std::span<const Value>, std::span<Value>,
                            Watch&) override {
    ++offers_;
    poll_interruption();
    return std::nullopt;
  }
  std::optional<Value> array_operation(primitives::ArrayOperation, eval::Site<Concrete>&,
                                       std::span<Value>, Watch&) override {
    return std::nullopt;
  }
  std::int64_t rest_from(primitives::ArrayOperation, eval::Site<Concrete>&, std::span<const Value>,
                         std::int64_t, std::int64_t, Watch&) override {
    return Watch::never;
  }
  std::optional<Value> begin_again(Candidate&) override { return std::nullopt; }
  void ahead(const eval::Forecast&, Candidate*) override { ++offers_; }
  void interpreted(const Watch&) noexcept override {}
  std::optional<Value> loop(const eval::LoopPlace<Concrete>&, Value&, Scalar, Scalar, const Value*,
                            std::int64_t, Watch&) override {
    return std::nullopt;
  }

private:
  int& offers_;
  std::vector<std::string> remarks_;
};

void offer_calls(Gate& gate, int count) {
  const core::Function function;
  for (int i = 0; i < count; ++i) {
    Accelerator::Watch watch;
    gate.call(function, {}, {}, watch);
  }
}

} // namespace

TEST_CASE("modes have names") {
  for (Mode mode : {Mode::Interpret, Mode::Auto, Mode::Jit, Mode::Mixed})
    CHECK(mode_of(name(mode)) == mode);
  CHECK_FALSE(mode_of("magic"));
}

TEST_CASE("when the JIT is opened") {
  CHECK(decide_opening({}, opening_cost - 1) == Opening::NotYet);
  CHECK(decide_opening({worth_opening - 1, much_memory - 1}, 0) == Opening::NotYet);
  CHECK(decide_opening({}, opening_cost) == Opening::InBackground);
  CHECK(decide_opening({worth_opening, 0}, 0) == Opening::AtOnce);
  CHECK(decide_opening({0, much_memory}, opening_cost) == Opening::AtOnce);
  CHECK(decide_opening({}, 0, Precedent{opening_cost}) == Opening::AtOnce);
  CHECK(decide_opening({}, 0, Precedent{opening_cost - 1}) == Opening::InBackground);
  CHECK(decide_opening({worth_opening, 0}, 0, Precedent{}) == Opening::AtOnce);
}

TEST_CASE("what the JIT does is not stopped by polls") {
  int offers = 0;
  SwapOptions options;
  options.mode = Mode::Jit;
  Gate gate(
      options, {}, [](const std::string&) {},
      [&](const SwapOptions&, const SwapContext&) {
        return std::make_unique<CountingJit>(offers);
      });
  InterruptSource interrupt;
  const Interruptible stops(interrupt);
  interrupt.raise(InterruptSource::Reason::Interrupt);
  CHECK_NOTHROW(offer_calls(gate, 3));
  CHECK(offers == 3);
  CHECK(Interruptible::is_due()); // for who asked it
}

TEST_CASE("mode auto opens the JIT once a session is warm, and not before") {
  int opened = 0, offers = 0;
  Gate gate(
      in_mode(Mode::Auto), {}, [](const std::string&) {},
      [&](const SwapOptions&, const SwapContext&) {
        ++opened;
        return std::make_unique<CountingJit>(offers);
      });
  gate.begin_evaluation();
  CHECK(gate.opened() == nullptr);
  // What has no array operation or loop in it is nothing to compile, however long it takes.
  offer_calls(gate, 100);
  std::this_thread::sleep_for(std::chrono::nanoseconds(worth_opening));
  offer_calls(gate, 100);
  CHECK(opened == 0);
  // Short evaluations add up.
  for (int i = 0; i < 1000 && offers == 0; ++i) {
    gate.begin_evaluation();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    for (int k = 0; k < 10; ++k)
      gate.ahead({1000, 0}, nullptr);
    if (i == 1) CHECK(opened == 0);
  }
  CHECK(opened == 1);
  CHECK(offers > 0);
}

TEST_CASE("mode auto opens the JIT at once for what will surely take long or fill much memory") {
  int opened = 0, offers = 0;
  Gate gate(
      in_mode(Mode::Auto), {}, [](const std::string&) {},
      [&](const SwapOptions&, const SwapContext&) {
        ++opened;
        return std::make_unique<CountingJit>(offers);
      });
  gate.begin_evaluation();
  gate.ahead({1'000'000, 1 << 20}, nullptr);
  CHECK(opened == 0);
  gate.ahead({0, 1 << 30}, nullptr);
  CHECK(opened == 1);
  CHECK(offers == 1); // it has heard of that
}

TEST_CASE("mode auto opens the JIT for what an earlier process has made code for") {
  const tests::TemporaryFolder folder;
  World world("entry f [n] (xs: [n]i64) : i64 = reduce (+) 0 xs\n"
              "entry g [n] (xs: [n]i64) : i64 = reduce (*) 1 xs\n",
              in_mode(Mode::Interpret));
  const core::Function &f = world.function("f"), &g = world.function("g");
  std::vector<Value> few{world.i64s(up_to(10))}, many{world.i64s(up_to(100))};
  PrecedentFile earlier(folder.path());
  earlier.note(Occasion::call(f, {}, many), opening_cost);
  earlier.note(Occasion::call(g, {}, many), opening_cost - 1000);

  int offers = 0;
  const auto opened_by = [&](const core::Function& function, std::vector<Value>& arguments,
                             Mode mode = Mode::Auto) {
    std::atomic<int> opened = 0;
    PrecedentFile precedents(folder.path());
    SwapContext context;
    context.precedents = &precedents;
    Gate gate(
        in_mode(mode), context, [](const std::string&) {},
        [&](const SwapOptions&, const SwapContext&) {
          ++opened;
          return std::make_unique<CountingJit>(offers);
        });
    gate.begin_evaluation();
    Accelerator::Watch watch;
    gate.call(function, {}, arguments, watch);
    CHECK((precedents.evaluation() == Occasion::call(function, {}, arguments)) ==
          (mode == Mode::Auto));
    gate.close(); // waits for what is opened in the background
    return opened.load();
  };
  CHECK(opened_by(f, many) == 1);
  CHECK(offers == 1); // it was worth waiting for
  CHECK(opened_by(g, many) == 1);
  CHECK(offers == 1); // that was interpreted meanwhile
  CHECK(opened_by(f, few) == 0);
  CHECK(opened_by(f, many, Mode::Interpret) == 0);
}

TEST_CASE("mode jit opens the JIT at the first offer, mode interp never") {
  int opened = 0, offers = 0;
  auto open = [&](const SwapOptions&, const SwapContext&) {
    ++opened;
    return std::make_unique<CountingJit>(offers);
  };
  Gate interpreting(
      in_mode(Mode::Interpret), {}, [](const std::string&) {}, open);
  offer_calls(interpreting, 100);
  CHECK(opened == 0);
  interpreting.configure(in_mode(Mode::Jit));
  offer_calls(interpreting, 100);
  CHECK(opened == 1);
  CHECK(offers == 100);
}

TEST_CASE("a JIT that cannot be opened is told of once, and everything is interpreted") {
  std::vector<std::string> warnings;
  Gate gate(
      in_mode(Mode::Jit), {}, [&](const std::string& text) { warnings.push_back(text); },
      [](const SwapOptions&, const SwapContext&) -> std::unique_ptr<HotSwap> {
        throw std::runtime_error("no such machine");
      });
  offer_calls(gate, 3);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].find("no such machine") != std::string::npos);
}

TEST_CASE("what a JIT has to tell is told once, however often it is opened") {
  std::vector<std::string> warnings;
  int offers = 0;
  Gate gate(
      in_mode(Mode::Jit), {}, [&](const std::string& text) { warnings.push_back(text); },
      [&](const SwapOptions&, const SwapContext&) -> std::unique_ptr<HotSwap> {
        return std::make_unique<CountingJit>(offers, std::vector<std::string>{"nothing is kept"});
      });
  for (int i = 0; i < 3; ++i) {
    offer_calls(gate, 3);
    gate.close();
  }
  CHECK(offers == 9);
  CHECK(warnings == std::vector<std::string>{"nothing is kept"});
}

TEST_CASE("what comes to be told later is told when it is asked for, once") {
  std::vector<std::string> warnings;
  int offers = 0;
  CountingJit* jit = nullptr;
  Gate gate(
      in_mode(Mode::Jit), {}, [&](const std::string& text) { warnings.push_back(text); },
      [&](const SwapOptions&, const SwapContext&) -> std::unique_ptr<HotSwap> {
        auto made = std::make_unique<CountingJit>(offers);
        jit = made.get();
        return made;
      });
  gate.tell_remarks(); // (there is no JIT yet)
  offer_calls(gate, 3);
  CHECK(warnings.empty());
  jit->add_remark("a device is gone");
  jit->add_remark("nothing is kept");
  for (int i = 0; i < 3; ++i)
    gate.tell_remarks();
  CHECK(warnings == std::vector<std::string>{"a device is gone", "nothing is kept"});
}
