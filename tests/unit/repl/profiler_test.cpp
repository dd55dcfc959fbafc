#include "repl/observing/profiler.h"

#include "repl/session/session.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::repl;

namespace {

const ProfileNode* child(const ProfileNode& node, std::string_view name) {
  for (const ProfileNode* one : node.children)
    if (one->name == name) return one;
  return nullptr;
}

} // namespace

TEST_CASE("a profile counts calls and operations where they are made") {
  Session session;
  REQUIRE(session.submit("def slow (n: i64) = i64.sum (map (\\i -> i * i) (iota n))").ok());
  REQUIRE(session.submit("def quick (x: i64) = x + 1").ok());
  REQUIRE(session.submit("def both (n: i64) = quick (slow n) + quick n").ok());
  Profiler profiler(session.sources());
  session.observe(&profiler);
  REQUIRE(session.submit("both 1000").ok());
  session.observe(nullptr);
  profiler.finish();
  const ProfileNode* both = child(profiler.root(), "both");
  REQUIRE(both);
  CHECK(both->calls == 1);
  REQUIRE(child(*both, "quick"));
  CHECK(child(*both, "quick")->calls == 2);
  const ProfileNode* slow = child(*both, "slow");
  REQUIRE(slow);
  const ProfileNode* map = child(*slow, "map");
  REQUIRE(map);
  REQUIRE(child(*map, "lambda"));
  CHECK(child(*map, "lambda")->calls == 1000);
  CHECK(map->time >= child(*map, "lambda")->time);
  CHECK(both->time >= slow->time);
  const std::string text = profile_text(session.sources(), profiler.root(), 80);
  CHECK(text.find("lambda  <prompt>:1") != std::string::npos);
  CHECK(text.find("█") != std::string::npos);
  // What was observed once is not observed any more.
  const std::uint64_t calls = both->calls;
  REQUIRE(session.submit("both 10").ok());
  CHECK(both->calls == calls);
}

TEST_CASE("recursion is one place, errors end all calls") {
  Session session;
  REQUIRE(session.submit("def f (n: i64) : i64 = if n == 0 then 1 / 0 else f (n - 1)").ok());
  Profiler profiler(session.sources());
  session.observe(&profiler);
  CHECK_FALSE(session.submit("f 5000").ok());
  session.observe(nullptr);
  profiler.finish();
  const ProfileNode* f = child(profiler.root(), "f");
  REQUIRE(f);
  CHECK(f->calls == 5001);
  CHECK(f->children.empty());
  CHECK(f->running == 0);
  CHECK(f->time <= profiler.root().time);
}
