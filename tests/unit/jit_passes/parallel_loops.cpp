// Loops that become SOACs give what they gave, whatever their rounds hold.
#include "check.h"

#include "jit/ir/evaluate.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "jit/passes/parallel_loops.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace sinter;

namespace {

/// Writes a function with a random loop, or a nest of two.
class LoopText {
public:
  explicit LoopText(std::uint32_t seed) : random_(seed) {}

  std::string write() {
    is_nest_ = chance(3);
    is_narrow_ = chance(4);
    is_marked_ = chance(3);
    const std::int64_t before = below(3), behind = below(3);
    offset_ = before;
    std::string text =
        "fn f(n: i64, m: i64, k: i64, a: [n][m]i64, b: [n]i64, h: [k]i64, p: bool) -> (";
    const unsigned wanted = 1 + below(3);
    std::string kinds, initial, parameters, results;
    while (types_.size() < wanted)
      state();
    const std::size_t count = types_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::string comma = i == 0 ? "" : ", ";
      kinds += comma + types_[i];
      initial += comma + initial_[i];
      parameters += ", s" + std::to_string(i) + ": " + types_[i];
      results += comma + results_[i];
    }
    text += kinds + ") {\n";
    text += "  w: [n]i64 = copy b\n  g: [k]i64 = copy h\n  v: [n][m]i64 = copy a\n";
    text += "  w1: [n]i64 = copy b\n  g1: [k]i64 = copy h\n  v1: [n][m]i64 = copy a\n";
    text += "  w2: [n]i64 = copy b\n  g2: [k]i64 = copy h\n  v2: [n][m]i64 = copy a\n";
    text += "  n3: i64 = mul n 3i64\n  kk: i64 = mul k k\n  long: i64 = add n3 kk\n";
    for (const char* const number : {"", "1", "2", "3"})
      text += std::string("  flat") + number + ": [n3]i64 = soac n3 () { (f" + number +
              "i: i64)\n    yield f" + number + "i\n  } map\n  wide" + number +
              ": [long]i64 = soac long () { (e" + number + "i: i64)\n    yield e" + number +
              "i\n  } map\n  rows" + number + ": [n][3]i64 = soac n () { (g" + number +
              "i: i64)\n    h" + number + "i: [3]i64 = array (g" + number +
              "i, 7i64, n)\n    yield h" + number + "i\n  } map\n";
    text += "  bound: i64 = sub n " + std::to_string(before + behind) + "i64\n";
    text += "  inner: i64 = sub m 1i64\n  last: i64 = sub n 1i64\n  some: bool = gt k 0i64\n";
    std::string defined;
    for (std::size_t i = 0; i < count; ++i)
      defined += (i == 0 ? "  z" : ", z") + std::to_string(i) + ": " + types_[i];
    if (is_narrow_) text += "  narrow: i32 = convert bound\n";
    text += defined + (is_narrow_ ? " = for narrow (" : " = for bound (") + initial +
            (is_marked_ ? ") parallel { (" : ") { (") + (is_narrow_ ? "number: i32" : "i: i64") +
            parameters + ")\n";
    if (is_narrow_) text += "    i: i64 = convert number\n";
    if (chance(4)) text += "    check p, \"no\"\n";
    text += "    o: i64 = add i " + std::to_string(before) + "i64\n    x: i64 = index b[o]\n";
    text += "    check some, \"no bins\"\n    y: i64 = mul x 5i64\n    q: i64 = mod y k\n";
    text += "    r: i64 = sub last o\n    c: bool = gt x 0i64\n";
    text += statements_ + "    yield " + results + "\n  }\n  ret ";
    for (std::size_t i = 0; i < count; ++i)
      text += (i == 0 ? "z" : ", z") + std::to_string(i);
    return text + "\n}\n";
  }
  /// Whether all of its states may be had in any order of rounds.
  bool is_parallel() const { return is_parallel_ && !(is_read_on_ && (has_checks_ || is_narrow_)); }
  bool is_marked() const { return is_marked_; }
  /// Whether a state has several of its elements written by a round: then not all that is parallel
  /// is known to be.
  bool has_windows() const { return has_windows_; }

private:
  unsigned below(unsigned count) {
    return std::uniform_int_distribution<unsigned>(0, count - 1)(random_);
  }
  bool chance(unsigned in) { return below(in) == 0; }
  template <std::size_t count>
  std::string one_of(const char* const (&words)[count]) {
    return words[below(count)];
  }

  /// One state, or two.
  void state() {
    const std::size_t number = types_.size();
    if (number < 2 && chance(6)) return states_of_some_rounds();
    if (number < 2 && chance(5)) return chance(2) ? running_value() : best_so_far();
    if (chance(6)) return state_of_windows();
    if (is_marked_ && chance(4)) return state_of_other_places();
    const std::string s = "s" + std::to_string(number), t = std::to_string(number);
    const std::string suffix = number == 0 ? "" : std::to_string(number);
    const auto line = [&](const std::string& text) { statements_ += "    " + text + "\n"; };
    switch (below(is_nest_ ? 10 : 9)) {
    case 0:
    case 1: { // a fold, of one or two terms, in all rounds or some
      const std::string operation = one_of({"add", "mul", "xor", "min", "max", "and", "or", "sub"});
      types_.push_back("i64");
      initial_.push_back(one_of({"0i64", "1i64", "7i64", "n"}));
      line("f" + t + ": i64 = " + operation + " " + s + " x");
      std::string result = "f" + t;
      if (chance(2)) {
        const bool is_left = operation == "sub" || chance(2);
        line("f" + t + "b: i64 = " + operation + (is_left ? " " + result + " y" : " y " + result));
        result = "f" + t + "b";
      }
      if (chance(2)) {
        line("h" + t + ": i64 = select c " + (chance(2) ? s + " " + result : result + " " + s));
        result = "h" + t;
      }
      results_.push_back(result);
      return;
    }
    case 2: // a bin
      types_.push_back("[k]i64");
      initial_.push_back("g" + suffix);
      line("b" + t + ": i64 = index " + s + "[q]");
      line("d" + t + ": i64 = " + one_of({"add", "max", "xor", "sub"}) + " b" + t + " x");
      line("u" + t + ": [k]i64 = update " + s + "[q] = d" + t);
      results_.push_back("u" + t);
      return;
    case 3: // scattered
      types_.push_back("[k]i64");
      initial_.push_back("g" + suffix);
      line("u" + t + ": [k]i64 = update " + s + "[q] = y");
      results_.push_back("u" + t);
      return;
    case 4: { // its own element, from the one before or from nothing
      const std::string at = one_of({"o", "o", "r"});
      types_.push_back("[n]i64");
      initial_.push_back("w" + suffix);
      std::string value = "y";
      if (chance(2)) {
        line("e" + t + ": i64 = index " + s + "[" + at + "]");
        line("d" + t + ": i64 = add e" + t + " y");
        value = "d" + t;
      }
      // (That of a branch must be known to be there, which a bound of 32 bits does not tell.)
      if (is_narrow_ || chance(2)) {
        line("u" + t + ": [n]i64 = update " + s + "[" + at + "] = " + value);
      } else {
        line("u" + t + ": [n]i64 = if c {");
        line("  a" + t + ": i64 = add i " + std::to_string(offset_) + "i64");
        line("  v" + t + "b: [n]i64 = update " + s + "[" + (at == "o" ? "a" + t : at) +
             "] = " + value);
        line("  yield v" + t + "b");
        line("} else {");
        line("  yield " + s);
        line("}");
      }
      results_.push_back("u" + t);
      return;
    }
    case 5: { // its own row, by a map
      types_.push_back("[n][m]i64");
      initial_.push_back("v" + suffix);
      line("l" + t + ": [m]i64 = index " + std::string(chance(2) ? s : "a") + "[o]");
      line("d" + t + ": [m]i64 = soac m (l" + t + ") { (j" + t + ": i64, e" + t + ": i64)");
      line("  c" + t + ": i64 = add e" + t + " " + one_of({"y", "o", "i"}));
      line("  yield c" + t);
      line("} map");
      const std::string put = ": [n][m]i64 = update " + s + "[o] = d" + t;
      if (is_marked_ && !is_narrow_ && chance(2)) { // or it stays
        const bool has_check = chance(2);
        has_checks_ = has_checks_ || has_check;
        line("u" + t + ": [n][m]i64 = if c {\n" + (has_check ? "    check p, \"no\"\n" : "") +
             "    v" + t + "b" + put + "\n    yield v" + t + "b\n} else {\n    yield " + s + "\n}");
      } else {
        line("u" + t + put);
      }
      results_.push_back("u" + t);
      return;
    }
    case 6: // a column, whose rows go on
      types_.push_back("[n][m]i64");
      initial_.push_back("v" + suffix);
      line("l" + t + ": [m]i64 = index " + s + "[r]");
      line("d" + t + ": i64 = soac m (l" + t + ") { (j" + t + ": i64, e" + t + ": i64)");
      line("  yield e" + t);
      line("} reduce (0i64) { (p" + t + ": i64, q" + t + ": i64)");
      line("  r" + t + ": i64 = add p" + t + " q" + t);
      line("  yield r" + t);
      line("}");
      line("d" + t + "b: [m]i64 = soac m () { (j" + t + "b: i64)");
      line("  yield d" + t);
      line("} map");
      line("u" + t + ": [n][m]i64 = update " + s + "[r] = d" + t + "b");
      results_.push_back("u" + t);
      return;
    case 8: { // a bin, or a place, in some rounds
      const bool is_bin = chance(2), is_first = chance(2);
      types_.push_back("[k]i64");
      initial_.push_back("g" + suffix);
      line("u" + t + ": [k]i64 = if c {");
      if (!is_first) line("  yield " + s + "\n} else {");
      line("  check p, \"not in this round\"");
      has_checks_ = true;
      if (is_bin) line("  b" + t + ": i64 = index " + s + "[q]");
      if (is_bin)
        line("  d" + t + ": i64 = " + one_of({"add", "max", "xor", "sub"}) + " b" + t + " x");
      line("  z" + t + "v: [k]i64 = update " + s + "[q] = " + (is_bin ? "d" + t : "y"));
      line("  yield z" + t + "v");
      if (is_first) line("} else {\n  yield " + s);
      line("}");
      results_.push_back("u" + t);
      return;
    }
    case 7: { // what the next round needs
      is_parallel_ = false;
      types_.push_back("i64");
      initial_.push_back("3i64");
      line("f" + t + ": i64 = " + one_of({"sub x ", "shl x ", "mul 2i64 "}) + s);
      line("f" + t + "b: i64 = sub f" + t + " i");
      results_.push_back("f" + t + "b");
      return;
    }
    default: { // an inner loop over a row but for its edges, or over a column's place in each row
      const bool reads_own = chance(2);
      types_.push_back("[n][m]i64");
      initial_.push_back("v" + suffix);
      line("u" + t + ": [n][m]i64 = for inner (" + s + ") { (j" + t + ": i64, r" + t +
           ": [n][m]i64)");
      line("  c" + t + ": i64 = add j" + t + " " + one_of({"0i64", "1i64"}));
      line("  e" + t + ": i64 = index " + std::string(reads_own ? "r" + t : "a") + "[o, c" + t +
           "]");
      line("  d" + t + ": i64 = add e" + t + " y");
      line("  q" + t + ": [n][m]i64 = update r" + t + "[o, c" + t + "] = d" + t);
      line("  yield q" + t);
      line("}");
      results_.push_back("u" + t);
      return;
    }
    }
  }

  /// An array of pairs, or of short rows, of which each round writes several elements, and reads
  /// what it has found or has written there; or only some rounds do.
  void state_of_windows() {
    const std::string t = std::to_string(types_.size()), s = "s" + t;
    const std::string suffix = types_.empty() ? "" : t;
    const bool are_rows = chance(2), is_long = chance(2);
    const std::string type = are_rows  ? "[n][3]i64"
                             : is_long ? "[long]i64"
                                       : "[n3]i64",
                      at = one_of({"o", "o", "r"});
    types_.push_back(type);
    // (Nobody sees that a long one has room for what lies between windows.)
    initial_.push_back((are_rows ? "rows" : is_long ? "wide" : "flat") + suffix);
    std::string steps = "    m" + t + ": i64 = mul " + at + " 3i64\n";
    std::string array = s, value = "y";
    const unsigned count = 2 + below(3);
    for (unsigned i = 0; i < count; ++i) {
      const std::string c = t + "x" + std::to_string(i), place = std::to_string(below(3)) + "i64";
      std::string where = at + ", " + place;
      if (!are_rows) {
        steps += "    a" + c + ": i64 = add m" + t + " " + place + "\n";
        where = "a" + c;
      }
      if (chance(2)) {
        std::string other = at + ", " + std::to_string(below(3)) + "i64";
        if (!are_rows) {
          other = "l" + c;
          steps += "    l" + c + ": i64 = add " + std::to_string(below(3)) + "i64 m" + t + "\n";
        }
        steps += "    e" + c + ": i64 = index " + array + "[" + other + "]\n";
        if (chance(2)) {
          steps += "    d" + c + ": i64 = sub x e" + c + "\n";
          value = "d" + c;
        } else {
          value = "e" + c;
        }
      }
      steps +=
          "    u" + c + ": " + type + " = update " + array + "[" + where + "] = " + value + "\n";
      array = "u" + c;
    }
    has_windows_ = true;
    if (!chance(3)) {
      statements_ += steps;
      results_.push_back(array);
      return;
    }
    const bool is_first = chance(2);
    const std::string changes = steps + "    yield " + array + "\n",
                      keeps = "    yield " + s + "\n";
    statements_ += "    b" + t + "x: " + type + " = if c {\n" + (is_first ? changes : keeps) +
                   "    } else {\n" + (is_first ? keeps : changes) + "    }\n";
    results_.push_back("b" + t + "x");
  }

  /// An array of which each round reads and writes an element of its own, as only the mark says:
  /// there are less than seven.
  void state_of_other_places() {
    const std::string t = std::to_string(types_.size()), s = "s" + t;
    const bool is_choice = chance(2), is_first = chance(2);
    types_.push_back("[n]i64");
    initial_.push_back("w" + (types_.size() == 1 ? "" : std::to_string(types_.size() - 1)));
    statements_ += "    k" + t + ": i64 = mul i 7i64\n    a" + t + ": i64 = mod k" + t + " n\n";
    const std::string steps = "    b" + t + ": i64 = index " + s + "[a" + t + "]\n    d" + t +
                              ": i64 = sub y b" + t + "\n    x" + t + "z: [n]i64 = update " + s +
                              "[a" + t + "] = d" + t + "\n";
    const std::string changes = steps + "    yield x" + t + "z\n", keeps = "    yield " + s + "\n";
    if (is_choice)
      statements_ += "    u" + t + ": [n]i64 = if c {\n" + (is_first ? changes : keeps) +
                     "    } else {\n" + (is_first ? keeps : changes) + "    }\n";
    else
      statements_ += steps;
    results_.push_back(is_choice ? "u" + t : "x" + t + "z");
  }

  /// A number and an array that one choice changes, in the same branch or in different ones, or
  /// carries on.
  void states_of_some_rounds() {
    const std::string t = std::to_string(types_.size());
    const std::string s = "s" + t, a = "s" + std::to_string(types_.size() + 1);
    const bool are_together = chance(2), is_carried = chance(4);
    types_.insert(types_.end(), {"i64", "[k]i64"});
    initial_.insert(initial_.end(), {"2i64", "g" + std::to_string(types_.size() - 1)});
    const std::string number = "      f" + t + ": i64 = " + one_of({"add ", "mul ", "max "}) + s +
                               (is_carried ? " i\n" : " x\n") +
                               (is_carried ? "      f" + t + "b: i64 = sub f" + t + " x\n" : "");
    const std::string f = is_carried ? "f" + t + "b" : "f" + t;
    const std::string bin = "      b" + t + ": i64 = index " + a + "[q]\n      d" + t +
                            ": i64 = add b" + t + " y\n      z" + t + "v: [k]i64 = update " + a +
                            "[q] = d" + t + "\n";
    const std::string yields = "      yield ";
    statements_ += "    n" + t + ": i64, u" + t + ": [k]i64, o" + t + ": i64 = if c {\n";
    statements_ += number + (are_together ? bin : "") + yields + f + ", " +
                   (are_together ? "z" + t + "v" : a) + ", x\n";
    statements_ += "    } else {\n" + (are_together ? "" : bin) + yields + s + ", " +
                   (are_together ? a : "z" + t + "v") + ", y\n    }\n";
    statements_ += "    m" + t + ": i64 = add o" + t + " 1i64\n";
    results_.insert(results_.end(), {"n" + t, "u" + t});
    is_parallel_ = is_parallel_ && !is_carried;
  }

  /// A number of any order, and an array of what rounds leave of it, or find.
  void running_value() {
    const std::string t = std::to_string(types_.size()), s = "s" + t;
    const std::string array = std::to_string(types_.size() + 1);
    const bool reads_before = chance(2);
    types_.insert(types_.end(), {"i64", "[n]i64"});
    initial_.insert(initial_.end(), {one_of({"0i64", "7i64", "n"}), "w" + array});
    const std::string operation =
        reads_before ? one_of({"add", "xor"}) : one_of({"add", "mul", "xor", "min", "max", "or"});
    const std::string step =
        "    f" + t + ": i64 = " + operation + (chance(2) ? " " + s + " x" : " x " + s) + "\n";
    const std::string what = reads_before ? s : "f" + t;
    std::string puts = "    a" + t + ": i64 = add " + what + " y\n    u" + t +
                       ": [n]i64 = update s" + array + "[" + one_of({"o", "r"}) +
                       "] = " + (chance(2) ? what : "a" + t) + "\n";
    statements_ += reads_before && chance(2) ? puts + step : step + puts;
    results_.insert(results_.end(), {"f" + t, "u" + t});
    is_read_on_ = true;
  }

  /// The best element so far, and which it was.
  void best_so_far() {
    const std::string t = std::to_string(types_.size()), s = "s" + t;
    const std::string number = std::to_string(types_.size() + 1);
    types_.insert(types_.end(), {"i64", "i64"});
    initial_.insert(initial_.end(), {one_of({"0i64", "-20i64", "5i64", "n"}), "-1i64"});
    const std::string comparison = one_of({"gt ", "lt ", "ge ", "le "});
    const bool is_turned = chance(2), keeps_first = chance(2);
    const auto chosen = [&](const std::string& now, const std::string& before) {
      return keeps_first ? before + " " + now : now + " " + before;
    };
    statements_ += "    b" + t + ": bool = " + comparison + (is_turned ? s + " x" : "x " + s) +
                   "\n    d" + t + ": i64 = select b" + t + " " + chosen("x", s) + "\n    e" + t +
                   ": i64 = select b" + t + " " +
                   chosen(one_of({"i", "i", "r", "y", "n", "-3i64"}), "s" + number) + "\n";
    results_.insert(results_.end(), {"d" + t, "e" + t});
    is_read_on_ = true;
  }

  std::mt19937 random_;
  bool has_checks_ = false; ///< of single rounds
  bool is_read_on_ = false; ///< whether rounds read a number that they change
  bool is_nest_ = false, is_parallel_ = true, has_windows_ = false;
  bool is_narrow_ = false; ///< rounds are numbered in 32 bits
  bool is_marked_ = false; ///< as parallel
  std::int64_t offset_ = 0;
  std::vector<std::string> types_, initial_, results_;
  std::string statements_;
};

ir::DenseArray numbers(std::vector<std::int64_t> extents, std::uint32_t seed) {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents)
    count *= extent;
  ir::DenseArray array{ElementType::I64, std::move(extents), {}};
  std::mt19937 random(seed);
  for (std::int64_t i = 0; i < count; ++i)
    array.elements.push_back(Scalar::of(static_cast<std::int64_t>(random() % 19) - 9));
  return array;
}

} // namespace

TEST_CASE("random loops give as SOACs what they gave") {
  unsigned parallel = 0, carried = 0, windows = 0;
  for (std::uint32_t seed = 0; seed < some_of(7000, 4); ++seed) {
    LoopText loop(seed);
    const std::string text = loop.write();
    CAPTURE(text);
    const ir::Function before = ir::parse(text);
    REQUIRE(ir::verify(before) == std::nullopt);
    ir::Function after = before;
    jit::parallelise_loops(after);
    const std::string made = ir::print(after);
    CAPTURE(made);
    REQUIRE(ir::verify(after) == std::nullopt);
    const bool is_made_parallel = made.find(" = for ") == std::string::npos;
    if (loop.has_windows()) {
      windows += is_made_parallel ? 1 : 0;
    } else {
      CHECK(is_made_parallel == loop.is_parallel());
      parallel += loop.is_parallel() ? 1 : 0;
      const bool is_told = !jit::look_at_marked_loops(before).carried.empty();
      CHECK(is_told == (loop.is_marked() && !loop.is_parallel()));
      carried += is_told ? 1 : 0;
    }
    const std::int64_t n = seed % 7, m = seed / 7 % 5, k = seed / 35 % 4;
    const bool holds = seed % 11 != 0;
    std::vector<ir::DenseValue> arguments = {
        Scalar::of(n),          Scalar::of(m),          Scalar::of(k),    numbers({n, m}, seed),
        numbers({n}, seed + 1), numbers({k}, seed + 2), Scalar::of(holds)};
    CHECK(ir::evaluate(before, arguments) == ir::evaluate(after, arguments));
  }
  CHECK(parallel > some_of(2000, 4));
  CHECK(carried > some_of(200, 4));
  CHECK(windows > some_of(300, 4));
}

TEST_CASE("the best of floats is the loop's in all bits, of equals and of what is no number too") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> some = {nan, -nan, infinity, -infinity, 0.0F, -0.0F, 1.0F, -1.0F};
  std::mt19937 random(1);
  const auto any = [&] { return Scalar::of(some[random() % some.size()]); };
  for (const char* const comparison :
       {"gt x b", "lt x b", "gt b x", "lt b x", "ge x b", "le x b", "ge b x", "le b x"})
    for (const bool has_number : {false, true}) {
      const std::string text =
          std::string(
              "fn f(n: i64, a: [n]f32, s: f32) -> (f32, i64) {\n  z: f32, k: i64 = for n (s, ") +
          "-7i64) { (i: i64, b: f32, at: i64)\n    x: f32 = index a[i]\n    c: bool = " +
          comparison + "\n    d: f32 = select c x b\n    e: i64 = " +
          (has_number ? "select c i at" : "add at 2i64") + "\n    yield d, e\n  }\n  ret z, k\n}\n";
      const ir::Function before = ir::parse(text);
      ir::Function after = before;
      jit::parallelise_loops(after);
      const std::string made = ir::print(after);
      CAPTURE(made);
      REQUIRE(ir::verify(after) == std::nullopt);
      CHECK(made.find(" = for ") == std::string::npos);
      for (int round = 0; round < 400; ++round) {
        ir::DenseArray array{ElementType::F32, {static_cast<std::int64_t>(random() % 9)}, {}};
        for (std::int64_t i = 0; i < array.extents[0]; ++i)
          array.elements.push_back(any());
        const std::vector<ir::DenseValue> arguments = {Scalar::of(array.extents[0]), array, any()};
        CHECK(ir::evaluate(before, arguments) == ir::evaluate(after, arguments));
      }
    }
}

TEST_CASE("what of a loop stays a loop keeps its states together") {
  const auto stays = [](const std::string& statements) {
    ir::Function function = ir::parse(
        "fn f(n: i64, a: [n]i64, x: [n]f32) -> (i64, [n]i64, i64) {\n  w: [n]i64 = copy a\n"
        "  z: i64, v: [n]i64, y: i64 = for n (0i64, w, 1i64) { (i: i64, s: i64, u: [n]i64, t: "
        "i64)\n"
        "    e: i64 = index a[i]\n" +
        statements + "  }\n  ret z, v, y\n}\n");
    const std::string before = ir::print(function);
    jit::parallelise_loops(function);
    return ir::print(function) == before;
  };
  const std::string put = "    p: [n]i64 = update u[i] = r\n";
  CHECK_FALSE(
      stays("    r: i64 = add s e\n" + put + "    q: i64 = add t 1i64\n    yield r, p, q\n"));
  // Another state is the next round's; or the term is.
  CHECK(stays("    r: i64 = add s e\n" + put + "    q: i64 = sub e t\n    yield r, p, q\n"));
  CHECK(stays("    r: i64 = add s t\n" + put + "    q: i64 = add t 1i64\n    yield r, p, q\n"));
  // There is no way back from what a round leaves to what it finds.
  CHECK(stays("    r: i64 = max s e\n    p: [n]i64 = update u[i] = s\n    q: i64 = add t 1i64\n"
              "    yield r, p, q\n"));
  // The best goes alone; not with a choice that something else needs, too.
  const std::string number = "    q: i64 = select c i t\n    p: [n]i64 = update u[i] = ";
  CHECK_FALSE(stays("    c: bool = gt e s\n    r: i64 = select c e s\n" + number +
                    "e\n    yield r, p, q\n"));
  CHECK_FALSE(stays("    c: bool = ge e s\n    r: i64 = select c e s\n" + number +
                    "e\n    yield r, p, q\n"));
  CHECK(stays("    c: bool = ge e s\n    r: i64 = select c e s\n" + number +
              "r\n    yield r, p, q\n"));
  CHECK(stays("    c: bool = gt e s\n    r: i64 = select c e s\n" + number +
              "r\n    yield r, p, q\n"));
}

TEST_CASE("what a marked loop carries has a name, and what reads it") {
  const auto carried = [](const std::string& state, const std::string& statements) {
    const jit::MarkedLoops told = jit::look_at_marked_loops(
        ir::parse("fn f(n: i64, a: [n]i64, x: f32) -> " + state.substr(0, state.find(' ')) +
                  " {\n" + "  w: [n]i64 = copy a\n  z: " + state.substr(0, state.find(' ')) +
                  " = for n (" + state.substr(state.find(' ') + 1) + ") parallel { (i: i64, s: " +
                  state.substr(0, state.find(' ')) + ")\n" + statements + "  }\n  ret z\n}\n"));
    REQUIRE(told.carried.size() <= 1);
    return told.carried.empty() ? std::string() : told.carried[0].name + ": " + told.carried[0].why;
  };
  CHECK(carried("i64 0i64", "t: i64 = add s i\nyield t\n").empty());
  CHECK(carried("i64 0i64", "t: i64 = mul i i\nyield t\n") == "s: the last round alone gives it");
  CHECK(carried("i64 0i64", "t: i64 = mul i i\nyield n\n").empty()); // it is the same after each
  CHECK(carried("i64 0i64", "t: i64 = mul i i\nyield s\n").empty());
  CHECK(carried("i64 0i64", "t: i64 = sub i s\nyield t\n") ==
        "s: a round reads what the one before has left");
  CHECK(carried("f32 0f32", "t: f32 = mul s x\nyield t\n").starts_with("s: floats are combined"));
  const jit::MarkedLoops told = jit::look_at_marked_loops(
      ir::parse("fn f(n: i64, a: [n]f32) -> (f32, [n]f32) {\n  w: [n]f32 = copy a\n  z: f32, v: "
                "[n]f32 = for n "
                "(0f32, w) parallel { (i: i64, s: f32, u: [n]f32)\n    x: f32 = index a[i]\n"
                "    t: f32 = add s x\n    p: [n]f32 = update u[i] = t\n    yield t, p\n  }\n  ret "
                "z, v\n}\n"));
  REQUIRE(told.carried.size() == 1);
  CHECK(told.carried[0].name == "s");
  CHECK(told.carried[0].why.find("`scan` is the form") != std::string::npos);
  CHECK(carried("[n]i64 w", "x0: i64 = index s[0i64]\nt: [n]i64 = update s[i] = x0\nyield t\n") ==
        "s: a round reads what another one may have written");
  CHECK(carried("[n]i64 w", "t: [n]i64 = soac n () { (j: i64)\nyield j\n} map\nyield t\n") ==
        "s: a round makes all of it anew");
  CHECK(carried("[n]i64 w",
                "t: [n]i64 = update s[i] = i\nu: [n]i64 = update t[0i64] = i\n"
                "yield u\n") == "s: the places that a round writes may be another one's too");
  CHECK(carried("[n]i64 w", "k: i64 = mul i 2i64\nl: i64 = add k 1i64\nt: [n]i64 = update s[k] = "
                            "i\nv: i64 = index t[i]\nu: [n]i64 = update t[l] = v\nyield u\n") ==
        "s: a round reads what it or another one may have written");
  CHECK(carried("[n]i64 w", "k: i64 = mul i 2i64\nl: i64 = add k 1i64\nt: [n]i64 = update s[k] = "
                            "i\nv: i64 = index t[k]\nu: [n]i64 = update t[l] = v\nyield u\n")
            .empty());
}

TEST_CASE("of a marked loop that stays one it is told why") {
  const auto staying = [](const std::string& statements) {
    return jit::look_at_marked_loops(
               ir::parse("fn f(n: u64, m: i64, a: [m]i64) -> [m]i64 {\n  w: [m]i64 = copy a\n" +
                         statements + "  ret z\n}\n"))
        .staying;
  };
  const std::string of_u64 = "  z: [m]i64 = for n (w) parallel { (i: u64, s: [m]i64)\n"
                             "    j: i64 = convert i\n    t: [m]i64 = update s[j] = j\n"
                             "    yield t\n  }\n";
  REQUIRE(staying(of_u64).size() == 1);
  CHECK(staying(of_u64)[0] == "its iterations are numbered in 64 bits without a sign");
  // Not of one without a mark, of a short one, or of one that is made parallel.
  CHECK(staying("  z: [m]i64 = for n (w) { (i: u64, s: [m]i64)\n    j: i64 = convert i\n"
                "    t: [m]i64 = update s[j] = j\n    yield t\n  }\n")
            .empty());
  for (const char* const bound : {"3i64", "m"})
    CHECK(staying("  z: [m]i64 = for " + std::string(bound) +
                  " (w) parallel { (i: i64, s: [m]i64)\n    t: [m]i64 = update s[i] = i\n"
                  "    yield t\n  }\n")
              .empty());
}

TEST_CASE("sums of floats keep the order of their rounds") {
  const std::string text = R"(
fn f(n: i64, xs: [n]f32) -> f32 {
  s: f32 = for n (0f32) { (i: i64, t: f32)
    x: f32 = index xs[i]
    u: f32 = add t x
    yield u
  }
  ret s
})";
  jit::check_rewrites(jit::parallelise_loops, text, text);
}
