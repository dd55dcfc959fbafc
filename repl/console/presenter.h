// Where results go: a terminal, a stream, a notebook.  What has something to show knows only this.
#pragma once

#include "repl/display/display.h"
#include "repl/pictures/media.h"
#include "repl/session/session.h"

#include <ostream>
#include <string>
#include <string_view>

namespace sinter::repl {

/// How drawings are wanted: as characters, they come through `text`.
struct DrawingForm {
  Drawing drawing = Drawing::Png;
  int columns = 80, rows = 24; ///< of characters
  bool color = false;          ///< of characters
};

class Presenter {
public:
  virtual ~Presenter() = default;
  /// The value of an expression; only called for outcomes that have one.
  virtual void value(const Outcome& outcome, const DisplayOptions& options) = 0;
  /// What was defined: "f : i32 -> i32".  `is_by_default`: numbers in it got the usual types, which
  /// nobody has asked for.
  virtual void definition(std::string_view text, [[maybe_unused]] bool is_by_default) {
    this->text(std::string(text) + "\n");
  }
  /// What a command answers: plain text of whole lines.
  virtual void text(std::string_view text) = 0;
  /// Errors, warnings and remarks: whole lines, rendered.
  virtual void message(std::string_view text) = 0;
  virtual void media(const Media& media) = 0;
  virtual DrawingForm drawing_form() const { return {}; }
  /// A long text that one wants to turn the pages of, where that is possible.
  virtual void pages(std::string_view text) { this->text(text); }
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
