// Where results go: a terminal, a stream, a notebook.  What has something to show knows only this.
#pragma once

#include "repl/display.h"
#include "repl/session.h"

#include <ostream>
#include <string>
#include <string_view>

namespace sinter::repl {

/// Something to look at or to listen to, encoded.
struct Media {
  std::string mime_type; ///< "image/png", "image/svg+xml", "image/gif", "audio/wav", …
  std::string bytes;
  std::string description; ///< for those who can't see it: "image, 200 x 300 pixels"
};

class Presenter {
public:
  virtual ~Presenter() = default;
  /// The value of an expression; only called for outcomes that have one.
  virtual void value(const Outcome& outcome, const DisplayOptions& options) = 0;
  /// What a command answers: plain text of whole lines.
  virtual void text(std::string_view text) = 0;
  /// Errors, warnings and remarks: whole lines, rendered.
  virtual void message(std::string_view text) = 0;
  virtual void media(const Media& media) = 0;
  /// What became of the regions of a program, with their code; as text where nothing better is
  /// known.
  virtual void explanation(const SourceMap& sources, const jit::Report& report);
};

/// Writes values and answers to `out` and messages to `err`.  Media are described, not shown.
class StreamPresenter : public Presenter {
public:
  StreamPresenter(std::ostream& out, std::ostream& err) : out_(out), err_(err) {}
  void value(const Outcome& outcome, const DisplayOptions& options) override;
  void text(std::string_view text) override;
  void message(std::string_view text) override;
  void media(const Media& media) override;

protected:
  std::ostream& out_;
  std::ostream& err_;
};

} // namespace sinter::repl
