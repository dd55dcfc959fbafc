// A data file as a sequence of values, whatever its format.
#pragma once

#include "lang/values/format.h"

#include <optional>
#include <string>

namespace sinter::repl {

/// The contents of one file: values as text and binary mixed, or one .npy array (told by its first
/// bytes, not by its name).  Like ValueReader, but it owns the bytes.
class ValueSource {
public:
  ValueSource(std::string bytes, MemoryBudget& memory, Representations& representations);
  ValueSource(const ValueSource&) = delete; // the reader points into the bytes
  ValueSource& operator=(const ValueSource&) = delete;
  bool at_end();
  /// Throws FormatError, also when the value has another element type or rank than wanted.
  ExternalValue read(std::optional<ElementType> wanted = std::nullopt,
                     std::optional<std::uint32_t> rank = std::nullopt);

private:
  std::string bytes_;
  MemoryBudget& memory_;
  Representations& representations_;
  ValueReader reader_;
  bool is_npy_;
  bool npy_is_read_ = false;
};

} // namespace sinter::repl
