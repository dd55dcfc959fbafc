// A console: a session with the commands that begin with `:`.  The prompt feeds it lines, a
// notebook feeds it cells; what it has to show goes to a presenter.  It reads nothing by itself.
#pragma once

#include "repl/completions.h"
#include "repl/presenter.h"
#include "repl/progress_line.h"
#include "repl/session.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

struct ConsoleOptions {
  SessionOptions session;
  DisplayOptions display;
  bool shows_progress = false; ///< on the terminal, of what takes longer than a second
};

class Console {
public:
  Console(ConsoleOptions options, Presenter& presenter);
  ~Console();

  enum class Progress { Done, Failed, Incomplete, Quit };
  /// Obeys one input: a command, declarations or an expression.  Incomplete: it wants more lines,
  /// and nothing was shown; with `complete` there are none, which is then an error.
  Progress submit(const std::string& input, bool complete);
  /// Loads a file as `:load` does; whether it could be.
  bool load(const std::string& path);
  /// What the end of an input may become: names, commands and what they take, files.
  Completions complete(std::string_view input) const;

  // ---- for commands
  // ----------------------------------------------------------------------------------

  Session& session() { return *session_; }
  const Session& session() const { return *session_; }
  Presenter& presenter() { return presenter_; }
  ConsoleOptions& options() { return options_; }
  const std::string& loaded_path() const { return loaded_path_; }
  /// Shows an error; the input counts as failed.
  void fail(const std::string& message);
  /// Shows messages and the value if there is one; a failure counts.
  void show(const Outcome& outcome);
  /// Evaluates an input that Ctrl-C can stop.
  Outcome evaluate(const std::string& input);
  void quit() { quit_ = true; }
  /// While it lives, a terminal shows that this is being done: "reading x.csv".  May be null.
  std::shared_ptr<ProgressLine> busy(const std::string& what);

private:
  std::unique_ptr<Session> new_session();
  void obey(const std::string& line);

  ConsoleOptions options_;
  Presenter& presenter_;
  std::unique_ptr<Session> session_;
  std::string loaded_path_;
  std::weak_ptr<ProgressLine> progress_; ///< of what is being done
  bool quit_ = false;
  bool failed_ = false; ///< the input that is obeyed
};

} // namespace sinter::repl
