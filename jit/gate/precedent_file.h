// Precedents in a file, for all processes of a user.
#pragma once

#include "jit/gate/precedents.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <vector>

namespace sinter::jit {

/// Where they lie in the folder of the cache.  Who drops code from there drops this file too: what
/// is still used is found out again.
inline constexpr const char* precedent_file_name = "precedents";

/// A table of fixed size: an occasion has its place, which the last of several keeps.  An entry
/// says itself which occasion it is for, and has a check: what is damaged counts as absent.  An
/// occasion is the same one in another process if all of the program that it reaches
/// (lang/core/digest.h) and the version of Sinter are the same.  (Who runs several versions or
/// processors in turn with one cache has precedents without code now and then.)
///
/// Nothing here throws: a file that cannot be read or written is an empty one.  Another user's is
/// not read, nor one that others may write to.
class PrecedentFile final : public Precedents {
public:
  static constexpr std::size_t entry_count = 4096;

  /// Nothing: there are none.
  explicit PrecedentFile(const std::optional<std::filesystem::path>& folder);

  std::optional<Precedent> find(const Occasion& occasion) override;
  void note(const Occasion& occasion, std::int64_t nanoseconds) override;
  void note_in_parts(const Occasion& occasion) override;
  void forget(const Occasion& occasion) override;

private:
  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t microseconds : 31 = 0;
    std::uint32_t is_in_parts : 1 = 0;
    std::uint32_t check = 0;
  };
  static std::uint32_t check_of(const Entry& entry);
  void read();
  /// The entry of an occasion; null: there is none.
  Entry* known(std::uint64_t key);
  void write(Entry entry, std::size_t place);

  std::filesystem::path path_; ///< empty: none
  std::mutex mutex_;           ///< of what follows
  bool is_read_ = false;
  std::vector<Entry> entries_; ///< none, or as many as there may be
};

} // namespace sinter::jit
