#include "jit/gate/precedent_file.h"

#include "lang/core/digest.h"

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sinter::jit {

namespace {

/// The same number in every process, for the same occasion; not 0.
std::uint64_t key_of(const Occasion& occasion) {
  std::uint64_t version = 0;
  for (const char c : std::string_view(SINTER_VERSION))
    version = core::mixed(version + static_cast<unsigned char>(c));
  const std::uint64_t program =
      occasion.function ? core::digest(*occasion.function) : core::digest(*occasion.expr);
  const std::uint64_t key = core::mixed(program + core::mixed(occasion.sizes + version));
  return key == 0 ? 1 : key;
}

/// A file descriptor that closes.
class OwnFile {
public:
  /// Opens the user's own file, which nobody else may write to; else it is not open.
  OwnFile(const std::filesystem::path& path, int flags)
      : descriptor_(
            ::open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, S_IRUSR | S_IWUSR)) {
    struct stat status {};
    if (descriptor_ >= 0 &&
        (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode) ||
         status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)) {
      ::close(descriptor_);
      descriptor_ = -1;
    }
  }
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;
  ~OwnFile() {
    if (is_open()) ::close(descriptor_);
  }
  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

private:
  int descriptor_;
};

} // namespace

PrecedentFile::PrecedentFile(const std::optional<std::filesystem::path>& folder) {
  if (folder) path_ = *folder / precedent_file_name;
}

std::uint32_t PrecedentFile::check_of(const Entry& entry) {
  const std::uint64_t facts = entry.microseconds * 2ull + entry.is_in_parts;
  return static_cast<std::uint32_t>(core::mixed(entry.key + core::mixed(facts + 1)));
}

void PrecedentFile::read() {
  if (std::exchange(is_read_, true) || path_.empty()) return;
  const OwnFile file(path_, O_RDONLY);
  if (!file.is_open()) return;
  try {
    entries_.resize(entry_count);
  } catch (const std::bad_alloc&) {
    return;
  }
  // (What is missing at the end stays empty, and so does all if it cannot be read.)
  const ssize_t bytes = ::pread(file.descriptor(), entries_.data(), entry_count * sizeof(Entry), 0);
  const std::size_t count = static_cast<std::size_t>(std::max<ssize_t>(bytes, 0)) / sizeof(Entry);
  for (std::size_t i = 0; i < entry_count; ++i)
    if (i >= count || entries_[i].check != check_of(entries_[i])) entries_[i] = {};
}

void PrecedentFile::write(Entry entry, std::size_t place) {
  entry.check = check_of(entry);
  entries_[place] = entry;
  // An entry is written at once and lies in one page: nobody sees half of it but after a crash.
  const OwnFile file(path_, O_WRONLY | O_CREAT);
  if (!file.is_open()) return;
  static_cast<void>(::pwrite(file.descriptor(), &entry, sizeof entry,
                             static_cast<off_t>(place * sizeof entry)) == sizeof entry);
}

PrecedentFile::Entry* PrecedentFile::known(std::uint64_t key) {
  Entry& entry = entries_[key % entry_count];
  return entry.key == key ? &entry : nullptr;
}

std::optional<Precedent> PrecedentFile::find(const Occasion& occasion) {
  const std::lock_guard lock(mutex_);
  read();
  if (entries_.empty()) return std::nullopt; // (To find out the key takes time.)
  const Entry* entry = known(key_of(occasion));
  if (!entry) return std::nullopt;
  return Precedent{std::int64_t{entry->microseconds} * 1000, entry->is_in_parts != 0};
}

void PrecedentFile::note(const Occasion& occasion, std::int64_t nanoseconds) {
  const std::lock_guard lock(mutex_);
  if (path_.empty()) return;
  read();
  try {
    entries_.resize(entry_count);
  } catch (const std::bad_alloc&) {
    return;
  }
  constexpr std::int64_t longest = (std::int64_t{1} << 31) - 1;
  std::int64_t microseconds = std::clamp<std::int64_t>(nanoseconds / 1000, 0, longest);
  const std::uint64_t key = key_of(occasion);
  const Entry* before = known(key);
  // (What began again as compiled code was known to take as long as that, and maybe not how much
  // longer.)
  if (before) microseconds = std::max<std::int64_t>(microseconds, before->microseconds);
  write({.key = key,
         .microseconds = static_cast<std::uint32_t>(microseconds) & 0x7fffffffu,
         .is_in_parts = before ? before->is_in_parts : 0u},
        key % entry_count);
}

void PrecedentFile::note_in_parts(const Occasion& occasion) {
  const std::lock_guard lock(mutex_);
  read();
  if (entries_.empty()) return;
  Entry* entry = known(key_of(occasion));
  if (!entry || entry->is_in_parts) return;
  entry->is_in_parts = 1;
  write(*entry, entry->key % entry_count);
}

void PrecedentFile::forget(const Occasion& occasion) {
  const std::lock_guard lock(mutex_);
  read();
  if (entries_.empty()) return;
  if (const Entry* entry = known(key_of(occasion))) write({}, entry->key % entry_count);
}

} // namespace sinter::jit
