#include "repl/session.h"

#include "lang/base/interruptible.h"
#include "lang/check/prompt_scope.h"
#include "lang/syntax/parser.h"
#include "repl/completion.h"
#include "repl/definitions.h"
#include "repl/display.h"
#include "repl/field_order.h"
#include "repl/generation.h"
#include "repl/limits.h"

#include <algorithm>
#include <cassert>
#include <new>
#include <system_error>
#include <utility>

namespace sinter::repl {

namespace {

/// One more, for as long as it lives.
struct Counted {
  unsigned& count;
  explicit Counted(unsigned& counter) : count(counter) { ++count; }
  ~Counted() { --count; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
};

Outcome out_of_memory(const std::string& why) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::RunFailed;
  outcome.failure = FailureKind::OutOfMemory;
  outcome.messages = "error: out of memory: " + why + "\n";
  return outcome;
}

} // namespace

struct Session::Implementation {
  SessionOptions options;
  SourceMap sources;
  Representations representations;
  MemoryBudget memory; // outlives evaluators, whose globals hold buffers
  InterruptSource interrupt;
  MemoryWatch memory_watch{memory, interrupt};
  std::string warnings; ///< of the gate, for the next outcome
  Accelerator* observer = nullptr;
  std::unique_ptr<Generation> generation;
  Definitions definitions;
  std::size_t result_count = 0;
  /// What comes back when an inspection ends.
  struct Outer {
    Definitions definitions;
    std::size_t result_count = 0;
  };
  std::vector<Outer> outer;             ///< while inspecting
  std::size_t inputs = 0;               ///< since the generation began
  std::size_t names_before_inputs = 0;  ///< that meant something then
  std::size_t inputs_until_renewal = 0; ///< from one generation to the next
  unsigned evaluations = 0;             ///< that are running, one inside of the other
  jit::Gate gate;                       ///< after all that compiled code uses

  explicit Implementation(SessionOptions given)
      : options(std::move(given)), memory(options.max_memory_bytes), generation(new_generation()),
        definitions(generation->checker, sources,
                    [this](const Diagnostics& diagnostics) { return rendered(diagnostics); }),
        gate(options.acceleration, shared_with_compiled_code(),
             [this](const std::string& text) { warnings += "warning: " + text + "\n"; }) {
    inputs_until_renewal = options.generation_length;
    evaluator().set_accelerator(accelerator());
    memory_watch.begin(); // the prelude is nobody's
  }

  check::Checker& checker() { return generation->checker; }
  core::Specialiser& specialiser() { return generation->specialiser; }
  Evaluator& evaluator() { return generation->evaluator; }

  std::unique_ptr<Generation> new_generation() {
    EvaluationContext context;
    context.representations = &representations;
    context.memory = &memory;
    context.interrupt = &interrupt;
    context.sources = &sources;
    context.trace = options.trace;
    if (options.breakpoint)
      context.breakpoint = [this](const BreakPlace& place) {
        Session::without_hidden(place, options.breakpoint);
      };
    return std::make_unique<Generation>(sources, representations, std::move(context));
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
    return shared;
  }
  Accelerator* accelerator() {
    if (observer) return observer;
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

  /// Does something under the session's limits, whose exceeding and all errors become an outcome.
  template <typename Action>
  Outcome limited(Action&& action) {
    Outcome outcome;
    try {
      const Limits limits(interrupt, memory_watch, options.timeout);
      outcome = action();
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
    outcome.messages = std::exchange(warnings, {}) + outcome.messages;
    return outcome;
  }
  /// A checked expression, ready to be evaluated.
  core::Toplevel toplevel(const syntax::Expr& expression) {
    return specialiser().expression(definitions.scope(), expression);
  }

  /// The global that a prompt's constant is kept in, specialised if that has not been done; null
  /// for what is computed at each use.
  const core::Global* global_of(std::string_view name, Span span);
  /// The global that holds the value of an entry, if one does.
  const core::Global* global_of(const LedgerEntry& entry);
  void forget_old_results();
  /// Begins a new generation if the present one has seen enough inputs.
  void renew_if_due();
  bool renew();
};

namespace {

/// The bytes that a value's arrays take; those of shared ones count each time.
std::size_t bytes_of(const Value& value) {
  std::size_t bytes = 0;
  switch (value.kind()) {
  case Value::Kind::Scalar:
    return sizeof(Scalar);
  case Value::Kind::Array:
    for (const Leaf& leaf : value.array()->leaves)
      if (leaf.buffer) bytes += leaf.buffer->bytes();
    return bytes;
  case Value::Kind::Record:
  case Value::Kind::Sum:
    for (const Value& field : value.fields())
      bytes += bytes_of(field);
    return bytes;
  default:
    return 0;
  }
}

} // namespace

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
bool Session::finish_compiling() {
  jit::HotSwap* jit = implementation_->gate.open();
  if (jit) jit->wait();
  return jit != nullptr;
}
jit::Report Session::report(const jit::ReportOptions& options) {
  jit::HotSwap* jit = implementation_->gate.opened();
  return jit ? jit->report(options) : jit::Report{};
}
void Session::clear_report() {
  if (jit::HotSwap* jit = implementation_->gate.opened()) jit->clear_report();
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
    outcome = evaluate_constants(input.declarations);
    if (outcome.ok()) {
      change.keep();
      outcome.messages = remarks + outcome.messages;
    }
    outcome.messages = self.rendered_at_prompt(diagnostics) + outcome.messages;
    return outcome;
  }
  if (!input.expression) return outcome; // nothing but white space and comments

  // The expression is evaluated as a constant of its own, under a hidden name; only when it has a
  // value do `it` and `it3` come to mean that constant, whose value the evaluator has kept.
  Span span = input.expression->span;
  Definitions::Change change(self.definitions, summary(self.sources.text(span)));
  std::shared_ptr<LedgerEntry> entry =
      self.definitions.declare_hidden(file, input.expression, diagnostics);
  syntax::Expr* result =
      entry ? variable(self.checker().ast(), entry->names.front().second, span) : nullptr;
  if (!result || !self.checker().check_expression(self.definitions.scope(), *result, diagnostics))
    return self.rejected(diagnostics);

  outcome = guarded([&] {
    core::Toplevel toplevel = self.toplevel(*result);
    entry->representation = toplevel.body->type;
    entry->global = global_in(*toplevel.body);
    return self.evaluator().evaluate(toplevel);
  });
  outcome.messages = self.rendered_at_prompt(diagnostics) + outcome.messages;
  if (!outcome.ok()) return outcome;
  change.keep();
  outcome.representation = entry->representation;
  outcome.type_text = type_text(result->type, outcome.value);
  outcome.order = field_order(result->type);
  // A name that somebody has given to something else is left alone.
  std::string numbered = "it" + std::to_string(self.result_count + 1);
  const LedgerEntryRef known = self.definitions.ledger().meaning({NameSpace::Values, numbered});
  const bool is_free = known ? known->kind == LedgerEntry::Kind::Result
                             : !check::has_value(self.definitions.scope(), numbered);
  ++self.result_count;
  outcome.name = is_free ? numbered : "it";
  self.definitions.add_result(entry, is_free ? numbered : "");
  self.forget_old_results();
  return outcome;
}

// ---- generations -------------------------------------------------------------------------------

void Session::Implementation::renew_if_due() {
  if (++inputs <= inputs_until_renewal) return;
  // Where most of what was entered still means something, there is little to be got rid of.
  const std::size_t alive = definitions.ledger().name_count();
  if (options.generation_length > 0 && names_before_inputs + inputs < 2 * alive) return;
  // Somebody who has stopped inside of an evaluation, or observes one, points into the program.
  if (evaluations > 0 || !outer.empty() || observer) return;
  inputs = 0;
  names_before_inputs = alive;
  inputs_until_renewal = options.generation_length;
  // Taking over many definitions must be rare against making them.
  const std::size_t taken_over_at_once = 250;
  inputs_until_renewal *= renew() ? 1 + definitions.entries().size() / taken_over_at_once : 4;
}

bool Session::Implementation::renew() {
  const FileId first = sources.next();
  definitions.prepare_renewal();
  std::unique_ptr<Generation> next = new_generation();
  std::optional<Definitions> renewed;
  try {
    // Who presses Ctrl-C means the input: that ends at once then, and the former generation stays.
    const Interruptible stops(interrupt);
    renewed = taken_over(definitions, *generation, *next);
  } catch (const RuntimeError&) {
    return false;
  }
  if (!renewed) return false;
  gate.close();
  definitions = std::move(*renewed);
  generation = std::move(next);
  evaluator().set_accelerator(accelerator());

  std::vector<FileId> texts = checker().texts();
  for (const LedgerEntryRef& entry : definitions.entries()) {
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

// ---- what is kept ------------------------------------------------------------------------------

void Session::Implementation::forget_old_results() {
  const std::vector<LedgerEntryRef> results = definitions.ledger().results_in_force();
  std::size_t bytes = 0;
  for (const LedgerEntryRef& entry : results)
    if (const Value* value = entry->global ? evaluator().global(*entry->global) : nullptr)
      bytes += bytes_of(*value);
  // The last result, `it`, always stays.
  for (std::size_t i = 0; i + 1 < results.size(); ++i) {
    const bool is_too_much = bytes > memory.limit() / 2;
    if (results.size() - i <= options.result_limit && !is_too_much) break;
    const LedgerEntryRef& entry = results[i];
    const Value* value = entry->global ? evaluator().global(*entry->global) : nullptr;
    if (definitions.ledger().is_needed(*entry)) continue;
    if (value) bytes -= bytes_of(*value);
    definitions.forget(entry);
    if (value) evaluator().forget(*entry->global);
  }
}

const core::Global* Session::Implementation::global_of(std::string_view name, Span span) {
  return generation->global_of(definitions.scope(), name, span);
}

const core::Global* Session::Implementation::global_of(const LedgerEntry& entry) {
  if (entry.global || entry.name.empty() || !entry.meanings.values.contains(entry.name))
    return entry.global;
  return global_of(entry.name, entry.span);
}

void Session::clear() {
  implementation_->definitions.remember("what there was before");
  implementation_->definitions.clear();
  implementation_->result_count = 0;
}

Outcome Session::undo() {
  Outcome outcome;
  if (std::optional<std::string> what = implementation_->definitions.undo()) {
    outcome.messages = "undone: " + *what + "\n";
  } else {
    outcome.kind = Outcome::Kind::CheckFailed;
    outcome.messages = "error: there is nothing to undo\n";
  }
  return outcome;
}

Outcome Session::define(const std::string& name, Value value, const Representation* type) {
  const std::string text = type_text(type, value);
  return define(name, text, std::move(value));
}

Outcome Session::define(const std::string& name, const std::string& type, Value value) {
  Implementation& self = *implementation_;
  return self.limited([&] {
    Outcome outcome;
    outcome.kind = Outcome::Kind::CheckFailed;
    Diagnostics diagnostics;
    Definitions::Change change(self.definitions, name);
    std::shared_ptr<LedgerEntry> entry = self.definitions.declare_data(name, type, diagnostics);
    if (!entry) {
      outcome = self.rejected(diagnostics);
      if (outcome.messages.empty())
        outcome.messages = "error: `" + name + "` cannot be the name of a value\n";
      return outcome;
    }
    entry->global = self.global_of(name, entry->span);
    if (!entry->global) {
      outcome.messages = "error: a value of type `" + type + "` cannot be given a name\n";
      return outcome;
    }
    entry->representation = entry->global->type;
    self.evaluator().define(*entry->global, std::move(value));
    self.definitions.add_data(std::move(entry), outcome.messages);
    change.keep();
    outcome.kind = Outcome::Kind::Done;
    return outcome;
  });
}

Outcome Session::forget(const std::string& name) {
  Implementation& self = *implementation_;
  Outcome outcome;
  outcome.kind = Outcome::Kind::CheckFailed;
  const LedgerEntryRef entry = self.definitions.ledger().meaning({NameSpace::Values, name});
  if (!entry) {
    outcome.messages = "error: the prompt has not defined `" + name + "`\n";
    return outcome;
  }
  if (self.definitions.ledger().is_needed(*entry)) {
    outcome.messages = "error: `" + name + "` is still used by a definition\n";
    return outcome;
  }
  self.definitions.forget(entry);
  if (entry->global) self.evaluator().forget(*entry->global);
  outcome.kind = Outcome::Kind::Done;
  return outcome;
}

std::pair<const Value*, const Representation*> Session::value_of(const LedgerEntry& entry) {
  Implementation& self = *implementation_;
  const core::Global* global = self.global_of(entry);
  const Value* value = global ? self.evaluator().global(*global) : nullptr;
  return {value, value ? global->type : nullptr};
}

std::vector<Session::VariableInfo> Session::variables() {
  Implementation& self = *implementation_;
  std::vector<VariableInfo> found;
  auto add = [&](std::string_view name, const types::Variable& variable, bool is_result,
                 bool is_data = false) {
    const types::Type* type = types::resolve(variable.scheme.type);
    if (!type || std::holds_alternative<types::FunctionType>(type->node)) return;
    VariableInfo info;
    info.name = name;
    info.is_result = is_result;
    info.place = is_data ? "read data" : self.sources.describe(variable.span);
    info.type = types::print(variable.scheme);
    const core::Global* global = self.global_of(name, variable.span);
    if (const Value* value = global ? self.evaluator().global(*global) : nullptr) {
      info.bytes = bytes_of(*value);
      info.type = type_text(type, *value);
    }
    found.push_back(std::move(info));
  };
  if (const check::CheckedFile* file = loaded()) {
    std::vector<std::pair<std::uint32_t, std::string_view>> names;
    for (const auto& [name, variable] : file->module->environment()->values)
      if (variable->declaration && variable->span.file == file->syntax.id &&
          !self.definitions.ledger().meaning({NameSpace::Values, name}))
        names.emplace_back(variable->span.begin, name);
    std::sort(names.begin(), names.end());
    for (const auto& [place, name] : names)
      add(name, *file->module->environment()->values.at(name), false);
  }
  for (const LedgerEntryRef& entry : self.definitions.ledger().in_force())
    if (auto value = entry->meanings.values.find(entry->name);
        value != entry->meanings.values.end() && value->second->declaration)
      add(entry->name, *value->second, entry->kind == LedgerEntry::Kind::Result,
          entry->kind == LedgerEntry::Kind::Data);
  return found;
}

const Ledger& Session::ledger() const {
  return implementation_->definitions.ledger();
}
std::size_t Session::result_count() const {
  return implementation_->result_count;
}
void Session::set_result_count(std::size_t count) {
  implementation_->result_count = count;
}
void Session::set_result_limit(std::size_t count) {
  implementation_->options.result_limit = count;
  implementation_->forget_old_results();
}

// ---- inspection --------------------------------------------------------------------------------

void Session::begin_inspection(const BreakPlace& place) {
  Implementation& self = *implementation_;
  self.outer.push_back({self.definitions, self.result_count});
  self.definitions.separate();
  self.evaluator().set_accelerator(nullptr);
  if (!place.variables_type) return;
  const auto& fields = place.variables_type->record().fields;
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (place.variables.fields()[i].kind() != Value::Kind::Nothing)
      define(fields[i].name, place.variables.fields()[i], fields[i].type); // if it can be
}

void Session::end_inspection() {
  Implementation& self = *implementation_;
  self.definitions = std::move(self.outer.back().definitions);
  self.result_count = self.outer.back().result_count;
  self.outer.pop_back();
  self.evaluator().set_accelerator(self.accelerator());
}

void Session::without_hidden(const BreakPlace& place,
                             const std::function<void(const BreakPlace&)>& action) {
  std::vector<StackFrame> frames;
  std::vector<RunningCall> calls;
  for (std::size_t i = 0; i < place.frames.size(); ++i) {
    StackFrame frame = place.frames[i];
    if (i < place.calls.size()) calls.push_back(place.calls[i]);
    // The hidden constant is the expression; what names it says no more.
    if (Implementation::is_hidden(frame) && i + 1 < place.frames.size())
      frame.function = place.frames[++i].function;
    frames.push_back(frame);
  }
  BreakPlace shown = place;
  shown.frames = frames;
  shown.calls = calls;
  action(shown);
}

void Session::go_by_steps(StepObserver* steps) {
  implementation_->evaluator().set_steps(steps);
}

void Session::observe(Accelerator* observer) {
  implementation_->observer = observer;
  implementation_->evaluator().set_accelerator(implementation_->accelerator());
}

Outcome Session::type_of(std::string text) {
  Implementation& self = *implementation_;
  return self.limited([&] {
    Diagnostics diagnostics;
    FileId file = self.sources.add("<prompt>", std::move(text));
    syntax::Expr* expression =
        syntax::parse_expression(self.sources, file, self.checker().ast(), diagnostics);
    if (!expression || diagnostics.has_errors()) return self.rejected(diagnostics);
    // Declared, so that a polymorphic type stays so; in a scope that is then forgotten.
    Definitions aside = self.definitions;
    aside.separate();
    std::shared_ptr<LedgerEntry> entry = aside.declare_hidden(file, expression, diagnostics);
    if (!entry) return self.rejected(diagnostics);
    Outcome outcome;
    outcome.messages = self.rendered_at_prompt(diagnostics);
    outcome.type_text = types::print(entry->meanings.values.begin()->second->scheme);
    return outcome;
  });
}

Session::Prepared Session::prepare(std::string text) {
  Implementation& self = *implementation_;
  Prepared prepared;
  Diagnostics diagnostics;
  prepared.outcome = self.limited([&] {
    FileId file = self.sources.add("<prompt>", std::move(text));
    syntax::Expr* expression =
        syntax::parse_expression(self.sources, file, self.checker().ast(), diagnostics);
    if (!expression || diagnostics.has_errors() ||
        !self.checker().check_expression(self.definitions.scope(), *expression, diagnostics))
      return self.rejected(diagnostics);
    prepared.toplevel = self.toplevel(*expression);
    prepared.global = global_in(*prepared.toplevel.body);
    prepared.representation = prepared.toplevel.body->type;
    prepared.type = expression->type;
    Outcome outcome;
    outcome.messages = self.rendered_at_prompt(diagnostics);
    return outcome;
  });
  return prepared;
}

Session::Timing Session::time(std::string text, std::chrono::milliseconds enough) {
  using Clock = std::chrono::steady_clock;
  Timing timing;
  Prepared prepared = prepare(std::move(text));
  if (!prepared.outcome.ok()) {
    timing.outcome = std::move(prepared.outcome);
    return timing;
  }
  timing.outcome = guarded([&] {
    Value result;
    auto once = [&] {
      result = Value(); // its memory may serve again
      auto start = Clock::now();
      result = evaluator().evaluate(prepared.toplevel);
      return std::chrono::duration<double>(Clock::now() - start).count();
    };
    timing.first_seconds = once();
    auto start = Clock::now();
    do
      timing.seconds.push_back(once());
    while (timing.seconds.size() < 2 || Clock::now() - start < enough);
    return result;
  });
  timing.outcome.representation = prepared.representation;
  timing.outcome.messages = prepared.outcome.messages + timing.outcome.messages;
  std::sort(timing.seconds.begin(), timing.seconds.end());
  return timing;
}

Completions Session::complete(std::string_view text) const {
  return complete_names(
      implementation_->checker().environment(implementation_->definitions.scope()),
      implementation_->checker().prelude().scope, text);
}

} // namespace sinter::repl
