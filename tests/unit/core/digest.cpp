// Resolved programs as numbers.
#include "lang/core/digest.h"

#include "tests/unit/core/program.h"

#include <doctest/doctest.h>

#include <set>

using namespace sinter;
using namespace sinter::tests;

namespace {

std::uint64_t digest_of(const std::string& text) {
  Specialised program(text);
  return core::digest(*program.entry().function);
}

} // namespace

TEST_CASE("the digest of a program is that of all it reaches, wherever it stands") {
  const std::string program = "def k = 3i64\n"
                              "def twice (x: i64) = x * 2\n"
                              "entry main (xs: []i64) = map (\\x -> twice x + k) xs\n";
  const std::uint64_t digest = digest_of(program);
  CHECK(digest_of(program) == digest);
  CHECK(digest_of("-- Moved.\n\ndef unused = 1i32\n" + program) == digest);
  std::string renamed = program;
  for (std::size_t at = 0; (at = renamed.find("twice", at)) != std::string::npos;)
    renamed.replace(at, 5, "double");
  CHECK(digest_of(renamed) == digest);
}

TEST_CASE("programs that differ have digests that differ") {
  std::set<std::uint64_t> digests;
  std::size_t count = 0;
  for (const char* body : {"map (\\x -> x + 1) xs",
                           "map (\\x -> x + 2) xs",
                           "map (\\x -> x - 1) xs",
                           "map (\\x -> 1 - x) xs",
                           "map (\\x -> x) xs",
                           "rotate 1 xs",
                           "rotate 2 xs",
                           "reverse xs",
                           "xs[1:]",
                           "xs[:1]",
                           "xs[::2]",
                           "filter (> 1) xs",
                           "filter (< 1) xs",
                           "if xs[0] > 1 then xs else []",
                           "if xs[0] > 1 then [] else xs",
                           "scan (+) 0 xs",
                           "scan (*) 1 xs",
                           "loop ys = xs for i < 10 do map (+ i) ys",
                           "loop ys = xs for i < 11 do map (+ i) ys",
                           "loop ys = xs while ys[0] < 9 do map (+ 1) ys",
                           "let (a, b) = (1, 2) in map (+ a) xs",
                           "let (a, b) = (1, 2) in map (+ b) xs",
                           "[xs[0], xs[1]]",
                           "[xs[1], xs[0]]",
                           "[1, 2, 3]",
                           "1...10",
                           "1..<10",
                           "1..3...10",
                           "copy xs with [0] = 1",
                           "copy xs with [1] = 1",
                           "let f (x: i64) = match x case 0 -> 1 case _ -> x in map f xs",
                           "let f (x: i64) = match x case 1 -> 1 case _ -> x in map f xs",
                           "map (\\x -> f64.to_i64 (f64.sqrt (f64.i64 x))) xs",
                           "map (\\x -> f64.to_i64 (f64.sin (f64.i64 x))) xs",
                           "#[unsafe] xs[1:]"}) {
    ++count;
    digests.insert(digest_of(std::string("entry main (xs: []i64) : []i64 = ") + body + "\n"));
  }
  CHECK(digests.size() == count);
}

TEST_CASE("a recursive function has a digest, and so has one that is nested deeply") {
  CHECK(
      digest_of("entry main (n: i64) : i64 = if n < 2 then n else main (n - 1) + main (n - 2)\n") !=
      digest_of("entry main (n: i64) : i64 = if n < 2 then n else main (n - 2) + main (n - 2)\n"));
  std::string sum = "x";
  for (int i = 0; i < 500; ++i)
    sum = "(" + sum + " + x)";
  CHECK(digest_of("entry main (x: i64) = " + sum + "\n") !=
        digest_of("entry main (x: i64) = " + sum + " + x\n"));
}
