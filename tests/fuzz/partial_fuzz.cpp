// Any bytes may be given as a piece's state: it is one, and is written as it was read, or there is
// an error.
//
// The first byte says whether the rest is the file, or edits of a good one: places and bytes, two
// and one, without or with a checksum that fits.
#include "lang/base/runtime_error.h"
#include "lang/values/byte_sink.h"
#include "repl/pieces/partial_file.h"
#include "tests/fuzz/require.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include <zlib.h>

using namespace sinter;
using namespace sinter::repl;

namespace {

std::string written(const Partial& partial, Representations& representations) {
  std::string bytes;
  StringSink sink(bytes);
  write_partial(sink, partial, representations);
  return bytes;
}

Partial good_piece(MemoryBudget& memory, Representations& representations) {
  Partial partial;
  partial.work.version = "1";
  partial.work.entry = "main";
  partial.work.extent = 9;
  partial.work.inputs = {"[9]f32"};
  partial.work.state = {{jit::StateRole::Sum, ElementType::I64, 0},
                        {jit::StateRole::Joined, ElementType::F32, 2},
                        {jit::StateRole::Stacked, ElementType::Bool, 1}};
  partial.count = 9;
  const Leaf rows = ValueReader("[[1f32, 2f32], [3f32, 4f32]]", memory, representations)
                        .read()
                        .value.array()
                        ->leaves.front();
  partial.state = stacked({Scalar::of(std::int64_t{2}), rows, Scalar::of(true)}, partial.work.state,
                          memory, representations);
  return partial;
}

/// A number of the binary format's header.
std::uint64_t number_at(const std::string& bytes, std::size_t at) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; ++i)
    number |= std::uint64_t{static_cast<std::uint8_t>(bytes[at + i])} << 8 * i;
  return number;
}

/// Lets the checksum be that of the bytes, where they have a place for it.
void mend(std::string& bytes) {
  constexpr std::size_t header = 15, sum_header = 7; // of an array, and of a scalar
  if (bytes.size() < header) return;
  const std::uint64_t length = number_at(bytes, 7);
  if (length > bytes.size() || header + length + sum_header + 4 > bytes.size()) return;
  const std::string_view all = bytes;
  uLong sum = 0;
  for (const std::string_view part :
       {all.substr(header, length), all.substr(header + length + sum_header + 4)})
    sum = crc32(sum, reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(part.size()));
  for (std::size_t i = 0; i < 4; ++i)
    bytes[header + length + sum_header + i] = static_cast<char>(sum >> 8 * i);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  MemoryBudget memory(std::size_t{1} << 22);
  Representations representations;
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 4 > 0) {
    std::string edited = written(good_piece(memory, representations), representations);
    for (std::size_t i = 0; i + 2 < bytes.size(); i += 3) {
      const std::size_t place =
          static_cast<std::uint8_t>(bytes[i]) * 256 + static_cast<std::uint8_t>(bytes[i + 1]);
      edited[place % edited.size()] = bytes[i + 2];
    }
    if (data[0] % 4 > 1) mend(edited);
    bytes = edited;
  }
  try {
    const Partial partial = read_partial(FileContents(bytes), "partial", memory, representations);
    require(partial.state.size() == partial.work.state.size(), "a component is missing");
    const std::string again = written(partial, representations);
    const Partial back = read_partial(FileContents(again), "partial", memory, representations);
    require(written(back, representations) == again, "another partial came back");
    (void)combined({partial}, memory, representations);
  } catch (const FormatError& error) {
    require(error.message.starts_with("partial: "), "an error without the file's name");
  } catch (const RuntimeError& error) {
    require(error.kind == FailureKind::OutOfMemory, "an error of another kind");
  }
  return 0;
}
