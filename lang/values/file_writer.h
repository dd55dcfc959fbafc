// Files that are written in pieces, and never half.
#pragma once

#include "lang/values/byte_sink.h"
#include "lang/values/descriptor.h"

#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace sinter {

/// Writes through a temporary file beside the one that is meant, which takes its place, its
/// permissions and (where it is a symbolic link) that of the file it names, when all is written:
/// what was there is never half replaced.  A pipe or a device is written to as it is.
class FileWriter final : public ByteSink {
public:
  /// When what is written is to be on the disk itself.
  enum class OnDisk { Sometime, Now };

  /// Throws FormatError if the file cannot be written.
  explicit FileWriter(const std::string& path, OnDisk on_disk = OnDisk::Sometime);
  /// Without `finish` nothing has happened.
  ~FileWriter() override;
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  /// Throws FormatError, also where nobody reads a pipe any more.
  void write(std::string_view bytes) override;
  std::size_t room_before(const Leaf& leaf) const override;
  /// Takes what lies in a file of its own (spill_file.h) behind a header that has its room there:
  /// that file is what then is given the name.
  bool take(const Leaf& leaf) override;
  /// Whether `overwrite` may be called: not for a pipe or a device.
  bool can_overwrite() const { return !temporary_.empty(); }
  /// Replaces the first bytes of those that were written.  Throws FormatError.
  void overwrite(std::string_view bytes);
  /// All is written.  Throws FormatError, and then what was there still is.
  void finish();

  /// The file that would be replaced, or made, by who writes to `path`; absent if that would be
  /// written to as it is.
  static std::optional<std::string> target_of(const std::string& path);

private:
  void open_temporary();
  std::string temporary_name(int attempt) const;

  std::string path_;
  OnDisk on_disk_;
  std::string target_;                ///< what is replaced
  std::string temporary_;             ///< empty where there is none
  std::optional<mode_t> permissions_; ///< of the file that is replaced
  std::optional<Descriptor> file_;
};

} // namespace sinter
