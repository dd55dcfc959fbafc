// What a session does besides evaluating ends at its limits too, and leaves it as it was.
#include "lang/base/interruptible.h"
#include "repl/session/session.h"
#include "tests/unit/repl/outcome_values.h"
#include "tests/unit/sanitized.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

using namespace sinter;
using repl::Outcome;
using repl::Session;
using repl::SessionOptions;
using tests::integer;

namespace {

std::string many_cases(int count) {
  std::string text = "def f (x: i64): i64 = match x\n";
  for (int i = 0; i < count; ++i)
    text += "  case " + std::to_string(i) + " -> " + std::to_string(i * 7) + "\n";
  return text + "  case _ -> 0\n";
}

/// Interrupts an input at later and later moments, until it is done; each time the session is as it
/// was.  Says whether it was ever interrupted.
bool is_interruptible(Session& session, const std::string& input, std::int64_t result) {
  bool was_interrupted = false;
  for (int microseconds = 0;; microseconds += microseconds / 3 + 200) {
    REQUIRE(microseconds < 60'000'000);
    std::thread key([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
      session.interrupt().raise(InterruptSource::Reason::Interrupt);
    });
    if (microseconds == 0) key.join(); // in any case before the end
    const Outcome outcome = session.submit(input);
    if (key.joinable()) key.join();
    session.interrupt().clear();
    if (outcome.ok()) {
      CHECK(integer(outcome) == result);
      return was_interrupted;
    }
    was_interrupted = true;
    CHECK(outcome.failure == FailureKind::Interrupted);
    CHECK(integer(session.submit("kept 6")) == 42);
  }
}

} // namespace

TEST_CASE("what is checked can be interrupted at any moment") {
  Session session;
  REQUIRE(session.submit("def kept (x: i64) = x * 7").ok());
  const std::string text = many_cases(3000);
  bool was_interrupted = false, was_done = false;
  for (int microseconds = 0; !was_done; microseconds += microseconds / 3 + 200) {
    REQUIRE(microseconds < 60'000'000);
    std::thread key([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
      session.interrupt().raise(InterruptSource::Reason::Interrupt);
    });
    if (microseconds == 0) key.join(); // in any case before the end
    const Outcome outcome = session.submit(text);
    if (key.joinable()) key.join();
    session.interrupt().clear();
    if (outcome.ok()) {
      was_done = true;
    } else {
      was_interrupted = true;
      CHECK(outcome.failure == FailureKind::Interrupted);
      CHECK(!session.type_of("f").ok());
    }
    CHECK(integer(session.submit("kept 6")) == 42);
  }
  CHECK(was_interrupted);
  CHECK(integer(session.submit("f 2000")) == 14000);
}

TEST_CASE("what is specialised can be interrupted at any moment") {
  Session session;
  REQUIRE(session.submit("def kept (x: i64) = x * 7").ok());
  std::string text = "def f0 't (x: t) (n: i64) : i64 = n\n";
  const int count = is_sanitized ? 300 : 1500;
  for (int i = 1; i <= count; ++i) {
    const std::string before = "f" + std::to_string(i - 1);
    text += "def f" + std::to_string(i) +
            " 't (x: t) (n: i64) : i64 = let g 'u (y: u) = " + before +
            " x n in g x + (if n > 0 then 1 else " + before + " x (n - 1))\n";
  }
  REQUIRE(session.submit(text).ok());
  const std::string last = "f" + std::to_string(count);
  CHECK(is_interruptible(session, last + " true 1", count + 1));
  CHECK(integer(session.submit(last + " true 2")) == count + 2);
}

TEST_CASE("what is raised at the end of an evaluation stops what is done around it") {
  Session session;
  const auto press = [&] { session.interrupt().raise(InterruptSource::Reason::Interrupt); };
  int steps = 0;
  const Outcome outcome = session.limited([&] {
    for (; steps < 3; ++steps) {
      const Outcome one = session.guarded([&] {
        if (steps == 1) press(); // and nobody looks any more
        return Value::unit();
      });
      CHECK(one.ok());
      poll_interruption();
    }
  });
  CHECK(outcome.failure == FailureKind::Interrupted);
  CHECK(steps == 1);

  // What has been told is over, within and after.
  CHECK(session
            .limited([&] {
              CHECK(session.limited([&] { press(), poll_interruption(); }).failure ==
                    FailureKind::Interrupted);
              poll_interruption();
            })
            .failure == FailureKind::Interrupted); // (it saw the key, too)
  CHECK(integer(session.submit("1i64 + 1")) == 2);
}

TEST_CASE("a session that lets go what nothing needs can be interrupted meanwhile") {
  SessionOptions options;
  options.renewal_interval = 0; // before each input
  Session session(options);
  REQUIRE(session.submit("def kept (x: i64) = x * 7").ok());
  std::string text;
  const int count = is_sanitized ? 50 : 300;
  for (int i = 0; i < count; ++i)
    text += "def g" + std::to_string(i) + " (x: i64) = kept x + " + std::to_string(i) + "\n";
  REQUIRE(session.submit(text).ok());
  REQUIRE(session.submit("let xs = map g3 [1, 2]").ok());
  CHECK(
      is_interruptible(session, "g" + std::to_string(count - 1) + " (xs[1])", 17 * 7 + count - 1));
  CHECK(integer(session.submit("xs[0] + g1 1")) == 10 + 8);
}

TEST_CASE("a file whose loading was interrupted is loaded the next time") {
  tests::TemporaryFolder folder;
  const std::string path = (folder.path() / "cases.fut").string();
  std::ofstream(path) << many_cases(3000);
  Session session;
  session.interrupt().raise(InterruptSource::Reason::Interrupt);
  const Outcome outcome = session.load(path);
  CHECK(outcome.kind == Outcome::Kind::RunFailed);
  CHECK(outcome.failure == FailureKind::Interrupted);
  CHECK(session.loaded() == nullptr);
  CHECK(session.load(path).ok());
  CHECK(integer(session.submit("f 2")) == 14);
}

TEST_CASE("the time limit holds for checking") {
  SessionOptions options;
  options.timeout = std::chrono::milliseconds(1);
  Session session(options);
  const Outcome outcome = session.submit(many_cases(20'000));
  CHECK(outcome.failure == FailureKind::TimedOut);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // they have the heap

TEST_CASE("records and the stack count against the memory limit") {
  SessionOptions options;
  options.max_memory_bytes = std::size_t{20} << 20;
  Session session(options);
  REQUIRE(session.submit("def four (x: i64) = ((x, x + 1), (x + 2, x + 3))").ok());
  REQUIRE(session.submit("def many (x: i64) = (four x, four (x + 4), four (x + 8), four (x + 12))")
              .ok());
  REQUIRE(session
              .submit("def f (n: i64) : i64 = if n == 0 then 0 else "
                      "let t = many n in f (n - 1) + t.0.0.0")
              .ok());
  CHECK(integer(session.submit("f 100")) == 5050);
  const Outcome outcome = session.submit("f 1000000");
  CHECK(outcome.failure == FailureKind::OutOfMemory);
  CAPTURE(outcome.messages);
  CHECK(outcome.messages.find("the limit is 20.0 MiB") != std::string::npos);
  CHECK(outcome.messages.find("at f (<prompt>") != std::string::npos);
  CHECK(integer(session.submit("f 100")) == 5050);
}

TEST_CASE("what filters and partitions remember of indices counts against the memory limit") {
  SessionOptions options;
  options.max_memory_bytes = std::size_t{20} << 20;
  Session session(options);
  for (const char* selects :
       {"filter (\\x -> x >= 0)", "(\\xs -> (partition (\\x -> x >= 0) xs).0)"}) {
    const std::string input = "length (" + std::string(selects) + " (iota ";
    CHECK(integer(session.submit(input + "300000))")) == 300'000);
    const Outcome outcome = session.submit(input + "1500000))");
    CHECK(outcome.failure == FailureKind::OutOfMemory);
    CAPTURE(outcome.messages);
    CHECK(outcome.messages.find("MiB, the limit is 20.0 MiB") != std::string::npos);
    CHECK(outcome.messages.find("<prompt>") != std::string::npos);
  }
}

TEST_CASE("a filter remembers a bit of each element") {
  SessionOptions options;
  options.max_memory_bytes = std::size_t{20} << 20;
  Session session(options);
  CHECK(integer(session.submit("length (filter (\\x -> x > 0) (replicate 3000000 1i8))")) ==
        3'000'000);
}

TEST_CASE("checking counts against the memory limit") {
  SessionOptions options;
  options.max_memory_bytes = std::size_t{4} << 20;
  Session session(options);
  const Outcome outcome = session.submit(many_cases(40'000));
  CHECK(outcome.failure == FailureKind::OutOfMemory);
  CHECK(outcome.messages.find("the limit is 4.0 MiB") != std::string::npos);
  session.set_memory_limit(std::size_t{400} << 20);
  CHECK(integer(session.submit("1i64 + 1")) == 2);
}

#endif
