// Arrays that memory has no room for, in files that may become the ones they are results of.
#pragma once

#include "lang/base/lost_pages.h"
#include "lang/values/descriptor.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sinter {

/// A mapped file without a name, and its disk space: it ends with its owner, or with the process,
/// unless it is given a name.  Its pages are the system's cache, and take no memory of ours.
class SpillFile {
public:
  /// What is smaller is not worth a file.
  static constexpr std::size_t least_bytes = std::size_t{1} << 20;
  /// So many bytes of the file lie before the contents: the header of nearly every .npy.
  static constexpr std::size_t room_before = 128;

  /// Room for so many bytes, all zero, on the file system that `path` is on.  What is taken of the
  /// disk is taken at once, so that there is no surprise later.  Throws FormatError that names
  /// `path` if the system has no such file.
  SpillFile(const std::string& path, std::size_t bytes);
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  /// At a multiple of 64.
  std::byte* contents() const { return base_ + room_before; }
  int descriptor() const { return file_.number(); }
  /// Whether what was written may be lost, since the disk failed.
  bool is_damaged() const { return lost_->is_damaged(); }
  /// Makes it a file with that name: `header`, of `room_before` bytes, and so many of the contents.
  /// False, with the system's `errno`, and nothing is visible, if that does not work.  The contents
  /// may still be read.
  bool become(const std::string& name, std::string_view header, std::size_t bytes);

private:
  Descriptor file_;
  std::byte* base_ = nullptr;
  std::size_t size_;
  std::optional<LostPages> lost_;
};

} // namespace sinter
