// A session: what the prompt, scripts, notebooks and the command line share.  It owns the source
// texts, the checker, the resolved program and the evaluator, and it never dies of a user's error.
#pragma once

#include "jit/gate/gate.h"
#include "lang/base/diagnostic.h"
#include "lang/base/interrupt.h"
#include "lang/base/runtime_error.h"
#include "lang/check/checker.h"
#include "lang/core/specialise.h"
#include "lang/eval/evaluator.h"
#include "lang/values/field_order.h"
#include "lang/values/format.h"
#include "repl/session/dependency_graph.h"
#include "repl/text/completions.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

struct SessionOptions {
  std::size_t max_memory_bytes = SIZE_MAX;
  std::optional<std::chrono::milliseconds> timeout; ///< for each evaluation
  bool color = false;
  jit::SwapOptions acceleration; ///< interprets by default
  /// Whether assumptions are tested (lang/eval/assumptions.h).  Then everything is interpreted.
  Debugging debugging = Debugging::Off;
  /// Where what may be computed in chunks is cut.  If it is, everything is interpreted.
  Chunking chunking;
  bool accelerates_all = false; ///< every entry point that is loaded is taken for marked
  /// What `#[trace]` shows; standard error by default.
  std::function<void(const std::string&)> trace;
  /// What `#[break]` does; null: nothing.  It may throw a RuntimeError to give the evaluation up.
  std::function<void(const BreakPlace&)> breakpoint;
  /// How many results keep a number (`it1`, `it2`, …): older ones are forgotten, unless a
  /// definition uses them; so are those that take more than half of the memory there may be.
  std::size_t result_limit = 100;
  /// After so many inputs (more, where much is defined; 0: each) the session lets go what nothing
  /// needs any more: see program_state.h.
  std::size_t renewal_interval = 1000;
};

/// How an input ended.  `messages` may hold warnings whatever the kind.
struct Outcome {
  enum class Kind { Done, Value, CheckFailed, RunFailed, Incomplete };
  Kind kind = Kind::Done;
  Value value; ///< of Kind::Value
  const Representation* representation = nullptr;
  std::string name;      ///< of a value that got one: "it3"
  std::string type_text; ///< "[3]i32", sizes as the value shows them
  FieldOrder order;      ///< in which the value's fields are seen
  /// Of values that were defined, "f : i32 -> i32".
  std::vector<std::string> definitions;
  bool has_default_types = false;     ///< of numbers in what was defined
  bool is_change = false;             ///< of the scope: `undo` takes it back
  std::string messages;               ///< rendered errors and warnings, for stderr
  std::optional<FailureKind> failure; ///< of Kind::RunFailed
  bool ok() const { return kind == Kind::Done || kind == Kind::Value; }
};

class Session {
public:
  explicit Session(SessionOptions options = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Checks a file and makes its names the scope around the prompt's own definitions, of which
  /// those remain that still have a type; results remain.  After an error nothing is changed.
  Outcome load(const std::string& path);
  /// One prompt input: declarations, or an expression whose value becomes `it` and, numbered,
  /// `it3`.  Declared constants are evaluated at once.  With errors, also while running, nothing is
  /// changed.  Definitions that use what is defined anew are checked again (see definitions.h); the
  /// outcome's messages say what became of them.
  Outcome submit(std::string text, const std::string& name = "<prompt>");
  /// Binds a name to a value from outside: scalars, arrays, records and sums of them, nothing with
  /// a function in it.  A name that is no identifier is refused.
  Outcome define(const std::string& name, Value value, const Representation* type);
  /// The type of an expression, not evaluated (in `type_text`).
  Outcome type_of(std::string text);
  /// An expression that was checked, to be evaluated as often as one likes until the next input;
  /// nothing is bound.
  struct Prepared {
    Outcome outcome; ///< Kind::Done, or what was wrong
    core::Toplevel toplevel;
    const core::Global* global = nullptr; ///< whose value it is, if it is but a name of one
    const Representation* representation = nullptr;
    const types::Type* type = nullptr;
  };
  Prepared prepare(std::string text, const std::string& name = "<prompt>");
  /// Times an expression: once to warm up, then again and again (at least twice) until `enough` is
  /// over, 2^17 times at most.  Nothing is bound.  The outcome has the last value, or the fault.
  struct Timing {
    Outcome outcome;
    std::vector<double> seconds; ///< of each run but the first, sorted
    double first_seconds = 0;
  };
  Timing time(std::string text, std::chrono::milliseconds enough);
  /// Takes the last change of the scope back (a definition, a result, a file loaded).
  Outcome undo();
  /// Lets a name mean a value.  `type` is its type as one declares it: "[3]i32"; the value must be
  /// of that type.
  Outcome define(const std::string& name, const std::string& type, Value value);
  /// Forgets all that the prompt has defined, and the file; `undo` brings it back.
  void clear();
  /// Takes a name that the prompt gave, and the value behind it, out of the session.
  Outcome forget(const std::string& name);
  /// A variable in scope (no function).
  struct VariableInfo {
    std::string name;
    std::string type;  ///< with the sizes that the value shows, if it is known
    std::string place; ///< "<prompt>:1:5"; "read data"
    /// Of memory that its value takes; nothing if that was not computed yet.
    std::optional<std::size_t> bytes;
    bool is_in_file = false; ///< all of its arrays lie in files, and take no memory
    bool is_result = false;
  };
  /// Those of the prompt and of the loaded file, the oldest first.
  std::vector<VariableInfo> variables();
  /// The value of a variable that the prompt defined, if it has been computed, and its
  /// representation; nullptrs if not.
  std::pair<const Value*, const Representation*> value_of(const DependencyEntry& entry);
  /// What was defined at the prompt.
  const DependencyGraph& dependencies() const;
  /// How many results have got a number so far; set when a session is restored.
  std::size_t result_count() const;
  void set_result_count(std::size_t count);
  void set_result_limit(std::size_t count);

  /// Between these two, while an evaluation has stopped, its variables are names; what is defined
  /// there is gone afterwards.  They nest.
  void begin_inspection(const BreakPlace& place);
  void end_inspection();

  /// Calls `action` with a place whose calls are those that the user knows of.
  static void without_hidden(const BreakPlace& place,
                             const std::function<void(const BreakPlace&)>& action);
  /// Who goes through evaluations step by step; null: nobody.
  void go_by_steps(StepObserver* steps);
  /// Who is offered the calls and operations of evaluations instead of the session's own
  /// accelerator; null: nobody else.
  void observe(Accelerator* observer);

  /// What the last word of `text` may become: see `complete_names`.
  Completions complete(std::string_view text) const;

  /// What the loaded file and the prompt have defined; the prelude is around it.
  const check::Environment& environment() const;
  SourceMap& sources();
  Representations& representations();
  /// These, and functions in values, live until the next input.
  check::Checker& checker();
  core::Specialiser& specialiser();
  Evaluator& evaluator();
  MemoryBudget& memory();
  InterruptSource& interrupt();
  const SessionOptions& options() const;
  /// For each evaluation from now on; none: no limit.
  void set_timeout(std::optional<std::chrono::milliseconds> timeout);
  void set_memory_limit(std::size_t bytes);
  void set_color(bool on);
  /// How evaluations from now on are accelerated.
  void accelerate(const jit::SwapOptions& options);
  /// Whether evaluations from now on test assumptions.
  void debug(Debugging debugging);
  struct BrokenAssumptions {
    Outcome outcome;
    std::vector<std::string> sentences; ///< what does not hold, one each
  };
  /// Does something that evaluates, as `guarded` does, with assumptions tested.  What it shows is
  /// not shown again.
  BrokenAssumptions broken_assumptions(const std::function<void()>& action);
  /// Opens the JIT, and returns when what waits to be compiled is compiled.
  /// False: it cannot be opened.
  bool finish_compiling();
  /// Whether something is being compiled that the session's end would wait for.
  bool is_compiling();
  /// What became of the sites that evaluations met; empty if the JIT was not needed yet.
  jit::Report report(const jit::ReportOptions& options = {});
  void clear_report();
  /// What is known of the marked expressions that the loaded file's definitions reach, or where
  /// `accelerates_all` its entry points; empty if the JIT cannot be opened.
  std::vector<jit::MarkReport> marks();
  /// An entry point of the loaded file, cut into pieces; null if the JIT cannot be opened.  Lives
  /// until the next input.
  std::unique_ptr<jit::PieceProgram> in_pieces(const core::EntryPoint& entry);
  /// The file that was loaded last; null if none.
  const check::CheckedFile* loaded() const;
  /// Runs `action`, which evaluates, under the session's limits, turning RuntimeErrors into an
  /// outcome.
  Outcome guarded(const std::function<Value()>& action);
  /// The same of what does anything else that may take long: reads, writes, draws.
  Outcome limited(const std::function<void()>& action);

private:
  Outcome obey(std::string text, const std::string& name);
  /// In their order; ends at the first that fails, whose outcome this is.
  Outcome evaluate_constants(const std::vector<syntax::Declaration*>& declarations);

  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

} // namespace sinter::repl
