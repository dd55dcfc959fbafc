// A limit on how large files may become, as if the disk were full.
#pragma once

#include <csignal>
#include <cstdint>

#include <sys/resource.h>

namespace sinter::tests {

/// While it lives, this process's files grow no further than so many bytes.
class FileSizeLimit {
public:
  explicit FileSizeLimit(std::uint64_t bytes) : signal_before_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_before_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
  void (*signal_before_)(int);
  rlimit before_{};
};

} // namespace sinter::tests
