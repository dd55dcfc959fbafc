// Fuzz target: the readers of pictures, sounds, archives and tables, given any bytes.  They must
// return something consistent or throw FormatError (or run out of the small budget).
#include "lang/base/runtime_error.h"
#include "lang/values/csv.h"
#include "repl/pictures/codecs/parts.h"
#include "tests/fuzz/require.h"

#include <cstdint>

using namespace sinter;

namespace {

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

void check_table(std::string_view input, const CsvOptions& options) {
  MemoryBudget memory(std::size_t{1} << 24);
  Representations types;
  expecting_errors([&] {
    const CsvTable table = read_csv(input, options, memory, types);
    const std::vector<CsvColumn>& columns = table.columns;
    require(!columns.empty(), "a table without columns");
    std::vector<FieldRepresentation> fields;
    std::vector<Value> values;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      require(columns[i].values.array()->shape[0] == columns[0].values.array()->shape[0],
              "columns of different lengths");
      fields.push_back({"c" + std::to_string(i), types.array(1, types.scalar(columns[i].element))});
      values.push_back(columns[i].values);
    }
    std::string written;
    write_csv(written, Value::record(std::move(values)), types.record(fields));
    CsvOptions plain;
    plain.header = true;
    plain.delimiter = ',';
    const CsvTable again = read_csv(written, plain, memory, types);
    require(again.columns.size() == columns.size(), "another number of columns came back");
    require(again.rows == table.rows || columns.size() == 1, "another number of rows came back");
    for (std::size_t i = 0; i < columns.size(); ++i)
      require(table.rows == 0 || columns[i].kind == CsvKind::Booleans ||
                  again.columns[i].kind == CsvKind::Numbers,
              "numbers came back as something else");
  });
  require(memory.in_use() == 0, "memory was lost");
}

void check_image(const repl::Image& image) {
  require(static_cast<std::int64_t>(image.pixels.size()) == image.width * image.height,
          "an image with too many or too few pixels");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  constexpr std::size_t most = std::size_t{1} << 24;
  switch (data[0] % 5) {
  case 0: {
    CsvOptions options;
    options.skip = data[0] / 128;
    if (data[0] & 64) options.header = (data[0] & 32) != 0;
    check_table(input, options);
    break;
  }
  case 1:
    expecting_errors([&] { check_image(repl::parts::read_png(input)); });
    break;
  case 2:
    expecting_errors([&] {
      for (const auto& frame : repl::parts::read_gif(input))
        check_image(frame.first);
    });
    break;
  case 3:
    expecting_errors([&] { repl::parts::read_archive(input, most); });
    break;
  default:
    expecting_errors([&] {
      repl::Sound sound = repl::parts::read_sound(input);
      require(sound.channels >= 1 && sound.samples.size() % sound.channels == 0,
              "a sound that ends within a moment");
    });
  }
  return 0;
}
