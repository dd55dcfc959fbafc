// Somebody types at a prompt without knowing what: bytes to keys, fragments of programs, commands.
#pragma once

#include <cstdint>
#include <span>

namespace sinter::tests {

/// A whole session on a terminal that only exists as text: the prompt, its line editor, the screen,
/// the console and the session behind it.  A byte below 128 is that byte as a terminal would send
/// it, the others are pieces of a dictionary.  Returns once the bytes are used up; that it returns,
/// and that each piece of output is well-formed, is what is tested.  External programs are not to
/// be found, and files are written in a scratch folder only.
void type_at_random(std::span<const std::uint8_t> bytes);

} // namespace sinter::tests
