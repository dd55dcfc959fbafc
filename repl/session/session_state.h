// What a session is made of; for the files session*.cpp alone.
#pragma once

#include "jit/gate/precedent_file.h"
#include "lang/base/cache_folder.h"
#include "lang/base/interruptible.h"
#include "repl/session/definitions.h"
#include "repl/session/limits.h"
#include "repl/session/marks.h"
#include "repl/session/program_state.h"
#include "repl/session/session.h"

#include <new>
#include <system_error>
#include <utility>

namespace sinter::repl {

/// One more, for as long as it lives.
struct Counted {
  unsigned& count;
  explicit Counted(unsigned& counter) : count(counter) { ++count; }
  ~Counted() { --count; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
};

struct Session::Implementation {
  SessionOptions options;
  SourceMap sources;
  Representations representations;
  InterruptSource interrupt; // outlives mapped files
  MemoryBudget memory;       // outlives evaluators, whose globals hold buffers
  MemoryWatch memory_watch{memory, interrupt};
  std::string warnings; ///< of the gate and of the evaluator, for the next outcome
  std::vector<std::string>* broken_assumptions = nullptr; ///< takes them instead, if not null
  ExaminedLoops examined_loops;
  Accelerator* observer = nullptr;
  std::unique_ptr<ProgramState> program_state;
  Definitions definitions;
  std::size_t result_count = 0;
  /// What comes back when an inspection ends.
  struct Outer {
    Definitions definitions;
    std::size_t result_count = 0;
  };
  std::vector<Outer> outer;             ///< while inspecting
  std::size_t inputs = 0;               ///< since the program state began
  std::size_t names_before_inputs = 0;  ///< that meant something then
  std::size_t inputs_until_renewal = 0; ///< from one program state to the next
  unsigned evaluations = 0;             ///< that are running, one inside of the other
  jit::PrecedentFile precedents{cache_folder()};
  jit::Gate gate; ///< after all that compiled code uses

  explicit Implementation(SessionOptions given)
      : options(std::move(given)), memory(options.max_memory_bytes),
        program_state(new_program_state()),
        definitions(program_state->checker, sources,
                    [this](const Diagnostics& diagnostics) { return rendered(diagnostics); }),
        gate(options.acceleration, shared_with_compiled_code(),
             [this](const std::string& text) { warnings += "warning: " + text + "\n"; }) {
    inputs_until_renewal = options.renewal_interval;
    evaluator().set_accelerator(accelerator());
    memory_watch.begin(); // the prelude is nobody's
  }

  check::Checker& checker() { return program_state->checker; }
  core::Specialiser& specialiser() { return program_state->specialiser; }
  Evaluator& evaluator() { return program_state->evaluator; }

  std::unique_ptr<ProgramState> new_program_state() {
    EvaluationContext context;
    context.representations = &representations;
    context.memory = &memory;
    context.interrupt = &interrupt;
    context.sources = &sources;
    context.trace = options.trace;
    context.debugging = options.debugging;
    context.was_examined = [this](Span mark) { return examined_loops.contains(mark); };
    context.chunking = options.chunking;
    context.warn = [this](const RuntimeError& error) { warn(error); };
    if (options.breakpoint)
      context.breakpoint = [this](const BreakPlace& place) {
        Session::without_hidden(place, options.breakpoint);
      };
    return std::make_unique<ProgramState>(sources, representations, std::move(context));
  }

  jit::SwapContext shared_with_compiled_code() {
    jit::SwapContext shared;
    shared.representations = &representations;
    shared.memory = &memory;
    shared.interrupt = &interrupt;
    shared.global = [this](const core::Global& global) {
      return evaluator().shared_global(global);
    };
    shared.compute_global = [this](const core::Global& global) { evaluator().compute(global); };
    shared.precedents = &precedents;
    return shared;
  }
  Accelerator* accelerator() {
    if (observer) return observer;
    if (options.debugging != Debugging::Off) return nullptr;
    if (options.chunking.kind != Chunking::Kind::Whole) return nullptr;
    return options.acceleration.mode == jit::Mode::Interpret ? nullptr : &gate;
  }

  /// Whether a call is but the evaluation of a hidden name.
  static bool is_hidden(const StackFrame& frame) { return frame.function.starts_with("it#"); }
  static void drop_hidden(std::vector<StackFrame>& frames) { std::erase_if(frames, is_hidden); }

  std::string rendered(const Diagnostics& diagnostics) const {
    return render(sources, diagnostics, {options.color});
  }
  /// For what is typed at a prompt: that a number has the default type is what one means there.
  std::string rendered_at_prompt(const Diagnostics& diagnostics) const {
    Diagnostics shown;
    for (const Diagnostic& diagnostic : diagnostics.all())
      if (diagnostic.id != "defaulted-type") shown.add(diagnostic);
    return rendered(shown);
  }
  Outcome rejected(const Diagnostics& diagnostics) const {
    Outcome outcome;
    outcome.kind = Outcome::Kind::CheckFailed;
    outcome.messages = rendered_at_prompt(diagnostics);
    return outcome;
  }

  /// Of an assumption that does not hold.
  void warn(const RuntimeError& error) {
    if (broken_assumptions) {
      broken_assumptions->push_back(error.message);
      return;
    }
    Diagnostics diagnostics;
    diagnostics.warning(error.id, error.span, error.message);
    warnings += rendered(diagnostics);
  }

  static Outcome out_of_memory(const std::string& why) {
    Outcome outcome;
    outcome.kind = Outcome::Kind::RunFailed;
    outcome.failure = FailureKind::OutOfMemory;
    outcome.messages = "error: out of memory: " + why + "\n";
    return outcome;
  }
  /// Does something, and throws a RuntimeError if a file that values lie in changed meanwhile. Then
  /// what came of it is no result, and an error of the program need not be one.
  template <typename Action>
  Outcome action_on_files(Action&& action) {
    const auto require_unchanged_files = [&] {
      if (const std::optional<std::string> what = memory.files().change())
        throw RuntimeError(FailureKind::Program, *what + "; read it again");
    };
    try {
      Outcome outcome = action();
      require_unchanged_files();
      return outcome;
    } catch (const RuntimeError& error) {
      if (error.kind != FailureKind::Interrupted && error.kind != FailureKind::TimedOut)
        require_unchanged_files();
      throw;
    }
  }
  /// Does something under the session's limits, whose exceeding and all errors become an outcome.
  template <typename Action>
  Outcome limited(Action&& action) {
    Outcome outcome;
    try {
      const Limits limits(interrupt, memory_watch, options.timeout);
      outcome = action_on_files(action);
    } catch (RuntimeError& error) {
      drop_hidden(error.frames);
      outcome.kind = Outcome::Kind::RunFailed;
      outcome.failure = error.kind;
      outcome.messages = render(sources, error, options.color);
    } catch (const std::bad_alloc&) {
      outcome = out_of_memory(memory_watch.excess());
    } catch (const std::system_error& error) { // there is no thread to be had
      outcome = out_of_memory(error.what());
    }
    gate.tell_remarks();
    outcome.messages = std::exchange(warnings, {}) + outcome.messages;
    return outcome;
  }
  /// Looks at marked expressions, and adds what there is to say of them; `written` are their marks.
  void examine(const jit::MarkQuestion& question, std::span<const Span> written,
               Diagnostics& diagnostics) {
    jit::HotSwap* jit = gate.open();
    if (!jit) return;
    const std::vector<jit::MarkReport> reports = jit->examine(question);
    examined_loops.note(reports);
    tell(reports, written, sources, diagnostics);
  }
  /// A checked expression, ready to be evaluated.
  core::Toplevel toplevel(const syntax::Expr& expression) {
    return specialiser().expression(definitions.scope(), expression);
  }

  /// The global that a prompt's constant is kept in, specialised if that has not been done; null
  /// for what is computed at each use.
  const core::Global* global_of(std::string_view name, Span span);
  /// The global that holds the value of an entry, if one does.
  const core::Global* global_of(const DependencyEntry& entry);
  void forget_old_results();
  /// Adds what to say of a declaration of a value.
  void describe(const syntax::Declaration& declaration, std::vector<std::string>& descriptions);
  /// Begins a new program state if the present one has seen enough inputs.
  void renew_if_due();
  bool renew();
};

} // namespace sinter::repl
