#include "lang/values/binary_header.h"

#include "lang/values/format.h"

#include <doctest/doctest.h>

#include <functional>

using namespace sinter;
using namespace std::string_literals;

namespace {

std::string error_of(std::string_view bytes) {
  try {
    (void)read_binary_header(bytes, 100);
  } catch (const FormatError& error) {
    return error.message;
  }
  return "";
}

} // namespace

TEST_CASE("a header that was written is read, whatever comes behind") {
  for (const Extents& shape : {Extents{}, Extents{0}, Extents{3, 1, 70'000}, Extents(255, 1)})
    for (const ElementType element : {ElementType::Bool, ElementType::U8, ElementType::F64}) {
      const std::string written = binary_header_of(element, shape);
      const BinaryHeader header = read_binary_header(written + "more", 0);
      CHECK(header.element == element);
      CHECK(header.shape == shape);
      CHECK(header.bytes == written.size());
    }
  CHECK(binary_header_of(ElementType::I32, {2}) == "b\2\1 i32\2\0\0\0\0\0\0\0"s);
}

TEST_CASE("a header that is none is told of, at its byte of the input") {
  const std::string header = binary_header_of(ElementType::I32, {2, 3});
  CHECK(error_of(header).empty());
  for (std::size_t size = 0; size < header.size(); ++size) {
    const std::string error = error_of(header.substr(0, size));
    CHECK(error == "byte " + std::to_string(100 + size) +
                       (size < 7 ? ": the binary value's header is cut short"
                                 : ": the binary value's shape is cut short"));
  }
  std::string changed = header;
  changed[1] = '\3';
  CHECK(error_of(changed) ==
        "byte 101: the binary format has version 3, only version 2 can be read");
  changed = header;
  changed[5] = '\7';
  CHECK(error_of(changed) == "byte 103: ` i?2` is no element type of the binary format");
  changed = header;
  changed[22] = '\x80';
  CHECK(error_of(changed) ==
        "byte 115: an extent of 9223372036854775811 is larger than any array's");
}
