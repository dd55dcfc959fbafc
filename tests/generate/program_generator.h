// Random programs that every implementation of Futhark must accept.
//
// A program is written from the top: type definitions, constants, functions, modules, and an entry
// point `main`.  Each expression is directed by the type that its place wants and by what is in
// scope.  The rules that types alone do not show are kept by construction:
//   - sizes: an array's type has a number or a name in scope as its size; where the language cannot
//     see that two sizes agree (`concat`, slices, `flatten`) there is a coercion `:>`; a size that
//     `filter` makes is bound by a pattern and never leaves its scope; where a function hides its
//     result's size, that is coerced, or all that is done with it fits any size;
//   - consumption: only values that were copied on the spot are updated, and the old name is not
//     used again;
//   - errors while running (unless they are asked for): divisors are odd, indices are taken modulo
//     the length, loops are bounded;
//   - order: operators given to `reduce` and `scan` are associative (but for the rounding of
//   floats,
//     if it is asked for) and have their neutral element, `scatter` writes no place twice: a
//     parallel evaluation has the same result;
//   - work: an estimate of a program's steps bounds loops within loops.
// Chance comes from a generator of our own: the same options give the same program everywhere.
#pragma once

#include <cstdint>
#include <string>

namespace sinter::generate {

struct Options {
  std::uint64_t seed = 0;
  unsigned size = 40;           ///< roughly the number of expressions in a declaration
  bool run_time_errors = false; ///< leave out some of the guards of divisions and indices
  /// Programs that have something to compute: `main` has arrays of `length` elements as parameters
  /// and returns what other functions make of them; fewer values are literals.
  bool computes = false;
  std::size_t length = 3; ///< of main's arrays whose size is no number
  bool marks = false;     ///< `#[accelerate(prefer)]` and `#[parallel]`, where it may stand
};

struct Program {
  std::string text;  ///< with a test block where `main` has parameters
  std::string input; ///< the values for main's parameters; empty if it has none
};

Program generate_program(const Options& options);

} // namespace sinter::generate
