// Documents: Markdown with the media in files beside it, or one HTML page that has all in itself.
#pragma once

#include "repl/literate/directives.h"
#include "repl/literate/document.h"

#include <memory>
#include <string>
#include <string_view>

namespace sinter::repl {

/// Collects a document block by block.
class DocumentWriter {
public:
  virtual ~DocumentWriter() = default;
  virtual void prose(std::string_view markdown) = 0;
  virtual void code(std::string_view program) = 0;
  /// The directive as it is written, then what became of it.
  virtual void directive(std::string_view text) = 0;
  /// `html` may be empty: the text is all there is.
  virtual void value(std::string_view text, std::string_view html = {}) = 0;
  virtual void failure(std::string_view messages) = 0;
  /// Throws FormatError if a file cannot be written.
  virtual void media(const Media& media, const std::string& file) = 0;
  /// The whole document.
  virtual std::string finish() = 0;
};

/// Media become files in `folder` (made on need), referred to as `reference`/name.
std::unique_ptr<DocumentWriter> markdown_writer(const std::string& folder,
                                                const std::string& reference);
/// Everything in it that comes from the script is escaped.
std::unique_ptr<DocumentWriter> html_writer(const std::string& title);

struct LiterateOptions {
  std::string output; ///< ends with .html: a page, else Markdown
  bool stop_on_error = false;
};

struct Document {
  Outcome outcome;       ///< of the loading or of the first entry that failed
  bool is_whole = false; ///< nothing has ended it early
};
/// The document of a script, whose drawings are made in a form.
Document make_document(ConsoleOptions console, const std::string& path, bool stop_on_error,
                       DocumentWriter& writer, Drawing drawing,
                       const std::function<void(const std::string&)>& complain);

/// Obeys a script as `run_script` does, and writes the document.  `complain` gets each message. The
/// outcome is that of the loading or of the first entry that failed; after it the document is
/// written all the same unless `stop_on_error`.  Throws FormatError if it can't be written.
Outcome write_document(ConsoleOptions console, const std::string& path,
                       const LiterateOptions& options,
                       const std::function<void(const std::string&)>& complain);

} // namespace sinter::repl
