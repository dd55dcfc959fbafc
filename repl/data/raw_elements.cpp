#include "repl/data/raw_elements.h"

#include "lang/values/byte_sink.h"
#include "lang/values/elements.h"
#include "lang/values/readers.h"

namespace sinter::repl {

ExternalValue read_raw(const std::string& path, const RawElements& form, MemoryBudget& memory,
                       Representations& representations) {
  if (!form.element)
    throw FormatError("`" + path +
                      "`: a file of raw elements does not say what they are; `--raw f32` does, and "
                      "`--shape 28,28` where each is an array");
  const FileContents contents = FileContents::of_any_kind(path);
  return read_unchanged(contents.file(), [&] {
    const std::string_view bytes = contents.bytes();
    std::size_t size = byte_size(*form.element);
    for (const std::int64_t extent : form.shape)
      if (__builtin_mul_overflow(size, static_cast<std::size_t>(extent), &size)) size = SIZE_MAX;
    if (bytes.size() % size != 0)
      throw FormatError("`" + path + "`: " + std::to_string(bytes.size()) +
                        " bytes are not whole elements of " + std::to_string(size) + " bytes");
    if (*form.element == ElementType::Bool) require_bools(bytes, 0, bytes.size());
    Extents shape = form.shape;
    shape.insert(shape.begin(), static_cast<std::int64_t>(bytes.size() / size));
    return external_array(
        representations, *form.element,
        leaf_of_bytes(memory, *form.element, std::move(shape), bytes.data(), contents.file()));
  });
}

void write_raw(ByteSink& out, const Value& value, const Representation* type) {
  const Representation* const element = type->is_array() ? type->array().element : type;
  if (!element->is_scalar())
    throw FormatError("a value of type " + print(type) + " has no raw form");
  if (value.is_array()) return write_elements(out, {&value.array()->leaves.front(), 1});
  char bytes[8];
  store_scalar(element->scalar(), bytes, 0, value.scalar());
  out.write({bytes, byte_size(element->scalar())});
}

} // namespace sinter::repl
