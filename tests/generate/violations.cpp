#include "tests/generate/violations.h"

#include "tests/generate/random.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinter::generate {

namespace {

/// A function of the language that breaks a law, and what it may just as well mean.
struct Breach {
  std::string_view replaced; ///< as it stands in the text
  std::string_view name;
  std::string_view broken, reordered; ///< what follows the name in its definition
};

// `op a (op b b)` is associative where `op a a` is `a`, for minima say: it matters nothing there.
constexpr Breach not_associative[] = {
    {"(reduce ", "broken_reduce",
     " 'a [n] (op: a -> a -> a) (ne: a) (xs: [n]a): a =\n"
     "  reduce (\\a b -> op a (op b b)) ne xs\n",
     " 'a [n] (op: a -> a -> a) (ne: a) (xs: [n]a): a =\n"
     "  if n == 0 then ne else\n"
     "  loop right = xs[n - 1] for i < n - 1 do op xs[n - 2 - i] (op right right)\n"},
    {"(scan ", "broken_scan",
     " 'a [n] (op: a -> a -> a) (ne: a) (xs: [n]a): *[n]a =\n"
     "  scan (\\a b -> op a (op b b)) ne xs\n",
     " 'a [n] (op: a -> a -> a) (_: a) (xs: [n]a): *[n]a =\n"
     "  tabulate n (\\k -> loop right = xs[k] for i < k do op xs[k - 1 - i] (op right right))\n"},
    {"(hist ", "broken_hist",
     " 'a [n] (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (xs: [n]a): *[k]a =\n"
     "  hist (\\a b -> op a (op b b)) ne k is xs\n",
     " 'a [n] (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (xs: [n]a): *[k]a =\n"
     "  hist (\\a b -> op a (op b b)) ne k (reverse is) (reverse xs)\n"}};

constexpr Breach not_neutral[] = {{"(reduce ", "broken_reduce",
                                   " 'a [n] (op: a -> a -> a) (ne: a) (xs: [n]a): a =\n"
                                   "  reduce op (if n == 0 then ne else xs[0]) xs\n",
                                   " 'a [n] (op: a -> a -> a) (ne: a) (xs: [n]a): a =\n"
                                   "  reduce op ne xs\n"},
                                  {"(scan ", "broken_scan",
                                   " 'a [n] (op: a -> a -> a) (ne: a) (xs: [n]a): *[n]a =\n"
                                   "  scan op (if n == 0 then ne else xs[0]) xs\n",
                                   " 'a [n] (op: a -> a -> a) (ne: a) (xs: [n]a): *[n]a =\n"
                                   "  scan op ne xs\n"}};

// The first of all values: a monoid that does not commute.
constexpr Breach not_commutative[] = {
    {"(reduce_comm ", "broken_reduce",
     " 'a [n] (_: a -> a -> a) (ne: a) (xs: [n]a): a =\n"
     "  let first (a: #none | #some a) (b: #none | #some a) =\n"
     "    match a case #none -> b case #some _ -> a\n"
     "  let found: #none | #some a = reduce_comm first #none (map (\\x -> #some x) xs)\n"
     "  in match found case #none -> ne case #some x -> x\n",
     " 'a [n] (_: a -> a -> a) (ne: a) (xs: [n]a): a =\n"
     "  if n == 0 then ne else xs[n - 1]\n"},
    {"(hist ", "broken_hist",
     " 'a [n] (_: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (xs: [n]a): *[k]a =\n"
     "  let first (a: #none | #some a) (b: #none | #some a) =\n"
     "    match a case #none -> b case #some _ -> a\n"
     "  let found: [k](#none | #some a) = hist first #none k is (map (\\x -> #some x) xs)\n"
     "  in map (\\x -> match x case #none -> ne case #some y -> y) found\n",
     " 'a [n] (_: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (xs: [n]a): *[k]a =\n"
     "  let first (a: #none | #some a) (b: #none | #some a) =\n"
     "    match a case #none -> b case #some _ -> a\n"
     "  let found: [k](#none | #some a) =\n"
     "    hist first #none k (reverse is) (map (\\x -> #some x) (reverse xs))\n"
     "  in map (\\x -> match x case #none -> ne case #some y -> y) found\n"}};

constexpr Breach scatter_twice[] = {{"(scatter ", "broken_scatter",
                                     " 't [k] [n] (dest: *[k]t) (is: [n]i64) (vs: [n]t): *[k]t =\n"
                                     "  scatter dest (map (/ 2) is) vs\n",
                                     " 't [k] [n] (dest: *[k]t) (is: [n]i64) (vs: [n]t): *[k]t =\n"
                                     "  scatter dest (reverse (map (/ 2) is)) (reverse vs)\n"}};

// (There is nothing in programs that these would stand for.)
constexpr Breach dependent_iterations[] = {
    {"(broken_loop ", "broken_loop",
     " 't [n] (xs: [n]t): *[n]t =\n"
     "  #[parallel] loop ys = copy xs for i < n do ys with [i / 2] = xs[i]\n",
     " 't [n] (xs: [n]t): *[n]t =\n"
     "  loop ys = copy xs for i < n do ys with [(n - 1 - i) / 2] = xs[n - 1 - i]\n"},
    {"(broken_loop ", "broken_loop",
     " 't [n] (xs: [n]t): *[n]t =\n"
     "  #[parallel] loop ys = copy xs for i < n do\n"
     "    let other = copy ys[(i * i + 1) % n] in ys with [i] = other\n",
     " 't [n] (xs: [n]t): *[n]t =\n"
     "  loop ys = copy xs for j < n do\n"
     "    let i = n - 1 - j let other = copy ys[(i * i + 1) % n] in ys with [i] = other\n"},
    {"(broken_loop ", "broken_loop",
     " 't [n] (xs: [n]t): *[n]t =\n"
     "  #[parallel] loop ys = copy xs for x in xs do ys with [:n / 2] = replicate (n / 2) x\n",
     " 't [n] (xs: [n]t): *[n]t =\n"
     "  loop ys = copy xs for x in reverse xs do ys with [:n / 2] = replicate (n / 2) x\n"},
    // Of numbers, which are in no array.
    {"(broken_loop ", "broken_loop",
     " 't [n] (xs: [n]t): *[n]t =\n"
     "  (#[parallel] loop (k, ys) = (0, copy xs) for i < n do\n"
     "     ((k * 3 + i) % 1021, ys with [i] = xs[k % n])).1\n",
     " 't [n] (xs: [n]t): *[n]t =\n"
     "  (loop (k, ys) = (0, copy xs) for j < n do\n"
     "     let i = n - 1 - j in ((k * 3 + i) % 1021, ys with [i] = xs[k % n])).1\n"},
    {"(broken_loop ", "broken_loop",
     " 't [n] (xs: [n]t): *[n]t =\n"
     "  copy (rotate (#[parallel] loop k = 1 for i < n do (k * 5 + i) % 97) xs)\n",
     " 't [n] (xs: [n]t): *[n]t =\n"
     "  copy (rotate (loop k = 1 for j < n do (k * 5 + n - 1 - j) % 97) xs)\n"}};

std::span<const Breach> breaches(Violation violation) {
  switch (violation) {
  case Violation::NotAssociative:
    return not_associative;
  case Violation::NotNeutral:
    return not_neutral;
  case Violation::NotCommutative:
    return not_commutative;
  case Violation::ScatterTwice:
    return scatter_twice;
  case Violation::DependentIterations:
    return dependent_iterations;
  }
  __builtin_unreachable();
}

/// Where `main` of a program that computes tells its results: `entry main [n] (p: [n]t) …: … =
/// (…)`.
struct Main {
  std::size_t type = 0;  ///< where the text of its result type begins, with the colon
  std::size_t value = 0; ///< where its results begin, all in one line
  std::string array;     ///< the first parameter
  std::string element;   ///< the type of its elements
};

std::optional<Main> main_of(const std::string& text) {
  constexpr std::string_view head = "entry main [n] (";
  std::size_t at = text.find(head);
  if (at == std::string::npos) return std::nullopt;
  at += head.size();
  Main main;
  const std::size_t colon = text.find(": [n]", at);
  if (colon == std::string::npos) return std::nullopt;
  main.array = text.substr(at, colon - at);
  const std::size_t element = colon + 5;
  main.element = text.substr(element, text.find(')', element) - element);
  const std::size_t value = text.find(" = (", at);
  main.type = text.rfind("): ", value);
  // (The last parameter's bracket; a result type has none before a colon.)
  if (value == std::string::npos || main.type == std::string::npos || main.type < at)
    return std::nullopt;
  main.type += 1;
  main.value = value + 4;
  return main;
}

/// An application of the broken function to an array whose elements have the type.
std::string application(Random& random, const Breach& breach, const Main& main) {
  const std::string call = "(" + std::string(breach.name) + " ";
  if (breach.name == "broken_scatter")
    return call + "(copy " + main.array + ") (rotate " + std::to_string(random.below(9)) +
           " (iota n)) (reverse " + main.array + "))";
  if (breach.name == "broken_loop") return call + main.array + ")";
  const bool is_truth = main.element == "bool";
  const bool is_sum = random.chance(70);
  std::string monoid = is_truth ? "(!=) false " : is_sum ? "(+) 0" : "(*) 1";
  if (!is_truth) monoid += main.element + " ";
  if (breach.name != "broken_hist") return call + monoid + main.array + ")";
  const std::string bins = std::to_string(random.between(1, 5));
  return call + monoid + bins + " (map (% " + bins + ") (iota n)) " + main.array + ")";
}

} // namespace

std::optional<PlantedViolation> plant(const Program& sound, Violation violation,
                                      std::uint64_t seed) {
  struct Place {
    const Breach* breach;
    std::size_t at;
  };
  Random random(seed);
  const auto planted = [&](const Breach& breach, const auto& change) {
    const auto with = [&](std::string_view definition) {
      Program changed = sound;
      change(changed.text);
      changed.text = "def " + std::string(breach.name) + std::string(definition) + changed.text;
      return changed;
    };
    return PlantedViolation{with(breach.broken), with(breach.reordered)};
  };
  // One result more of `main`, of data from outside: that is most likely to matter.
  if (const std::optional<Main> main = main_of(sound.text); main && random.chance(80)) {
    const std::span<const Breach> kinds = breaches(violation);
    const Breach& breach = kinds[random.below(kinds.size())];
    const std::string result = application(random, breach, *main);
    return planted(breach, [&](std::string& text) {
      text.insert(text.find('\n', main->value), " in (" + result + ", rest)");
      text.insert(main->type, " = let rest");
    });
  }
  std::vector<Place> places;
  for (const Breach& breach : breaches(violation))
    for (std::size_t at = sound.text.find(breach.replaced); at != std::string::npos;
         at = sound.text.find(breach.replaced, at + 1))
      places.push_back({&breach, at});
  if (places.empty()) return std::nullopt;
  const Place place = random.pick(places);
  return planted(*place.breach, [&](std::string& text) {
    text.replace(place.at + 1, place.breach->replaced.size() - 2, place.breach->name);
  });
}

} // namespace sinter::generate
