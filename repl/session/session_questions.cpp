// What a session is asked aside, without a trace in it: places where evaluations have stopped,
// types, times, completions.
#include "lang/base/unknown_names.h"
#include "lang/syntax/parser.h"
#include "repl/session/completion.h"
#include "repl/session/session.h"
#include "repl/session/session_state.h"

#include <algorithm>

namespace sinter::repl {

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
    std::shared_ptr<DependencyEntry> entry = aside.declare_hidden(file, expression, diagnostics);
    if (!entry) return self.rejected(diagnostics);
    Outcome outcome;
    outcome.messages = self.rendered_at_prompt(diagnostics);
    outcome.type_text =
        with_named_unknowns(types::print(entry->meanings.values.begin()->second->scheme));
    return outcome;
  });
}

Session::Prepared Session::prepare(std::string text, const std::string& name) {
  Implementation& self = *implementation_;
  Prepared prepared;
  Diagnostics diagnostics;
  prepared.outcome = self.limited([&] {
    FileId file = self.sources.add(name, std::move(text));
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
  constexpr std::size_t most_runs = std::size_t{1} << 17; // (each run's time takes memory)
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
    while (timing.seconds.size() < 2 ||
           (timing.seconds.size() < most_runs && Clock::now() - start < enough));
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
