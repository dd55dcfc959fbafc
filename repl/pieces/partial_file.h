// Partials in files.
//
// A file is a sequence of values in Futhark's binary format, so large arrays of it are not copied
// when it is read:
//
//   []u8   a JSON object that says what it is: {"sinter_partial": 1, "program": …, "state": […], …}
//   u32    CRC-32 of that text and of all that follows
//   …      the components of the state, in order
#pragma once

#include "repl/pieces/partial.h"

#include <cstdint>
#include <string>

namespace sinter::repl {

/// How a program's digest is written: 16 hexadecimal digits, as not all that reads JSON has
/// integers of 64 bits.
std::string program_text(std::uint64_t program);

void write_partial(ByteSink& out, const Partial& partial, Representations& representations);

/// Throws FormatError, with the file's name, if it is no partial or is damaged, cut short or of a
/// later form.  (What it says of the program is for `difference`.)
Partial read_partial(const std::string& path, MemoryBudget& memory,
                     Representations& representations);
/// The same of a file's contents; `name` is for messages.
Partial read_partial(const FileContents& contents, const std::string& name, MemoryBudget& memory,
                     Representations& representations);

} // namespace sinter::repl
