#include "repl/value_source.h"

namespace sinter::repl {

ValueSource::ValueSource(std::string bytes, MemoryBudget& memory, Representations& representations)
    : bytes_(std::move(bytes)), memory_(memory), representations_(representations),
      reader_(bytes_, memory, representations), is_npy_(bytes_.starts_with("\x93NUMPY")) {}

bool ValueSource::at_end() {
  return is_npy_ ? npy_is_read_ : reader_.at_end();
}

ExternalValue ValueSource::read(std::optional<ElementType> wanted,
                                std::optional<std::uint32_t> rank) {
  if (!is_npy_) return reader_.read(wanted, rank);
  npy_is_read_ = true;
  ExternalValue value = read_npy(bytes_, memory_, representations_);
  if ((wanted && *wanted != value.element) || (rank && *rank != value.shape.size())) {
    std::string expected;
    for (std::uint32_t i = 0; i < rank.value_or(0); ++i)
      expected += "[]";
    expected += name(wanted.value_or(value.element));
    throw FormatError("expected a value of type " + expected + ", found " + value.type_text() +
                      " in the .npy file");
  }
  return value;
}

} // namespace sinter::repl
