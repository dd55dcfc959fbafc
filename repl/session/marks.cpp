#include "repl/session/marks.h"

#include <algorithm>
#include <string>
#include <unordered_set>

namespace sinter::repl {

namespace {

bool has_marks(const check::CheckedFile& file, std::unordered_set<const check::CheckedFile*>& seen);

bool imports_marks(const syntax::Declaration& declaration,
                   std::unordered_set<const check::CheckedFile*>& seen) {
  if (const auto* local = std::get_if<syntax::LocalDeclaration>(&declaration.node))
    return imports_marks(*local->inner, seen);
  const auto* import = std::get_if<syntax::ImportDeclaration>(&declaration.node);
  return import && import->file && has_marks(*import->file, seen);
}

bool has_marks(const check::CheckedFile& file,
               std::unordered_set<const check::CheckedFile*>& seen) {
  if (!seen.insert(&file).second) return false;
  if (!file.syntax.marks.empty()) return true;
  return std::ranges::any_of(file.syntax.declarations, [&](const syntax::Declaration* declaration) {
    return imports_marks(*declaration, seen);
  });
}

void add_definitions(ProgramState& state, check::Checker::PromptScope& scope,
                     const std::vector<syntax::Declaration*>& declarations,
                     jit::MarkQuestion& question) {
  for (const syntax::Declaration* declaration : declarations) {
    const auto* value = std::get_if<syntax::ValueDeclaration>(&declaration->node);
    if (!value || !value->variable || !value->variable->scheme.type_parameters.empty()) continue;
    Diagnostics objections;
    syntax::Expr* name = variable(state.checker.ast(), value->name, value->name_span);
    state.checker.check_expression(scope, *name, objections);
    // (A function of sizes that its name alone does not tell is a function all the same.)
    const bool is_meant = std::ranges::all_of(objections.all(), [](const Diagnostic& objection) {
      return objection.severity != Severity::Error || objection.id == "ambiguous-size";
    });
    if (is_meant) question.expressions.push_back(state.specialiser.expression(scope, *name));
  }
}

void tell(const jit::MarkReport& report, Diagnostics& diagnostics) {
  for (const jit::MarkFinding& finding : report.findings) {
    const bool is_told = std::ranges::any_of(diagnostics.all(), [&](const Diagnostic& known) {
      return known.id == finding.id && known.span == finding.span;
    });
    if (is_told) continue;
    Diagnostic& told =
        diagnostics.report(finding.severity, finding.id, finding.span, finding.message);
    if (finding.written.is_known() && finding.written != finding.span)
      told.notes.push_back({finding.written, "it is written here"});
    if (report.mark_span != finding.span)
      told.notes.push_back({report.mark_span, "it is marked here"});
  }
}

} // namespace

bool has_marks(const check::CheckedFile& file) {
  std::unordered_set<const check::CheckedFile*> seen;
  return has_marks(file, seen);
}

jit::MarkQuestion marks_of(ProgramState& state, check::Checker::PromptScope& scope,
                           const check::CheckedFile& file, bool all_entry_points) {
  jit::MarkQuestion question;
  if (has_marks(file)) add_definitions(state, scope, file.syntax.declarations, question);
  if (all_entry_points)
    for (const std::string& name : state.specialiser.entry_points(file))
      question.entry_points.push_back(state.specialiser.entry_point(file, name).function);
  return question;
}

jit::MarkQuestion marks_of(ProgramState& state, check::Checker::PromptScope& scope,
                           const std::vector<syntax::Declaration*>& declarations) {
  jit::MarkQuestion question;
  add_definitions(state, scope, declarations, question);
  return question;
}

void tell(const std::vector<jit::MarkReport>& reports, std::span<const Span> written,
          Diagnostics& diagnostics) {
  for (const jit::MarkReport& report : reports)
    tell(report, diagnostics);
  for (const Span mark : written) {
    const bool is_checked = std::ranges::any_of(reports, [&](const jit::MarkReport& report) {
      return report.mark_span == mark && report.not_checked.empty();
    });
    if (is_checked) continue;
    const auto known = std::ranges::find(reports, mark, &jit::MarkReport::mark_span);
    const std::string why = known == reports.end() ? "no instance" : known->not_checked;
    diagnostics.report(Severity::Remark, "accelerate-unchecked", mark, "not checked: " + why);
  }
}

} // namespace sinter::repl
