// Whole files: mapped, or read with decompression; and written.

#include "lang/base/byte_text.h"
#include "lang/base/interruptible.h"
#include "lang/values/compression.h"
#include "lang/values/descriptor.h"
#include "lang/values/file_error.h"
#include "lang/values/file_memory.h"
#include "lang/values/file_writer.h"
#include "lang/values/format.h"
#include "lang/values/spill_file.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sinter {

namespace {

/// Returns when there is something to be read; who writes may take any time.
void wait_for_input(int descriptor) {
  constexpr int look = 20; // milliseconds
  pollfd waiting{descriptor, POLLIN, 0};
  do
    poll_interruption();
  while (::poll(&waiting, 1, look) == 0);
}

std::string read_all(int descriptor, const std::string& path) {
  struct stat status {};
  const bool is_file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  const bool has_size = is_file && status.st_size > 0;
  GrowingBytes bytes(path, has_size ? static_cast<std::size_t>(status.st_size) + 1 : 0);
  for (;;) {
    const std::span<char> room = bytes.room();
    if (!is_file) wait_for_input(descriptor);
    poll_interruption();
    ssize_t count = ::read(descriptor, room.data(), room.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      throw_file_error(path, "cannot read", errno);
    }
    if (count == 0) break;
    bytes.add(static_cast<std::size_t>(count));
  }
  return bytes.take();
}

} // namespace

namespace {

/// What `action` makes of an open file, by its name in messages.
template <typename Action>
auto with_open_file(const std::string& path, Action&& action) {
  try {
    const bool is_input = path == "-";
    const Descriptor file(is_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC),
                          !is_input);
    if (file.number() < 0) throw_file_error(path, "cannot open", errno);
    return action(file.number(), is_input ? "standard input" : path);
  } catch (const std::bad_alloc&) {
    throw FormatError("cannot read `" + path + "`: it does not fit into memory");
  } catch (const std::length_error&) {
    throw FormatError("cannot read `" + path + "`: it does not fit into memory");
  }
}

std::string read_decompressed(int descriptor, const std::string& name, const std::string& path) {
  std::string bytes = read_all(descriptor, name);
  const Compression compression = compression_of(bytes);
  return compression == Compression::None ? bytes : decompress(bytes, compression, path);
}

/// All of a file that nobody has begun to read; null if it cannot be mapped.  Of standard input all
/// is taken then, as by who reads it.
std::shared_ptr<MappedFile> map_all(int descriptor, const std::string& name) {
  if (::lseek(descriptor, 0, SEEK_CUR) != 0) return nullptr;
  std::shared_ptr<MappedFile> file = MappedFile::map(descriptor, name);
  if (file) (void)::lseek(descriptor, 0, SEEK_END);
  return file;
}

/// A file of arrays, as far as that can be told from its beginning; null if it is another one or
/// cannot be mapped.
std::shared_ptr<MappedFile> map_arrays(int descriptor, const std::string& name) {
  char begin[SpillFile::room_before] = {};
  if (::lseek(descriptor, 0, SEEK_CUR) != 0) return nullptr;
  if (::pread(descriptor, begin, sizeof begin, 0) != sizeof begin) return nullptr;
  const std::string_view found(begin, sizeof begin);
  // (Blanks may stand before a binary value.)
  const std::string_view value =
      found.substr(std::min(found.find_first_not_of(" \t\n\r"), found.size()));
  constexpr std::string_view npy = "\x93NUMPY", archive = "PK\x03\x04", binary = "b\x02";
  if (!found.starts_with(npy) && !found.starts_with(archive) && !value.starts_with(binary))
    return nullptr;
  return map_all(descriptor, name);
}

} // namespace

std::string read_file_bytes(const std::string& path) {
  return with_open_file(path, [&](int descriptor, const std::string& name) {
    return read_decompressed(descriptor, name, path);
  });
}

FileContents FileContents::of(const std::string& path) {
  return with_open_file(path, [&](int descriptor, const std::string& name) {
    if (std::shared_ptr<MappedFile> file = map_arrays(descriptor, name))
      return FileContents(std::move(file));
    return FileContents(read_decompressed(descriptor, name, path));
  });
}

FileContents FileContents::of_any_kind(const std::string& path) {
  return with_open_file(path, [&](int descriptor, const std::string& name) {
    const Compression compression = compression_named(path);
    if (compression == Compression::None)
      if (std::shared_ptr<MappedFile> file = map_all(descriptor, name))
        return FileContents(std::move(file));
    std::string bytes = read_all(descriptor, name);
    return FileContents(compression == Compression::None ? std::move(bytes)
                                                         : decompress(bytes, compression, path));
  });
}

void write_file_bytes(const std::string& path, std::string_view bytes) {
  FileWriter file(path);
  file.write(bytes);
  file.finish();
}

void store_file_bytes(const std::string& path, std::string_view bytes) {
  FileWriter file(path, FileWriter::OnDisk::Now);
  file.write(bytes);
  file.finish();
}

} // namespace sinter
