#include "repl/streaming/array_place.h"

#include "lang/values/binary_header.h"
#include "lang/values/format.h"
#include "lang/values/npy_header.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace sinter::repl {

namespace {

/// So much is looked at: real headers have a hundred bytes.
constexpr std::size_t header_room = std::size_t{1} << 16;

/// Of an array that begins so; nothing if its elements do not lie as in memory.
std::optional<BinaryHeader> header_of(std::string_view begin) {
  if (!begin.starts_with(npy_magic)) return read_binary_header(begin, 0);
  const std::size_t bytes = npy_header_bytes(begin, 0);
  if (bytes > begin.size()) return std::nullopt;
  NpyHeader header = read_npy_header(begin.substr(0, bytes), 0);
  const bool is_swapped = header.big_endian && byte_size(header.element) > 1;
  const bool is_by_columns = header.fortran_order && header.shape.size() > 1;
  if (header.contents != NpyContents::Numbers || is_swapped || is_by_columns) return std::nullopt;
  return BinaryHeader{header.element, std::move(header.shape), bytes};
}

/// Whether chunks of it are what the function takes.
bool fits(const BinaryHeader& header, const Step& step) {
  return header.element == step.element() && header.shape.size() == step.inner.size() + 1 &&
         header.shape.front() >= 0 &&
         std::equal(step.inner.begin(), step.inner.end(), header.shape.begin() + 1);
}

} // namespace

std::optional<FilePlace> array_place(int descriptor, const Step& step) {
  struct stat status {};
  const off_t start = lseek(descriptor, 0, SEEK_CUR);
  if (start < 0 || fstat(descriptor, &status) != 0 || status.st_size < start) return std::nullopt;
  std::string begin(header_room, '\0');
  const ssize_t count = pread(descriptor, begin.data(), begin.size(), start);
  if (count <= 0) return std::nullopt;
  begin.resize(static_cast<std::size_t>(count));
  try {
    const std::optional<BinaryHeader> header = header_of(begin);
    if (!header || !fits(*header, step)) return std::nullopt;
    const auto rest = static_cast<std::uint64_t>(status.st_size - start);
    std::uint64_t needed = 0;
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(header->shape.front()),
                               std::uint64_t{step.element_bytes()}, &needed) ||
        rest < header->bytes || needed != rest - header->bytes)
      return std::nullopt;
    return FilePlace{static_cast<std::uint64_t>(start) + header->bytes, needed};
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

} // namespace sinter::repl
