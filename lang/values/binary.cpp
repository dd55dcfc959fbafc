// Futhark's binary format: a header (binary_header.h), and the elements in row-major order.

#include "lang/values/binary_header.h"
#include "lang/values/byte_sink.h"
#include "lang/values/elements.h"
#include "lang/values/readers.h"
#include "lang/values/strided.h"

#include <bit>

namespace sinter {

static_assert(std::endian::native == std::endian::little,
              "elements are read and written as they lie in memory");

ExternalValue read_binary_value(std::string_view bytes, std::size_t& position, MemoryBudget& memory,
                                Representations& representations,
                                const std::shared_ptr<MappedFile>& file) {
  const std::size_t begin = position;
  BinaryHeader header = read_binary_header(bytes.substr(begin), begin);
  const std::size_t at = begin + header.bytes;
  // The elements must be there before anything is allocated for them.
  const std::size_t size = byte_size(header.element);
  const std::size_t payload = bytes.size() - at;
  std::size_t needed = is_empty(header.shape) ? 0 : size;
  if (needed > 0)
    for (std::int64_t extent : header.shape)
      if (__builtin_mul_overflow(needed, static_cast<std::size_t>(extent), &needed))
        needed = SIZE_MAX;
  if (needed > payload)
    throw FormatError(byte_place(begin) + "an array of shape " + shape_text(header.shape) +
                      " and type " + std::string(name(header.element)) +
                      " needs more elements than the " + std::to_string(payload / size) +
                      " that follow");
  if (header.element == ElementType::Bool) require_bools(bytes, at, needed);
  position = at + needed;
  if (header.shape.empty())
    return external_scalar(header.element, load_scalar(header.element, bytes.data() + at, 0));
  return external_array(
      representations, header.element,
      leaf_of_bytes(memory, header.element, std::move(header.shape), bytes.data() + at, file));
}

void write_binary(ByteSink& out, const Value& value, const Representation* type) {
  const Representation* base = type->is_array() ? type->array().element : type;
  if (!base->is_scalar())
    throw FormatError("a value of type " + print(type) + " has no binary form");
  const ElementType element = base->scalar();
  if (value.is_scalar()) {
    char bytes[8];
    store_scalar(element, bytes, 0, value.scalar());
    return out.write(binary_header_of(element, {}) + std::string(bytes, byte_size(element)));
  }
  const ArrayObject& array = *value.array();
  if (array.shape.size() > most_binary_dimensions)
    throw FormatError("an array of rank above 255 has no binary form");
  std::string header = binary_header_of(element, array.shape);
  const Leaf& leaf = array.leaves.front();
  // (Blanks may stand before a value.)
  const std::size_t room = value.array().unique() ? out.room_before(leaf) : 0;
  if (header.size() <= room) {
    out.write(std::string(room - header.size(), ' ') + header);
    if (out.take(leaf)) return;
  } else {
    out.write(header);
  }
  write_elements(out, {&leaf, 1});
}

void write_binary(std::string& out, const Value& value, const Representation* type) {
  StringSink sink(out);
  sink.reserve(value);
  write_binary(sink, value, type);
}

} // namespace sinter
