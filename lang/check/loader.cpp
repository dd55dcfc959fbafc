#include "lang/check/loader.h"

#include "lang/base/byte_text.h"
#include "lang/base/interruptible.h"
#include "lang/library/library.h"
#include "lang/prelude/prelude.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <span>

#include <fcntl.h>
#include <unistd.h>

namespace sinter::check {
namespace {

constexpr std::string_view prelude_folder = "/prelude/";
constexpr std::string_view library_folder = "/sinter/";
constexpr std::string_view library_import = "sinter/"; // how programs call that folder
constexpr std::string_view extension = ".fut";
/// What is longer is no program, but a device or a mistake.
constexpr std::size_t most_text = std::size_t{32} << 20;

/// Room for so much in all; false if there is none.
bool make_room(std::string& text, std::size_t bytes) {
  try {
    text.resize(bytes);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

std::string canonical_key(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path result = std::filesystem::weakly_canonical(path, error);
  return (error ? path.lexically_normal() : result).string();
}

FileLocation in_library(std::string_view path) {
  return {std::string(library_folder) + std::string(path),
          std::string(library_import) + std::string(path)};
}

/// "`sinter/fft`, `sinter/sort`": as they are imported.
std::string library_names() {
  std::string names;
  for (const library::File& file : library::files())
    names += (names.empty() ? "`" : ", `") + in_library(file.name).display + "`";
  return names;
}

/// The text of an embedded file, if there is one of this name.
template <typename File>
std::optional<std::string> embedded_text(std::span<const File> files, std::string_view name) {
  for (const File& file : files)
    if (file.name == name) return std::string(file.text);
  return std::nullopt;
}

} // namespace

bool FileLocation::is_library() const {
  // (A file on the disk has its extension in its key.)
  return key.starts_with(library_folder) && !key.ends_with(extension);
}

FileLocation locate_file(const std::string& path) {
  return {canonical_key(path), path};
}

FileLocation locate_import(const FileLocation* importer, std::string_view path) {
  if (path.starts_with(prelude_folder)) {
    std::string key(path);
    return {key, key};
  }
  if (importer && importer->is_prelude() && !path.starts_with('/')) {
    std::string key = std::string(prelude_folder) + std::string(path);
    return {key, key};
  }
  if (importer && importer->is_library() && !path.starts_with('/')) return in_library(path);
  std::filesystem::path file(std::string(path) + std::string(extension));
  if (importer && file.is_relative())
    file = std::filesystem::path(importer->display).parent_path() / file;
  std::error_code none; // what cannot be looked at is not there
  if (path.starts_with(library_import) && !std::filesystem::exists(file, none))
    return in_library(path.substr(library_import.size()));
  return {canonical_key(file), file.lexically_normal().string()};
}

std::optional<std::string> read_file(const FileLocation& location, std::string& why) {
  if (location.is_prelude()) {
    auto text = embedded_text(prelude::files(), location.key.substr(prelude_folder.size()));
    if (!text) why = "the prelude has no such file";
    return text;
  }
  if (location.is_library()) {
    auto text = embedded_text(library::files(), location.key.substr(library_folder.size()));
    if (!text) why = "there is no such file, and the library has " + library_names();
    return text;
  }
  std::error_code none; // what is wrong with the path is told when it is opened
  if (std::filesystem::is_directory(location.display, none)) {
    why = "it is a folder";
    return std::nullopt;
  }
  const int file = ::open(location.display.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    why = std::strerror(errno);
    return std::nullopt;
  }
  struct Close {
    int file;
    ~Close() { ::close(file); }
  } close{file};
  std::string text;
  for (std::size_t used = 0;;) {
    constexpr std::size_t piece = std::size_t{64} << 10;
    poll_interruption();
    if (!make_room(text, used + piece)) {
      why = "it does not fit into memory";
      return std::nullopt;
    }
    const ssize_t count = ::read(file, text.data() + used, piece);
    if (count < 0) {
      if (errno == EINTR) continue;
      why = std::strerror(errno);
      return std::nullopt;
    }
    used += static_cast<std::size_t>(count);
    if (used > most_text) {
      why =
          "it has more than " + byte_text(most_text) + ", the most that a program's text may have";
      return std::nullopt;
    }
    if (count > 0) continue;
    text.resize(used);
    return text;
  }
}

} // namespace sinter::check
