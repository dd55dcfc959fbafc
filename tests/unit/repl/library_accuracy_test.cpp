// What the library's comments claim of errors holds: its results are put into the same program
// evaluated with 50 digits, which says how far they are from the truth.
#include "repl/comparing/ways.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <utility>

using namespace sinter;
using namespace sinter::repl;

namespace {

/// A session with some of the library, where data can be kept that all evaluations have exactly.
class LibrarySession {
public:
  LibrarySession(std::initializer_list<const char*> imports) {
    for (const char* name : imports)
      enter("import \"sinter/" + std::string(name) + "\"");
  }

  void enter(const std::string& text) {
    Outcome outcome = session_.submit(text);
    INFO(outcome.messages);
    REQUIRE(outcome.messages == "");
  }

  /// Makes the value of an expression, as it is computed with floats, data from outside.  All modes
  /// must give the same bits.
  void keep(const std::string& name, const std::string& expression) {
    CAPTURE(expression);
    comparing::Compared compared = comparing::compare(session_, expression, 0);
    REQUIRE(compared.comparison.has_value());
    const std::string text = compared.comparison->text();
    CHECK(text.find("jit and interp: the same bits") != std::string::npos);
    CHECK(text.find("mixed and interp: the same bits") != std::string::npos);
    Outcome outcome = session_.submit(expression);
    INFO(outcome.messages);
    REQUIRE(outcome.messages == "");
    REQUIRE(session_.define(name, outcome.value, outcome.representation).ok());
  }

  /// Whether a condition holds with 50 digits; it must hold with floats in every mode.
  bool holds(const std::string& condition) {
    comparing::Compared compared =
        comparing::compare(session_, "if " + condition + " then 1f64 else 0", 50);
    INFO(compared.problem, compared.outcome.messages);
    REQUIRE(compared.comparison.has_value());
    CHECK_FALSE(compared.comparison->has_real_difference());
    return compared.comparison->text().find("interp and 50 digits: exact") != std::string::npos;
  }

private:
  Session session_;
};

} // namespace

TEST_CASE("the wide evaluation tells what is not quite true") {
  LibrarySession session{"statistics"};
  session.keep("third", "1f64 / 3");
  CHECK(session.holds("f64.abs (third - 1f64 / 3) < 1e-16"));
  CHECK_FALSE(session.holds("f64.abs (third - 1f64 / 3) < 1e-18"));
}

namespace {

/// What the library's programs compute is no other with sanitizers, but takes minutes.
const doctest::skip only_released(is_sanitized);

} // namespace

TEST_CASE("means and covariances are as accurate as is claimed, wherever the numbers are" *
          only_released) {
  LibrarySession session{"random", "statistics"};
  session.enter("def near (bound: f64) (x: f64) (y: f64) = f64.abs (x - y) <= bound * f64.epsilon");
  for (const char* low : {"0", "1000000", "1000000000000"}) { // means to 2**15 deviations from 0
    CAPTURE(low);
    const std::string drawn = std::string("map f64.i64 (random.integers ") + low + " (" + low +
                              " + 100000000) 20000 (random.seed ";
    session.keep("xs", drawn + "1))");
    session.keep("ys", drawn + "2))");
    session.keep("mean", "statistics.mean xs");
    session.keep("variance", "statistics.variance xs");
    session.keep("covariance", "statistics.covariance xs ys");
    CHECK(session.holds("near (1.01 * mean) mean (statistics.mean xs)"));
    CHECK(session.holds("near (139 * variance) variance (statistics.variance xs)"));
    CHECK(session.holds("near (139 * f64.sqrt (variance * statistics.variance ys)) covariance "
                        "(statistics.covariance xs ys)"));
  }
}

TEST_CASE("single precision is as accurate as is claimed" * only_released) {
  LibrarySession session{"random", "statistics"};
  session.keep("xs", "map f32.i64 (random.integers 1000000 1100000 20000 (random.seed 1))");
  session.keep("mean", "statistics_f32.mean xs");
  session.keep("variance", "statistics_f32.variance xs");
  CHECK(session.holds("f32.abs (mean - statistics_f32.mean xs) <= 1.01 * f32.epsilon * mean"));
  CHECK(session.holds("f32.abs (variance - statistics_f32.variance xs) <= "
                      "139 * f32.epsilon * variance"));
}

TEST_CASE("factors and solutions are as accurate as is claimed" * only_released) {
  LibrarySession session{"linear", "random"};
  session.enter("def norm (xs: []f64) = f64.sqrt (f64.sum (map (\\x -> x * x) xs))");
  session.enter("def size [n] [m] (a: [n][m]f64) = norm (flatten a)");
  session.enter("def less [n] [m] (a: [n][m]f64) (b: [n][m]f64) = map2 (map2 (-)) a b");
  session.keep("a", "unflatten (map (\\x -> x - 0.5) (random.uniform (40 * 40) (1, 0))) "
                    ":> [40][40]f64");
  session.keep("b", "random.normal 40 (2, 0)");
  session.keep("s", "map2 (map2 (+)) a (transpose a)");
  session.keep("p", "linear.product a (transpose a)");
  session.enter("def bound = 40 * f64.epsilon");

  session.keep("x", "linear.solve a b");
  CHECK(session.holds("norm (map2 (-) (linear.apply a x) b) <= 3 * bound * size a * norm x"));
  session.keep("f", "linear.lu a");
  CHECK(session.holds("size (less (linear.product f.lower f.upper) (map (\\i -> a[i]) f.order)) <= "
                      "bound * size (linear.product (map (map f64.abs) f.lower) "
                      "(map (map f64.abs) f.upper))"));
  session.keep("c", "linear.cholesky p");
  CHECK(session.holds("size (less (linear.product c (transpose c)) p) <= "
                      "bound * 41 / 40 * f64.sum (map (\\i -> p[i, i]) (iota 40))"));
  session.keep("q", "linear.qr a");
  CHECK(session.holds("size (less (linear.product q.q q.r) a) <= 40 * bound * size a"));
  CHECK(session.holds("size (less (linear.product (transpose q.q) q.q) (linear.identity 40)) <= "
                      "40 * bound"));
}

TEST_CASE("eigenvalues and singular values are as accurate as is claimed" * only_released) {
  LibrarySession session{"linear", "random"};
  session.enter("def norm (xs: []f64) = f64.sqrt (f64.sum (map (\\x -> x * x) xs))");
  session.enter("def far [n] (xs: [n]f64) (ys: [n]f64) = norm (map2 (-) xs ys)");
  session.keep("a", "unflatten (map (\\x -> x - 0.5) (random.uniform (12 * 12) (1, 0))) "
                    ":> [12][12]f64");
  session.keep("s", "map2 (map2 (+)) a (transpose a)");
  session.enter("def bound [n] [m] (a: [n][m]f64) = 10 * 12 * f64.epsilon * norm (flatten a)");
  session.keep("v", "(linear.svd a).values");
  CHECK(session.holds("far v (linear.svd a).values <= bound a"));
  session.keep("e", "(linear.symmetric_eigen s).values");
  CHECK(session.holds("far e (linear.symmetric_eigen s).values <= bound s"));
}

TEST_CASE("Fourier transforms are as accurate as is claimed" * only_released) {
  LibrarySession session{"fft", "random"};
  session.enter("def norm (xs: []fft.complex) = "
                "f64.sqrt (f64.sum (map (\\(a, b) -> a * a + b * b) xs))");
  session.enter("def far (xs: []fft.complex) (ys: []fft.complex) = "
                "norm (map (\\i -> (xs[i].0 - ys[i].0, xs[i].1 - ys[i].1)) (indices xs))");
  for (const auto& [length, factor] : {std::pair("1000", "4"), {"1024", "4"}, {"509", "13"}}) {
    CAPTURE(length);
    const std::string n = length;
    session.keep("xs", "zip (random.uniform " + n + " (1, 0)) (random.uniform " + n + " (2, 0))");
    session.keep("t", "fft.forward xs");
    CHECK(session.holds("far t (fft.forward xs) <= " + std::string(factor) + " * (f64.log2 " + n +
                        " + 8) * f64.epsilon * norm t"));
  }
}
