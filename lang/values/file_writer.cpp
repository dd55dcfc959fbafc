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

FileWriter::FileWriter(const std::string& path, OnDisk on_disk) : path_(path), on_disk_(on_disk) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw_file_error(path, "cannot write", EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    file_.emplace(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file_->number() < 0) throw_file_error(path, "cannot open", errno);
    return;
  }
  std::error_code error;
  target_ = std::filesystem::weakly_canonical(path, error).string();
  if (error) target_ = path;
  if (exists && ::access(target_.c_str(), W_OK) != 0) throw_file_error(path, "cannot write", errno);
  open_temporary(exists ? std::optional(status.st_mode & 07777) : std::nullopt);
}

void FileWriter::open_temporary(const std::optional<mode_t>& permissions) {
  constexpr int most_attempts = 100;
  int number = -1;
  for (int attempt = 0; attempt < most_attempts && number < 0; ++attempt) {
    temporary_ =
        target_ + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".partial";
    number = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number < 0 && errno != EEXIST) break;
  }
  if (number < 0) {
    temporary_.clear();
    throw_file_error(path_, "cannot write", errno);
  }
  file_.emplace(number);
  if (permissions) (void)::fchmod(number, *permissions);
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
