#include "jit/cpu/object_cache.h"

#include "jit/gate/precedent_file.h"
#include "lang/base/cache_folder.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <llvm/Support/BLAKE3.h>

namespace sinter::jit {

namespace fs = std::filesystem;

namespace {

using Digest = std::array<std::uint8_t, 32>;

/// What stands in front of key, maker and object in a file.
struct Header {
  char magic[8] = {'s', 'i', 'n', 't', 'e', 'r', 'o', '2'};
  std::uint64_t key_bytes = 0, maker_bytes = 0, object_bytes = 0;
  Digest digest{}; ///< of the lengths and of what follows
};

constexpr mode_t folder_mode = 0700, file_mode = 0600;
constexpr mode_t writable_by_others = S_IWGRP | S_IWOTH;

/// To look at all entries takes tens of milliseconds where they are many, so that neither every
/// start nor every entry can afford it.  Keys are hexadecimal hashes: this is one in 256.
constexpr std::string_view shrinking_keys = "00";

/// Closes a file descriptor.
class File {
public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (is_open()) ::close(descriptor_);
  }
  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  int release() { return std::exchange(descriptor_, -1); }
  /// Whether all that was written is there: some systems tell only now.
  bool close() { return ::close(release()) == 0; }

private:
  int descriptor_;
};

Digest digest_of(const Header& header, std::string_view contents) {
  llvm::BLAKE3 hash;
  for (std::uint64_t bytes : {header.key_bytes, header.maker_bytes, header.object_bytes})
    hash.update(llvm::StringRef(reinterpret_cast<const char*>(&bytes), sizeof bytes));
  hash.update(llvm::StringRef(contents.data(), contents.size()));
  return hash.final<sizeof(Digest)>();
}

/// All that a file has, or as much as there is room for.
std::size_t read_all(int descriptor, char* to, std::size_t room) {
  std::size_t done = 0;
  while (done < room) {
    const ssize_t count = read(descriptor, to + done, room - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// A folder, made for this user alone if it is missing, and so are those on the way to it.
File open_folder(const fs::path& path) {
  fs::path folder;
  for (const fs::path& part : path) {
    folder /= part;
    mkdir(folder.c_str(), folder_mode); // most are there, and it is opened if the last one is
  }
  return File(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

} // namespace

ObjectCache::ObjectCache(const fs::path& folder, std::size_t byte_limit, std::string maker)
    : byte_limit_(byte_limit), maker_(std::move(maker)) {
  File opened = open_folder(folder);
  struct stat status {};
  if (!opened.is_open() || fstat(opened.descriptor(), &status) != 0) return;
  if (status.st_uid != geteuid())
    refusal_ = "`" + folder.string() + "` belongs to another user";
  else if ((status.st_mode & writable_by_others) != 0)
    refusal_ = "`" + folder.string() + "` can be written by other users";
  else
    folder_ = opened.release();
}

ObjectCache::~ObjectCache() {
  if (folder_ >= 0) close(folder_);
}

std::optional<std::string> ObjectCache::find(const std::string& key) const {
  if (folder_ < 0) return std::nullopt;
  const File file(openat(folder_, key.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || fstat(file.descriptor(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) || status.st_uid != geteuid() ||
      (status.st_mode & writable_by_others) != 0)
    return std::nullopt;
  Header header;
  if (read_all(file.descriptor(), reinterpret_cast<char*>(&header), sizeof header) != sizeof header)
    return std::nullopt;
  if (std::memcmp(header.magic, Header().magic, sizeof header.magic) != 0) return std::nullopt;
  if (header.key_bytes != key.size() || header.maker_bytes != maker_.size() ||
      header.object_bytes > static_cast<std::uint64_t>(status.st_size))
    return std::nullopt;
  std::string contents(key.size() + maker_.size() + header.object_bytes, '\0');
  if (sizeof header + contents.size() != static_cast<std::uint64_t>(status.st_size) ||
      read_all(file.descriptor(), contents.data(), contents.size()) != contents.size())
    return std::nullopt;
  if (!contents.starts_with(key) || contents.compare(key.size(), maker_.size(), maker_) != 0 ||
      digest_of(header, contents) != header.digest)
    return std::nullopt;
  // The time of the last use decides what is dropped first.
  futimens(file.descriptor(), nullptr);
  contents.erase(0, key.size() + maker_.size());
  return contents;
}

bool ObjectCache::store(const std::string& key, std::string_view object) const {
  if (folder_ < 0) return false;
  // Written aside and renamed, so that nobody ever sees half an entry.
  static std::atomic<unsigned> counter{0};
  const std::string aside =
      key + "." + std::to_string(getpid()) + "." + std::to_string(counter.fetch_add(1)) + ".new";
  Header header;
  header.key_bytes = key.size();
  header.maker_bytes = maker_.size();
  header.object_bytes = object.size();
  std::string contents = key + maker_;
  contents += object;
  header.digest = digest_of(header, contents);
  File file(openat(folder_, aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file_mode));
  if (!file.is_open()) return false;
  bool is_stored =
      write_all(file.descriptor(), {reinterpret_cast<const char*>(&header), sizeof header}) &&
      write_all(file.descriptor(), contents);
  is_stored = file.close() && is_stored;
  is_stored = is_stored && renameat(folder_, aside.c_str(), folder_, key.c_str()) == 0;
  if (!is_stored) unlinkat(folder_, aside.c_str(), 0);
  if (key.starts_with(shrinking_keys)) shrink();
  return is_stored;
}

void ObjectCache::shrink() const {
  struct Entry {
    std::string name;
    timespec used;
    std::size_t bytes;
  };
  File again(openat(folder_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!again.is_open()) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(fdopendir(again.descriptor()), &closedir);
  if (!listing) return;
  again.release(); // the listing closes it
  std::vector<Entry> entries;
  std::size_t total = 0;
  while (const dirent* one = readdir(listing.get())) {
    struct stat status {};
    if (fstatat(folder_, one->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(status.st_mode)) continue;
    entries.push_back({one->d_name, status.st_mtim, static_cast<std::size_t>(status.st_size)});
    total += entries.back().bytes;
  }
  if (total <= byte_limit_) return;
  unlinkat(folder_, precedent_file_name, 0); // it would speak of what is gone
  std::ranges::sort(entries, {}, [](const Entry& entry) {
    return std::pair(entry.used.tv_sec, entry.used.tv_nsec);
  });
  // To three quarters, so that not every start has to do it.
  for (const Entry& entry : entries) {
    if (total <= byte_limit_ / 4 * 3) break;
    unlinkat(folder_, entry.name.c_str(), 0);
    total -= entry.bytes;
  }
}

std::string object_cache_refusal() {
  const std::optional<fs::path> folder = cache_folder();
  return folder ? ObjectCache(*folder, 0, {}).refusal() : std::string();
}

} // namespace sinter::jit
