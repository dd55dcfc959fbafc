// The prompt: reads inputs from a line editor and feeds a console with them.
#pragma once

#include "repl/console.h"
#include "repl/line_editor.h"

#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

struct PromptOptions {
  ConsoleOptions console;
  std::string banner; ///< shown first, if not empty
};

class Prompt {
public:
  Prompt(PromptOptions options, Presenter& presenter);
  Prompt(const Prompt&) = delete; // its console calls it back
  Prompt& operator=(const Prompt&) = delete;

  /// Reads and obeys until the input ends or `:quit`.
  void run(LineEditor& editor);
  Console& console() { return console_; }

private:
  void stop_at(Span place, std::span<const StackFrame> frames);
  void show_place(Span place, std::span<const StackFrame> frames);

  std::string banner_;
  Presenter& presenter_;
  LineEditor* editor_ = nullptr; ///< while `run` runs
  bool ignore_breaks_ = false;   ///< for the rest of one evaluation
  Console console_;
};

} // namespace sinter::repl
