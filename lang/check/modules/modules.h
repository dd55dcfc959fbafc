// Checking of declarations, modules and module types: everything above values.
//
// A module type is checked to a `ModuleType`: an environment in which each type left open is a
// fresh abstract TypeName.  Naming it makes a copy with abstract types of its own, so that two
// parameters of the same module type never share a type.  Matching a module against it
// (`match_module`) finds what the abstract types stand for.  Applying a parametric module is then a
// copy of its result in which the parameter's types are replaced and its own are made anew.
//
// Levels, as for the generalisation of types: a module inside a parametric module or module type
// has a higher level than what surrounds that; copying never enters modules from outside.
#pragma once

#include "lang/check/names/context.h"
#include "lang/check/names/environment.h"
#include "lang/check/names/scope.h"
#include "lang/check/types/substitute.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sinter::check {

struct CheckedFile;

using ModuleArena = Arena<Module, ModuleType, Scope>;

/// What copying and matching of modules need.
struct ModuleContext {
  Context& context;
  ModuleArena& arena;
  std::uint32_t level = 0; ///< how many parametric modules and module types are being checked
};

// ---- copies -----------------------------------------------------------------------------------

/// A copy of the module with types and sizes replaced.  Modules and values of a level below `base`
/// are shared; other values get new variables, which are added to the substitution: a size names
/// what was meant where it was written, whatever has the same name.  `site`, if the copy is what an
/// application makes.
const Module* copy_module(ModuleContext& modules, const Module& module, Substitution& substitution,
                          std::uint32_t base, const types::ModuleSite* site = nullptr);
/// Says of the values that a site makes where the module that is supplied there has them.
void place_members(ModuleContext& modules, const Module& module, const types::ModuleSite& site);
/// A new abstract type like `name`, and the binding that replaces `name` by it.
struct FreshType {
  const types::TypeName* name = nullptr;
  TypeBinding binding;
};
FreshType fresh_type(ModuleContext& modules, const types::TypeName& name, std::string display);
/// A copy of the module type with abstract types of its own (shown after `prefix`), at the current
/// level; those that the substitution already replaces are no longer abstract.
ModuleType::Shape instantiate(ModuleContext& modules, const ModuleType& type,
                              std::string_view prefix, Substitution substitution = {});

// ---- matching ---------------------------------------------------------------------------------

/// Whether the module has all that the type asks for.  The substitution replaces the type's
/// abstract types and sizes by the module's.  Reports one diagnostic with all differences.
struct MatchResult {
  bool matched = false;
  Substitution substitution;
};
MatchResult match_module(ModuleContext& modules, const Module& module, const ModuleType& type,
                         Span span);
/// The type that a path through sub-modules leads to; null if there is none.
const TypeBinding* type_at(const Module& module, const std::vector<types::Name>& path);

// ---- declarations and module expressions ------------------------------------------------------

/// How a module checker gets at other files.
class Importer {
public:
  virtual ~Importer() = default;
  /// The file that `import "path"` means; null after reporting why there is none.
  virtual const CheckedFile* import(const std::string& path, Span span) = 0;
};

/// What was put off: bodies of values with the scopes where they stand, and the modules whose
/// shapes nobody has asked for.
struct Deferred {
  std::unordered_map<const syntax::ValueDeclaration*, const Scope*> bodies;
  std::unordered_map<const syntax::ModuleDeclaration*, const Module*> modules;
  Diagnostics diagnostics; ///< of the checks that were put off
};

/// Checks the declarations of one file (or prompt).
class ModuleChecker {
public:
  ModuleChecker(Context& context, ModuleArena& arena, Importer& importer)
      : modules_{context, arena}, importer_(importer) {}

  /// Puts off what it can: the bodies of annotated values, and top-level modules and module types
  /// until they are first used.  The checker and the scopes that it is given must then outlive the
  /// session.
  void postpone_into(Deferred& deferred) { deferred_ = &deferred; }

  /// The file is the program's own, not an import: its `main` is an entry point.
  void mark_as_root() { is_root_ = true; }

  /// Checks declarations in order.  `scope` gets all names, `exported` those that users of the
  /// module see.
  void check_top_level(const std::vector<syntax::Declaration*>& declarations, Scope& scope,
                       Environment& exported);
  /// Without the complaint about names defined twice: at a prompt the later one wins.
  void check_at_prompt(const std::vector<syntax::Declaration*>& declarations, Scope& scope);

private:
  class PostponedCheck;

  void check_duplicates(const std::vector<syntax::Declaration*>& declarations);
  void check_declarations(const std::vector<syntax::Declaration*>& declarations, Scope& scope,
                          Environment& exported);
  void check_declaration(syntax::Declaration& declaration, Scope& scope, Environment* exported);
  void check_outermost(syntax::Declaration& declaration, Scope& scope, Environment* exported);
  void declare(syntax::ValueDeclaration& declaration, Scope& scope, Environment* exported);
  void declare(syntax::TypeDeclaration& declaration, Scope& scope, Environment* exported);
  void declare(syntax::ModuleDeclaration& declaration, Scope& scope, Environment* exported);
  void declare(syntax::ModuleTypeDeclaration& declaration, Scope& scope, Environment* exported);
  void declare(syntax::OpenDeclaration& declaration, Scope& scope, Environment* exported);
  void declare(syntax::ImportDeclaration& declaration, Scope& scope, Environment* exported);
  void declare(syntax::LocalDeclaration& declaration, Scope& scope, Environment* exported);
  void declare(syntax::ErrorDeclaration& declaration, Scope& scope, Environment* exported);

  const Module* check_module_declaration(const Scope& scope,
                                         syntax::ModuleDeclaration& declaration);
  ModuleType::Shape check_module_type_declaration(const Scope& scope,
                                                  syntax::ModuleTypeDeclaration& declaration);

  const Module* check_module(const Scope& scope, syntax::ModuleExpr& expression);
  const Module* check_node(const Scope& scope, Span span, syntax::ModuleName& node);
  const Module* check_node(const Scope& scope, Span span, syntax::ModuleParenthesized& node);
  const Module* check_node(const Scope& scope, Span span, syntax::ModuleImport& node);
  const Module* check_node(const Scope& scope, Span span, syntax::ModuleBody& node);
  const Module* check_node(const Scope& scope, Span span, syntax::ModuleApply& node);
  const Module* check_node(const Scope& scope, Span span, syntax::ModuleAscribe& node);
  const Module* check_node(const Scope& scope, Span span, syntax::ModuleLambda& node);
  const Module* check_node(const Scope& scope, Span span, syntax::ErrorModule& node);
  /// The members of a structure; null with a diagnostic for a parametric module.
  const Environment* structure(const Module& module, Span span, std::string_view what);
  const Module* erroneous_module();
  /// Hides the module's types behind the module type's.
  const Module* seal(const Scope& scope, const Module& module, Span span,
                     syntax::ModuleTypeExpr& type, types::ModuleSite& sealed);
  /// What remains of `\(parameter) … (parameter) [: result_type] -> body`.
  struct FunctorParts {
    std::vector<syntax::ModuleParameter*> parameters;
    syntax::ModuleTypeExpr* result_type = nullptr;
    syntax::ModuleExpr* body = nullptr;
    types::ModuleSite* sealed = nullptr;
  };
  const Module* check_functor(const Scope& scope, const FunctorParts& parts, std::size_t parameter);
  const Module* apply(const Module& functor, const Module& argument, syntax::ModuleApply& node);
  /// The types made while a functor's body was checked, with the paths that lead to them.
  std::vector<types::AbstractType> paths_to_generated(const Module& result) const;

  ModuleType::Shape check_module_type(const Scope& scope, syntax::ModuleTypeExpr& expression,
                                      const std::string& prefix);
  ModuleType::Shape check_type_node(const Scope& scope, Span span, syntax::ModuleTypeName& node,
                                    const std::string& prefix);
  ModuleType::Shape check_type_node(const Scope& scope, Span span,
                                    syntax::ModuleTypeParenthesized& node,
                                    const std::string& prefix);
  ModuleType::Shape check_type_node(const Scope& scope, Span span, syntax::ModuleTypeBody& node,
                                    const std::string& prefix);
  ModuleType::Shape check_type_node(const Scope& scope, Span span, syntax::ModuleTypeWith& node,
                                    const std::string& prefix);
  ModuleType::Shape check_type_node(const Scope& scope, Span span, syntax::ModuleTypeFunction& node,
                                    const std::string& prefix);
  void refine(const Scope& scope, syntax::ModuleTypeWith& node, const Module& module,
              const std::vector<types::AbstractType>& abstract_types, Substitution& substitution);
  void check_duplicate_specifications(const std::vector<syntax::Specification*>& specifications);
  struct Specifying; ///< a module type's body under construction
  void specify(syntax::ValueSpecification& node, Span span, Specifying& target);
  void specify(syntax::TypeSpecification& node, Span span, Specifying& target);
  void specify(syntax::ModuleSpecification& node, Span span, Specifying& target);
  void specify(syntax::IncludeSpecification& node, Span span, Specifying& target);
  ModuleType::Shape empty_module_type();

  Diagnostics& diagnostics() { return *modules_.context.diagnostics; }
  Scope& new_layer(const Scope& parent);

  ModuleContext modules_;
  Importer& importer_;
  Deferred* deferred_ = nullptr;
  bool at_top_level_ = true;
  bool is_root_ = false;
  std::string path_; ///< of the module whose body is being checked: "m.n."
  /// Abstract types made since the innermost functor's body began.
  std::vector<const types::TypeName*> generated_;
};

} // namespace sinter::check
