// Machine code on disk.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sinter::jit {

/// A folder of objects, one file for each key.  Files carry a checksum: what is damaged counts as
/// absent.  Nothing here throws: a cache that cannot be read or written is an empty one.  Several
/// processes and threads may share a folder.
class ObjectCache {
public:
  ObjectCache(std::filesystem::path folder, std::size_t byte_limit);
  std::optional<std::string> find(const std::string& key) const;
  /// Some keys, one in 256, also have the entries dropped that have not been used for longest, if
  /// all together have more bytes than the limit.
  void store(const std::string& key, std::string_view object) const;

private:
  void shrink() const;

  std::filesystem::path folder_;
  std::size_t byte_limit_;
};

/// Where this user's objects lie (`$XDG_CACHE_HOME/sinter`, else `~/.cache/sinter`); nothing if
/// there is no such place, or if SINTER_CACHE is "off" (else it names the folder).
std::optional<std::filesystem::path> object_cache_folder();

} // namespace sinter::jit
