#include "lang/values/readers.h"

#include "lang/base/interruptible.h"
#include "lang/base/runtime_error.h"
#include "lang/values/npy_header.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <cstring>

namespace sinter {

void skip_blank(std::string_view bytes, std::size_t& position) {
  while (position < bytes.size()) {
    char c = bytes[position];
    if (c == ' ' || (c >= '\t' && c <= '\r')) {
      ++position;
    } else if (c == '-' && bytes.substr(position, 2) == "--") {
      position = std::min(bytes.find('\n', position), bytes.size());
    } else {
      return;
    }
  }
}

std::string text_place(std::string_view bytes, std::size_t position) {
  std::string_view before = bytes.substr(0, position);
  auto line = std::count(before.begin(), before.end(), '\n') + 1;
  std::size_t start = before.rfind('\n');
  std::size_t column = position - (start == std::string_view::npos ? 0 : start + 1) + 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": ";
}

std::string byte_place(std::size_t position) {
  return "byte " + std::to_string(position) + ": ";
}

std::string ExternalValue::type_text() const {
  std::string text;
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += "[]";
  return text + std::string(name(element));
}

ExternalValue external_array(Representations& representations, ElementType element, Leaf leaf) {
  ArrayRef array = ArrayRef::adopt(new ArrayObject);
  array->element = representations.scalar(element);
  array->shape = leaf.extents;
  array->leaves.push_back(std::move(leaf));
  ExternalValue result{.element = element, .shape = array->shape, .value = {}};
  result.value = std::move(array);
  return result;
}

ExternalValue external_scalar(ElementType element, Scalar scalar) {
  return {.element = element, .shape = {}, .value = scalar};
}

void require_bools(std::string_view bytes, std::size_t begin, std::size_t count) {
  SparsePoll poll;
  for (std::size_t i = begin; i < begin + count; ++i) {
    poll();
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (byte > 1)
      throw FormatError(byte_place(i) + "a bool must be a byte 0 or 1, found " +
                        std::to_string(byte));
  }
}

void copy_in_pieces(void* target, const void* source, std::size_t bytes) {
  constexpr std::size_t piece = std::size_t{1} << 18;
  for (std::size_t done = 0; done < bytes; done += piece) {
    poll_interruption();
    std::memcpy(static_cast<std::byte*>(target) + done,
                static_cast<const std::byte*>(source) + done, std::min(piece, bytes - done));
  }
}

namespace {

/// For a copy of a part of the file: where the budget has no room, it lies beside the file.
BufferRef memory_for(MemoryBudget& memory, std::size_t bytes,
                     const std::shared_ptr<MappedFile>& file) {
  try {
    return Buffer::allocate(memory, bytes);
  } catch (const RuntimeError& error) {
    if (!file || error.kind != FailureKind::OutOfMemory) throw;
  }
  // (One for results, if there is one, had no room for this either.)
  const MemoryBudget::Spilling spilling(memory, file->name());
  return Buffer::allocate(memory, bytes);
}

} // namespace

Leaf leaf_of_bytes(MemoryBudget& memory, ElementType element, Extents shape, const char* data,
                   const std::shared_ptr<MappedFile>& file) {
  Leaf leaf;
  leaf.element = element;
  leaf.strides = row_major_strides(shape);
  const std::size_t bytes = block_bytes(element, shape);
  leaf.extents = std::move(shape);
  // A buffer begins where buffers may, and the array perhaps some elements behind that.
  const std::size_t behind = reinterpret_cast<std::uintptr_t>(data) % Buffer::alignment;
  if (file && bytes >= MappedFile::least_bytes && file->has(data - behind, behind + bytes) &&
      behind % byte_size(element) == 0) {
    leaf.buffer = Buffer::in_file(memory, file, data - behind, behind + bytes);
    leaf.offset = static_cast<std::int64_t>(behind / byte_size(element));
    return leaf;
  }
  leaf.buffer = memory_for(memory, bytes, file);
  copy_in_pieces(leaf.buffer->overwrite(), data, bytes);
  return leaf;
}

ValueReader::ValueReader(std::string_view bytes, MemoryBudget& memory,
                         Representations& representations, std::shared_ptr<MappedFile> file)
    : bytes_(bytes), memory_(memory), representations_(representations), file_(std::move(file)) {}

bool ValueReader::at_end() {
  skip_blank(bytes_, position_);
  return position_ >= bytes_.size();
}

ExternalValue ValueReader::read(std::optional<ElementType> wanted,
                                std::optional<std::uint32_t> rank) {
  return read_unchanged(file_, [&] { return read_next(wanted, rank); });
}

ExternalValue ValueReader::read_next(std::optional<ElementType> wanted,
                                     std::optional<std::uint32_t> rank) {
  std::string expected;
  if (wanted) {
    for (std::uint32_t i = 0; i < rank.value_or(0); ++i)
      expected += "[]";
    expected += name(*wanted);
    expected = " of type " + expected;
  } else if (rank) {
    expected = " of rank " + std::to_string(*rank);
  }
  if (at_end()) throw FormatError("expected a value" + expected + ", found the end of the input");

  std::size_t begin = position_;
  ExternalValue result;
  bool is_text = false;
  // A text may begin with a `b` only by mistake, and then no version follows.
  if (bytes_[begin] == 'b' && begin + 1 < bytes_.size() &&
      !std::isalnum(static_cast<unsigned char>(bytes_[begin + 1]))) {
    result = read_binary_value(bytes_, position_, memory_, representations_, file_);
  } else if (bytes_.substr(begin).starts_with(npy_magic)) {
    result = read_npy_value(bytes_, position_, memory_, representations_, file_);
  } else {
    is_text = true;
    result = read_text_value(bytes_, position_, memory_, representations_, wanted);
  }
  if ((wanted && result.element != *wanted) || (rank && result.shape.size() != *rank))
    throw FormatError((is_text ? text_place(bytes_, begin) : byte_place(begin)) +
                      "expected a value" + expected + ", found one of type " + result.type_text());
  return result;
}

} // namespace sinter
