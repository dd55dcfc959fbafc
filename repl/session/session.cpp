#include "repl/session/session.h"

#include "lang/check/prompt_scope.h"
#include "lang/syntax/parser.h"
#include "repl/display/display.h"
#include "repl/display/field_order.h"
#include "repl/session/session_state.h"

#include <algorithm>

namespace sinter::repl {

namespace {

/// The beginning of an input, to remember it by.
std::string summary(std::string_view text) {
  constexpr std::size_t limit = 60;
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  std::string line(text.substr(0, text.find('\n')));
  if (line.size() <= limit) return line;
  std::size_t cut = limit;
  while (cut > 0 && (line[cut] & 0xC0) == 0x80) // not inside of a character
    --cut;
  return line.substr(0, cut) + "…";
}

} // namespace

Session::Session(SessionOptions options)
    : implementation_(std::make_unique<Implementation>(std::move(options))) {}
Session::~Session() = default;

const check::Environment& Session::environment() const {
  return implementation_->checker().environment(implementation_->definitions.scope());
}
SourceMap& Session::sources() {
  return implementation_->sources;
}
check::Checker& Session::checker() {
  return implementation_->checker();
}
Representations& Session::representations() {
  return implementation_->representations;
}
core::Specialiser& Session::specialiser() {
  return implementation_->specialiser();
}
Evaluator& Session::evaluator() {
  return implementation_->evaluator();
}
MemoryBudget& Session::memory() {
  return implementation_->memory;
}
InterruptSource& Session::interrupt() {
  return implementation_->interrupt;
}
const SessionOptions& Session::options() const {
  return implementation_->options;
}
const check::CheckedFile* Session::loaded() const {
  return implementation_->definitions.file();
}

void Session::set_timeout(std::optional<std::chrono::milliseconds> timeout) {
  implementation_->options.timeout = timeout;
}
void Session::set_memory_limit(std::size_t bytes) {
  implementation_->options.max_memory_bytes = bytes;
  implementation_->memory.set_limit(bytes);
}
void Session::set_color(bool on) {
  implementation_->options.color = on;
}
void Session::accelerate(const jit::SwapOptions& options) {
  implementation_->options.acceleration = options;
  implementation_->gate.configure(options);
  implementation_->evaluator().set_accelerator(implementation_->accelerator());
}
void Session::debug(Debugging debugging) {
  implementation_->options.debugging = debugging;
  implementation_->evaluator().set_debugging(debugging);
  implementation_->evaluator().set_accelerator(implementation_->accelerator());
}
Session::BrokenAssumptions Session::broken_assumptions(const std::function<void()>& action) {
  Implementation& self = *implementation_;
  BrokenAssumptions broken;
  struct Scope {
    Session& session;
    Debugging before = session.options().debugging;
    ~Scope() {
      session.debug(before);
      session.implementation_->broken_assumptions = nullptr;
    }
  } const scope{*this};
  self.broken_assumptions = &broken.sentences;
  debug(Debugging::Warn);
  broken.outcome = guarded([&] {
    action();
    return Value::unit();
  });
  return broken;
}
bool Session::finish_compiling() {
  jit::HotSwap* jit = implementation_->gate.open();
  if (jit) jit->wait();
  return jit != nullptr;
}
bool Session::is_compiling() {
  return implementation_->gate.is_busy();
}
jit::Report Session::report(const jit::ReportOptions& options) {
  jit::HotSwap* jit = implementation_->gate.opened();
  return jit ? jit->report(options) : jit::Report{};
}
void Session::clear_report() {
  if (jit::HotSwap* jit = implementation_->gate.opened()) jit->clear_report();
}

std::vector<jit::MarkReport> Session::marks() {
  Implementation& self = *implementation_;
  jit::HotSwap* jit = self.gate.open();
  if (!jit || !loaded()) return {};
  return jit->examine(marks_of(*self.program_state, self.definitions.scope(), *loaded(),
                               self.options.accelerates_all));
}

std::unique_ptr<jit::PieceProgram> Session::in_pieces(const core::EntryPoint& entry) {
  jit::HotSwap* jit = implementation_->gate.open();
  return jit ? jit->in_pieces(*entry.function) : nullptr;
}

Outcome Session::guarded(const std::function<Value()>& action) {
  return implementation_->limited([&] {
    const Counted running(implementation_->evaluations);
    Outcome outcome;
    outcome.value = action();
    outcome.kind = Outcome::Kind::Value;
    return outcome;
  });
}

Outcome Session::limited(const std::function<void()>& action) {
  return implementation_->limited([&] {
    action();
    return Outcome();
  });
}

Outcome Session::load(const std::string& path) {
  Implementation& self = *implementation_;
  return self.limited([&] {
    Diagnostics diagnostics;
    const check::CheckedFile* file = self.checker().check_file(path, diagnostics);
    Outcome outcome = self.rejected(diagnostics);
    outcome.messages = self.rendered(diagnostics);
    if (!file) return outcome;
    Definitions::Change change(self.definitions, "loading " + path);
    std::string remarks;
    self.definitions.load(*file, remarks);
    Diagnostics of_marks;
    if (has_marks(*file) || self.options.accelerates_all)
      self.examine(marks_of(*self.program_state, self.definitions.scope(), *file,
                            self.options.accelerates_all),
                   file->syntax.marks, of_marks);
    outcome.messages += self.rendered(of_marks);
    if (of_marks.has_errors()) {
      outcome.kind = Outcome::Kind::CheckFailed;
      return outcome;
    }
    change.keep();
    outcome.messages += remarks;
    outcome.kind = Outcome::Kind::Done;
    return outcome;
  });
}

Outcome Session::submit(std::string text, const std::string& name) {
  implementation_->renew_if_due();
  return implementation_->limited([&] { return obey(std::move(text), name); });
}

Outcome Session::obey(std::string text, const std::string& name) {
  Implementation& self = *implementation_;
  Diagnostics diagnostics;
  FileId file = self.sources.add(name, std::move(text));
  syntax::PromptInput input =
      syntax::parse_prompt(self.sources, file, self.checker().ast(), diagnostics);
  if (input.incomplete) {
    Outcome outcome = self.rejected(diagnostics);
    outcome.kind = Outcome::Kind::Incomplete;
    return outcome;
  }
  if (diagnostics.has_errors()) return self.rejected(diagnostics);

  Outcome outcome;
  if (!input.declarations.empty()) {
    Definitions::Change change(self.definitions, summary(self.sources.text(file)));
    std::string remarks;
    if (!self.definitions.declare(file, input.declarations, diagnostics, remarks))
      return self.rejected(diagnostics);
    if (!input.marks.empty())
      self.examine(marks_of(*self.program_state, self.definitions.scope(), input.declarations),
                   input.marks, diagnostics);
    if (diagnostics.has_errors()) return self.rejected(diagnostics);
    outcome = evaluate_constants(input.declarations);
    if (outcome.ok()) {
      change.keep();
      outcome.is_change = true;
      outcome.messages = remarks + outcome.messages;
      for (const syntax::Declaration* declaration : input.declarations)
        self.describe(*declaration, outcome.definitions);
      for (const Diagnostic& diagnostic : diagnostics.all())
        outcome.has_default_types = outcome.has_default_types || diagnostic.id == "defaulted-type";
    }
    outcome.messages = self.rendered_at_prompt(diagnostics) + outcome.messages;
    return outcome;
  }
  if (!input.expression) return outcome; // nothing but white space and comments

  // The expression is evaluated as a constant of its own, under a hidden name; only when it has a
  // value do `it` and `it3` come to mean that constant, whose value the evaluator has kept.
  Span span = input.expression->span;
  Definitions::Change change(self.definitions, summary(self.sources.text(span)));
  std::shared_ptr<DependencyEntry> entry =
      self.definitions.declare_hidden(file, input.expression, diagnostics);
  syntax::Expr* result =
      entry ? variable(self.checker().ast(), entry->names.front().second, span) : nullptr;
  if (!result || !self.checker().check_expression(self.definitions.scope(), *result, diagnostics))
    return self.rejected(diagnostics);

  if (!input.marks.empty())
    self.examine({.expressions = {self.toplevel(*result)}}, input.marks, diagnostics);
  if (diagnostics.has_errors()) return self.rejected(diagnostics);

  outcome = guarded([&] {
    core::Toplevel toplevel = self.toplevel(*result);
    entry->representation = toplevel.body->type;
    entry->global = global_in(*toplevel.body);
    return self.evaluator().evaluate(toplevel);
  });
  outcome.messages = self.rendered_at_prompt(diagnostics) + outcome.messages;
  if (!outcome.ok()) return outcome;
  change.keep();
  outcome.is_change = true;
  outcome.representation = entry->representation;
  outcome.type_text = type_text(result->type, outcome.value);
  outcome.order = field_order(result->type);
  // A name that somebody has given to something else is left alone.
  std::string numbered = "it" + std::to_string(self.result_count + 1);
  const DependencyEntryRef known =
      self.definitions.dependencies().meaning({NameSpace::Values, numbered});
  const bool is_free = known ? known->kind == DependencyEntry::Kind::Result
                             : !check::has_value(self.definitions.scope(), numbered);
  ++self.result_count;
  outcome.name = is_free ? numbered : "it";
  self.definitions.add_result(entry, is_free ? numbered : "");
  self.forget_old_results();
  return outcome;
}

// ---- program states ----------------------------------------------------------------------------

void Session::Implementation::renew_if_due() {
  if (++inputs <= inputs_until_renewal) return;
  // Where most of what was entered still means something, there is little to be got rid of.
  const std::size_t alive = definitions.dependencies().name_count();
  if (options.renewal_interval > 0 && names_before_inputs + inputs < 2 * alive) return;
  // Somebody who has stopped inside of an evaluation, or observes one, points into the program.
  if (evaluations > 0 || !outer.empty() || observer) return;
  // Nor does anybody wait here for what is being compiled, but for a while.
  if (gate.is_busy() && inputs <= 2 * inputs_until_renewal) return;
  inputs = 0;
  names_before_inputs = alive;
  inputs_until_renewal = options.renewal_interval;
  // Taking over many definitions must be rare against making them.
  const std::size_t taken_over_at_once = 250;
  inputs_until_renewal *= renew() ? 1 + definitions.entries().size() / taken_over_at_once : 4;
}

bool Session::Implementation::renew() {
  const FileId first = sources.next();
  definitions.prepare_renewal();
  std::unique_ptr<ProgramState> next = new_program_state();
  std::optional<Definitions> renewed;
  try {
    // Who presses Ctrl-C means the input: that ends at once then, and the former program state
    // stays.
    const Interruptible stops(interrupt);
    renewed = taken_over(definitions, *program_state, *next);
  } catch (const RuntimeError&) {
    return false;
  }
  if (!renewed) return false;
  gate.close();
  definitions = std::move(*renewed);
  program_state = std::move(next);
  evaluator().set_accelerator(accelerator());
  evaluator().set_debugging(options.debugging);

  std::vector<FileId> texts = checker().texts();
  for (const DependencyEntryRef& entry : definitions.entries()) {
    texts.push_back(entry->file);
    texts.insert(texts.end(), entry->texts.begin(), entry->texts.end());
    if (entry->declared_in) texts.push_back(*entry->declared_in);
  }
  sources.forget_before(first, texts);
  return true;
}

Outcome Session::evaluate_constants(const std::vector<syntax::Declaration*>& declarations) {
  Implementation& self = *implementation_;
  Outcome outcome;
  for (const syntax::Declaration* declaration : declarations) {
    const auto* value = std::get_if<syntax::ValueDeclaration>(&declaration->node);
    if (!value || !value->parameters.empty() || !value->type_parameters.empty()) continue;
    const core::Global* global = self.global_of(value->name, value->name_span);
    if (!global || self.evaluator().global(*global)) continue;
    Outcome one = guarded([&] { return self.evaluator().evaluate(*global); });
    outcome.messages += one.messages;
    if (one.ok()) continue; // a definition shows nothing
    one.messages = std::move(outcome.messages);
    return one;
  }
  return outcome;
}

} // namespace sinter::repl
