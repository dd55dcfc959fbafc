// Messages of the exact check of sizes, whole: text, notes and hints.
#include "lang/check/checker.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace sinter;

namespace {

/// The first error of a program with its notes and hint, a line each.
std::string error_of(const std::string& program) {
  SourceMap sources;
  check::Checker checker(sources);
  Diagnostics diagnostics;
  checker.check_text("test.fut", program, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity != Severity::Error) continue;
    std::string text = std::string(diagnostic.id) + ": " + diagnostic.message;
    for (const Note& note : diagnostic.notes)
      text += "\nnote: " + note.message;
    if (!diagnostic.hint.empty()) text += "\nhint: " + diagnostic.hint;
    return text;
  }
  return "";
}

/// The ids of all errors of a program.
std::vector<std::string> error_ids(const std::string& program) {
  SourceMap sources;
  check::Checker checker(sources);
  Diagnostics diagnostics;
  checker.check_text("test.fut", program, diagnostics);
  std::vector<std::string> ids;
  for (const Diagnostic& diagnostic : diagnostics.all())
    if (diagnostic.severity == Severity::Error) ids.emplace_back(diagnostic.id);
  return ids;
}

/// The exact scheme of `f`.
std::string exact_of(const std::string& program) {
  SourceMap sources;
  check::Checker checker(sources);
  Diagnostics diagnostics;
  const check::CheckedFile* file = checker.check_text("test.fut", program, diagnostics);
  if (!file || diagnostics.has_errors()) return "rejected";
  const types::Variable* f = file->scope.values.at("f");
  return types::print(f->scheme);
}

} // namespace

TEST_CASE("a mismatch says where unknown sizes come from") {
  CHECK(error_of("def f (xs: []i32) = zip (filter (> 0) xs) (filter (< 0) xs)") ==
        "size-mismatch: Cannot apply \"zip\" to \"(filter (< 0) xs)\" (invalid type). Expected: "
        "\"[d₁]i32\", Actual: \"[d₀]i32\". Sizes \"d₁\" and \"d₀\" do not match.\n"
        "note: \"d₁\" is unknown size returned by \"filter\" here\n"
        "note: \"d₀\" is unknown size returned by \"filter\" here");
  CHECK(error_of("def f [n] (b: bool) (xs: [n]i32) : [n]i32 = if b then xs else [1]") ==
        "size-mismatch: Function body does not have expected type. Expected: \"[n]i32\", Actual: "
        "\"[d₀]i32\". Sizes \"n\" and \"d₀\" do not match.\n"
        "note: \"d₀\" is unknown as the branches differ: one is of type \"[n]i32\", the other of "
        "type \"[1]i32\"\n"
        "note: the declared result type");
}

TEST_CASE("a declaration tells all of its mismatches, and no consequences of them") {
  CHECK(error_ids("def f [n] [m] (xs: [n]i32) (ys: [m]i32) =\n"
                  "  let a = zip xs ys\n"
                  "  let b = map2 (+) xs ys\n"
                  "  in (length a + length b, zip ys xs)") ==
        std::vector<std::string>{"size-mismatch", "size-mismatch", "size-mismatch"});
  CHECK(error_ids("def f [n] [m] (xs: [n]i32) (ys: [m]i32) : [n]i32 =\n"
                  "  let a = map2 (+) xs ys\n"
                  "  let b = map (+ 1) a\n"
                  "  in map2 (+) b xs") == std::vector<std::string>{"size-mismatch"});
  CHECK(error_ids("def f [n] [m] (xs: [n]i32) (ys: [m]i32) =\n"
                  "  (zip xs ys, let [k] (zs: [k]i32) = xs in (\\(as: [0]i32) -> as) [])") ==
        std::vector<std::string>{"size-mismatch"});
}

TEST_CASE("sizes keep to their scopes") {
  CHECK(error_of("def f (xs: []i32) (n: i64) : [n]i32 = xs") ==
        "scope-violation: Function body does not have expected type. Expected: \"[n]i32\", Actual: "
        "\"[d₀]i32\". Cannot link size \"d₀\" to \"n\". This is because \"n\" is "
        "not in scope when \"d₀\" is introduced.\n"
        "note: \"n\" is bound here\n"
        "note: the declared result type");
}

TEST_CASE("composition of functions with existential results") {
  const std::string text = error_of("def f = filter (> 0i32) >-> length");
  CHECK(text.find("existential-param-ret: ") == 0);
  CHECK(text.find("\nhint: use `|>` instead of composition") != std::string::npos);
}

TEST_CASE("ambiguous sizes have the user's names") {
  CHECK(error_of("def f = let [n][m] (_: [n][m]i32) = [] in n") ==
        "ambiguous-size: Ambiguous size \"m\" arising from ambiguous size of bound expression");
}

TEST_CASE("inferred types are exact") {
  CHECK(exact_of("def f [n] (xs: [n]i32) = map (+ 1) xs") == "[n]. [n]i32 -> *[n]i32");
  CHECK(exact_of("def f [n] (xs: [n]i32) : []i32 = xs") == "[n]. [n]i32 -> [n]i32");
  CHECK(exact_of("def f (n: i64) = let m = n + 1 in iota m") == "(n: i64) -> *[n + 1]i64");
  CHECK(exact_of("def f [n] (xs: [n]i32) = filter (> 0) xs") == "[n]. [n]i32 -> ?[d₀].*[d₀]i32");
  CHECK(exact_of("def f [n] (xs: [n]i32) = loop ys = xs for _i < 3 do reverse ys") ==
        "[n]. [n]i32 -> [n]i32");
}

TEST_CASE("a size parameter may be that of a result whose type is not written") {
  CHECK(exact_of("def f [n] (g: i64 -> i64) = map g (iota n)") == "[n]. (i64 -> i64) -> *[n]i64");
  CHECK(error_ids("def f [n] (x: i64) = x") == std::vector<std::string>{"unused-size-parameter"});
}

TEST_CASE("what a branch has does not say which size a parameter has") {
  CHECK(exact_of("def f (b: bool) (xs: []i32) = if b then xs else [7]") ==
        "[d₀]. bool -> [d₀]i32 -> ?[d₁].[d₁]i32");
  CHECK(error_ids("def f (b: bool) (xs: []i32) = if b then xs else [7]\n"
                  "def g (b: bool) = f b [1, 2]")
            .empty());
}
