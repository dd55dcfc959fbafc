// The conversation while an evaluation has stopped, at a `#[break]` or at a step: its variables are
// names there, expressions are evaluated, and it is told how to go on.
#pragma once

#include "repl/console/console.h"
#include "repl/editor/line_editor.h"
#include "repl/observing/stepper.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sinter::repl {

class BreakPrompt {
public:
  BreakPrompt(Console& console, Presenter& presenter);
  ~BreakPrompt();
  BreakPrompt(const BreakPrompt&) = delete;
  BreakPrompt& operator=(const BreakPrompt&) = delete;

  /// Who is asked; null: nobody, and breaks are passed.  Outlives the conversations.
  void set_editor(LineEditor* editor) { editor_ = editor; }
  /// Before each input: what was said of breaks of the one before is over.
  void begin_input();
  /// Talks until the evaluation is to go on.  Throws a RuntimeError to give it up.
  void stop_at(const BreakPlace& place) { stop_at(place, Reason::Break, {}, {}); }

private:
  enum class Next { Stay, Continue, Step, Over, Abort };
  enum class Reason { Break, Call, Step };
  void stop_at(const BreakPlace& place, Reason reason, const std::string& function,
               const std::vector<std::string>& lost);
  std::string described(Span span);
  void show_variables(const BreakPlace& place, bool only_new);
  void tell_of_lost(const std::string& input);
  void go_to(std::size_t frame, const BreakPlace& place);
  Next obey(const std::string& input, const BreakPlace& place);
  void step(Stepper::Mode mode);

  Console& console_;
  Presenter& presenter_;
  LineEditor* editor_ = nullptr;
  std::unique_ptr<Stepper> stepper_;         ///< once somebody has stepped
  std::map<std::string, std::string> shown_; ///< the variables that were shown last, as text
  /// Variables in scope that have no values any more: of the innermost call, and of the one that
  /// `:up` and `:down` have gone to.
  std::vector<std::string> lost_innermost_, lost_;
  std::size_t frame_ = 0;      ///< that `:up` and `:down` have gone to, 0 the innermost
  bool ignore_breaks_ = false; ///< for the rest of one evaluation
  bool is_talking_ = false;    ///< breaks inside of what is evaluated here are passed
};

} // namespace sinter::repl
