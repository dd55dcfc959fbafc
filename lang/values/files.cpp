// Whole files: read with decompression, written without ever leaving half of one behind.

#include "lang/base/byte_text.h"
#include "lang/base/interruptible.h"
#include "lang/values/compression.h"
#include "lang/values/file_memory.h"
#include "lang/values/format.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sinter {

namespace {

/// Closes a file descriptor.
class Descriptor {
public:
  explicit Descriptor(int number, bool owned = true) : number_(number), owned_(owned) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (owned_ && number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  /// Closes now; whether that succeeded (some systems report a full disk only here).
  bool close() {
    int number = std::exchange(number_, -1);
    return ::close(number) == 0;
  }

private:
  int number_;
  bool owned_;
};

[[noreturn]] void fail(const std::string& path, const std::string& what, int error) {
  throw FormatError(what + " `" + path + "`: " + std::strerror(error));
}

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
      fail(path, "cannot read", errno);
    }
    if (count == 0) break;
    bytes.add(static_cast<std::size_t>(count));
  }
  return bytes.take();
}

/// When what is written is to be on the disk itself.
enum class OnDisk { Sometime, Now };

void write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    poll_interruption();
    ssize_t count = ::write(descriptor, bytes.data(), std::min(bytes.size(), bytes_at_once));
    if (count < 0) {
      if (errno == EINTR) continue;
      fail(path, "cannot write", errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

} // namespace

std::string read_file_bytes(const std::string& path) {
  try {
    bool is_input = path == "-";
    Descriptor file(is_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC),
                    !is_input);
    if (file.number() < 0) fail(path, "cannot open", errno);
    std::string bytes = read_all(file.number(), is_input ? "standard input" : path);
    const Compression compression = compression_of(bytes);
    return compression == Compression::None ? bytes : decompress(bytes, compression, path);
  } catch (const std::bad_alloc&) {
    throw FormatError("cannot read `" + path + "`: it does not fit into memory");
  } catch (const std::length_error&) {
    throw FormatError("cannot read `" + path + "`: it does not fit into memory");
  }
}

namespace {

/// Makes what happened in a folder last.
void store_folder(const std::filesystem::path& folder, const std::string& path) {
  Descriptor opened(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC));
  if (opened.number() < 0) fail(path, "cannot write", errno);
  // Some file systems have no such operation for folders.
  if (::fsync(opened.number()) != 0 && errno != EINVAL) fail(path, "cannot write", errno);
}

void replace_file(const std::string& path, std::string_view bytes, OnDisk on_disk) {
  struct stat status {};
  bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(path, "cannot write", EISDIR);
  if (exists && !S_ISREG(status.st_mode)) { // a pipe or a device is written to, not replaced
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.number() < 0) fail(path, "cannot open", errno);
    write_all(file.number(), bytes, path);
    return;
  }
  // Where the path is a symbolic link, the file that it names is replaced.
  std::error_code error;
  std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  if (error) target = path;
  if (exists && ::access(target.c_str(), W_OK) != 0) fail(path, "cannot write", errno);
  std::string temporary;
  int number = -1;
  for (int attempt = 0; attempt < 100 && number < 0; ++attempt) {
    temporary = target.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) +
                ".partial";
    number = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number < 0 && errno != EEXIST) break;
  }
  if (number < 0) fail(path, "cannot write", errno);
  Descriptor file(number);
  struct Remove {
    const std::string& name;
    bool active = true;
    ~Remove() {
      if (active) ::unlink(name.c_str());
    }
  } remove{temporary};
  if (exists) (void)::fchmod(file.number(), status.st_mode & 07777);
  write_all(file.number(), bytes, path);
  if (on_disk == OnDisk::Now && ::fsync(file.number()) != 0) fail(path, "cannot write", errno);
  if (!file.close() || ::rename(temporary.c_str(), target.c_str()) != 0)
    fail(path, "cannot write", errno);
  remove.active = false;
  if (on_disk == OnDisk::Now) store_folder(target.parent_path(), path);
}

} // namespace

void write_file_bytes(const std::string& path, std::string_view bytes) {
  replace_file(path, bytes, OnDisk::Sometime);
}

void store_file_bytes(const std::string& path, std::string_view bytes) {
  replace_file(path, bytes, OnDisk::Now);
}

} // namespace sinter
