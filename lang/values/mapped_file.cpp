#include "lang/values/mapped_file.h"

#include "lang/base/interruptible.h"
#include "lang/base/runtime_error.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace sinter {

namespace {

std::size_t page_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t whole_pages(std::size_t bytes) {
  const std::size_t page = page_bytes();
  return (bytes + page - 1) / page * page;
}

/// Whether this process may write the file: of others the system tells us nothing that somebody
/// else has done with them.
bool is_ours(int file, const struct stat& status) {
  return status.st_uid == geteuid() || faccessat(file, "", W_OK, AT_EMPTY_PATH | AT_EACCESS) == 0;
}

bool is_same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

} // namespace

std::shared_ptr<MappedFile> MappedFile::map(int descriptor, std::string name, Growth growth) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
  if (status.st_size < static_cast<off_t>(least_bytes)) return nullptr;
  const auto size = static_cast<std::size_t>(status.st_size);
  const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return nullptr;
  void* const base = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, own, 0);
  if (base == MAP_FAILED) {
    ::close(own);
    return nullptr;
  }
  return std::shared_ptr<MappedFile>(
      new MappedFile(own, std::move(name), status, static_cast<const char*>(base), growth));
}

MappedFile::MappedFile(int file, std::string name, const struct stat& status, const char* base,
                       Growth growth)
    : name_(std::move(name)), file_(file), status_(status), growth_(growth),
      is_ours_(is_ours(file, status)), base_(base), size_(static_cast<std::size_t>(status.st_size)),
      lost_(std::in_place, reinterpret_cast<const std::byte*>(base), whole_pages(size_),
            Interruptible::source_here()) {}

MappedFile::~MappedFile() {
  lost_.reset(); // nobody may take its place before
  munmap(const_cast<char*>(base_), size_);
}

void MappedFile::read_in_order() const noexcept {
  (void)madvise(const_cast<char*>(base_), size_, MADV_SEQUENTIAL);
}

void MappedFile::give_back(std::string_view part) const noexcept {
  assert(has(part.data(), part.size()));
  // Whole pages: of the last one, others may still read the rest.
  const auto page = page_bytes(), begin = static_cast<std::size_t>(part.data() - base_);
  const std::size_t first = begin / page * page, end = (begin + part.size()) / page * page;
  if (first < end) (void)madvise(const_cast<char*>(base_) + first, end - first, MADV_DONTNEED);
}

bool MappedFile::is_in_memory(std::string_view part) const noexcept {
  assert(has(part.data(), part.size()));
  if (!is_ours_) return false;
  // The system reads files, and forgets them, by many pages at once: to ask for each takes as long
  // as to read of each.
  constexpr std::size_t pages_at_once = 16;
  const std::size_t page = page_bytes(), offset = static_cast<std::size_t>(part.data() - base_);
  const std::size_t end = offset + part.size();
  for (std::size_t at = offset / page * page; at < end; at += pages_at_once * page) {
    unsigned char state = 0;
    if (mincore(const_cast<char*>(base_) + at, page, &state) != 0 || (state & 1U) == 0)
      return false;
  }
  return true;
}

std::optional<std::string> MappedFile::change() const {
  using namespace std::chrono_literals;
  struct stat now {};
  bool is_known = fstat(file_.number(), &now) == 0;
  const auto is_written = [&] {
    return is_known && now.st_size == status_.st_size &&
           !is_same_time(now.st_mtim, status_.st_mtim);
  };
  // Who appends to it has its time changed first, and its size when the bytes are there.
  if (growth_ == Growth::IsNone)
    for (auto wait = 1ms; is_written() && wait < 1s; wait *= 2) {
      std::this_thread::sleep_for(wait);
      is_known = fstat(file_.number(), &now) == 0;
    }
  const std::string subject = "the file `" + name_ + "` ";
  if (is_known && now.st_size < status_.st_size)
    return subject + "was cut while it was in use: of " + std::to_string(status_.st_size) +
           " bytes it has " + std::to_string(now.st_size) + " left";
  if (!is_known || lost_->is_damaged()) return subject + "could not be read while it was in use";
  if (now.st_size > status_.st_size ? growth_ == Growth::IsChange : is_written())
    return subject + "was written while it was in use";
  return std::nullopt;
}

void MappedFile::require_unchanged() const {
  if (const std::optional<std::string> what = change())
    throw RuntimeError(FailureKind::Program, *what);
}

void MappedFiles::add(const std::shared_ptr<MappedFile>& file) {
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(files_, file) == files_.end()) files_.push_back(file);
}

std::optional<std::string> MappedFiles::change() {
  const std::lock_guard lock(mutex_);
  std::optional<std::string> result;
  for (const std::shared_ptr<MappedFile>& file : files_) {
    if (!file->was_used()) continue;
    std::optional<std::string> what = file->change();
    if (!result) result = std::move(what);
  }
  std::erase_if(files_, [](const auto& file) { return file.use_count() == 1; });
  return result;
}

} // namespace sinter
