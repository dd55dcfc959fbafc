// Results on a terminal: elided by its size, pictures in it, long texts in a pager.
#pragma once

#include "repl/pictures/codecs.h"
#include "repl/prompt/color_presenter.h"

#include <memory>
#include <optional>

namespace sinter::repl {

class TerminalPresenter : public ColorPresenter {
public:
  /// `color`: whether colours may be used.
  TerminalPresenter(std::ostream& out, std::ostream& err, bool color)
      : ColorPresenter(out, err), color_(color) {}
  /// The options' sizes are replaced by those of the terminal as it is now.
  void value(const Outcome& outcome, const DisplayOptions& options) override;
  /// Messages are broken into lines between words.
  void message(std::string_view text) override;
  /// Images are drawn and animations played (until Ctrl-C); the rest is described.
  void media(const Media& media) override;
  DrawingForm drawing_form() const override;
  /// In `$PAGER`, else `less`, if the text is longer than the screen.
  void pages(std::string_view text) override;

protected:
  bool color_;

private:
  void play(const Media& media);
  /// Asks the terminal, at the first picture, whether it shows sixels.
  TerminalRoom room() const;

  mutable std::optional<bool> has_sixels_; ///< once it was asked
};

std::unique_ptr<Presenter> make_terminal_presenter(std::ostream& out, std::ostream& err,
                                                   bool color);
/// For what writes to standard output, a terminal or not.
std::unique_ptr<Presenter> presenter_for_output(std::ostream& out, std::ostream& err);

/// The options for a terminal of the size that standard output has now.
DisplayOptions for_terminal(DisplayOptions options);

} // namespace sinter::repl
