// A session's variables: what they are, and how they come and go.
#include "lang/base/unknown_names.h"
#include "lang/syntax/token.h"
#include "repl/display/display.h"
#include "repl/session/session.h"
#include "repl/session/session_state.h"

#include <algorithm>

namespace sinter::repl {

namespace {

bool takes_memory(const Buffer& buffer) {
  return !buffer.is_in_file() && !buffer.spill_file();
}

/// The bytes of memory that a value's arrays take; those of shared ones count each time.
std::size_t bytes_of(const Value& value) {
  std::size_t bytes = 0;
  switch (value.kind()) {
  case Value::Kind::Scalar:
    return sizeof(Scalar);
  case Value::Kind::Array:
    for (const Leaf& leaf : value.array()->leaves)
      if (leaf.buffer && takes_memory(*leaf.buffer.get())) bytes += leaf.buffer->bytes();
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

bool has_array_in_file(const Value& value) {
  if (value.kind() == Value::Kind::Array)
    return std::ranges::any_of(value.array()->leaves, [](const Leaf& leaf) {
      return leaf.buffer && !takes_memory(*leaf.buffer.get());
    });
  if (value.kind() != Value::Kind::Record && value.kind() != Value::Kind::Sum) return false;
  return std::ranges::any_of(value.fields(), has_array_in_file);
}

} // namespace

void Session::Implementation::describe(const syntax::Declaration& declaration,
                                       std::vector<std::string>& descriptions) {
  const auto* value = std::get_if<syntax::ValueDeclaration>(&declaration.node);
  if (!value || !syntax::is_writable_name(value->name)) return;
  const DependencyEntryRef entry =
      definitions.dependencies().meaning({NameSpace::Values, std::string(value->name)});
  if (!entry) return;
  const types::Scheme& scheme = entry->meanings.values.at(value->name)->scheme;
  const core::Global* global =
      value->parameters.empty() && value->type_parameters.empty() ? global_of(*entry) : nullptr;
  const Value* known = global ? evaluator().global(*global) : nullptr;
  descriptions.push_back(
      std::string(value->name) + " : " +
      (known ? type_text(scheme.type, *known) : with_named_unknowns(types::print(scheme))));
}

void Session::Implementation::forget_old_results() {
  const std::vector<DependencyEntryRef> results = definitions.dependencies().results_in_force();
  std::size_t bytes = 0;
  for (const DependencyEntryRef& entry : results)
    if (const Value* value = entry->global ? evaluator().global(*entry->global) : nullptr)
      bytes += bytes_of(*value);
  // The last result, `it`, always stays.
  for (std::size_t i = 0; i + 1 < results.size(); ++i) {
    const bool is_too_much = bytes > memory.limit() / 2;
    if (results.size() - i <= options.result_limit && !is_too_much) break;
    const DependencyEntryRef& entry = results[i];
    const Value* value = entry->global ? evaluator().global(*entry->global) : nullptr;
    if (definitions.dependencies().is_needed(*entry)) continue;
    if (value) bytes -= bytes_of(*value);
    definitions.forget(entry);
    if (value) evaluator().forget(*entry->global);
  }
}

const core::Global* Session::Implementation::global_of(std::string_view name, Span span) {
  return program_state->global_of(definitions.scope(), name, span);
}

const core::Global* Session::Implementation::global_of(const DependencyEntry& entry) {
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
    std::shared_ptr<DependencyEntry> entry = self.definitions.declare_data(name, type, diagnostics);
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
  const DependencyEntryRef entry =
      self.definitions.dependencies().meaning({NameSpace::Values, name});
  if (!entry) {
    outcome.messages = "error: the prompt has not defined `" + name + "`\n";
    return outcome;
  }
  if (self.definitions.dependencies().is_needed(*entry)) {
    outcome.messages = "error: `" + name + "` is still used by a definition\n";
    return outcome;
  }
  self.definitions.forget(entry);
  if (entry->global) self.evaluator().forget(*entry->global);
  outcome.kind = Outcome::Kind::Done;
  return outcome;
}

std::pair<const Value*, const Representation*> Session::value_of(const DependencyEntry& entry) {
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
    info.type = with_named_unknowns(types::print(variable.scheme));
    const core::Global* global = self.global_of(name, variable.span);
    if (const Value* value = global ? self.evaluator().global(*global) : nullptr) {
      info.bytes = bytes_of(*value);
      info.is_in_file = *info.bytes == 0 && has_array_in_file(*value);
      info.type = type_text(type, *value);
    }
    found.push_back(std::move(info));
  };
  if (const check::CheckedFile* file = loaded()) {
    std::vector<std::pair<std::uint32_t, std::string_view>> names;
    for (const auto& [name, variable] : file->module->environment()->values)
      if (variable->declaration && variable->span.file == file->syntax.id &&
          syntax::is_writable_name(name) &&
          !self.definitions.dependencies().meaning({NameSpace::Values, name}))
        names.emplace_back(variable->span.begin, name);
    std::sort(names.begin(), names.end());
    for (const auto& [place, name] : names)
      add(name, *file->module->environment()->values.at(name), false);
  }
  for (const DependencyEntryRef& entry : self.definitions.dependencies().in_force())
    if (auto value = entry->meanings.values.find(entry->name);
        value != entry->meanings.values.end() && value->second->declaration &&
        (syntax::is_writable_name(entry->name) || entry->kind == DependencyEntry::Kind::Result))
      add(entry->name, *value->second, entry->kind == DependencyEntry::Kind::Result,
          entry->kind == DependencyEntry::Kind::Data);
  return found;
}

const DependencyGraph& Session::dependencies() const {
  return implementation_->definitions.dependencies();
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

} // namespace sinter::repl
