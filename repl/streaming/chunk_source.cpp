#include "repl/streaming/chunk_source.h"

#include "lang/values/array.h"
#include "lang/values/elements.h"
#include "lang/values/readers.h"
#include "lang/values/strided.h"
#include "repl/data/value_source.h"
#include "repl/streaming/pipe_begin.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sinter::repl {

namespace {

/// Room for the first bytes of a file, before anybody has said how large a chunk is to be.
constexpr std::size_t first_room = std::size_t{1} << 16;

std::string place(const std::string& path) {
  return path == "-" ? "standard input: " : path + ": ";
}

[[noreturn]] void fail(const std::string& path, const std::string& text) {
  throw FormatError(place(path) + text);
}

/// Whether a regular file begins as an array does, or as .npy.
bool holds_array(int descriptor, bool as_npy) {
  std::array<char, 8> begin{};
  const ssize_t count = pread(descriptor, begin.data(), begin.size(), 0);
  if (count <= 0) return false;
  const std::string_view bytes(begin.data(), static_cast<std::size_t>(count));
  constexpr std::size_t type_at = 3, type_size = 4;
  if (bytes.starts_with(npy_magic)) return true;
  if (as_npy || !bytes.starts_with("b\x02") || bytes.size() < type_at + type_size) return false;
  const std::string_view letters = bytes.substr(type_at, type_size);
  return element_type_named(letters.substr(std::min(letters.find_first_not_of(' '), type_size)))
      .has_value();
}

} // namespace

ChunkSource::ChunkSource(std::vector<std::string> paths, InputFormat format, const Step& step,
                         MemoryBudget& memory, Representations& representations,
                         const InterruptSource& end)
    : paths_(std::move(paths)), format_(format), step_(step), memory_(memory),
      representations_(representations), end_(end) {
  for (const std::string& path : paths_) {
    struct stat status {};
    const bool is_known =
        path == "-" ? fstat(STDIN_FILENO, &status) == 0 : stat(path.c_str(), &status) == 0;
    if (!is_known || !S_ISREG(status.st_mode)) {
      total_bytes_ = 0;
      return;
    }
    total_bytes_ += static_cast<std::uint64_t>(status.st_size);
  }
}

std::size_t ChunkSource::room_for(std::int64_t count) const {
  std::size_t bytes = step_.element_bytes();
  if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(count), &bytes)) bytes = SIZE_MAX;
  return bytes;
}

/// Reads an array, or finds where its elements lie in the file: then the file stands there, and so
/// many bytes are to be read.
std::optional<std::uint64_t> ChunkSource::open_array(const std::string& path, int descriptor) {
  bool has_more = false;
  try {
    ValueSource source(path, {}, memory_, representations_);
    array_ = source.read(step_.element(), step_.chunk->array().rank).value.array();
    has_more = !source.at_end();
  } catch (const FormatError& error) {
    fail(path, error.message);
  }
  if (has_more) fail(path, "there is more than one array");
  for (std::size_t i = 0; i < step_.inner.size(); ++i)
    if (array_->shape[i + 1] != step_.inner[i])
      fail(path, "the array has the shape " + shape_text(array_->shape) +
                     ", its elements should be " + step_.element_text());
  // To read as little as is wanted takes less memory than to map all.
  const Leaf& leaf = array_->leaves.front();
  const MappedFile* const file = leaf.buffer->file();
  if (!file || !is_row_major(leaf)) return std::nullopt;
  const auto* const begin = reinterpret_cast<const char*>(first_element(leaf));
  const std::uint64_t bytes =
      static_cast<std::uint64_t>(array_->shape.front()) * step_.element_bytes();
  if (lseek(descriptor, begin - file->bytes().data(), SEEK_SET) < 0) return std::nullopt;
  array_ = {};
  return bytes;
}

void ChunkSource::open(const std::string& path) {
  path_ = path;
  elements_here_ = 0;
  const bool is_standard = path == "-";
  auto file = std::make_unique<Descriptor>(
      is_standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC), !is_standard);
  if (file->number() < 0) fail(path, std::string("cannot be opened: ") + std::strerror(errno));
  struct stat status {};
  std::uint64_t most = UINT64_MAX;
  has_length_ = is_npy_pipe_ = false;
  text_.reset();
  is_text_over_ = false;
  if (format_ == InputFormat::Lines) text_.emplace(step_, memory_, representations_);
  const bool may_be_array = format_ == InputFormat::Found || format_ == InputFormat::Npy;
  const bool is_regular = fstat(file->number(), &status) == 0 && S_ISREG(status.st_mode);
  if (may_be_array && !is_regular) {
    open_pipe(std::move(file), format_ == InputFormat::Npy);
    return;
  }
  if (is_regular) {
    if (may_be_array && holds_array(file->number(), format_ == InputFormat::Npy)) {
      if (const std::optional<std::uint64_t> bytes = open_array(path, file->number()))
        most = *bytes, has_length_ = true;
      else
        return;
    }
    if (format_ == InputFormat::Npy && !has_length_) fail(path, "this is no .npy file");
    static_cast<void>(posix_fadvise(file->number(), 0, 0, POSIX_FADV_SEQUENTIAL));
  }
  BufferRef room = Buffer::allocate(memory_, std::max(first_room, room_for(1)));
  ahead_ = std::make_unique<ReadAhead>(std::move(file), std::move(room), end_, most);
}

/// How many bytes of elements come behind a header.
std::uint64_t ChunkSource::array_bytes(const NpyHeader& header) const {
  std::string type;
  for (std::size_t i = 0; i < header.shape.size(); ++i)
    type += "[]";
  type += std::string(name(header.element));
  if (header.contents != NpyContents::Numbers || header.element != step_.element() ||
      header.shape.size() != step_.inner.size() + 1)
    fail(path_, "expected an array of elements of type " + step_.element_text() + ", found " +
                    (header.contents == NpyContents::Numbers ? "one of type " + type
                                                             : "one of other contents"));
  for (std::size_t i = 0; i < step_.inner.size(); ++i)
    if (header.shape[i + 1] != step_.inner[i])
      fail(path_, "the array has the shape " + shape_text(header.shape) +
                      ", its elements should be " + step_.element_text());
  if (header.big_endian && byte_size(header.element) > 1)
    fail(path_, "the array is big-endian, which is read from files only, not from pipes");
  if (header.fortran_order && header.shape.size() > 1)
    fail(path_, "the array lies column by column, which is read from files only, not from pipes");
  return room_for(header.shape.front());
}

/// Whether there is anything in it.
bool ChunkSource::open_pipe(std::unique_ptr<Descriptor> file, bool must_be_npy) {
  PipeBegin begin;
  try {
    begin = read_pipe_begin(file->number(), end_);
  } catch (const FormatError& error) {
    fail(path_, error.message);
  }
  const bool is_over = end_.reason() != InterruptSource::Reason::None;
  if (must_be_npy && !begin.header) {
    if (is_over || (begin.elements.empty() && is_npy_pipe_)) return false;
    fail(path_, is_npy_pipe_ ? "behind an array comes something else than another one in .npy"
                             : "this is no .npy file");
  }
  is_npy_pipe_ = has_length_ = begin.header.has_value();
  const std::uint64_t most = begin.header ? array_bytes(*begin.header) : UINT64_MAX;
  BufferRef room = Buffer::allocate(memory_, std::max(first_room, room_for(1)));
  ahead_ =
      std::make_unique<ReadAhead>(std::move(file), std::move(room), end_, most, begin.elements);
  return true;
}

/// Behind the end of an array that came through a pipe: whether another one comes.
bool ChunkSource::go_on_behind() {
  if (!is_npy_pipe_ || end_.reason() != InterruptSource::Reason::None) return false;
  std::unique_ptr<Descriptor> file = ahead_->release();
  return open_pipe(std::move(file), true);
}

ArrayRef ChunkSource::array_of(ReadBytes bytes) const {
  const ElementType element = step_.element();
  Leaf leaf;
  leaf.element = element;
  leaf.extents = {static_cast<std::int64_t>(bytes.count / step_.element_bytes())};
  leaf.extents.insert(leaf.extents.end(), step_.inner.begin(), step_.inner.end());
  leaf.strides = row_major_strides(leaf.extents);
  if (element == ElementType::Bool)
    require_bools({reinterpret_cast<const char*>(bytes.buffer->contents()), bytes.count}, 0,
                  bytes.count);
  leaf.buffer = std::move(bytes.buffer);
  return external_array(representations_, element, std::move(leaf)).value.array();
}

/// Throws unless what was open has ended behind a whole element, and behind all there should be.
void ChunkSource::check_end() const {
  if (end_.reason() != InterruptSource::Reason::None) return;
  const std::size_t rest = ahead_->left_over();
  if (rest > 0)
    fail(path_, "it ends within an element of type " + step_.element_text() + ": " +
                    std::to_string(rest) + (rest == 1 ? " byte is" : " bytes are") +
                    " left behind " + std::to_string(elements_here_) + " of " +
                    std::to_string(step_.element_bytes()) + " bytes each");
  if (!has_length_ || ahead_->missing() == 0) return;
  fail(path_, is_npy_pipe_ ? "it ends " + std::to_string(ahead_->missing()) +
                                 " bytes before the array that its .npy header tells of"
                           : "the file was cut while it was read");
}

ArrayRef ChunkSource::next_lines(std::int64_t most, bool exactly) {
  const BufferRef buffer = Buffer::allocate(memory_, std::max(room_for(most), room_for(1)));
  const std::size_t unit = step_.element_bytes();
  std::int64_t count = 0;
  try {
    while (true) {
      count +=
          text_->take(buffer->overwrite() + static_cast<std::size_t>(count) * unit, most - count);
      if (count == most || (count > 0 && !exactly) || is_text_over_) break;
      const ReadBytes bytes = ahead_->take(1, 1, Buffer::allocate(memory_, first_room));
      bytes_ += bytes.count;
      if (bytes.count > 0) {
        text_->add({reinterpret_cast<const char*>(bytes.buffer->contents()), bytes.count});
      } else {
        is_text_over_ = true;
        if (end_.reason() == InterruptSource::Reason::None) text_->end();
      }
    }
  } catch (const FormatError& error) {
    fail(path_, error.message);
  }
  if (count == 0) return {};
  return array_of({buffer, static_cast<std::size_t>(count) * unit});
}

/// None if what is open has no more.
ArrayRef ChunkSource::next_here(std::int64_t most, bool exactly) {
  if (array_) {
    const std::int64_t count = std::min(array_->shape.front(), most);
    if (count == 0 || end_.reason() != InterruptSource::Reason::None) return {};
    ArrayRef chunk = slice_view(array_, 0, 0, count, 1);
    array_ = slice_view(array_, 0, count, array_->shape.front() - count, 1);
    return chunk;
  }
  if (text_) return next_lines(most, exactly);
  const std::size_t unit = step_.element_bytes();
  const std::size_t room = std::max(room_for(most), unit);
  std::vector<ReadBytes> pieces;
  std::size_t count = 0;
  // What is read ahead goes where there was room for it, which may have been less, or more.
  do {
    const std::size_t least = exactly ? room - count : unit;
    ReadBytes bytes = ahead_->take(least, unit, Buffer::allocate(memory_, room));
    if (bytes.count == 0) break;
    count += bytes.count;
    pieces.push_back(std::move(bytes));
  } while (exactly && count < room);
  if (pieces.empty()) {
    check_end();
    return {};
  }
  elements_here_ += count / unit;
  try {
    if (pieces.size() == 1) return array_of(std::move(pieces.front()));
    std::vector<ArrayRef> arrays;
    for (ReadBytes& piece : pieces)
      arrays.push_back(array_of(std::move(piece)));
    return concatenate(memory_, arrays);
  } catch (const FormatError& error) {
    fail(path_, error.message);
  }
}

ArrayRef ChunkSource::next(std::int64_t most, bool exactly) {
  while (true) {
    ArrayRef chunk;
    if (!put_back_.empty()) {
      chunk = std::move(put_back_.front());
      put_back_.pop_front();
    } else {
      if (!array_ && !ahead_) {
        if (next_path_ == paths_.size() || end_.reason() != InterruptSource::Reason::None)
          return {};
        open(paths_[next_path_++]);
      }
      chunk = next_here(most, exactly);
      if (!chunk) {
        array_ = {};
        if (ahead_ && go_on_behind()) continue;
        ahead_.reset();
        continue;
      }
      if (!text_)
        bytes_ += static_cast<std::uint64_t>(chunk->shape.front()) * step_.element_bytes();
    }
    const std::int64_t count = chunk->shape.front();
    if (count <= most) return chunk;
    put_back(slice_view(chunk, 0, most, count - most, 1));
    return slice_view(chunk, 0, 0, most, 1);
  }
}

} // namespace sinter::repl
