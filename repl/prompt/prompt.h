// The prompt: reads inputs from a line editor and feeds a console with them.
#pragma once

#include "repl/console/console.h"
#include "repl/editor/line_editor.h"
#include "repl/prompt/break_prompt.h"

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
  std::string banner_;
  Presenter& presenter_;
  Console console_;
  BreakPrompt breaks_;
};

} // namespace sinter::repl
