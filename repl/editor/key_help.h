// What the editor's keys do, for `:help keys`.
#pragma once

#include <cstddef>
#include <string>

namespace sinter::repl {

/// Where what a key does begins in its line.
inline constexpr std::size_t key_help_indentation = 21;
/// A line for each key, in groups.
std::string key_help();

} // namespace sinter::repl
