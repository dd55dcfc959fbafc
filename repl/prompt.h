// The prompt: reads inputs, shows results, obeys commands.
#pragma once

#include "repl/display.h"
#include "repl/line_editor.h"
#include "repl/session.h"

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

struct PromptOptions {
  SessionOptions session;
  DisplayOptions display;
  std::string banner; ///< shown first, if not empty
};

class Prompt {
public:
  /// Results go to `out`, everything else to `err`.
  Prompt(PromptOptions options, std::ostream& out, std::ostream& err);
  ~Prompt();

  /// Loads a file as `:load` does; whether it could be.
  bool load(const std::string& path);
  /// Reads and obeys until the input ends or `:quit`.
  void run(LineEditor& editor);
  /// What may stand at the end of `line` instead of its last word: names, commands, files.
  std::vector<std::string> complete(std::string_view line) const;

private:
  struct Command;
  static const std::vector<Command>& commands();

  std::unique_ptr<Session> new_session();
  void obey(const std::string& line);
  void stop_at(Span place, std::span<const StackFrame> frames);
  void show_place(Span place, std::span<const StackFrame> frames);
  void show(const Outcome& outcome);
  void fail(const std::string& message);

  void command_load(const std::string& argument);
  void command_reload(const std::string& argument);
  void command_type(const std::string& argument);
  void command_set(const std::string& argument);
  void command_explain(const std::string& argument);
  void command_help(const std::string& argument);
  void command_doc(const std::string& argument);
  void command_source(const std::string& argument);
  void command_browse(const std::string& argument);
  void command_time(const std::string& argument);
  void command_quit(const std::string& argument);

  PromptOptions options_;
  std::ostream& out_;
  std::ostream& err_;
  std::unique_ptr<Session> session_;
  LineEditor* editor_ = nullptr; ///< while `run` runs
  std::string loaded_path_;
  bool quit_ = false;
  bool ignore_breaks_ = false; ///< for the rest of one evaluation
};

} // namespace sinter::repl
