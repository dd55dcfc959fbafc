// What module-level names stand for while specialising: structures, applied parametric modules and
// the scopes that declarations stand in.
//
// The checker has decided that every name exists and what type it has; here the names are looked up
// once more, in the modules that were really supplied to parametric modules.  Sizes in types are
// used far from where they were written: in them a name is only the variable that the checker found
// for it, and `meaning` says what that is in the scope of the use.  A structure (a file,
// `{ … }`, the body of one application of a parametric module, a prompt's history) keeps its
// declarations in order; a scope is a position in a structure, with the scopes around it.
#pragma once

#include "lang/base/further_stack.h"
#include "lang/check/checker.h"
#include "lang/primitives/primitives.h"
#include "lang/syntax/ast.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace sinter::core {

struct Environment;
struct ModuleValue;
class Structure;
using syntax::Name;

/// A value declaration in one instance of the module that it stands in.
struct ValueEntry {
  const syntax::ValueDeclaration* declaration = nullptr;
  const Environment* environment = nullptr; ///< the scope of its body
};
/// A type declaration in one instance of the module that it stands in.
struct TypeEntry {
  const syntax::TypeDeclaration* declaration = nullptr;
  const Environment* environment = nullptr;
};
/// What a value name means: a declaration, or a member of `intrinsics`.
using FoundValue = std::variant<std::monostate, const ValueEntry*, const primitives::Intrinsic*>;

/// The module that was supplied at a ModuleSite.
struct SiteIntroduction {
  ModuleValue* module = nullptr;
  const Environment* application = nullptr; ///< of a functor application: its body's scope
};
/// Where the meaning of an abstract type is found.
struct TypeIntroduction {
  SiteIntroduction site;
  const types::AbstractType* type = nullptr;
};
struct Introductions {
  std::unordered_map<const types::TypeName*, TypeIntroduction> types;
  std::unordered_map<const types::ModuleSite*, SiteIntroduction> sites;
};

/// A scope: exactly one of `structure`, `opened` and `parameter` is set.
struct Environment {
  const Environment* outer = nullptr;
  Structure* structure = nullptr; ///< the declarations before `limit` (and `limit` to itself)
  std::uint32_t limit = 0;
  ModuleValue* opened = nullptr;    ///< what a module exports: `m.(…)`, the prelude
  ModuleValue* parameter = nullptr; ///< of a parametric module, called `parameter_name`
  Name parameter_name;
  Introductions* introductions = nullptr; ///< what sites in this scope were supplied with
};

/// A parametric module with its scope; `parameter` counts those of a declaration.
struct FunctorValue {
  const syntax::ModuleDeclaration* declaration = nullptr;
  const syntax::ModuleLambda* lambda = nullptr;
  std::uint32_t parameter = 0;
  const Environment* environment = nullptr;
};
/// The built-in module `intrinsics`.
struct IntrinsicsModule {};
/// The names that a module type lets through.
struct Signature {
  std::unordered_set<Name> values;
  std::unordered_set<Name> types;
  std::unordered_map<Name, const Signature*> modules;
  /// Of a parametric module: what applications give, and the scope of that module type.
  const syntax::ModuleTypeExpr* result = nullptr;
  const Environment* environment = nullptr;
};
struct ModuleValue {
  std::variant<Structure*, FunctorValue, IntrinsicsModule> value;
  const Signature* visible = nullptr; ///< null: all that the module exports
};
/// A module type declaration in one instance of the module that it stands in.
struct ModuleTypeEntry {
  const syntax::ModuleTypeDeclaration* declaration = nullptr;
  const Environment* environment = nullptr;
  friend bool operator==(const ModuleTypeEntry&, const ModuleTypeEntry&) = default;
};

class ModuleWorld;

/// Declarations in order, with an index of their names.  Grows only at a prompt.
class Structure {
public:
  Structure(ModuleWorld& world, const Environment* outer, bool is_lazy)
      : world_(world), outer_(outer), is_lazy_(is_lazy) {}

  void add(const syntax::Declaration& declaration);
  /// Everything that is in scope at the end of another structure.
  void add_scope_of(Structure& other);
  /// Adds a declaration of another structure once more, with the meaning that it has there.
  void add_from(Structure& other, std::uint32_t item);
  /// The scope after all declarations so far.
  const Environment* end();
  Introductions& introductions() { return introductions_; }
  const Environment* outer() const { return outer_; }
  /// Evaluates module declarations that were put off.
  void force_all();
  /// The same for those that the checker has looked at.
  void force_checked();
  /// Null if the declaration stands elsewhere.
  const ValueEntry* own_value(const syntax::ValueDeclaration& declaration);

  /// `wanted`, if set, is the only declaration that may be found.
  struct Query {
    Name name;
    std::uint32_t limit = UINT32_MAX;
    bool exported_only = true;
    const syntax::ValueDeclaration* wanted = nullptr;
  };
  FoundValue find_value(const Query& query);
  ModuleValue* find_module(const Query& query);
  const TypeEntry* find_type(const Query& query);
  ModuleTypeEntry find_module_type(const Query& query);
  std::uint32_t size() const { return static_cast<std::uint32_t>(items_.size()); }

private:
  struct Item {
    const syntax::Declaration* declaration = nullptr; ///< never a LocalDeclaration
    bool is_local = false;
    bool is_forced = false;
    Structure* scope = nullptr;    ///< of `add_scope_of`
    ModuleValue* module = nullptr; ///< declared, opened or imported
    ValueEntry* value = nullptr;
    TypeEntry* type = nullptr;
    const Environment* environment = nullptr;
  };
  using Index = std::unordered_map<Name, std::vector<std::uint32_t>>;

  const Environment* environment_of(std::uint32_t item);
  const ValueEntry* value_of(std::uint32_t item);
  const TypeEntry* type_of(std::uint32_t item);
  ModuleValue* force(std::uint32_t item);
  void index_new_items();
  template <typename Result, typename Own, typename InModule, typename InScope>
  Result find(const Index& index, const Query& query, Own own, InModule in_module,
              InScope in_scope);

  ModuleWorld& world_;
  const Environment* outer_;
  bool is_lazy_;
  std::vector<Item> items_;
  std::uint32_t indexed_ = 0;
  Index values_, types_, modules_, module_types_;
  std::vector<std::uint32_t> opens_;
  Introductions introductions_;
};

/// All module values of a session.
class ModuleWorld {
public:
  explicit ModuleWorld(check::Checker& checker) : checker_(checker) {}

  ModuleValue* file(const check::CheckedFile& file);
  Structure& file_structure(const check::CheckedFile& file);
  /// The scope of a prompt, with what was declared and opened so far.
  const Environment* prompt(const check::Checker::PromptScope& scope);
  const Environment* open(const Environment* outer, ModuleValue* module);

  /// The meaning of the first `module_count` qualifiers' member named `name`; `wanted` is the
  /// declaration that the checker found, if it knows one.
  FoundValue find_value(const Environment* environment, const std::vector<Name>& qualifiers,
                        Name name, const syntax::ValueDeclaration* wanted);
  /// What a variable of the module level means where a type mentions it: names have no part in it.
  FoundValue meaning(const Environment* environment, const types::Variable& variable);
  /// Null if there is none.
  ModuleValue* find_module(const Environment* environment, const std::vector<Name>& path);
  /// The instance of a declaration that is nearest to a scope; null if no structure has it.
  const ValueEntry* entry_of(const Environment* environment,
                             const syntax::ValueDeclaration* declaration);

  /// What an abstract type stands for: a declared type, or a name in another scope.
  struct TypeMeaning {
    const TypeEntry* entry = nullptr;
    const types::TypeName* name = nullptr; ///< with `environment`, where there is no entry
    const Environment* environment = nullptr;
  };
  TypeMeaning meaning(const Environment* environment, const types::TypeName* name);

private:
  friend class Structure;
  struct Application {
    ModuleValue* result = nullptr;
    const Environment* scope = nullptr;
  };

  ModuleValue* evaluate(const syntax::ModuleExpr& expr, const Environment* environment);
  ModuleValue* evaluate(const syntax::ModuleDeclaration& declaration, std::uint32_t parameter,
                        const Environment* environment);
  Application apply(ModuleValue* functor, ModuleValue* argument);
  /// The same module with only the names that a module type lets through.
  ModuleValue* restrict(ModuleValue* module, const Signature* signature);
  /// Null where the module type cannot be found: then nothing is hidden.
  const Signature* signature(const syntax::ModuleTypeExpr* type, const Environment* environment);
  void add_specification(Signature& signature, const syntax::Specification& specification,
                         const Environment* environment);
  ModuleTypeEntry find_module_type(const Environment* environment,
                                   const syntax::QualifiedName& name);
  void introduce(const Environment* environment, const types::ModuleSite& site,
                 const SiteIntroduction& supplied);
  /// What a scope's sites were supplied with, its own first; null where none knows it.
  template <typename Key, typename Value>
  const Value* introduction(const Environment* environment, const Key* key,
                            std::unordered_map<const Key*, Value> Introductions::*kind);
  FoundValue member_value(ModuleValue* module, const Structure::Query& query);
  ModuleValue* member_module(ModuleValue* module, const Structure::Query& query);
  const TypeEntry* member_type(ModuleValue* module, const Structure::Query& query);
  FoundValue find_unqualified(const Environment* environment, Name name,
                              const syntax::ValueDeclaration* wanted);
  ModuleValue* find_module_named(const Environment* environment, Name name);
  TypeMeaning follow(const TypeIntroduction& introduction);
  const Environment* inside(const SiteIntroduction& site);
  const Environment* prelude_environment();
  Structure* new_structure(const Environment* outer, bool is_lazy);
  ModuleValue* new_module(decltype(ModuleValue::value) value, const Signature* visible = nullptr);
  Environment* new_environment(Environment environment);

  check::Checker& checker_;
  std::deque<Structure> structures_;
  std::deque<ModuleValue> modules_;
  std::deque<Signature> signatures_;
  std::map<std::pair<const syntax::ModuleTypeDeclaration*, const Environment*>, const Signature*>
      declared_signatures_;
  std::deque<Environment> environments_;
  std::deque<Introductions> introductions_;
  std::deque<ValueEntry> values_;
  std::deque<TypeEntry> types_;
  std::unordered_map<const check::CheckedFile*, ModuleValue*> files_;
  DeepRecursion importing_; ///< a chain of imports may be long
  std::map<std::pair<ModuleValue*, ModuleValue*>, Application> applications_;
  Introductions all_introductions_;
  /// The structures that have a declaration, among the first `looked_at` of all.
  struct Instances {
    std::vector<Structure*> structures;
    std::size_t looked_at = 0;
  };
  std::unordered_map<const syntax::ValueDeclaration*, Instances> instances_;
  const Environment* prelude_environment_ = nullptr;
  ModuleValue* intrinsics_ = nullptr;
  struct Prompt {
    PersistentList<check::Checker::PromptEntry> seen;
    Structure* structure = nullptr;
  };
  std::unordered_map<const check::Checker::PromptScope*, Prompt> prompts_;
  /// Where a prompt's declarations stand first.
  std::unordered_map<const syntax::Declaration*, std::pair<Structure*, std::uint32_t>>
      prompt_items_;
};

} // namespace sinter::core
