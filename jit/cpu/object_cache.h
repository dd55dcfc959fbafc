// Machine code on disk.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sinter::jit {

/// A folder of objects, one file each, found by key.  A file says itself which key it is for, who
/// made it and for which machine, with a digest of all that: what is damaged, or was meant for
/// something else, counts as absent.
///
/// What lies there is executed, so that nobody else may write there: the folder is this user's and
/// only the user may write to it, and so it is with the files that count.  Another folder is not
/// used.
///
/// Nothing here throws: a cache that cannot be read or written is an empty one.  Several processes
/// and threads may share a folder.
class ObjectCache {
public:
  /// `maker`: the program that made the objects, its version, and the machine that they are for.
  ObjectCache(const std::filesystem::path& folder, std::size_t byte_limit, std::string maker);
  ~ObjectCache();
  ObjectCache(const ObjectCache&) = delete;
  ObjectCache& operator=(const ObjectCache&) = delete;

  std::optional<std::string> find(const std::string& key) const;
  /// Whether it lies there now.  Some keys, one in 256, also have the entries dropped that have not
  /// been used for longest, if all together have more bytes than the limit.
  bool store(const std::string& key, std::string_view object) const;
  /// Why the folder is not used although it is there; empty if there is no such reason.
  const std::string& refusal() const { return refusal_; }

private:
  void shrink() const;

  int folder_ = -1; ///< a descriptor: names may come to mean another folder
  std::size_t byte_limit_;
  std::string maker_;
  std::string refusal_;
};

/// Why this user's objects (lang/base/cache_folder.h) are neither kept nor found, where somebody
/// should know of it.
std::string object_cache_refusal();

} // namespace sinter::jit
