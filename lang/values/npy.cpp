// NumPy's .npy: a header (npy_header.h), and the elements.

#include "lang/base/interruptible.h"
#include "lang/values/byte_sink.h"
#include "lang/values/elements.h"
#include "lang/values/npy_header.h"
#include "lang/values/readers.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <cstring>

namespace sinter {

namespace {

void swap_bytes(std::byte* data, std::size_t count, std::size_t size) {
  SparsePoll poll;
  for (std::size_t i = 0; i < count; ++i) {
    poll();
    std::reverse(data + i * size, data + (i + 1) * size);
  }
}

constexpr std::size_t letter_bytes = 4; ///< of a code point in a file

void append_utf8(std::string& out, std::uint32_t letter) {
  auto byte = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
  auto next = [&](unsigned shift) { byte(0x80 | (letter >> shift & 0x3f)); };
  if (letter < 0x80) return byte(letter);
  if (letter < 0x800) {
    byte(0xc0 | letter >> 6);
    return next(0);
  }
  if (letter < 0x10000) {
    byte(0xe0 | letter >> 12);
  } else {
    byte(0xf0 | (letter >> 18 & 7));
    next(12);
  }
  next(6);
  next(0);
}

/// Strings of code points as strings of UTF-8, as long as the longest one needs; the header's shape
/// then has that length.
std::string utf8_of(std::string_view bytes, NpyHeader& header) {
  const std::size_t length = static_cast<std::size_t>(header.parts) * letter_bytes;
  std::vector<std::string> strings;
  std::size_t longest = 0;
  SparsePoll poll;
  for (std::size_t begin = 0; length > 0 && begin < bytes.size(); begin += length) {
    std::string& text = strings.emplace_back();
    for (std::size_t at = begin; at < begin + length; at += letter_bytes) {
      poll();
      std::uint32_t letter = 0;
      for (std::size_t i = 0; i < letter_bytes; ++i) {
        const std::size_t position = header.big_endian ? i : letter_bytes - 1 - i;
        letter = letter << 8 | static_cast<unsigned char>(bytes[at + position]);
      }
      append_utf8(text, letter);
    }
    text.erase(text.find_last_not_of('\0') + 1);
    longest = std::max(longest, text.size());
  }
  header.shape.back() = static_cast<std::int64_t>(longest);
  std::string all;
  for (std::string& text : strings) {
    poll();
    text.resize(longest);
    all += text;
  }
  return all;
}

bool is_complex(const Representation* type) {
  if (!type->is_record() || type->record().fields.size() != 2 || !is_tuple(type->record()))
    return false;
  const std::vector<FieldRepresentation>& parts = type->record().fields;
  return parts[0].type == parts[1].type && parts[0].type->is_scalar() &&
         (parts[0].type->scalar() == ElementType::F32 ||
          parts[0].type->scalar() == ElementType::F64);
}

} // namespace

ExternalValue read_npy_value(std::string_view bytes, std::size_t& position, MemoryBudget& memory,
                             Representations& representations,
                             const std::shared_ptr<MappedFile>& file) {
  const std::size_t begin = position;
  auto fail = [](std::size_t at, const std::string& message) {
    throw FormatError(byte_place(at) + message);
  };
  const std::string_view rest = bytes.substr(begin);
  const std::size_t length = npy_header_bytes(rest, begin);
  if (rest.size() < length) fail(bytes.size(), "the .npy header is cut short");
  NpyHeader header = read_npy_header(rest.substr(0, length), begin);

  const std::size_t at = begin + length;
  const bool are_letters = header.contents == NpyContents::Letters;
  const std::size_t size = are_letters ? letter_bytes : byte_size(header.element);
  const std::size_t payload = bytes.size() - at;
  if (header.contents != NpyContents::Numbers) header.shape.push_back(header.parts);
  std::size_t needed = is_empty(header.shape) ? 0 : size;
  if (needed > 0)
    for (std::int64_t extent : header.shape)
      if (__builtin_mul_overflow(needed, static_cast<std::size_t>(extent), &needed))
        needed = SIZE_MAX;
  if (needed > payload)
    fail(begin, "an array of shape " + shape_text(header.shape) + " and type " +
                    std::string(name(header.element)) + " needs more elements than the " +
                    std::to_string(payload / size) + " that follow");
  if (header.element == ElementType::Bool) require_bools(bytes, at, needed);
  position = at + needed;

  if (header.shape.empty()) {
    std::byte scalar[8];
    std::memcpy(scalar, bytes.data() + at, size);
    if (header.big_endian) swap_bytes(scalar, 1, size);
    return external_scalar(header.element, load_scalar(header.element, scalar, 0));
  }
  // Column by column is row by row of the transposed array: then it is seen through a view.
  const auto outer_end = header.contents == NpyContents::Numbers ? 0 : 1;
  if (header.fortran_order) std::reverse(header.shape.begin(), header.shape.end() - outer_end);
  std::string text;
  if (are_letters) text = utf8_of(bytes.substr(at, needed), header);
  const bool is_swapped = header.big_endian && size > 1 && !are_letters;
  Leaf leaf =
      leaf_of_bytes(memory, header.element, header.shape,
                    are_letters ? text.data() : bytes.data() + at, is_swapped ? nullptr : file);
  if (is_swapped) swap_bytes(leaf.buffer->overwrite(), needed / size, size);
  if (header.fortran_order) {
    std::reverse(leaf.extents.begin(), leaf.extents.end() - outer_end);
    std::reverse(leaf.strides.begin(), leaf.strides.end() - outer_end);
  }
  ExternalValue value = external_array(representations, header.element, std::move(leaf));
  value.is_complex = header.contents == NpyContents::Complex;
  return value;
}

ExternalValue read_npy(std::string_view bytes, MemoryBudget& memory,
                       Representations& representations, const std::shared_ptr<MappedFile>& file) {
  return read_unchanged(file, [&] {
    std::size_t position = 0;
    ExternalValue value = read_npy_value(bytes, position, memory, representations, file);
    if (position != bytes.size())
      throw FormatError(byte_place(position) + std::to_string(bytes.size() - position) +
                        " bytes are left behind the .npy array");
    return value;
  });
}

void write_npy(ByteSink& out, const Value& value, const Representation* type) {
  const Representation* base = type->is_array() ? type->array().element : type;
  const bool complex = type->is_array() && is_complex(base);
  if (!base->is_scalar() && !complex)
    throw FormatError("a value of type " + print(type) + " cannot be written as .npy");
  ElementType element = complex ? base->record().fields[0].type->scalar() : base->scalar();
  out.write(npy_header_of(element, complex, value.is_array() ? value.array()->shape : Extents{}));
  if (value.is_array()) {
    const std::span<const Leaf> leaves = value.array()->leaves;
    if (!complex && value.array().unique() && out.take(leaves.front())) return;
    return write_elements(out, leaves.first(complex ? 2 : 1));
  }
  char bytes[8];
  store_scalar(element, bytes, 0, value.scalar());
  out.write({bytes, byte_size(element)});
}

void write_npy(std::string& out, const Value& value, const Representation* type) {
  StringSink sink(out);
  sink.reserve(value);
  write_npy(sink, value, type);
}

} // namespace sinter
