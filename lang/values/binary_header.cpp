#include "lang/values/binary_header.h"

#include "lang/values/format.h"
#include "lang/values/readers.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <optional>

namespace sinter {

static_assert(std::endian::native == std::endian::little,
              "extents are read and written as they lie in memory");

namespace {

constexpr unsigned char version = 2;
constexpr std::size_t version_at = 1, rank_at = 2, type_at = 3, shape_at = 7;
constexpr std::size_t extent_bytes = 8;

std::string type_letters(ElementType element) {
  std::string text(name(element));
  return std::string(shape_at - type_at - text.size(), ' ') + text;
}

} // namespace

BinaryHeader read_binary_header(std::string_view begin, std::size_t base) {
  const auto fail = [&](std::size_t at, const std::string& message) {
    throw FormatError(byte_place(base + at) + message);
  };
  if (begin.size() > version_at && static_cast<unsigned char>(begin[version_at]) != version)
    fail(version_at, "the binary format has version " +
                         std::to_string(static_cast<unsigned char>(begin[version_at])) +
                         ", only version 2 can be read");
  if (begin.size() < shape_at) fail(begin.size(), "the binary value's header is cut short");
  const std::size_t rank = static_cast<unsigned char>(begin[rank_at]);
  const std::string_view letters = begin.substr(type_at, shape_at - type_at);
  const std::size_t blanks = std::min(letters.find_first_not_of(' '), letters.size());
  const std::optional<ElementType> element = element_type_named(letters.substr(blanks));
  if (!element || letters != type_letters(*element)) {
    std::string shown;
    for (const char c : letters)
      shown += c >= ' ' && c < 127 ? c : '?';
    fail(type_at, "`" + shown + "` is no element type of the binary format");
  }
  if ((begin.size() - shape_at) / extent_bytes < rank)
    fail(begin.size(), "the binary value's shape is cut short");
  BinaryHeader header{*element, {}, shape_at + rank * extent_bytes};
  for (std::size_t at = shape_at; at < header.bytes; at += extent_bytes) {
    std::int64_t extent = 0;
    std::memcpy(&extent, begin.data() + at, extent_bytes);
    if (extent < 0)
      fail(at, "an extent of " + std::to_string(static_cast<std::uint64_t>(extent)) +
                   " is larger than any array's");
    header.shape.push_back(extent);
  }
  return header;
}

std::string binary_header_of(ElementType element, const Extents& shape) {
  assert(shape.size() <= most_binary_dimensions);
  std::string header = "b";
  header += static_cast<char>(version);
  header += static_cast<char>(shape.size());
  header += type_letters(element);
  for (const std::int64_t extent : shape)
    header.append(reinterpret_cast<const char*>(&extent), extent_bytes);
  return header;
}

} // namespace sinter
