#include "jit/cpu/object_cache.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include <unistd.h>

namespace sinter::jit {

namespace fs = std::filesystem;

namespace {

/// What stands in front of an object in its file.
struct Header {
  char magic[8] = {'s', 'i', 'n', 't', 'e', 'r', 'o', '1'};
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

/// To look at all entries takes tens of milliseconds where they are many, so that neither every
/// start nor every entry can afford it.  Keys are hexadecimal hashes: this is one in 256.
constexpr std::string_view shrinking_keys = "00";

/// FNV-1a over words of eight bytes: against damage, not against malice.
std::uint64_t checksum(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  while (!text.empty()) {
    std::uint64_t word = 0;
    std::size_t count = std::min(text.size(), sizeof word);
    std::memcpy(&word, text.data(), count);
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 29;
    text.remove_prefix(count);
  }
  return hash;
}

} // namespace

ObjectCache::ObjectCache(fs::path folder, std::size_t byte_limit)
    : folder_(std::move(folder)), byte_limit_(byte_limit) {
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
}

std::optional<std::string> ObjectCache::find(const std::string& key) const {
  fs::path path = folder_ / key;
  std::ifstream file(path, std::ios::binary);
  Header header;
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  if (std::memcmp(header.magic, Header().magic, sizeof header.magic) != 0) return std::nullopt;
  std::string object((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (object.size() != header.bytes || checksum(object) != header.checksum) return std::nullopt;
  // The time of the last use decides what is dropped first.
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return object;
}

void ObjectCache::store(const std::string& key, std::string_view object) const {
  // Written aside and renamed, so that nobody ever sees half an entry.
  static std::atomic<unsigned> counter{0};
  fs::path aside = folder_ / (key + "." + std::to_string(getpid()) + "." +
                              std::to_string(counter.fetch_add(1)) + ".new");
  std::error_code error;
  {
    std::ofstream file(aside, std::ios::binary);
    Header header;
    header.bytes = object.size();
    header.checksum = checksum(object);
    file.write(reinterpret_cast<const char*>(&header), sizeof header);
    file.write(object.data(), static_cast<std::streamsize>(object.size()));
    file.close();
    if (!file) {
      fs::remove(aside, error);
      return;
    }
  }
  fs::rename(aside, folder_ / key, error);
  if (error) fs::remove(aside, error);
  if (key.starts_with(shrinking_keys)) shrink();
}

void ObjectCache::shrink() const {
  struct Entry {
    fs::path path;
    fs::file_time_type time;
    std::size_t bytes;
  };
  std::error_code error;
  std::vector<Entry> entries;
  std::size_t total = 0;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    Entry entry{it->path(), it->last_write_time(ignored),
                static_cast<std::size_t>(it->file_size(ignored))};
    if (ignored) continue;
    total += entry.bytes;
    entries.push_back(std::move(entry));
  }
  if (total <= byte_limit_) return;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.time < b.time; });
  // To three quarters, so that not every start has to do it.
  for (const Entry& entry : entries) {
    if (total <= byte_limit_ / 4 * 3) break;
    fs::remove(entry.path, error);
    total -= entry.bytes;
  }
}

std::optional<fs::path> object_cache_folder() {
  if (const char* chosen = std::getenv("SINTER_CACHE")) {
    if (std::string_view(chosen) == "off") return std::nullopt;
    return fs::path(chosen);
  }
  if (const char* base = std::getenv("XDG_CACHE_HOME"); base && *base == '/')
    return fs::path(base) / "sinter";
  if (const char* home = std::getenv("HOME"); home && *home == '/')
    return fs::path(home) / ".cache" / "sinter";
  return std::nullopt;
}

} // namespace sinter::jit
