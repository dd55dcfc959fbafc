// Names for sizes and types that have none in the program.  The checker numbers them (`[d₀]t₀`);
// people are shown letters that they could have written, and that mean nothing else in the same
// text.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sinter {

/// Gives the same letters to the same unknowns in all of the texts; `taken` has further names that
/// the letters must not be.
void name_unknowns(std::span<std::string* const> texts, std::string_view taken = {});
/// A text on its own.
std::string with_named_unknowns(std::string text);

} // namespace sinter
