// One reader for each notation; ValueReader (format.h) chooses among them.
//
// Each reads one value at `position` and leaves `position` behind it.  All throw FormatError for
// malformed input and RuntimeError{OutOfMemory} where the budget does not suffice, and none asks
// for memory that the input's length does not justify.
#pragma once

#include "lang/values/format.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sinter {

/// Throws FormatError unless all these bytes are 0 or 1.
void require_bools(std::string_view bytes, std::size_t begin, std::size_t count);
/// Copies in pieces, between which it looks whether to stop.
void copy_in_pieces(void* target, const void* source, std::size_t bytes);

/// Moves past white space and comments.
void skip_blank(std::string_view bytes, std::size_t& position);

/// `wanted` types literals without suffix, and is required of those with one.
ExternalValue read_text_value(std::string_view bytes, std::size_t& position, MemoryBudget& memory,
                              Representations& representations, std::optional<ElementType> wanted);

/// Stands at the `b` of a header.  `file` is the one that has the bytes, or null.
ExternalValue read_binary_value(std::string_view bytes, std::size_t& position, MemoryBudget& memory,
                                Representations& representations,
                                const std::shared_ptr<MappedFile>& file);

/// Stands at the magic of an .npy header.  `file` is the one that has the bytes, or null.
ExternalValue read_npy_value(std::string_view bytes, std::size_t& position, MemoryBudget& memory,
                             Representations& representations,
                             const std::shared_ptr<MappedFile>& file);

/// "line 3, column 7: " of a byte in a text.
std::string text_place(std::string_view bytes, std::size_t position);
/// "byte 17: ".
std::string byte_place(std::size_t position);

/// The scalar or array value that a leaf holds, with its notation's type.
ExternalValue external_array(Representations& representations, ElementType element, Leaf leaf);
ExternalValue external_scalar(ElementType element, Scalar scalar);

/// A row-major leaf over dense data: over the file's own bytes, if `file` is not null, they are
/// its, there are many, and they lie at a multiple of an element's size; else over a copy, which
/// lies beside the file if the budget has no room for it.
Leaf leaf_of_bytes(MemoryBudget& memory, ElementType element, Extents shape, const char* data,
                   const std::shared_ptr<MappedFile>& file = nullptr);

} // namespace sinter
