#include "lang/values/spill_file.h"

#include "lang/base/interruptible.h"
#include "lang/values/file_error.h"

#include <cassert>
#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace sinter {

namespace {

/// A new file without a name in the folder of `path`; -1 and `errno` if there is none.
int open_nameless(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  const int file = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return file;
  // A file system that has only files with names: then it cannot become another one, but is as good
  // in all else.
  std::string name = path + ".XXXXXX"; // (which the system replaces)
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

/// Takes room on the disk; the system's error, 0 if it has it.
int take_room(int file, std::size_t bytes) {
  for (;;) {
    if (::fallocate(file, 0, 0, static_cast<off_t>(bytes)) == 0) return 0;
    if (errno != EINTR) return errno;
    poll_interruption();
  }
}

std::size_t whole_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

} // namespace

SpillFile::SpillFile(const std::string& path, std::size_t bytes)
    : file_(open_nameless(path)), size_(whole_pages(room_before + bytes)) {
  if (file_.number() < 0) throw_file_error(path, "cannot write", errno);
  if (const int error = take_room(file_.number(), size_))
    throw_file_error(path, "cannot write", error);
  void* const base = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), 0);
  if (base == MAP_FAILED) throw_file_error(path, "cannot write", errno);
  base_ = static_cast<std::byte*>(base);
  lost_.emplace(base_, size_, Interruptible::source_here(), LostPages::Access::Write);
}

SpillFile::~SpillFile() {
  lost_.reset(); // nobody may take its place before
  ::munmap(base_, size_);
}

bool SpillFile::become(const std::string& name, std::string_view header, std::size_t bytes) {
  assert(header.size() == room_before && room_before + bytes <= size_);
  const std::string self = "/proc/self/fd/" + std::to_string(file_.number());
  const ssize_t written = ::pwrite(file_.number(), header.data(), header.size(), 0);
  return written == static_cast<ssize_t>(header.size()) &&
         ::ftruncate(file_.number(), static_cast<off_t>(room_before + bytes)) == 0 &&
         ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

} // namespace sinter
