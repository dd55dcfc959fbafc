#include "lang/check/loader.h"

#include "lang/prelude/prelude.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sinter::check {
namespace {

constexpr std::string_view prelude_folder = "/prelude/";

std::string canonical_key(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path result = std::filesystem::weakly_canonical(path, error);
  return (error ? path.lexically_normal() : result).string();
}

} // namespace

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
  std::filesystem::path file(std::string(path) + ".fut");
  if (importer && file.is_relative())
    file = std::filesystem::path(importer->display).parent_path() / file;
  return {canonical_key(file), file.lexically_normal().string()};
}

std::optional<std::string> read_file(const FileLocation& location, std::string& why) {
  if (location.is_prelude()) {
    for (const prelude::File& file : prelude::files())
      if (location.key == std::string(prelude_folder) + std::string(file.name))
        return std::string(file.text);
    why = "the prelude has no such file";
    return std::nullopt;
  }
  std::error_code none; // what is wrong with the path is told when it is opened
  if (std::filesystem::is_directory(location.display, none)) {
    why = "it is a folder";
    return std::nullopt;
  }
  errno = 0;
  std::ifstream stream(location.display, std::ios::binary);
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  // An empty file leaves the output stream failed: nothing was written to it.
  if (!stream.is_open() || stream.bad()) {
    why = errno ? std::strerror(errno) : "it cannot be read";
    return std::nullopt;
  }
  return std::move(text).str();
}

} // namespace sinter::check
