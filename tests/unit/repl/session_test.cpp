#include "repl/session/session.h"
#include "tests/unit/repl/outcome_values.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

using namespace sinter;
using repl::Outcome;
using repl::Session;
using tests::integer;

TEST_CASE("expressions have values, and `it` is the last one") {
  Session session;
  CHECK(integer(session.submit("1i64 + 1")) == 2);
  CHECK(integer(session.submit("it * it")) == 4);
  CHECK(integer(session.submit("it * it")) == 16);
}

TEST_CASE("declarations stay, and may be made anew") {
  Session session;
  CHECK(session.submit("def f (x: i64) = x + 1").kind == Outcome::Kind::Done);
  CHECK(session.submit("def g (x: i64) = f x").ok());
  CHECK(session.submit("def f (x: i64) = x + 2").ok());
  CHECK(integer(session.submit("f 1")) == 3);
  CHECK(integer(session.submit("g 1")) == 3); // it means what its text says
}

TEST_CASE("errors change nothing") {
  Session session;
  CHECK(session.submit("def x = 5i64").ok());
  CHECK(session.submit("def x = true + 1").kind == Outcome::Kind::CheckFailed);
  CHECK(integer(session.submit("x")) == 5);
  Outcome failed = session.submit("x / 0");
  CHECK(failed.kind == Outcome::Kind::RunFailed);
  CHECK(failed.failure == FailureKind::Program);
  CHECK(integer(session.submit("it")) == 5);
}

TEST_CASE("an unfinished input is told from a wrong one") {
  Session session;
  CHECK(session.submit("let x = (1 +").kind == Outcome::Kind::Incomplete);
  CHECK(session.submit("1 + )").kind == Outcome::Kind::CheckFailed);
}

TEST_CASE("the type shows the sizes of the value") {
  Session session;
  CHECK(session.submit("map (+ 1i32) [1, 2, 3]").type_text == "[3]i32");
  CHECK(session.submit("filter (> 1i32) [1, 2, 3]").type_text == "[2]i32");
  CHECK(session.submit("([1.5f32], true)").type_text == "([1]f32, bool)");
}

TEST_CASE("a type can be asked for without evaluating") {
  Session session;
  CHECK(session.type_of("1i64 / 0").type_text == "i64");
  CHECK(session.type_of("nothing").kind == Outcome::Kind::CheckFailed);
}

TEST_CASE("what takes no time is not timed so often that its times take the memory") {
  repl::SessionOptions options;
  options.max_memory_bytes = std::size_t{8} << 20;
  Session session(options);
  const Session::Timing timing = session.time("1i64", std::chrono::seconds(30));
  CHECK(timing.outcome.ok());
  CHECK(timing.seconds.size() <= std::size_t{1} << 17);
}

TEST_CASE("an endless loop ends at the time limit, and the session goes on") {
  repl::SessionOptions options;
  options.timeout = std::chrono::milliseconds(50);
  Session session(options);
  Outcome outcome = session.submit("loop x = 0i64 while x >= 0 do (x + 1) % 7");
  CHECK(outcome.failure == FailureKind::TimedOut);
  CHECK(integer(session.submit("1i64")) == 1);
}

TEST_CASE("an interrupt stops an evaluation, and the next one runs") {
  Session session;
  std::thread key([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    session.interrupt().raise(InterruptSource::Reason::Interrupt);
  });
  Outcome outcome = session.submit("loop x = 0i64 while x >= 0 do (x + 1) % 7");
  key.join();
  CHECK(outcome.failure == FailureKind::Interrupted);
  CHECK(integer(session.submit("2i64")) == 2);
}

TEST_CASE("an interrupt that comes before the evaluation has begun is for it") {
  Session session;
  session.interrupt().raise(InterruptSource::Reason::Interrupt);
  CHECK(session.submit("1i64").failure == FailureKind::Interrupted);
  CHECK(integer(session.submit("2i64")) == 2);
}

TEST_CASE("a path that no system takes is an error like others") {
  Session session;
  Outcome outcome = session.load(std::string(10000, 'x'));
  CHECK(outcome.kind == Outcome::Kind::CheckFailed);
  CHECK(outcome.messages.find("[unreadable-file]") != std::string::npos);
}

TEST_CASE("the memory limit is an error, not an end") {
  repl::SessionOptions options;
  options.max_memory_bytes = 1 << 20;
  Session session(options);
  CHECK(session.submit("replicate 10000000 1i64").failure == FailureKind::OutOfMemory);
  CHECK(integer(session.submit("length (replicate 1000 1i64)")) == 1000);
}

TEST_CASE("completion knows the session's own names and the prelude's") {
  Session session;
  CHECK(session.submit("def my_special_name = 1").ok());
  CHECK(session.complete("my_sp").items.front().text == "my_special_name");
  CHECK_FALSE(session.complete("red").items.empty());
  CHECK_FALSE(session.complete("f32.sq").items.empty());
}

TEST_CASE("two sessions in one process do not see each other") {
  Session a, b;
  CHECK(a.submit("def x = 1").ok());
  CHECK(b.submit("x").kind == Outcome::Kind::CheckFailed);
}

TEST_CASE("what is looked at aside uses up no result number") {
  Session session;
  CHECK(session.submit("1i32").name == "it1");
  session.begin_inspection({});
  CHECK(session.submit("2i32").name == "it2");
  session.end_inspection();
  CHECK(session.result_count() == 1);
  CHECK(session.submit("3i32").name == "it2");
  CHECK(session.submit("it1").ok());
}

TEST_CASE("no hint offers a name that nobody can write") {
  Session session;
  CHECK(session.submit("1i32").ok());
  for (const char* unknown : {"itt1", "it11", "it_1", "its1"}) {
    const Outcome wrong = session.submit(unknown);
    CHECK(wrong.kind == Outcome::Kind::CheckFailed);
    CHECK(wrong.messages.find("did you mean") != std::string::npos); // it, it1
    CHECK(wrong.messages.find('#') == std::string::npos);
  }
}
