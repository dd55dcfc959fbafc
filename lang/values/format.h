// Values as text and bytes: Futhark's value notation, its binary format, and NumPy's .npy.
#pragma once

#include "lang/values/concrete.h"
#include "lang/values/field_order.h"
#include "lang/values/mapped_file.h"

#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

class ByteSink;

/// Malformed input: the message says what was expected at which byte or line.
struct FormatError : std::exception {
  explicit FormatError(std::string message) : message(std::move(message)) {}
  const char* what() const noexcept override { return message.c_str(); }
  std::string message;
};

/// A scalar or array read from outside, with the type that its notation says.
struct ExternalValue {
  ElementType element{};
  Extents shape; ///< empty for a scalar
  Value value;
  /// The last dimension has the real and the imaginary part of complex numbers.
  bool is_complex = false;
  /// "[]i32" for messages.
  std::string type_text() const;
};

/// Reads a sequence of values, text, binary and .npy mixed, from memory (already decompressed).
/// Throws FormatError for malformed input (with line and column in text, the byte in binary data)
/// and RuntimeError{OutOfMemory} where the budget does not suffice.
///
/// Where the bytes are those of a mapped file, or some of them, large arrays that lie there as they
/// would in memory stay there (Buffer::in_file).
class ValueReader {
public:
  ValueReader(std::string_view bytes, MemoryBudget& memory, Representations& representations,
              std::shared_ptr<MappedFile> file = nullptr);
  /// Whether only white space and comments (`--` to the line's end) are left.
  bool at_end();
  /// Reads the next value; `wanted` (if known) types literals without suffix (`[1,2,3]` as f32);
  /// a value of another type or rank is a FormatError that names both.  Throws
  /// RuntimeError{Program} if the file has changed.
  ExternalValue read(std::optional<ElementType> wanted = std::nullopt,
                     std::optional<std::uint32_t> rank = std::nullopt);
  std::size_t position() const { return position_; }

private:
  std::string_view bytes_;
  std::size_t position_ = 0;
  MemoryBudget& memory_;
  Representations& representations_;
  std::shared_ptr<MappedFile> file_;

  ExternalValue read_next(std::optional<ElementType> wanted, std::optional<std::uint32_t> rank);
};

/// Futhark's notation: `[1i32, 2i32]`, `empty([0][3]f64)`, `1.0f32`; scalars, units, and arrays of
/// them.  This and the other writers append; they throw FormatError for a type without that form.
void write_text(std::string& out, const Value& value, const Representation* type);
/// Any value, for people and `#[trace]`: records `{a = 1i32}`, tuples, sums `#some 1i32`, functions
/// `<function>`.  Of arrays with more than `elide_above` elements only the ends of long dimensions
/// are shown, with `...` between.  Fields stand in `order`.
std::string print_value(const Value& value, const Representation* type,
                        std::size_t elide_above = SIZE_MAX, const FieldOrder& order = {});
/// In pieces: see write_elements.
void write_binary(ByteSink& out, const Value& value, const Representation* type);
void write_binary(std::string& out, const Value& value, const Representation* type);

/// .npy, versions 1 to 3, both byte orders, C and Fortran order; bool, integers, f16, f32, f64;
/// complex numbers, with a last dimension of two floats; strings of fixed length, with a last
/// dimension of bytes (UTF-8, filled up with zeros).  (ValueReader reads them too, among other
/// values, and does the same with a file.)
ExternalValue read_npy(std::string_view bytes, MemoryBudget& memory,
                       Representations& representations,
                       const std::shared_ptr<MappedFile>& file = nullptr);
/// Pairs of f32 or of f64 are written as complex numbers.  In pieces: see write_elements.
void write_npy(ByteSink& out, const Value& value, const Representation* type);
void write_npy(std::string& out, const Value& value, const Representation* type);

/// A whole file, decompressed (see compression.h) whatever its name.  "-" is standard input. Throws
/// FormatError if it cannot be read or is corrupt, and RuntimeError{OutOfMemory} before it takes
/// more than the thread's HeapWatch allows.
std::string read_file_bytes(const std::string& path);

/// The bytes of a file: mapped, or read as `read_file_bytes` does.
class FileContents {
public:
  explicit FileContents(std::string bytes) : read_(std::move(bytes)) {}
  /// Maps a large regular file that begins as .npy, .npz or binary values do.  Throws as
  /// `read_file_bytes`.
  static FileContents of(const std::string& path);
  /// Maps any large regular file, whatever is in it, whose name does not say that it is compressed.
  /// Throws as `read_file_bytes`.
  static FileContents of_any_kind(const std::string& path);

  std::string_view bytes() const { return file_ ? file_->bytes() : std::string_view(read_); }
  /// Null if it was read.
  const std::shared_ptr<MappedFile>& file() const { return file_; }

private:
  explicit FileContents(std::shared_ptr<MappedFile> file) : file_(std::move(file)) {}

  std::string read_;
  std::shared_ptr<MappedFile> file_;
};

/// Writes as FileWriter does: what was there is never half replaced.
void write_file_bytes(const std::string& path, std::string_view bytes);
/// The same, and it is on the disk when this returns: what is stored then is stored after this.
void store_file_bytes(const std::string& path, std::string_view bytes);

} // namespace sinter
