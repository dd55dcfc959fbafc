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

/// Whether a regular file goes on as an array begins, or as .npy.
bool holds_array(int descriptor, bool as_npy) {
  std::array<char, 8> begin{};
  const off_t start = lseek(descriptor, 0, SEEK_CUR);
  const ssize_t count = pread(descriptor, begin.data(), begin.size(), start);
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

/// Reads an array whose elements do not lie as they would in memory, or says what is wrong with it.
void ChunkSource::open_array(const std::string& path) {
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
}

/// Of elements that lie in a file as they would in memory.
void ChunkSource::open_mapped(std::unique_ptr<Descriptor> file, FilePlace place) {
  mapped_ = MappedElements::map(file->number(), path_ == "-" ? "standard input" : path_, place,
                                byte_size(step_.element()), memory_);
  const std::uint64_t stands = mapped_ ? place.begin + place.bytes : place.begin;
  if (lseek(file->number(), static_cast<off_t>(stands), SEEK_SET) < 0)
    fail(path_, std::string("cannot be read: ") + std::strerror(errno));
  if (!mapped_)
    open_read(std::move(file), has_length_ ? place.bytes : UINT64_MAX);
  else if (!has_length_)
    behind_mapped_ = std::move(file);
}

void ChunkSource::open_read(std::unique_ptr<Descriptor> file, std::uint64_t most) {
  static_cast<void>(posix_fadvise(file->number(), 0, 0, POSIX_FADV_SEQUENTIAL)); // (no pipe)
  BufferRef room = Buffer::allocate(memory_, std::max(first_room, room_for(1)));
  ahead_ = std::make_unique<ReadAhead>(std::move(file), std::move(room), end_, most);
}

void ChunkSource::open(const std::string& path) {
  path_ = path;
  elements_here_ = 0;
  const bool is_standard = path == "-";
  auto file = std::make_unique<Descriptor>(
      is_standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC), !is_standard);
  if (file->number() < 0) fail(path, std::string("cannot be opened: ") + std::strerror(errno));
  struct stat status {};
  has_length_ = is_npy_pipe_ = false;
  text_.reset();
  is_text_over_ = false;
  const bool must_be_npy = format_ == InputFormat::Npy;
  const bool may_be_array = format_ == InputFormat::Found || must_be_npy;
  const bool is_regular = fstat(file->number(), &status) == 0 && S_ISREG(status.st_mode);
  if (format_ == InputFormat::Lines) text_.emplace(step_, memory_, representations_);
  if (may_be_array && !is_regular) {
    open_pipe(std::move(file), must_be_npy);
    return;
  }
  if (text_ || !is_regular) return open_read(std::move(file), UINT64_MAX);
  if (may_be_array && holds_array(file->number(), must_be_npy)) {
    const std::optional<FilePlace> place = array_place(file->number(), step_);
    if (!place) return open_array(path);
    has_length_ = true;
    return open_mapped(std::move(file), *place);
  }
  if (must_be_npy) fail(path, "this is no .npy file");
  const std::uint64_t begin = static_cast<std::uint64_t>(lseek(file->number(), 0, SEEK_CUR));
  const std::uint64_t size = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t bytes = size - std::min(begin, size);
  open_mapped(std::move(file), {begin, bytes - bytes % step_.element_bytes()});
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

/// Of bytes in a buffer, `behind` places behind its beginning.
ArrayRef ChunkSource::array_of(BufferRef buffer, std::size_t behind, std::size_t count) const {
  const ElementType element = step_.element();
  Leaf leaf;
  leaf.element = element;
  leaf.extents = {static_cast<std::int64_t>(count / step_.element_bytes())};
  leaf.extents.insert(leaf.extents.end(), step_.inner.begin(), step_.inner.end());
  leaf.strides = row_major_strides(leaf.extents);
  leaf.offset = static_cast<std::int64_t>(behind / byte_size(element));
  leaf.buffer = std::move(buffer);
  if (element == ElementType::Bool) {
    try {
      require_bools({reinterpret_cast<const char*>(first_element(leaf)), count}, 0, count);
    } catch (const FormatError& error) {
      fail(path_, error.message);
    }
  }
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
  return array_of(buffer, 0, static_cast<std::size_t>(count) * unit);
}

/// None if no more are mapped, or not as many as there have to be and others come behind them.
ArrayRef ChunkSource::next_mapped(std::int64_t most, bool exactly) {
  const std::size_t unit = step_.element_bytes();
  const auto left = static_cast<std::int64_t>(mapped_->left() / unit);
  const std::int64_t count = std::min(left, most);
  if (count == 0 || (exactly && count < most && behind_mapped_)) return {};
  MappedElements::Taken taken = mapped_->take(static_cast<std::size_t>(count) * unit);
  elements_here_ += static_cast<std::uint64_t>(count);
  return array_of(std::move(taken.buffer), taken.behind, static_cast<std::size_t>(count) * unit);
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
  if (mapped_) {
    if (end_.reason() != InterruptSource::Reason::None) return {};
    if (ArrayRef chunk = next_mapped(most, exactly)) return chunk;
    if (!behind_mapped_) return {};
    // A file may have got longer meanwhile; or it ends within an element.
    const auto left = static_cast<off_t>(mapped_->left());
    if (lseek(behind_mapped_->number(), -left, SEEK_CUR) < 0)
      fail(path_, std::string("cannot be read: ") + std::strerror(errno));
    mapped_.reset();
    open_read(std::move(behind_mapped_), UINT64_MAX);
  }
  return text_ ? next_lines(most, exactly) : next_read(most, exactly);
}

ArrayRef ChunkSource::next_read(std::int64_t most, bool exactly) {
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
  std::vector<ArrayRef> arrays;
  for (ReadBytes& piece : pieces)
    arrays.push_back(array_of(std::move(piece.buffer), 0, piece.count));
  return arrays.size() == 1 ? arrays.front() : concatenate(memory_, arrays);
}

ArrayRef ChunkSource::next(std::int64_t most, bool exactly) {
  while (true) {
    ArrayRef chunk;
    if (!put_back_.empty()) {
      chunk = std::move(put_back_.front());
      put_back_.pop_front();
    } else {
      if (!array_ && !ahead_ && !mapped_) {
        if (next_path_ == paths_.size() || end_.reason() != InterruptSource::Reason::None)
          return {};
        open(paths_[next_path_++]);
      }
      chunk = next_here(most, exactly);
      if (!chunk) {
        array_ = {};
        mapped_.reset();
        behind_mapped_.reset();
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
