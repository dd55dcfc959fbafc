// Fuzz target: the value readers, given any bytes.  They must return values or throw FormatError
// (or run out of the small budget); what they accept must survive being written and read again.
// `values.dict` has what is not found by chance (`-dict=`).
#include "lang/base/runtime_error.h"
#include "lang/values/elements.h"
#include "lang/values/format.h"
#include "lang/values/value_generator.h"
#include "tests/fuzz/require.h"

#include <cstdint>

using namespace sinter;

namespace {

/// What one form of writing makes of a value must read back to the same bits.
void check_round_trip(const ExternalValue& value, MemoryBudget& memory, Representations& types,
                      void (*write)(std::string&, const Value&, const Representation*)) {
  const Representation* type =
      types.array(static_cast<std::uint32_t>(value.shape.size()), types.scalar(value.element));
  std::string written;
  write(written, value.value, type);
  ExternalValue back = ValueReader(written, memory, types).read(value.element);
  require(back.shape == value.shape, "another shape came back");
  std::string again;
  write(again, back.value, type);
  require(again == written, "another value came back");
}

void check(const ExternalValue& value, MemoryBudget& memory, Representations& types) {
  check_round_trip(value, memory, types, write_text);
  check_round_trip(value, memory, types, write_binary);
  // NumPy's own limit on the number of dimensions.
  if (value.shape.size() <= 64) check_round_trip(value, memory, types, write_npy);
}

template <typename Action>
void expecting_errors(Action&& action) {
  try {
    action();
  } catch (const FormatError& error) {
    require(!error.message.empty(), "an error without a message");
  } catch (const RuntimeError& error) {
    require(error.kind == FailureKind::OutOfMemory, "an error of another kind");
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  // The first byte says what is expected.
  std::optional<ElementType> wanted;
  if (data[0] % 16 < all_element_types.size()) wanted = all_element_types[data[0] % 16];
  std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  MemoryBudget memory(std::size_t{1} << 22);
  Representations types;
  expecting_errors([&] {
    ValueReader reader(input, memory, types);
    while (!reader.at_end()) {
      std::size_t before = reader.position();
      ExternalValue value = reader.read(wanted);
      require(reader.position() > before, "nothing was read");
      check(value, memory, types);
    }
  });
  expecting_errors([&] { check(read_npy(input, memory, types), memory, types); });
  if (data[0] & 0x80) expecting_errors([&] { generate_values(input, 1, memory, types); });
  require(memory.in_use() == 0, "memory was lost");
  return 0;
}
