// What the system would not do with a file.
#pragma once

#include "lang/values/format.h"

#include <cstring>
#include <string>

namespace sinter {

/// Throws FormatError: "cannot read `x.npy`: Is a directory"; `error` is the system's number.
[[noreturn]] inline void throw_file_error(const std::string& path, const std::string& what,
                                          int error) {
  throw FormatError(what + " `" + path + "`: " + std::strerror(error));
}

} // namespace sinter
