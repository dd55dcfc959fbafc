// A console: a session with the commands that begin with `:`.  The prompt feeds it lines, a
// notebook feeds it cells; what it has to show goes to a presenter.  It reads nothing by itself.
#pragma once

#include "repl/console/presenter.h"
#include "repl/display/progress_line.h"
#include "repl/session/session.h"
#include "repl/text/completions.h"
#include "repl/text/entries.h"

#include <filesystem>
#include <memory>
#include <span>
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
  /// The name of texts that come from no file.
  static constexpr std::string_view prompt_name = "<prompt>";

  Console(ConsoleOptions options, Presenter& presenter);
  ~Console();

  enum class Progress { Done, Failed, Quit };
  /// Obeys an entry of the text that is called `name`.  One that can only go on (`in f 41`) is read
  /// together with the code before it, whose effect is taken back.
  Progress submit(const Entry& entry, const std::string& name = std::string(prompt_name));
  /// Obeys the entries of what was typed, in turn, up to the first that fails.
  Progress submit(const std::string& text);
  /// The same as for `submit`, but values and definitions are not shown.
  Progress submit_quietly(const Entry& entry, const std::string& name);
  /// What comes now has nothing to do with what was submitted before.
  void begin_text() { last_code_.clear(); }
  /// How the last entry failed, without its messages.
  const Outcome& failure() const { return failure_; }
  /// Reads the settings that were kept, but for the names in `except`, and obeys the start-up file;
  /// what is wrong there is shown and nothing else.
  void start_up(std::span<const std::string> except = {});
  /// Loads a file as `:load` does; whether it could be.
  bool load(const std::string& path);
  /// Lets file names without a root mean files of another folder, for the whole process; what was
  /// loaded stays.  Gives what was wrong, or nothing.
  std::optional<std::string> change_folder(const std::string& path);
  /// What the end of an input may become: names, commands and what they take, files.
  Completions complete(std::string_view input) const;

  // ---- for commands ----------------------------------------------------------------------------

  Session& session() { return *session_; }
  const Session& session() const { return *session_; }
  Presenter& presenter() { return presenter_; }
  ConsoleOptions& options() { return options_; }
  const ConsoleOptions& options() const { return options_; }
  const std::string& loaded_path() const { return loaded_path_; }
  /// The settings before `start_up` changed them; see `save_settings`.
  const std::vector<std::string>& initial_settings() const { return initial_settings_; }
  /// The text that is read: a file's path, or `prompt_name`.
  const std::string& text_name() const { return text_name_; }
  /// Forgets what the prompt has defined, and the file.
  void clear();
  /// Whether the loaded file is loaded again before an input if it has changed.
  bool is_watching() const { return is_watching_; }
  void watch(bool on) { is_watching_ = on; }
  /// Shows an error; the input counts as failed.
  void fail(const std::string& message);
  /// Shows messages and the value if there is one; a failure counts.
  void show(const Outcome& outcome);
  /// Evaluates an input that Ctrl-C can stop.
  Outcome evaluate(const std::string& input) { return evaluate(input, std::string(prompt_name)); }
  void quit() { quit_ = true; }
  /// While it lives, a terminal shows that this is being done: "reading x.csv".  May be null.
  std::shared_ptr<ProgressLine> busy(const std::string& what);
  /// While it lives, the progress of what was being done is not drawn: somebody else reads and
  /// writes, and may be busy with other things.
  class WithoutProgress {
  public:
    explicit WithoutProgress(Console& console);
    ~WithoutProgress();
    WithoutProgress(const WithoutProgress&) = delete;
    WithoutProgress& operator=(const WithoutProgress&) = delete;

  private:
    Console& console_;
    std::shared_ptr<ProgressLine> hidden_; ///< may be null
  };

private:
  void reload_if_changed();
  Outcome evaluate(const std::string& input, const std::string& name);
  void evaluate_entry(const Entry& entry, const std::string& name);
  void obey(const std::string& line);
  void obey_directive(const Entry& entry, const std::string& name);

  ConsoleOptions options_;
  Presenter& presenter_;
  std::unique_ptr<Session> session_;
  std::string loaded_path_;
  std::filesystem::file_time_type loaded_time_{}; ///< of the file when it was loaded
  bool is_watching_ = false;
  std::vector<std::string> initial_settings_;
  std::weak_ptr<ProgressLine> progress_; ///< of what is being done
  bool quit_ = false;
  bool failed_ = false; ///< the entry that is obeyed
  Outcome failure_;
  bool is_quiet_ = false;
  std::string text_name_{prompt_name};
  std::string place_;     ///< of a command in a file, to begin its errors with
  std::string last_code_; ///< the code before the entry, if it is to be gone on with
  Outcome last_outcome_;  ///< of that, without its value
};

} // namespace sinter::repl
