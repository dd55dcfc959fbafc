#include "repl/comparing/ways.h"

#include "repl/display/display.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace sinter::comparing {

namespace {

using repl::DependencyEntry;
using repl::DependencyEntryRef;
using repl::Outcome;
using repl::Session;

/// Restores how a session's evaluations are accelerated and mistrusted; meanwhile they are not.
class ModeScope {
public:
  explicit ModeScope(Session& session)
      : session_(session), before_(session.options().acceleration),
        debugging_before_(session.options().debugging) {
    session_.debug(Debugging::Off);
  }
  ~ModeScope() {
    session_.accelerate(before_);
    session_.debug(debugging_before_);
  }
  ModeScope(const ModeScope&) = delete;
  ModeScope& operator=(const ModeScope&) = delete;

  void set(jit::Mode mode) {
    jit::SwapOptions options = before_;
    options.mode = mode;
    session_.accelerate(options);
  }

private:
  Session& session_;
  jit::SwapOptions before_;
  Debugging debugging_before_;
};

/// An evaluation's end and what it gave.
struct Ended {
  Outcome outcome;
  std::vector<Value> results;
};
Ended run(Session& session, const std::function<std::vector<Value>()>& evaluate) {
  Ended ended;
  ended.outcome = session.guarded([&] {
    ended.results = evaluate();
    return Value::unit();
  });
  if (ended.outcome.ok()) ended.outcome.kind = Outcome::Kind::Done;
  return ended;
}

bool has_function(const Representation* type) {
  if (type->is_array()) return has_function(type->array().element);
  if (type->is_record())
    return std::ranges::any_of(type->record().fields,
                               [](const auto& field) { return has_function(field.type); });
  if (type->is_sum())
    return std::ranges::any_of(type->sum().constructors, [](const auto& constructor) {
      return std::ranges::any_of(constructor.payload, has_function);
    });
  return !type->is_scalar();
}

/// What the prompt has got from outside.
std::vector<DependencyEntryRef> data_of(const Session& session) {
  std::vector<DependencyEntryRef> entries = session.dependencies().needed();
  std::erase_if(entries, [](const DependencyEntryRef& entry) {
    return entry->kind != DependencyEntry::Kind::Data || !entry->global;
  });
  return entries;
}

std::unique_ptr<WideEvaluator> wide_evaluator(Session& session, unsigned digits) {
  EvaluationContext context;
  context.representations = &session.representations();
  context.memory = &session.memory();
  context.interrupt = &session.interrupt();
  context.sources = &session.sources();
  context.trace = [](const std::string&) {}; // it was shown already
  auto evaluator = std::make_unique<WideEvaluator>(std::move(context), digits);
  for (const DependencyEntryRef& entry : data_of(session))
    if (const Value* value = session.value_of(*entry).first)
      evaluator->define(*entry->global, *value);
  return evaluator;
}

/// Whether a person or a limit has ended it: that is met anywhere, and says nothing of a way.
bool was_stopped(const Outcome& outcome) {
  return outcome.failure == FailureKind::Interrupted || outcome.failure == FailureKind::TimedOut;
}

/// What the program does that results may differ for: one more evaluation tells.
Session::BrokenAssumptions reasons(Session& session, const Computation& computation) {
  return session.broken_assumptions([&] { static_cast<void>(computation.evaluate()); });
}

} // namespace

Compared compare(Session& session, const Computation& computation, unsigned wide_digits) {
  Compared compared;
  // Opens the compiler; why there is none, the next outcome tells (once).
  const bool has_compiler = session.finish_compiling();
  compared.outcome = session.guarded([] { return Value::unit(); });
  compared.outcome.kind = Outcome::Kind::Done;
  if (!has_compiler) {
    compared.problem = "without the compiler there is nothing to compare with\n";
    return compared;
  }

  std::vector<Run> runs;
  ModeScope mode_scope(session);
  for (jit::Mode mode : {jit::Mode::Interpret, jit::Mode::Jit, jit::Mode::Mixed}) {
    mode_scope.set(mode);
    Ended ended = run(session, computation.evaluate);
    const std::string way(jit::name(mode));
    if (runs.empty() || was_stopped(ended.outcome)) {
      compared.outcome = std::move(ended.outcome);
    } else if (ended.outcome.messages != compared.outcome.messages) {
      auto end = [](const Outcome& outcome) {
        return outcome.ok() ? std::string("a result\n") : outcome.messages;
      };
      compared.problem = way + " and " + runs.front().way + " end differently:\n" +
                         end(ended.outcome) + end(compared.outcome);
      compared.problem += because(reasons(session, computation).sentences);
      compared.outcome = {};
      return compared;
    }
    if (was_stopped(compared.outcome)) return compared;
    runs.push_back({way, std::move(ended.results)});
  }
  if (!compared.outcome.ok()) return compared;

  std::vector<ResultType> types = computation.types(runs.front().results);
  Comparison comparison(session.representations(), std::move(types), std::move(runs));
  if (comparison.has_difference()) {
    Session::BrokenAssumptions broken = reasons(session, computation);
    if (was_stopped(broken.outcome)) {
      compared.outcome = std::move(broken.outcome);
      return compared;
    }
    comparison.add_reasons(std::move(broken.sentences));
  }
  if (wide_digits > 0) {
    std::unique_ptr<WideEvaluator> wide;
    try {
      wide = wide_evaluator(session, wide_digits);
    } catch (const std::runtime_error& error) {
      compared.problem = std::string("wide numbers cannot be opened: ") + error.what() + "\n";
      return compared;
    }
    Ended ended = run(session, [&] { return computation.evaluate_wide(*wide); });
    ended.outcome.messages = compared.outcome.messages + ended.outcome.messages;
    compared.outcome = std::move(ended.outcome);
    if (!compared.outcome.ok()) return compared;
    comparison.add_wide(std::move(wide), ended.results);
  }
  compared.comparison.emplace(std::move(comparison));
  return compared;
}

Compared compare(Session& session, std::string expression, unsigned wide_digits) {
  Session::Prepared prepared = session.prepare(std::move(expression));
  if (!prepared.outcome.ok()) return {std::move(prepared.outcome), {}, {}};
  if (has_function(prepared.representation))
    return {{}, "functions cannot be compared; apply them to something\n", {}};
  const bool is_data = std::ranges::any_of(data_of(session), [&](const DependencyEntryRef& entry) {
    return entry->global == prepared.global;
  });
  if (prepared.global && !is_data)
    prepared.toplevel = {prepared.global->body, prepared.global->frame_size};
  Computation computation;
  computation.evaluate = [&] {
    return std::vector<Value>{session.evaluator().evaluate(prepared.toplevel)};
  };
  computation.evaluate_wide = [&](WideEvaluator& wide) {
    return std::vector<Value>{wide.evaluate(prepared.toplevel)};
  };
  computation.types = [&](const std::vector<Value>& results) {
    const std::string text = repl::type_text(prepared.type, results.front());
    return std::vector<ResultType>{{text, text, prepared.representation}};
  };
  Compared compared = compare(session, computation, wide_digits);
  compared.outcome.messages = prepared.outcome.messages + compared.outcome.messages;
  return compared;
}

} // namespace sinter::comparing
