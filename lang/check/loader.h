// Reading of program files: which file an import means, and what is known of files already read.
#pragma once

#include "lang/base/diagnostic.h"

#include <optional>
#include <string>
#include <string_view>

namespace sinter::check {

/// A file's identity (`key`: canonical path, "/prelude/name" or "/sinter/name") and how messages
/// call it.
struct FileLocation {
  std::string key;
  std::string display;
  bool is_prelude() const { return key.starts_with("/prelude/"); }
  /// Of the library: part of the executable, else a file like any other.
  bool is_library() const;
};

/// The file given on a command line.
FileLocation locate_file(const std::string& path);
/// The file that `import "path"` means in `importer` (null: at a prompt, relative to the current
/// folder).  A relative path is resolved against the importer's folder, ".fut" is added,
/// "/prelude/…" names a file of the prelude, and "sinter/…" one of the library unless there is such
/// a file on the disk.
FileLocation locate_import(const FileLocation* importer, std::string_view path);

/// The file's text, from the disk, the prelude or the library; nullopt with the reason in `why`.
std::optional<std::string> read_file(const FileLocation& location, std::string& why);

} // namespace sinter::check
