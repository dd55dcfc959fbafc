#include "lang/values/file_writer.h"

#include "lang/base/interruptible.h"
#include "lang/values/file_error.h"
#include "lang/values/file_memory.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace sinter {

namespace {

constexpr int most_attempts = 100; ///< at a name that nobody has

/// Makes what happened in a folder last.
void store_folder(const std::filesystem::path& folder, const std::string& path) {
  const Descriptor opened(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC));
  if (opened.number() < 0) throw_file_error(path, "cannot write", errno);
  // Some file systems have no such operation for folders.
  if (::fsync(opened.number()) != 0 && errno != EINVAL)
    throw_file_error(path, "cannot write", errno);
}

/// While it lives, a pipe that nobody reads is this thread's error, and not the process's end.
class NoPipeSignal {
public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    const int error = errno;
    // (A signal of a write is its thread's own.)
    const timespec at_once{};
    if (!was_pending_)
      while (sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
      }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

private:
  sigset_t pipe_, before_;
  bool was_pending_ = false;
};

ssize_t write_to_pipe(int descriptor, std::string_view bytes) {
  const NoPipeSignal no_signal;
  return ::write(descriptor, bytes.data(), bytes.size());
}

} // namespace

std::optional<std::string> FileWriter::target_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return std::nullopt;
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::string target = std::filesystem::weakly_canonical(path, error).string();
  return error ? path : target;
}

FileWriter::FileWriter(const std::string& path, OnDisk on_disk) : path_(path), on_disk_(on_disk) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw_file_error(path, "cannot write", EISDIR);
  const std::optional<std::string> target = target_of(path);
  if (!target) {
    file_.emplace(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file_->number() < 0) throw_file_error(path, "cannot open", errno);
    return;
  }
  target_ = *target;
  if (exists && ::access(target_.c_str(), W_OK) != 0) throw_file_error(path, "cannot write", errno);
  if (exists) permissions_ = status.st_mode & 07777;
  open_temporary();
}

std::string FileWriter::temporary_name(int attempt) const {
  return target_ + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".partial";
}

void FileWriter::open_temporary() {
  int number = -1;
  for (int attempt = 0; attempt < most_attempts && number < 0; ++attempt) {
    temporary_ = temporary_name(attempt);
    // (What is written is read again where another file takes it over.)
    number = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number < 0 && errno != EEXIST) break;
  }
  if (number < 0) {
    temporary_.clear();
    throw_file_error(path_, "cannot write", errno);
  }
  file_.emplace(number);
  if (permissions_) (void)::fchmod(number, *permissions_);
}

std::size_t FileWriter::room_before(const Leaf& leaf) const {
  if (temporary_.empty() || !leaf.buffer || !leaf.buffer->spill_file() || leaf.offset != 0 ||
      !leaf.buffer.unique() || !is_row_major(leaf) || ::lseek(file_->number(), 0, SEEK_CUR) != 0)
    return 0;
  return SpillFile::room_before;
}

bool FileWriter::take(const Leaf& leaf) {
  SpillFile* const spilled = leaf.buffer ? leaf.buffer->spill_file() : nullptr;
  if (!spilled || temporary_.empty() || leaf.offset != 0 || !leaf.buffer.unique() ||
      !is_row_major(leaf))
    return false;
  char header[SpillFile::room_before];
  if (::lseek(file_->number(), 0, SEEK_CUR) != sizeof header ||
      ::pread(file_->number(), header, sizeof header, 0) != sizeof header)
    return false;
  if (spilled->is_damaged()) throw_file_error(path_, "cannot write", EIO);
  const std::size_t bytes = block_bytes(leaf.element, leaf.extents);
  const int own = ::fcntl(spilled->descriptor(), F_DUPFD_CLOEXEC, 0);
  if (own < 0) return false;
  Descriptor file(own);
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const std::string name = temporary_name(attempt);
    if (!spilled->become(name, {header, sizeof header}, bytes)) {
      if (errno == EEXIST) continue;
      return false;
    }
    ::unlink(std::exchange(temporary_, name).c_str());
    file_.emplace(std::move(file));
    if (permissions_) (void)::fchmod(own, *permissions_);
    if (::lseek(own, 0, SEEK_END) < 0) throw_file_error(path_, "cannot write", errno);
    return true;
  }
  return false;
}

FileWriter::~FileWriter() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void FileWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    poll_interruption();
    const std::string_view next = bytes.substr(0, bytes_at_once);
    const ssize_t count = temporary_.empty() ? write_to_pipe(file_->number(), next)
                                             : ::write(file_->number(), next.data(), next.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      throw_file_error(path_, "cannot write", errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void FileWriter::overwrite(std::string_view bytes) {
  assert(can_overwrite());
  for (off_t at = 0; !bytes.empty();) {
    const ssize_t count = ::pwrite(file_->number(), bytes.data(), bytes.size(), at);
    if (count < 0) {
      if (errno == EINTR) continue;
      throw_file_error(path_, "cannot write", errno);
    }
    at += count;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void FileWriter::finish() {
  if (temporary_.empty()) return;
  const bool is_now = on_disk_ == OnDisk::Now;
  if (is_now && ::fsync(file_->number()) != 0) throw_file_error(path_, "cannot write", errno);
  if (!file_->close() || ::rename(temporary_.c_str(), target_.c_str()) != 0)
    throw_file_error(path_, "cannot write", errno);
  temporary_.clear();
  if (is_now) store_folder(std::filesystem::path(target_).parent_path(), path_);
}

} // namespace sinter
