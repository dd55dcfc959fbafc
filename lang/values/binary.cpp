// Futhark's binary format: `b`, the version, the rank, four letters of type, the extents as
// little-endian u64, and the elements in row-major order.

#include "lang/values/byte_sink.h"
#include "lang/values/elements.h"
#include "lang/values/readers.h"
#include "lang/values/strided.h"

#include <bit>
#include <cstring>

namespace sinter {

static_assert(std::endian::native == std::endian::little,
              "elements are read and written as they lie in memory");

namespace {

constexpr unsigned char version = 2;
constexpr std::size_t header_size = 7;

std::string type_letters(ElementType element) {
  std::string text(name(element));
  return std::string(4 - text.size(), ' ') + text;
}

} // namespace

ExternalValue read_binary_value(std::string_view bytes, std::size_t& position, MemoryBudget& memory,
                                Representations& representations,
                                const std::shared_ptr<MappedFile>& file) {
  const std::size_t begin = position;
  auto fail = [](std::size_t at, const std::string& message) {
    throw FormatError(byte_place(at) + message);
  };
  std::string_view rest = bytes.substr(begin);
  if (rest.size() >= 2 && static_cast<unsigned char>(rest[1]) != version)
    fail(begin + 1, "the binary format has version " +
                        std::to_string(static_cast<unsigned char>(rest[1])) +
                        ", only version 2 can be read");
  if (rest.size() < header_size) fail(bytes.size(), "the binary value's header is cut short");
  std::size_t rank = static_cast<unsigned char>(rest[2]);
  std::string_view letters = rest.substr(3, 4);
  std::size_t blanks = std::min(letters.find_first_not_of(' '), letters.size());
  std::optional<ElementType> element = element_type_named(letters.substr(blanks));
  if (!element || letters != type_letters(*element)) {
    std::string shown;
    for (char c : letters)
      shown += c >= ' ' && c < 127 ? c : '?';
    fail(begin + 3, "`" + shown + "` is no element type of the binary format");
  }
  std::size_t at = begin + header_size;
  if ((bytes.size() - at) / 8 < rank) fail(bytes.size(), "the binary value's shape is cut short");
  // The elements must be there before anything is allocated for them.
  const std::size_t size = byte_size(*element);
  const std::size_t payload = bytes.size() - at - rank * 8;
  Extents shape;
  bool empty = false;
  for (std::size_t i = 0; i < rank; ++i) {
    std::int64_t extent = 0;
    std::memcpy(&extent, bytes.data() + at + i * 8, 8);
    if (extent < 0)
      fail(at + i * 8, "an extent of " + std::to_string(static_cast<std::uint64_t>(extent)) +
                           " is larger than any array's");
    empty |= extent == 0;
    shape.push_back(extent);
  }
  at += rank * 8;
  std::size_t needed = empty ? 0 : size;
  if (!empty)
    for (std::int64_t extent : shape)
      if (__builtin_mul_overflow(needed, static_cast<std::size_t>(extent), &needed))
        needed = SIZE_MAX;
  if (needed > payload)
    fail(begin, "an array of shape " + shape_text(shape) + " and type " +
                    std::string(name(*element)) + " needs more elements than the " +
                    std::to_string(payload / size) + " that follow");
  if (*element == ElementType::Bool) require_bools(bytes, at, needed);
  position = at + needed;
  if (rank == 0) return external_scalar(*element, load_scalar(*element, bytes.data() + at, 0));
  return external_array(representations, *element,
                        leaf_of_bytes(memory, *element, std::move(shape), bytes.data() + at, file));
}

void write_binary(ByteSink& out, const Value& value, const Representation* type) {
  const Representation* base = type->is_array() ? type->array().element : type;
  if (!base->is_scalar())
    throw FormatError("a value of type " + print(type) + " has no binary form");
  std::string header;
  header += 'b';
  header += static_cast<char>(version);
  if (value.is_scalar()) {
    header += '\0';
    header += type_letters(base->scalar());
    char bytes[8];
    store_scalar(base->scalar(), bytes, 0, value.scalar());
    header.append(bytes, byte_size(base->scalar()));
    return out.write(header);
  }
  const ArrayObject& array = *value.array();
  if (array.shape.size() > 255) throw FormatError("an array of rank above 255 has no binary form");
  header += static_cast<char>(array.shape.size());
  header += type_letters(base->scalar());
  for (std::int64_t extent : array.shape)
    header.append(reinterpret_cast<const char*>(&extent), 8);
  out.write(header);
  write_elements(out, {&array.leaves.front(), 1});
}

void write_binary(std::string& out, const Value& value, const Representation* type) {
  StringSink sink(out);
  sink.reserve(value);
  write_binary(sink, value, type);
}

} // namespace sinter
