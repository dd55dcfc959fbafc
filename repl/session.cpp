#include "repl/session.h"

#include "lang/syntax/parser.h"
#include "repl/completion.h"
#include "repl/display.h"
#include "repl/watchdog.h"

#include <algorithm>
#include <cassert>
#include <new>
#include <utility>

namespace sinter::repl {

struct Session::Implementation {
  SessionOptions options;
  SourceMap sources;
  check::Checker checker{sources};
  Representations representations;
  core::Program program;
  MemoryBudget memory; // outlives the evaluator, whose globals hold buffers
  InterruptSource interrupt;
  core::Specialiser specialiser{checker, representations, program};
  std::unique_ptr<Evaluator> evaluator;
  std::shared_ptr<check::Checker::PromptScope> scope;
  const check::CheckedFile* loaded = nullptr;
  std::uint32_t result_count = 0;
  std::string warnings; ///< of the gate, for the next outcome
  jit::Gate gate;       ///< after all that compiled code uses

  explicit Implementation(SessionOptions given)
      : options(std::move(given)), memory(options.max_memory_bytes),
        gate(options.acceleration, shared_with_compiled_code(),
             [this](const std::string& text) { warnings += "warning: " + text + "\n"; }) {
    EvaluationContext context;
    context.representations = &representations;
    context.memory = &memory;
    context.interrupt = &interrupt;
    context.sources = &sources;
    context.trace = options.trace;
    if (options.breakpoint)
      context.breakpoint = [this](Span place, std::span<const StackFrame> frames) {
        std::vector<StackFrame> shown(frames.begin(), frames.end());
        drop_hidden(shown);
        options.breakpoint(place, shown);
      };
    context.accelerator = accelerator();
    evaluator = std::make_unique<Evaluator>(program, std::move(context));
    scope = checker.new_prompt_scope();
  }

  jit::SwapContext shared_with_compiled_code() {
    jit::SwapContext shared;
    shared.representations = &representations;
    shared.memory = &memory;
    shared.interrupt = &interrupt;
    shared.global = [this](const core::Global& global) { return evaluator->global(global); };
    return shared;
  }
  Accelerator* accelerator() {
    return options.acceleration.mode == jit::Mode::Interpret ? nullptr : &gate;
  }

  /// A name that nobody can write, for what is evaluated.
  syntax::Name hidden_name() { return sources.keep("it#" + std::to_string(++result_count)); }
  /// Takes the evaluation of hidden names out of a stack of calls.
  static void drop_hidden(std::vector<StackFrame>& frames) {
    std::erase_if(frames,
                  [](const StackFrame& frame) { return frame.function.starts_with("it#"); });
  }

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
  syntax::Expr* variable(syntax::Name name, Span span) {
    syntax::VariableExpr node;
    node.name.name = name;
    node.name.span = span;
    return checker.ast().make<syntax::Expr>(syntax::Expr{std::move(node), span, nullptr, {}});
  }
  /// Declares `name` to be `body`.
  bool declare(syntax::Name name, syntax::Expr* body, Diagnostics& diagnostics) {
    syntax::ValueDeclaration value;
    value.keyword = syntax::ValueKeyword::Def;
    value.name = name;
    value.name_span = body->span;
    value.body = body;
    syntax::Declaration* declaration = checker.ast().make<syntax::Declaration>(
        syntax::Declaration{std::move(value), body->span, {}, {}});
    return checker.check_declarations(*scope, {declaration}, diagnostics);
  }
};

namespace {

Outcome out_of_memory() {
  Outcome outcome;
  outcome.kind = Outcome::Kind::RunFailed;
  outcome.failure = FailureKind::OutOfMemory;
  outcome.messages = "error: out of memory\n";
  return outcome;
}

} // namespace

Session::Session(SessionOptions options)
    : implementation_(std::make_unique<Implementation>(std::move(options))) {}
Session::~Session() = default;

const check::Environment& Session::environment() const {
  return implementation_->checker.environment(*implementation_->scope);
}
SourceMap& Session::sources() {
  return implementation_->sources;
}
check::Checker& Session::checker() {
  return implementation_->checker;
}
Representations& Session::representations() {
  return implementation_->representations;
}
core::Specialiser& Session::specialiser() {
  return implementation_->specialiser;
}
Evaluator& Session::evaluator() {
  return *implementation_->evaluator;
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
  return implementation_->loaded;
}

void Session::accelerate(const jit::SwapOptions& options) {
  implementation_->options.acceleration = options;
  implementation_->gate.configure(options);
  implementation_->evaluator->set_accelerator(implementation_->accelerator());
}
void Session::finish_compiling() {
  if (jit::HotSwap* jit = implementation_->gate.open()) jit->wait();
}
jit::Report Session::report(const jit::ReportOptions& options) {
  jit::HotSwap* jit = implementation_->gate.opened();
  return jit ? jit->report(options) : jit::Report{};
}
void Session::clear_report() {
  if (jit::HotSwap* jit = implementation_->gate.opened()) jit->clear_report();
}

Outcome Session::guarded(const std::function<Value()>& action) {
  Implementation& self = *implementation_;
  Outcome outcome;
  try {
    std::optional<Watchdog> watchdog;
    if (self.options.timeout) watchdog.emplace(self.interrupt, *self.options.timeout);
    outcome.value = action();
    outcome.kind = Outcome::Kind::Value;
  } catch (RuntimeError& error) {
    Implementation::drop_hidden(error.frames);
    outcome.kind = Outcome::Kind::RunFailed;
    outcome.failure = error.kind;
    outcome.messages = render(self.sources, error, self.options.color);
  } catch (const std::bad_alloc&) {
    outcome = out_of_memory();
  }
  self.interrupt.clear(); // not before: what is raised ahead of an evaluation is meant for it
  outcome.messages = std::exchange(self.warnings, {}) + outcome.messages;
  return outcome;
}

Outcome Session::load(const std::string& path) {
  Implementation& self = *implementation_;
  Diagnostics diagnostics;
  const check::CheckedFile* file = self.checker.check_file(path, diagnostics);
  Outcome outcome = self.rejected(diagnostics);
  outcome.messages = self.rendered(diagnostics);
  if (!file) return outcome;
  std::shared_ptr<check::Checker::PromptScope> scope = self.checker.new_prompt_scope();
  self.checker.open_file(*scope, *file);
  self.scope = std::move(scope);
  self.loaded = file;
  outcome.kind = Outcome::Kind::Done;
  return outcome;
}

Outcome Session::submit(std::string text, const std::string& name) {
  Implementation& self = *implementation_;
  Diagnostics diagnostics;
  FileId file = self.sources.add(name, std::move(text));
  syntax::PromptInput input =
      syntax::parse_prompt(self.sources, file, self.checker.ast(), diagnostics);
  if (input.incomplete) {
    Outcome outcome = self.rejected(diagnostics);
    outcome.kind = Outcome::Kind::Incomplete;
    return outcome;
  }
  if (diagnostics.has_errors()) return self.rejected(diagnostics);

  Outcome outcome;
  if (!input.declarations.empty()) {
    if (!self.checker.check_declarations(*self.scope, input.declarations, diagnostics))
      return self.rejected(diagnostics);
    outcome.messages = self.rendered_at_prompt(diagnostics);
    return outcome;
  }
  if (!input.expression) return outcome; // nothing but white space and comments

  // The expression is evaluated as a constant of its own, under a hidden name; only when it has a
  // value does `it` come to mean that constant, whose value the evaluator has kept.
  Span span = input.expression->span;
  syntax::Name hidden = self.hidden_name();
  if (!self.declare(hidden, input.expression, diagnostics)) return self.rejected(diagnostics);
  syntax::Expr* result = self.variable(hidden, span);
  if (!self.checker.check_expression(*self.scope, *result, diagnostics))
    return self.rejected(diagnostics);

  const Representation* representation = nullptr;
  outcome = guarded([&] {
    core::Toplevel toplevel = self.specialiser.expression(*self.scope, *result);
    representation = toplevel.body->type;
    return self.evaluator->evaluate(toplevel);
  });
  outcome.messages = self.rendered_at_prompt(diagnostics) + outcome.messages;
  if (!outcome.ok()) return outcome;
  outcome.representation = representation;
  outcome.type_text = type_text(result->type, outcome.value);
  Diagnostics ignored;
  self.declare("it", self.variable(hidden, span), ignored);
  return outcome;
}

Outcome Session::define(const std::string& name, Value value, const Representation* type) {
  Implementation& self = *implementation_;
  Diagnostics diagnostics;
  std::string type_text = repl::type_text(type, value);
  // A constant of that type without a body, whose value the evaluator is told, under a hidden name.
  FileId file = self.sources.add("<value>", "def " + name + " : " + type_text + " = ???");
  syntax::PromptInput input =
      syntax::parse_prompt(self.sources, file, self.checker.ast(), diagnostics);
  syntax::ValueDeclaration* declared =
      input.declarations.size() == 1
          ? std::get_if<syntax::ValueDeclaration>(&input.declarations.front()->node)
          : nullptr;
  Outcome outcome;
  if (diagnostics.has_errors() || !declared || std::string_view(declared->name) != name) {
    outcome.kind = Outcome::Kind::CheckFailed;
    outcome.messages = "error: `" + name + "` cannot be the name of a value\n";
    return outcome;
  }
  syntax::Name hidden = self.hidden_name();
  Span span = declared->name_span;
  declared->name = hidden;
  if (!self.checker.check_declarations(*self.scope, input.declarations, diagnostics))
    return self.rejected(diagnostics);
  syntax::Expr* result = self.variable(hidden, span);
  if (!self.checker.check_expression(*self.scope, *result, diagnostics))
    return self.rejected(diagnostics);
  core::Toplevel toplevel = self.specialiser.expression(*self.scope, *result);
  const auto* global = std::get_if<core::GlobalValue>(&toplevel.body->node);
  assert(global && global->global->type == type);
  self.evaluator->define(*global->global, std::move(value));
  Diagnostics ignored;
  self.declare(self.sources.keep(name), self.variable(hidden, span), ignored);
  return outcome;
}

Outcome Session::type_of(std::string text) {
  Implementation& self = *implementation_;
  Diagnostics diagnostics;
  FileId file = self.sources.add("<prompt>", std::move(text));
  syntax::Expr* expression =
      syntax::parse_expression(self.sources, file, self.checker.ast(), diagnostics);
  syntax::Name hidden = self.hidden_name(); // declared, so that a polymorphic type stays so
  if (!expression || diagnostics.has_errors() || !self.declare(hidden, expression, diagnostics))
    return self.rejected(diagnostics);
  Outcome outcome;
  outcome.messages = self.rendered_at_prompt(diagnostics);
  outcome.type_text = types::print(self.checker.environment(*self.scope).values.at(hidden)->scheme);
  return outcome;
}

Session::Timing Session::time(std::string text, std::chrono::milliseconds enough) {
  using Clock = std::chrono::steady_clock;
  Implementation& self = *implementation_;
  Timing timing;
  Diagnostics diagnostics;
  FileId file = self.sources.add("<prompt>", std::move(text));
  syntax::Expr* expression =
      syntax::parse_expression(self.sources, file, self.checker.ast(), diagnostics);
  if (!expression || diagnostics.has_errors() ||
      !self.checker.check_expression(*self.scope, *expression, diagnostics)) {
    timing.outcome = self.rejected(diagnostics);
    return timing;
  }
  const Representation* representation = nullptr;
  timing.outcome = guarded([&] {
    core::Toplevel toplevel = self.specialiser.expression(*self.scope, *expression);
    representation = toplevel.body->type;
    Value result;
    auto once = [&] {
      result = Value(); // its memory may serve again
      auto start = Clock::now();
      result = self.evaluator->evaluate(toplevel);
      return std::chrono::duration<double>(Clock::now() - start).count();
    };
    timing.first_seconds = once();
    auto start = Clock::now();
    do
      timing.seconds.push_back(once());
    while (timing.seconds.size() < 2 || Clock::now() - start < enough);
    return result;
  });
  timing.outcome.representation = representation;
  timing.outcome.messages = self.rendered_at_prompt(diagnostics) + timing.outcome.messages;
  std::sort(timing.seconds.begin(), timing.seconds.end());
  return timing;
}

Completions Session::complete(std::string_view text) const {
  return complete_names(implementation_->checker.environment(*implementation_->scope),
                        implementation_->checker.prelude().scope, text);
}

} // namespace sinter::repl
