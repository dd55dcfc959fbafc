// The executable's subcommands: what each file of this folder offers to main.cpp, and what they
// share.
#pragma once

#include "repl/data/read_options.h"
#include "repl/session/session.h"

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

class Options;

/// What every command ends with; `sinter --help` lists the same.
enum ExitCode : int {
  exit_success = 0,
  exit_failed = 1,       ///< the program failed while running, or a test failed
  exit_rejected = 2,     ///< bad options, a file that cannot be read or written, malformed data, a
                         ///< program with errors
  exit_timed_out = 124,  ///< stopped by --timeout
  exit_interrupted = 130 ///< stopped by Ctrl-C
};

/// A mistake in how a command was called; its message is one line.
struct UsageError : std::exception {
  explicit UsageError(std::string message) : message(std::move(message)) {}
  const char* what() const noexcept override { return message.c_str(); }
  std::string message;
};

/// A row of the table in main.cpp.
struct Command {
  std::string_view name;
  std::string_view summary;
  /// Adds options and help to `command_line`; the result is run once they are parsed, and gives the
  /// exit code.
  std::function<int()> (*define)(Options& command_line);
  bool hidden = false;
};

std::function<int()> define_run(Options& command_line);
std::function<int()> define_stream(Options& command_line);
std::function<int()> define_check(Options& command_line);
std::function<int()> define_eval(Options& command_line);
std::function<int()> define_repl(Options& command_line);
std::function<int()> define_script(Options& command_line);
std::function<int()> define_literate(Options& command_line);
std::function<int()> define_test(Options& command_line);
std::function<int()> define_test_worker(Options& command_line);
std::function<int()> define_bench(Options& command_line);
std::function<int()> define_explain(Options& command_line);
std::function<int()> define_ir(Options& command_line);
std::function<int()> define_compare(Options& command_line);
std::function<int()> define_help(Options& command_line);
std::function<int()> define_kernel(Options& command_line);
std::function<int()> define_pkg(Options& command_line);
std::function<int()> define_devices(Options& command_line);
std::function<int()> define_pieces(Options& command_line);
std::function<int()> define_combine(Options& command_line);

/// Options about compiling, of all commands that evaluate.
class AccelerationOptions {
public:
  AccelerationOptions();
  explicit AccelerationOptions(jit::Mode mode); ///< unless another is given

  /// Adds those of the rows of jit/gate/swap_options.def that have a name.
  void add_to(Options& command_line);
  /// Throws UsageError if a name is unknown.
  jit::SwapOptions swap_options() const;
  /// The options as words of a command line.
  std::vector<std::string> words() const;

private:
  jit::SwapOptions options_;        ///< of those that are no choices
  std::deque<std::string> choices_; ///< of each that is one, its text, in the rows' order
};

/// Options that all commands which evaluate have.
struct LimitOptions {
  std::string max_memory; ///< "4G"; empty: a share of the machine's memory
  std::string timeout;    ///< "10s"; empty: none
  AccelerationOptions acceleration;

  /// Adds `--max-memory`, `--timeout` and what AccelerationOptions adds.
  void add_to(Options& command_line);
  /// Throws UsageError if a text is malformed.
  repl::SessionOptions session_options() const;
};

/// `--debug` and `--chunks`, of the commands that run a program for its results.
class DebugOption {
public:
  void add_to(Options& command_line);
  /// The same options with what was asked for.  Throws UsageError if a text is malformed.
  repl::SessionOptions in(repl::SessionOptions options) const;
  /// The options as words of a command line.
  std::vector<std::string> words() const;
  bool is_given() const { return text_ != "off" || !chunks_.empty(); }

private:
  std::string text_ = "off";
  std::string chunks_; ///< empty: one chunk
};

/// "512M", "4G", "1.5GiB", a plain number of bytes.  Throws UsageError.
std::size_t parse_memory(const std::string& text);
/// "500ms", "10s", "2m", "1h"; a plain number counts seconds.  Throws UsageError.
std::chrono::milliseconds parse_duration(const std::string& text);
/// Three quarters of the memory that the machine (or the control group) has.
std::size_t default_memory_limit();

/// What a command ends with when its session has done all that was asked for: the exit code.  Where
/// something is still being compiled, which nobody will run any more, the process ends here: what
/// stands in std::cout is written, and nothing is waited for.
int end_of(repl::Session& session, int code);
/// Does what a command does in a session of its own, which gives the exit code, and ends so.
int in_session(repl::SessionOptions options, const std::function<int(repl::Session&)>& action);

/// The exit code that belongs to an outcome.
int exit_code(const repl::Outcome& outcome);

/// An entry point by name; throws UsageError that lists those there are.
core::EntryPoint find_entry(repl::Session& session, const check::CheckedFile& file,
                            const std::string& name);

/// Options of all commands that read data files.
class InputOptions {
public:
  /// Adds `--input`, and what `:read` has for tables and raw files.
  void add_to(Options& command_line);
  /// Standard input ("-") if none is given.
  std::vector<std::string> files() const;
  /// Throws UsageError if a text is malformed.
  repl::ReadOptions read_options() const;

private:
  struct Given {
    const repl::ReadOption* option;
    std::vector<std::string> values;
    bool is_set = false; ///< of one without a value
  };
  std::vector<std::string> files_;
  std::deque<Given> given_; ///< one for each that there is
};

/// Reads an entry point's arguments from the inputs in turn, each typed by its parameter.  Throws
/// FormatError that names the parameter and its type, also for a value too many.
std::vector<Value> read_arguments(repl::Session& session, const core::EntryPoint& entry,
                                  const InputOptions& inputs);

/// `--output` and `--binary`, of the commands that write results.
class OutputOptions {
public:
  void add_to(Options& command_line);
  /// Throws UsageError if a result has no such form, and FormatError if it cannot be written.
  void write(const core::EntryPoint& entry, const std::vector<Value>& results) const;
  bool is_given() const { return !file_.empty() || is_binary_; }
  /// Where large results may lie that memory has no room for; empty if they would go through memory
  /// anyway.
  std::string spill_path() const;

private:
  bool is_npy() const { return file_.ends_with(".npy"); }
  bool is_raw() const { return file_.ends_with(".raw"); }
  void write_to(ByteSink& out, const core::EntryPoint& entry,
                const std::vector<Value>& results) const;

  std::string file_; ///< empty: standard output
  bool is_binary_ = false;
};

/// Options of `run` about one piece of the work.
class PieceOptions {
public:
  void add_to(Options& command_line);
  bool is_given() const { return !piece_.empty() || !indices_.empty() || !partial_.empty(); }
  /// Throws UsageError if what is given does not go together, or is malformed.
  void require_sense() const;
  const std::string& partial() const { return partial_; }
  bool may_be_inexact() const { return is_inexact_; }
  /// The indices of the piece, the second one behind its end.  Throws UsageError.
  std::pair<std::int64_t, std::int64_t> indices(std::int64_t extent, std::int64_t row) const;

private:
  std::string piece_;   ///< "1/4"
  std::string indices_; ///< "0:4096"
  std::string partial_;
  bool is_inexact_ = false;
};

/// Computes a piece of the entry point's work on the arguments and writes its state; gives the exit
/// code.
int run_piece(repl::Session& session, const core::EntryPoint& entry,
              const std::vector<Value>& arguments, const PieceOptions& options);
/// The entry point's code for pieces; null: it was told on standard error why there is none.
std::unique_ptr<jit::PieceProgram> require_pieces(repl::Session& session,
                                                  const core::EntryPoint& entry);

/// Arguments for a run: those that the entry point consumes are copies, so that no run pays for it.
std::vector<Value> with_copies(repl::Session& session, const core::EntryPoint& entry,
                               const std::vector<Value>& arguments);

/// The entry point's results one by one (a tuple is spread).
std::vector<Value> spread_results(const core::EntryPoint& entry, Value result);

} // namespace sinter
