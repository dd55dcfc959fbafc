// Somebody types at a prompt without knowing what: bytes to keys, fragments of programs, commands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinter::tests {

/// What came of it.
struct TypedSession {
  std::size_t inputs = 0; ///< that were whole, and obeyed
  std::size_t values = 0; ///< that were shown
  std::size_t errors = 0; ///< in messages
};

/// A whole session on a terminal that only exists as text: the prompt, its line editor, the screen,
/// the console and the session behind it.  A byte below 128 is that byte as a terminal would send
/// it, the others are pieces of a dictionary.  Returns once the bytes are used up; that it returns
/// is tested, that nothing was an internal error, and that the session still evaluates (else the
/// process is ended).  External programs are not to be found, and files are written in a scratch
/// folder only.
TypedSession type_at_random(std::span<const std::uint8_t> bytes);

} // namespace sinter::tests
