// Entry and messages of the exact check of sizes.
#include "lang/check/sizes/size_checker.h"

#include "lang/base/excerpt.h"
namespace sinter::check {

using namespace types;

void SizeChecker::fail(std::string_view id, Span span, std::string message, std::vector<Note> notes,
                       std::string hint) {
  // Of other kinds, what is found later may be a consequence.
  if (has_failed_ && id != "size-mismatch") throw Stop{};
  has_failed_ = true;
  Diagnostic& diagnostic = context_.diagnostics->error(id, span, std::move(message));
  diagnostic.notes = std::move(notes);
  diagnostic.hint = std::move(hint);
  throw Stop{};
}

void SizeChecker::unify(const Type* expected, const Type* found, Purpose purpose) {
  try {
    unifier_.unify(expected, found, purpose.span);
  } catch (SizeMismatch& mismatch) {
    std::string message = purpose.header;
    if (!purpose.show_types && !message.empty()) message += ' ';
    if (purpose.show_types) {
      if (!message.empty()) message += ' ';
      const Type* wanted = strip_unique(arena(), sizes_.normalise(expected));
      const Type* got = strip_unique(arena(), sizes_.normalise(found));
      const auto [wanted_text, got_text] = sizes_.show(wanted, got);
      message += std::string(purpose.expected) + ": \"" + wanted_text + "\", " +
                 std::string(purpose.found) + ": \"" + got_text + "\". ";
    }
    message += mismatch.message;
    std::vector<Note> notes = std::move(mismatch.notes);
    notes.insert(notes.end(), purpose.notes.begin(), purpose.notes.end());
    fail(mismatch.id, purpose.span, std::move(message), std::move(notes));
  }
}

std::string SizeChecker::text(Span span) const {
  return excerpt(context_.sources.text(span), 60);
}

Scheme SizeChecker::check_declaration(syntax::ValueDeclaration& declaration) {
  self_ = declaration.parameters.empty() ? nullptr : declaration.variable;
  Definition definition;
  definition.variable = declaration.variable;
  definition.name = declaration.name;
  definition.span = declaration.name_span;
  definition.type_parameters = &declaration.type_parameters;
  definition.parameters = &declaration.parameters;
  definition.result_type = declaration.result_type;
  definition.body = declaration.body;
  Scheme scheme = define(definition);
  if (has_failed_) throw Stop{};
  if (has_met_error_) return scheme;
  annotations_.emplace_back(&scheme.type, scheme.type);
  finish(*declaration.body);
  return scheme;
}

void SizeChecker::check_alone(syntax::Expr& expression) {
  check(expression);
  if (!has_failed_ && !has_met_error_) finish(expression);
}

bool check_sizes(Context& context, syntax::ValueDeclaration& declaration) {
  SizeChecker checker(context);
  try {
    Scheme scheme = checker.check_declaration(declaration);
    if (checker.has_met_error()) return false;
    declaration.variable->scheme.type = scheme.type;
    declaration.variable->scheme.size_parameters = std::move(scheme.size_parameters);
    return true;
  } catch (const SizeChecker::Stop&) { // reported, or too large
    return false;
  }
}

void check_body_sizes(Context& context, syntax::ValueDeclaration& declaration) {
  try {
    SizeChecker(context).check_declaration(declaration);
  } catch (const SizeChecker::Stop&) { // reported, or too large
  }
}

void check_sizes(Context& context, syntax::Expr& expression) {
  try {
    SizeChecker(context).check_alone(expression);
  } catch (const SizeChecker::Stop&) { // reported
  }
}

} // namespace sinter::check
