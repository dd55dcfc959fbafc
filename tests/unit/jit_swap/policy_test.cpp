// The policy, on facts alone.
#include "jit/swap/policy.h"

#include <doctest/doctest.h>

#include <vector>

using namespace sinter::jit;
using sinter::eval::Forecast;

namespace {

constexpr std::int64_t millisecond = 1'000'000;

CandidateFacts young(std::int64_t running = 0) {
  return {running, running, true};
}

std::optional<std::size_t> chosen(const Forecast& ahead, std::vector<CandidateFacts> candidates) {
  const std::optional<Decision> decision = decide(ahead, candidates);
  if (!decision) return std::nullopt;
  CHECK_FALSE(decision->why.empty());
  return decision->candidate;
}

} // namespace

TEST_CASE("what is cheap goes on as it is") {
  CHECK_FALSE(chosen({}, {young(), young()}));
  CHECK_FALSE(chosen({worth_waiting - 1, much_memory - 1}, {young(), young()}));
  CHECK_FALSE(chosen({1000 * millisecond, 0}, {}));
}

TEST_CASE("what is expensive begins again, the outermost candidate first") {
  CHECK(chosen({worth_waiting, 0}, {young(), young()}) == 0);
  CHECK(chosen({0, much_memory}, {young(), young()}) == 0);
}

TEST_CASE("what was refused is passed over, inwards") {
  CandidateFacts refused = young();
  refused.may_begin_again = false;
  CHECK(chosen({worth_waiting, 0}, {refused, young()}) == 1);
  CHECK_FALSE(chosen({worth_waiting, 0}, {refused, refused}));
}

TEST_CASE("what has run for long is not thrown away, unless ten times as much is to come") {
  CHECK(chosen({worth_waiting, 0}, {young(long_enough), young()}) == 0);
  CHECK(chosen({worth_waiting, 0}, {young(long_enough + 1), young()}) == 1);
  CHECK(chosen({1000 * millisecond, 0}, {young(100 * millisecond)}) == 0);
  CHECK_FALSE(chosen({1000 * millisecond, 0}, {young(101 * millisecond)}));
}

TEST_CASE("what has no end in sight gets code in the background") {
  const std::optional<Decision> decision = decide({}, std::vector{young(long_without_end)});
  REQUIRE(decision);
  CHECK_FALSE(decision->waits);
  CHECK_FALSE(chosen({}, {young(long_without_end - 1)}));
  // Time in compiled code says nothing about that.
  CHECK_FALSE(chosen({}, {{worth_waiting, long_without_end - 1, true}}));
  // The inner one has not been there for as long.
  CandidateFacts refused = young(worth_waiting);
  refused.may_begin_again = false;
  CHECK_FALSE(chosen({}, {refused, young(long_without_end / 2)}));
  // What has been there for too long is not thrown away: nothing is made for it.
  CHECK_FALSE(chosen({}, {young(long_enough + 1)}));
}

TEST_CASE("it begins again once that is there, however long it took") {
  CandidateFacts facts = young(20 * long_enough);
  facts.code = CandidateFacts::Code::There;
  const std::optional<Decision> decision = decide({}, std::vector{facts});
  REQUIRE(decision);
  CHECK(decision->waits);
}

TEST_CASE("while it is being made nothing begins again, unless it takes too long") {
  CandidateFacts facts = young(too_long_without_end - 1);
  facts.code = CandidateFacts::Code::Coming;
  CHECK_FALSE(chosen({}, {facts, young(long_without_end)}));
  facts = young(too_long_without_end);
  facts.code = CandidateFacts::Code::Coming;
  const std::optional<Decision> decision = decide({}, std::vector{facts, young(worth_waiting)});
  REQUIRE(decision);
  CHECK(decision->candidate == 0);
  CHECK(decision->waits);
  // Nor does it matter if something expensive is about to happen.
  CHECK(chosen({worth_waiting, 0}, {facts}) == 0);
}

TEST_CASE("the time before there was a JIT is no reason to keep what was done in it") {
  // It was interpreted for long while the JIT was being opened.
  CHECK(chosen({}, {{millisecond, 3 * long_enough, true}}) == 0);
}

TEST_CASE("what would be interpreted for very long gets the second tier at once") {
  CHECK_FALSE(is_worth_optimising({worth_optimising - 1, much_memory}));
  CHECK(is_worth_optimising({worth_optimising, 0}));
  CHECK(is_worth_optimising({0, 32 * much_memory}));
}

TEST_CASE("a forecast is corrected by what was measured") {
  const Forecast forecast{50 * millisecond, much_memory};
  CHECK(corrected(forecast, {}, 1000).nanoseconds == 50 * millisecond);
  // Ten elements took so long that a thousand take this.
  const Forecast after = corrected(forecast, {2 * millisecond, 10, 1}, 1000);
  CHECK(after.nanoseconds == 200 * millisecond);
  CHECK(after.bytes == much_memory);
  // What is short, or has no elements to count, says nothing.
  CHECK(corrected(forecast, {millisecond / 2, 10, 1}, 1000).nanoseconds == 50 * millisecond);
  CHECK(corrected(forecast, {2 * millisecond, 0, 1}, 1000).nanoseconds == 50 * millisecond);
}

TEST_CASE("compiled code takes what it does faster than the evaluator did") {
  const Pace unknown, slow{1000 * millisecond, 1000, 10}, fast{10 * millisecond, 1000, 10};
  CHECK(is_worth_launching(unknown, fast, 1000));
  CHECK(is_worth_launching(slow, fast, 1000));
  CHECK_FALSE(is_worth_launching(fast, slow, 1000));
  // A first run says little.
  CHECK(is_worth_launching(fast, {1000 * millisecond, 1000, 1}, 1000));
  // Nothing is worth less time than a launch.
  CHECK_FALSE(is_worth_launching({10 * launching_cost, 1000, 1}, unknown, 1));
  CHECK(is_worth_launching({10 * launching_cost, 1000, 1}, unknown, 1000));
  // What has no arrays is counted by runs.
  CHECK(slow.time_for(0) == 0);
  CHECK(Pace{100, 0, 10}.time_for(5) == 10);
}

TEST_CASE("compiled code that is slower has lost, if both have been measured for long enough") {
  const Pace slow{100 * millisecond, 1000, 3}, fast{20 * millisecond, 1000, 3};
  CHECK(has_lost(fast, slow));
  CHECK_FALSE(has_lost(slow, fast));
  CHECK_FALSE(has_lost(slow, slow));
  // Neither what is short nor what has no arrays to count says anything.
  CHECK_FALSE(has_lost({millisecond, 1000, 1}, slow));
  CHECK_FALSE(has_lost(fast, {millisecond, 1, 1}));
  CHECK_FALSE(has_lost({20 * millisecond, 0, 3}, slow));
  CHECK_FALSE(has_lost(fast, {100 * millisecond, 0, 3}));
}
