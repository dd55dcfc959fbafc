// Random programs in which one assumption of the language does not hold.
//
// In a sound program's text one `reduce`, `scan`, `hist` or `scatter` is replaced by a function
// that breaks a law with it; or `main` has one result more that such a function makes of its first
// array.  Beside it stands the same program in which that function takes the
// elements in another order that the language allows: where the results of both differ, the
// violation matters on the program's data.
#pragma once

#include "tests/generate/program_generator.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace sinter::generate {

enum class Violation : std::uint8_t {
  NotAssociative,
  NotNeutral,
  NotCommutative,
  ScatterTwice,
  DependentIterations
};

inline constexpr std::array<std::pair<Violation, std::string_view>, 5> violations = {
    {{Violation::NotAssociative, "not-associative"},
     {Violation::NotNeutral, "not-neutral"},
     {Violation::NotCommutative, "not-commutative"},
     {Violation::ScatterTwice, "scatter-twice"},
     {Violation::DependentIterations, "dependent-iterations"}}};

struct PlantedViolation {
  Program program;
  Program reordered;
};

/// None if the program has no place for it.
std::optional<PlantedViolation> plant(const Program& sound, Violation violation,
                                      std::uint64_t seed);

} // namespace sinter::generate
