// Files that hold the bytes of elements and nothing else, in row-major order, as they lie in
// memory.
#pragma once

#include "lang/values/format.h"
#include "repl/data/data.h"

#include <string>

namespace sinter::repl {

/// All elements of a file: an array of them.  Large ones stay in the file (MappedFile), unless that
/// is compressed, which its name says.  Throws FormatError if the type is not known, or the bytes
/// are not those of whole elements, and RuntimeError{OutOfMemory}.
ExternalValue read_raw(const std::string& path, const RawElements& form, MemoryBudget& memory,
                       Representations& representations);

/// The elements of an array of numbers or bools, or one of them.  In pieces: see write_elements.
/// Throws FormatError for a value of another type.
void write_raw(ByteSink& out, const Value& value, const Representation* type);

} // namespace sinter::repl
