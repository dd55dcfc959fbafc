#include "repl/streaming/chunk_sink.h"

#include "lang/base/interruptible.h"
#include "lang/values/elements.h"
#include "lang/values/file_memory.h"
#include "lang/values/format.h"
#include "lang/values/npy_header.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <string>

namespace sinter::repl {

namespace {

bool is_numbers(const Representation* type) {
  return type->is_scalar() || (type->is_array() && type->array().element->is_scalar());
}

void write_bytes(ByteSink& sink, const Value& value, const Representation* type) {
  if (!is_numbers(type))
    throw FormatError("a value of type " + print(type) + " is more than the bytes of numbers");
  if (value.is_array()) return write_elements(sink, {&value.array()->leaves.front(), 1});
  char bytes[8];
  store_scalar(type->scalar(), bytes, 0, value.scalar());
  sink.write({bytes, byte_size(type->scalar())});
}

void write_line(ByteSink& sink, const Value& value, const Representation* type) {
  std::string text;
  if (is_numbers(type))
    write_text(text, value, type);
  else
    text = print_value(value, type);
  sink.write(text + '\n');
}

} // namespace

void write_chunk(ByteSink& sink, ChunkFormat format, const Value& array, const Representation* type,
                 Representations& representations) {
  if (format == ChunkFormat::Bytes) return write_bytes(sink, array, type);
  const Representation* element = indexed(representations, type, 1);
  std::string text;
  for (std::int64_t i = 0; i < array.array()->shape.front(); ++i) {
    poll_interruption();
    write_text(text, get_element(array.array(), i), element);
    text += '\n';
    if (text.size() < bytes_at_once) continue;
    sink.write(text);
    text.clear();
  }
  sink.write(text);
}

NpyChunks::NpyChunks(FileWriter& file, const Representation* type)
    : file_(file), element_(type->array().element->scalar()), shape_(type->array().rank, 0) {
  if (!file.can_overwrite())
    throw FormatError("the header of .npy is completed at the end, which takes a file, no pipe");
  const std::string room = npy_header_of(
      element_, false, Extents(shape_.size(), std::numeric_limits<std::int64_t>::max()));
  header_bytes_ = room.size();
  file_.write(room);
}

void NpyChunks::write(const Value& array) {
  const Extents& shape = array.array()->shape;
  if (shape.front() == 0) return;
  if (shape_.front() > 0 && !std::equal(shape.begin() + 1, shape.end(), shape_.begin() + 1))
    throw FormatError("results of the shape " + shape_text(shape) +
                      " do not fit into one .npy array behind those of the shape " +
                      shape_text(shape_));
  write_elements(file_, {&array.array()->leaves.front(), 1});
  const std::int64_t before = shape_.front();
  shape_ = shape;
  shape_.front() += before;
}

void NpyChunks::finish() {
  const std::string header = npy_header_of(element_, false, shape_, header_bytes_);
  assert(header.size() == header_bytes_);
  file_.overwrite(header);
}

void write_whole(ByteSink& sink, ChunkFormat format, const Value& value,
                 const Representation* type) {
  if (type->is_record() && is_tuple(type->record())) {
    for (std::size_t i = 0; i < value.fields().size(); ++i)
      write_whole(sink, format, value.fields()[i], type->record().fields[i].type);
    return;
  }
  if (format == ChunkFormat::Bytes) return write_bytes(sink, value, type);
  write_line(sink, value, type);
}

} // namespace sinter::repl
