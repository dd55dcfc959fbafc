#include "repl/pictures/codecs.h"

#include "lang/base/plugin.h"

#include <stdexcept>

namespace sinter::repl {

const Codecs& codecs() {
  static const Codecs& opened = [&]() -> const Codecs& {
    try {
      auto* open = reinterpret_cast<const Codecs* (*)()>(
          open_plugin("sinter_pictures", "sinter_open_codecs"));
      return *open();
    } catch (const std::runtime_error& error) {
      throw FormatError(std::string("the library for pictures cannot be opened: ") + error.what());
    }
  }();
  return opened;
}

} // namespace sinter::repl
