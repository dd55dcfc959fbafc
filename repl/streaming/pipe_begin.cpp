#include "repl/streaming/pipe_begin.h"

#include "lang/base/interruptible.h"
#include "lang/values/format.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <unistd.h>

namespace sinter::repl {

namespace {

/// How long a wish to end may wait.
constexpr int patience_ms = 50;
/// Real headers have a hundred bytes; a header's length may say four gigabytes.
constexpr std::size_t longest_header = std::size_t{1} << 20;

/// Appends what comes until there are so many bytes; false if that is the end.
bool read_until(int descriptor, std::string& bytes, std::size_t size, const InterruptSource& end) {
  while (bytes.size() < size) {
    poll_interruption();
    if (end.reason() != InterruptSource::Reason::None) return false;
    pollfd watched{descriptor, POLLIN, 0};
    if (poll(&watched, 1, patience_ms) <= 0) continue;
    char buffer[4096];
    const ssize_t count = read(descriptor, buffer, std::min(sizeof buffer, size - bytes.size()));
    if (count == 0) return false;
    if (count > 0)
      bytes.append(buffer, static_cast<std::size_t>(count));
    else if (errno != EINTR && errno != EAGAIN)
      throw FormatError(std::string("cannot read: ") + std::strerror(errno));
  }
  return true;
}

} // namespace

PipeBegin read_pipe_begin(int descriptor, const InterruptSource& end) {
  std::string bytes;
  while (bytes.size() < npy_magic.size()) {
    const bool goes_on = read_until(descriptor, bytes, bytes.size() + 1, end);
    if (!goes_on || !npy_magic.starts_with(bytes)) return {std::nullopt, std::move(bytes)};
  }
  std::size_t size = npy_prelude_bytes;
  bool is_whole = read_until(descriptor, bytes, size, end);
  if (is_whole) {
    size = npy_header_bytes(bytes, 0);
    if (size > longest_header)
      throw FormatError("the .npy header has " + std::to_string(size) + " bytes, too many");
    is_whole = read_until(descriptor, bytes, size, end);
  }
  if (is_whole) return {read_npy_header(bytes, 0), ""};
  if (end.reason() == InterruptSource::Reason::None)
    throw FormatError("the .npy header is cut short");
  return {};
}

} // namespace sinter::repl
