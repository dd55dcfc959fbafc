// The front end's door: reads files and their imports, checks them, and keeps what they define.
#pragma once

#include "lang/base/diagnostic.h"
#include "lang/base/persistent_list.h"
#include "lang/check/modules/checked_file.h"
#include "lang/check/names/environment.h"
#include "lang/syntax/ast.h"
#include "lang/syntax/parser.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace sinter::check {

/// Owns the arenas of syntax trees and types, the loaded files and the prelude.  All results stay
/// valid until it dies, and so does what nobody needs any more: to get rid of that, a session makes
/// a new one now and then, and has what it still needs checked there (see `Renewal`).
class Checker {
public:
  explicit Checker(SourceMap& sources);
  ~Checker();
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  /// Reads and checks a file with everything that it imports.  Null when there were errors (then
  /// `diagnostics` has them; imports that failed are reported at the import).  Relative imports are
  /// resolved against the importing file's folder; ".fut" is added; `/prelude/…` names the prelude.
  const CheckedFile* check_file(const std::string& path, Diagnostics& diagnostics);
  /// The same for a text that is not a file (a script block, a test).
  const CheckedFile* check_text(const std::string& name, std::string text,
                                Diagnostics& diagnostics);

  /// An incremental scope for a prompt: starts with the prelude, grows by declarations.
  struct PromptScope;
  std::shared_ptr<PromptScope> new_prompt_scope();
  /// Brings a checked file's scope into the prompt's, as if the prompt stood at the file's end.
  void open_file(PromptScope& scope, const CheckedFile& file);
  /// Checks declarations in the scope and adds them; with errors the scope is unchanged.  `news`
  /// gets the names that mean something else than before.
  bool check_declarations(PromptScope& scope, const std::vector<syntax::Declaration*>& declarations,
                          Diagnostics& diagnostics, Environment* news = nullptr);
  /// Checks an expression in the scope: annotates it.  Leftover overloads default (i32, f64);
  /// leftover type variables become `()`.  False with errors.
  bool check_expression(PromptScope& scope, syntax::Expr& expression, Diagnostics& diagnostics);
  /// What was opened and declared in a prompt's scope, in order: what the specialiser builds its
  /// environment from.
  using PromptEntry = std::variant<const CheckedFile*, const syntax::Declaration*>;
  const PersistentList<PromptEntry>& history(const PromptScope& scope) const;
  /// The names in a prompt's scope.
  const Environment& environment(const PromptScope& scope) const;

  /// Bodies of prelude functions are checked when they are first needed: the specialiser calls this
  /// before it reads `declaration.body`.  No effect on a body that is already checked.
  void ensure_body_checked(const syntax::ValueDeclaration& declaration);
  /// The same for the prelude's modules: checks the declaration (not the bodies of its functions)
  /// if that has not been done, so that its annotations can be read.
  void ensure_checked(const syntax::ModuleDeclaration& declaration);
  bool is_checked(const syntax::ModuleDeclaration& declaration) const;
  /// What checking the prelude found; empty unless the prelude itself is broken.
  const Diagnostics& prelude_diagnostics() const;

  /// The prelude's file; its members are in scope everywhere.
  const CheckedFile& prelude() const;
  /// The texts of all files but the prelude's.
  std::vector<FileId> texts() const;
  syntax::Ast& ast();

  class Renewal;

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Checks in a new checker what another one of the same sources has checked, in the same texts: no
/// file is read again, and each `import` means the version of the file that it meant then.
class Checker::Renewal {
public:
  Renewal(Checker& checker, const Checker& former) : checker_(checker), former_(former) {}

  /// The same file in the new checker; null with errors.
  const CheckedFile* file(const CheckedFile& former);
  /// Like `check_declarations`, of a new tree of the text of `former`.
  bool check_declaration(PromptScope& scope, syntax::Declaration& declaration,
                         const syntax::Declaration& former, Diagnostics& diagnostics,
                         Environment& news);
  /// All files so far, but those with errors.
  std::vector<const CheckedFile*> files() const;

private:
  Checker& checker_;
  const Checker& former_;
  std::unordered_map<const CheckedFile*, const CheckedFile*> done_;
};

} // namespace sinter::check
