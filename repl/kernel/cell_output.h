// What a cell of a notebook may show, by MIME type.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter::repl {

/// The same thing in several forms, of which a front end chooses the richest that it can show:
/// pairs of MIME type and contents.  Contents are text; those of binary types are in base 64.
using MimeBundle = std::vector<std::pair<std::string, std::string>>;

class CellOutput {
public:
  enum class Stream { Out, Error };

  virtual ~CellOutput() = default;
  /// Plain text, which may hold terminal escapes.
  virtual void stream(Stream stream, std::string_view text) = 0;
  /// `description` is for those who cannot see pictures in it; may be empty.
  virtual void display(const MimeBundle& bundle, std::string_view description = {}) = 0;
  /// The value that the cell ends with; at most once a cell.
  virtual void result(const MimeBundle& bundle) = 0;
};

/// RFC 4648, with padding and without line breaks.
std::string base64(std::string_view bytes);

} // namespace sinter::repl
