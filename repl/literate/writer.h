// Documents: Markdown with the media in files beside it, or one HTML page that has all in itself.
#pragma once

#include "repl/literate/document.h"
#include "repl/scripts/directives.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace sinter::repl {

/// Collects a document block by block.
class DocumentWriter {
public:
  virtual ~DocumentWriter() = default;
  /// What drawings become in it.
  virtual Drawing drawing() const = 0;
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

class DocumentPresenter;

/// A console whose entries stand in a document, each with what it had to show.
class DocumentConsole {
public:
  /// `complain` gets each message.
  DocumentConsole(ConsoleOptions options, std::function<void(const std::string&)> complain);
  ~DocumentConsole();

  Session& session() { return console_.session(); }
  /// Obeys a script as `run_script` does, and gives its document to a writer.
  Document obey(const std::string& path, bool stop_on_error, DocumentWriter& writer);

private:
  std::unique_ptr<DocumentPresenter> presenter_;
  Console console_;
};

/// Obeys a script and writes the document.  The outcome is that of the loading or of the first
/// entry that failed; after it the document is written all the same unless `stop_on_error`.  Throws
/// FormatError if it can't be written.
Outcome write_document(DocumentConsole& console, const std::string& path,
                       const LiterateOptions& options);

} // namespace sinter::repl
