// Comparing the ways of evaluating an expression.
#include "repl/comparing/ways.h"

#include "lang/base/interruptible.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

struct ComparingSession {
  repl::Session session;
  std::string compare(const std::string& expression, unsigned digits = 0) {
    comparing::Compared compared = comparing::compare(session, expression, digits);
    if (!compared.problem.empty()) return compared.problem;
    return compared.comparison ? compared.comparison->text() : compared.outcome.messages;
  }
};

} // namespace

TEST_CASE_FIXTURE(ComparingSession, "what is the same in every way has the same bits") {
  CHECK(compare("map (+ 1) [1i64, 2]") == "[2]i64:\n"
                                          "  jit and interp: the same bits\n"
                                          "  mixed and interp: the same bits\n");
  CHECK(session.options().acceleration.mode == jit::Mode::Interpret); // as it was
}

TEST_CASE_FIXTURE(ComparingSession, "an expression is evaluated with numbers of many digits too") {
  const std::string text = compare("reduce (+) 0 [1e20, 1, -1e20, 0.1]", 50);
  CHECK(text.starts_with("f64:\n  jit and interp: the same bits\n")); // sums have one order
  CHECK(text.find("interp and 50 digits: off by at most 4.5e+15 ULP") != std::string::npos);
  CHECK(text.find("(truly 1.1000000000000000056)") != std::string::npos);
}

TEST_CASE_FIXTURE(ComparingSession, "a name stands for what it was defined by, not for its value") {
  REQUIRE(session.submit("def xs = map f64.sqrt [2, 3]").ok());
  REQUIRE(session.submit("xs").ok());
  CHECK(compare("xs", 50).find("digits: exact") == std::string::npos);
  CHECK(compare("it", 50).find("digits: exact") == std::string::npos);
  // A constant that a function uses is computed anew with many digits.
  REQUIRE(session.submit("def third = 1f64 / 3").ok());
  CHECK(compare("third * 3", 50).find("off by") == std::string::npos);
  CHECK(compare("third", 50).find("off by") != std::string::npos);
}

TEST_CASE_FIXTURE(ComparingSession, "data from outside is exact") {
  Representations& representations = session.representations();
  REQUIRE(
      session.define("d", Value(Scalar::of(0.1)), representations.scalar(ElementType::F64)).ok());
  CHECK(compare("d", 50).find("jit and 50 digits: exact") != std::string::npos);
  CHECK(compare("d + d", 50).find("jit and 50 digits: exact") != std::string::npos);
}

TEST_CASE_FIXTURE(ComparingSession, "what cannot be compared says why") {
  CHECK(compare("\\x -> x + 1i32") == "functions cannot be compared; apply them to something\n");
  CHECK(compare("({f = \\x -> x + 1i32}, 1)").starts_with("functions cannot be compared"));
  CHECK(compare("1 + true").find("type-mismatch") != std::string::npos);
  CHECK(compare("(iota 3)[7]").find("index-out-of-bounds") != std::string::npos);
  CHECK(compare("f16.sqrt 2", 50).find("the wide evaluation has no f16") != std::string::npos);
  session.set_timeout(std::chrono::milliseconds(1));
  CHECK(compare("loop x = 0i64 while x >= 0 do (x + 1) % 1000").find("the time limit is over") !=
        std::string::npos);
  session.set_timeout(std::nullopt);
  CHECK(compare("1i32").find("the same bits") != std::string::npos); // and goes on
}

TEST_CASE_FIXTURE(ComparingSession, "what is interrupted in one way only is interrupted") {
  // (The results differ, so that the fourth evaluation tests assumptions.)
  for (int last : {1, 2, 3, 4}) {
    CAPTURE(last);
    int evaluations = 0;
    comparing::Computation computation;
    computation.evaluate = [&] {
      if (++evaluations == last) {
        session.interrupt().raise(InterruptSource::Reason::Interrupt);
        poll_interruption();
      }
      return std::vector<Value>{Value(Scalar::of(std::int32_t{evaluations}))};
    };
    computation.evaluate_wide = [&](WideEvaluator&) -> std::vector<Value> {
      FAIL("evaluated although it was interrupted");
      return {};
    };
    computation.types = [&](const std::vector<Value>&) {
      return std::vector<comparing::ResultType>{
          {"i32", "i32", session.representations().scalar(ElementType::I32)}};
    };
    const comparing::Compared compared = comparing::compare(session, computation, 50);
    CHECK(evaluations == last);
    CHECK(compared.outcome.failure == FailureKind::Interrupted);
    CHECK(compared.problem == "");
    CHECK(!compared.comparison);
  }
}
