// Files that are not read, but mapped: their bytes are where the system keeps them.
#pragma once

#include "lang/base/lost_pages.h"
#include "lang/values/descriptor.h"

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>

namespace sinter {

/// A regular file's bytes, to be read only.  They take no memory of ours: the system has them in
/// its cache, and takes their pages back when it needs them.
///
/// The file is somebody else's, who may write into it or cut it at any time.  So who has computed
/// with its bytes asks afterwards whether they have been the same all the time, before anybody sees
/// the result.  (A file that is replaced by another one is still there for who has mapped it.)
///
/// Thread-safe.
class MappedFile {
public:
  /// Smaller files are read: to map them, and to look after them, is not worth it.
  static constexpr std::size_t least_bytes = std::size_t{1} << 20;

  /// Whether it counts as a change that the file has got longer: it does not for who reads it from
  /// front to back, while another one writes on at its end.
  enum class Growth { IsChange, IsNone };

  /// Null if it is no regular file, or a smaller one, or if the system does not map it.  Whatever
  /// stops what this thread does now (interruptible.h) must live as long as the file: it is stopped
  /// when the file is cut.
  static std::shared_ptr<MappedFile> map(int descriptor, std::string name,
                                         Growth growth = Growth::IsChange);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::string_view bytes() const { return {base_, size_}; }
  const std::string& name() const { return name_; }
  /// Whether these bytes are the file's.
  bool has(const char* data, std::size_t bytes) const {
    return data >= base_ && data <= base_ + size_ &&
           bytes <= size_ - static_cast<std::size_t>(data - base_);
  }

  // Advice to the system, for who reads from front to back; it changes no byte.
  /// All will be read once, in their order.
  void read_in_order() const noexcept;
  /// These will hardly be read again: whole pages of them are not resident any more.
  void give_back(std::string_view part) const noexcept;

  /// Whether the system has these bytes in memory, as some of them tell, so that hardly anybody
  /// waits for a disk.  It does not say so of files that are not ours to write: then no.
  bool is_in_memory(std::string_view part) const noexcept;

  /// Somebody has begun to read the bytes.
  void note_use() noexcept {
    if (!is_used_.load(std::memory_order_relaxed)) is_used_.store(true, std::memory_order_relaxed);
  }
  /// Whether somebody has since this was asked for the last time.
  bool was_used() noexcept { return is_used_.exchange(false, std::memory_order_relaxed); }
  /// What has happened to the file, in words, if its bytes may have changed since it was mapped.
  /// (Where it may get longer, it takes up to a second to know that it was not that.)
  std::optional<std::string> change() const;
  /// Throws RuntimeError with these words.
  void require_unchanged() const;

private:
  /// `file` is closed, and `base` unmapped, at its end.
  MappedFile(int file, std::string name, const struct stat& status, const char* base,
             Growth growth);

  std::string name_;
  Descriptor file_;
  struct stat status_;
  Growth growth_;
  bool is_ours_; ///< to write
  const char* base_;
  std::size_t size_;
  std::optional<LostPages> lost_;
  std::atomic<bool> is_used_{false};
};

/// The mapped files that a session's values lie in.  Thread-safe.
class MappedFiles {
public:
  /// It stays at least until it is looked at, so that nothing is missed of those that nobody has
  /// any more at the end.
  void add(const std::shared_ptr<MappedFile>& file);
  /// Looks at the files that were used since the last time: what has happened to one; nothing if
  /// all are as they were.
  std::optional<std::string> change();

private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<MappedFile>> files_;
};

/// What `read` gives, which reads a mapped file's bytes (or, if `file` is null, others).  Throws
/// RuntimeError if they changed meanwhile, whatever `read` made of that.
template <typename Read>
auto read_unchanged(const std::shared_ptr<MappedFile>& file, Read&& read) {
  if (!file) return read();
  try {
    auto result = read();
    file->require_unchanged();
    return result;
  } catch (const std::exception&) {
    file->require_unchanged();
    throw;
  }
}

} // namespace sinter
