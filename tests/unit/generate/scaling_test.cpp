// Programs whose checking must not take longer than reading them suggests: no stack overflow, no
// exponential types, nothing quadratic.  What is judged is how the work grows with the program:
// four times the text may take about four times the processor's time.  A slow or busy machine is
// slow at both sizes; where the time went elsewhere it is not counted.
#include "checking.h"

#include <doctest/doctest.h>

#include <ctime>
#include <functional>

using namespace sinter;
using namespace sinter::tests;

namespace {

std::string times(std::size_t count, const std::function<std::string(std::size_t)>& part) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += part(i);
  return text;
}

/// The processor's time that this thread has used, in seconds.
double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

using Ids = std::set<std::string>;

/// What checking a program took, at the best of some attempts, and the ids of its errors.
struct Cost {
  double seconds = 0;
  Ids errors;
};
Cost cost_of(const std::string& text) {
  Cost best;
  for (int attempt = 0; attempt < 3; ++attempt) {
    Bench bench;
    bench.check("def f = 1i32\n"); // the prelude is read by the first
    const double start = processor_time();
    Bench::Checked checked = bench.check(text);
    const double seconds = processor_time() - start;
    CAPTURE(checked.messages.substr(0, 1000));
    CHECK(checked.messages.size() < 200000);
    if (attempt == 0 || seconds < best.seconds) best = {seconds, checked.errors};
    if (seconds > 0.5) break;
  }
  return best;
}

/// Linear growth is by 4, quadratic by 16; the constant is for times too short to be compared.  (An
/// array of rank 400 has 400 types inside, so what nests as deep as it may is a little quadratic:
/// five milliseconds, ten times that with sanitizers.)
#ifdef __SANITIZE_ADDRESS__
constexpr double least_seconds = 0.2;
#else
constexpr double least_seconds = 0.02;
#endif
constexpr double most_growth = 9;

/// Checks the program of this size and the one of a quarter of it; the ids of the former's errors.
Ids errors_of(std::size_t size, const std::function<std::string(std::size_t)>& program) {
  const Cost small = cost_of(program(size / 4)), large = cost_of(program(size));
  MESSAGE(size << ": " << large.seconds << " s, a quarter of it: " << small.seconds << " s");
  CHECK(large.seconds < most_growth * small.seconds + least_seconds);
  return large.errors;
}

std::string number(std::size_t i) {
  return std::to_string(i);
}

} // namespace

TEST_CASE("work that grows too fast is told from work that does not") {
  auto cubic = [](std::size_t n) {
    return "def f (x: i32): i32 = match x\n" +
           times(n * n * n, [](std::size_t i) { return "  case " + number(i) + " -> 1\n"; }) +
           "  case _ -> 0\n";
  };
  const Cost small = cost_of(cubic(8)), large = cost_of(cubic(32));
  CHECK(large.seconds > most_growth * small.seconds + least_seconds);
}

TEST_CASE("1,900 bindings in a row") {
  CHECK(errors_of(1900, [](std::size_t size) {
          return "def f (v0: i32) =\n" +
                 times(size,
                       [](std::size_t i) {
                         return "  let v" + number(i + 1) + " = v" + number(i) + " + 1i32\n";
                       }) +
                 "  in v" + number(size) + "\n";
        }) == Ids{});
}

TEST_CASE("nesting up to the parser's limit and beyond") {
  using Repeat = std::function<std::string(const char*)>;
  const std::vector<std::function<std::string(const Repeat&)>> programs = {
      [](const Repeat& repeat) {
        return "def f (x: i32) = " + repeat("(1 + ") + "x" + repeat(")");
      },
      [](const Repeat& repeat) { return "def f (x: i32) = " + repeat("[") + "x" + repeat("]"); },
      [](const Repeat& repeat) {
        return "def f (x: i32) = " + repeat("if true then ") + "x" + repeat(" else x");
      },
      [](const Repeat& repeat) {
        return "def f (x: i32) = " + repeat("(\\y -> y) (") + "x" + repeat(")");
      },
      [](const Repeat& repeat) { return "def f (x: i32) = " + repeat("(x, ") + "x" + repeat(")"); },
      [](const Repeat& repeat) { return "def f (x: " + repeat("[1]") + "i32) = x"; }};
  for (std::size_t i = 0; i < programs.size(); ++i) {
    CAPTURE(i);
    for (std::size_t depth : {400, 5000}) {
      CAPTURE(depth);
      Ids found = errors_of(depth, [&](std::size_t size) {
        return programs[i]([&](const char* text) {
                 return times(size, [&](std::size_t) { return text; });
               }) +
               "\n";
      });
      found.erase("nesting-too-deep");
      CHECK(found == Ids{});
    }
  }
}

TEST_CASE("a type that doubles with each binding") {
  auto errors = [](const std::function<std::string(const std::string&)>& end) {
    return errors_of(40, [&](std::size_t size) {
      return "def f (x0: i32) =\n" +
             times(size,
                   [](std::size_t i) {
                     return "  let x" + number(i + 1) + " = (x" + number(i) + ", x" + number(i) +
                            ")\n";
                   }) +
             "  in " + end("x" + number(size)) + "\n";
    });
  };
  CHECK(errors([](const std::string&) { return "0i32"; }) == Ids{});
  CHECK(errors([](const std::string& last) { return last; }) == Ids{});
  CHECK(errors([](const std::string& last) { return last + " + 1i32"; }) == Ids{"type-mismatch"});
  CHECK(errors([](const std::string& last) { return "if true then " + last + " else " + last; }) ==
        Ids{});
}

TEST_CASE("a record of 1,000 fields") {
  CHECK(errors_of(1000, [](std::size_t size) {
          return "def r = {" +
                 times(size,
                       [](std::size_t i) {
                         return (i ? ", a" : "a") + number(i) + " = " + number(i) + "i32";
                       }) +
                 "}\n" + times(200, [](std::size_t i) {
                   return "def x" + number(i) + " = r.a" + number(i) + "\n";
                 });
        }) == Ids{});
}

TEST_CASE("a match with 20,000 cases") {
  for (bool is_complete : {true, false})
    CHECK(errors_of(20'000, [&](std::size_t size) {
            return "def f (x: i64): i64 = match x\n" +
                   times(size,
                         [](std::size_t i) {
                           return "  case " + number(i) + " -> " + number(i + 1) + "\n";
                         }) +
                   (is_complete ? "  case _ -> 0\n" : "");
          }) == (is_complete ? Ids{} : Ids{"unmatched-cases"}));
  // Each case leaves the other column open.
  CHECK(errors_of(5'000, [](std::size_t size) {
          return "def f (x: i64) (y: i64): i64 = match (x, y)\n" +
                 times(size,
                       [](std::size_t i) {
                         return "  case (" + number(i) + ", _) -> 1\n  case (_, " + number(i) +
                                ") -> 2\n";
                       }) +
                 "  case _ -> 0\n";
        }) == Ids{});
}

TEST_CASE("a match on a tuple of many truth values") {
  CHECK(errors_of(16, [](std::size_t size) {
          return "def f (x: (" +
                 times(size, [](std::size_t i) { return std::string(i ? ", bool" : "bool"); }) +
                 ")) : i32 = match x\n" +
                 times(size,
                       [size](std::size_t row) {
                         return "  case (" +
                                times(size,
                                      [&](std::size_t i) {
                                        return std::string(i ? ", " : "") +
                                               (i == row ? "true" : "_");
                                      }) +
                                ") -> " + number(row) + "\n";
                       }) +
                 "  case _ -> 99\n";
        }) == Ids{});
}

TEST_CASE("5,000 declarations") {
  CHECK(errors_of(5000, [](std::size_t size) {
          return "def f0 (x: i32) = x\n" + times(size, [](std::size_t i) {
                   return "def f" + number(i + 1) + " (x: i32) = f" + number(i) + " x + 1\n";
                 });
        }) == Ids{});
}

TEST_CASE("an array of 20,000 elements and a chain of 2,000 operators") {
  CHECK(errors_of(20'000, [](std::size_t size) {
          return "def xs : []i32 = [" +
                 times(size, [](std::size_t i) { return (i ? ", " : "") + number(i); }) + "]\n";
        }) == Ids{});
  Ids found = errors_of(2000, [](std::size_t size) {
    return "def f (x: i32) = x" + times(size, [](std::size_t i) { return " + " + number(i); }) +
           "\n";
  });
  found.erase("nesting-too-deep");
  CHECK(found == Ids{});
}

TEST_CASE("a type of 9,000 fields") {
  CHECK(errors_of(9'000, [](std::size_t size) {
          return "type t = {" +
                 times(size,
                       [](std::size_t i) { return (i > 0 ? ", f" : "f") + number(i) + ": i64"; }) +
                 "}\n";
        }) == Ids{});
}
