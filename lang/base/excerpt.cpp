#include "lang/base/excerpt.h"

namespace sinter {

std::string excerpt(std::string_view text, std::size_t limit) {
  std::string line(text.substr(0, text.find('\n')));
  bool cut = line.size() < text.size();
  if (line.size() > limit) {
    std::size_t end = limit;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U)
      --end;
    line.resize(end);
    cut = true;
  }
  return cut ? line + "…" : line;
}

} // namespace sinter
