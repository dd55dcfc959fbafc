#include "repl/session/marks.h"

#include "lang/base/prelude_files.h"

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

/// Whether one of the reports finds the same, and more severe.
bool is_worse_elsewhere(const std::vector<jit::MarkReport>& reports,
                        const jit::MarkFinding& finding) {
  return finding.severity != Severity::Error &&
         std::ranges::any_of(reports, [&](const jit::MarkReport& report) {
           return std::ranges::any_of(report.findings, [&](const jit::MarkFinding& other) {
             return other.severity == Severity::Error && other.id == finding.id &&
                    other.span == finding.span;
           });
         });
}

void tell(const jit::MarkReport& report, const std::vector<jit::MarkReport>& all,
          const SourceMap& sources, Diagnostics& diagnostics) {
  for (const jit::MarkFinding& finding : report.findings) {
    if (is_worse_elsewhere(all, finding)) continue;
    // What the user wrote is the marked expression, which comes to the prelude.
    const bool is_inside = is_in_prelude(sources, finding.span) && report.span.is_known();
    const Span span = is_inside ? report.span : finding.span;
    const bool is_told = std::ranges::any_of(diagnostics.all(), [&](const Diagnostic& known) {
      return known.id == finding.id && known.span == span;
    });
    if (is_told) continue;
    Diagnostic& told = diagnostics.report(finding.severity, finding.id, span, finding.message);
    if (is_inside) told.notes.push_back({finding.span, "it is this, in the prelude"});
    if (finding.written.is_known() && finding.written != finding.span)
      told.notes.push_back({finding.written, "it is written here"});
    if (report.mark_span != span) told.notes.push_back({report.mark_span, "it is marked here"});
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
          const SourceMap& sources, Diagnostics& diagnostics) {
  for (const jit::MarkReport& report : reports)
    tell(report, reports, sources, diagnostics);
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

void ExaminedLoops::note(const std::vector<jit::MarkReport>& reports) {
  for (const jit::MarkReport& report : reports) {
    if (!report.is_loop) continue;
    const std::pair mark(report.mark_span.file.index, report.mark_span.begin);
    const auto [known, is_new] = known_.emplace(mark, true);
    known->second = known->second && report.not_checked.empty();
  }
}

bool ExaminedLoops::contains(Span mark) const {
  const auto known = known_.find({mark.file.index, mark.begin});
  return known != known_.end() && known->second;
}

} // namespace sinter::repl
