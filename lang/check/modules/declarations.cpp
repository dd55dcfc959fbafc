// Checking of declarations in order: what each adds to the scope and to the module.

#include "lang/base/interruptible.h"
#include "lang/check/modules/checked_file.h"
#include "lang/check/modules/modules.h"
#include "lang/check/types/type_declarations.h"
#include "lang/check/values/value_declarations.h"
#include "lang/types/rewrite.h"

namespace sinter::check {

/// While it lives, a postponed check runs as if it stood where it was declared.
class ModuleChecker::PostponedCheck {
public:
  explicit PostponedCheck(ModuleChecker& checker)
      : checker_(checker), diagnostics_(checker.modules_.context.diagnostics),
        level_(checker.modules_.level), at_top_level_(checker.at_top_level_),
        path_(std::move(checker.path_)), generated_(std::move(checker.generated_)) {
    checker.modules_.context.diagnostics = &checker.deferred_->diagnostics;
    checker.modules_.level = 0;
    checker.at_top_level_ = true;
    checker.path_.clear();
    checker.generated_.clear();
  }
  ~PostponedCheck() {
    checker_.modules_.context.diagnostics = diagnostics_;
    checker_.modules_.level = level_;
    checker_.at_top_level_ = at_top_level_;
    checker_.path_ = std::move(path_);
    checker_.generated_ = std::move(generated_);
  }
  PostponedCheck(const PostponedCheck&) = delete;
  PostponedCheck& operator=(const PostponedCheck&) = delete;

private:
  ModuleChecker& checker_;
  Diagnostics* diagnostics_;
  std::uint32_t level_;
  bool at_top_level_;
  std::string path_;
  std::vector<const types::TypeName*> generated_;
  /// It is done once, for all who will ask.
  Uninterruptible whole_;
};

void ModuleChecker::check_top_level(const std::vector<syntax::Declaration*>& declarations,
                                    Scope& scope, Environment& exported) {
  check_duplicates(declarations);
  check_declarations(declarations, scope, exported);
}

void ModuleChecker::check_at_prompt(const std::vector<syntax::Declaration*>& declarations,
                                    Scope& scope) {
  for (syntax::Declaration* declaration : declarations)
    check_outermost(*declaration, scope, nullptr);
}

// Values and modules share a name space.  What `open`, `import` and `local` bring may be defined
// again.
void ModuleChecker::check_duplicates(const std::vector<syntax::Declaration*>& declarations) {
  std::unordered_map<std::string_view, Span> values, types, module_types;
  auto add = [&](auto& known, std::string_view kind, std::string_view name, Span span) {
    auto [found, is_new] = known.emplace(name, span);
    if (is_new) return;
    Diagnostic& diagnostic = diagnostics().error("duplicate-definition", span,
                                                 "Duplicate definition of " + std::string(kind) +
                                                     " \"" + std::string(name) + "\"");
    diagnostic.notes.push_back({found->second, "previously defined here"});
  };
  for (const syntax::Declaration* declaration : declarations) {
    if (auto* value = std::get_if<syntax::ValueDeclaration>(&declaration->node))
      add(values, "value", value->name, value->name_span);
    else if (auto* module = std::get_if<syntax::ModuleDeclaration>(&declaration->node))
      add(values, "module", module->name, module->name_span);
    else if (auto* type = std::get_if<syntax::TypeDeclaration>(&declaration->node))
      add(types, "type", type->name, type->name_span);
    else if (auto* signature = std::get_if<syntax::ModuleTypeDeclaration>(&declaration->node))
      add(module_types, "module type", signature->name, signature->name_span);
  }
}

namespace {

/// Whether a declaration gives a name that can be seen already another meaning.
bool shadows(const Scope& scope, const syntax::Declaration& declaration) {
  auto is_known = [&](std::string_view name) { return scope.value(name) || scope.module(name); };
  if (auto* value = std::get_if<syntax::ValueDeclaration>(&declaration.node))
    return is_known(value->name);
  if (auto* module = std::get_if<syntax::ModuleDeclaration>(&declaration.node))
    return is_known(module->name);
  if (auto* type = std::get_if<syntax::TypeDeclaration>(&declaration.node))
    return scope.type(type->name) != nullptr;
  if (auto* type = std::get_if<syntax::ModuleTypeDeclaration>(&declaration.node))
    return scope.module_type(type->name) != nullptr;
  return true; // `open` and its like: nobody knows which names
}

} // namespace

void ModuleChecker::check_declarations(const std::vector<syntax::Declaration*>& declarations,
                                       Scope& scope, Environment& exported) {
  Scope* layer = &scope;
  for (syntax::Declaration* declaration : declarations) {
    // What is checked later must not see names that come after it.
    if (deferred_ && shadows(*layer, *declaration)) layer = &new_layer(*layer);
    if (at_top_level_ && modules_.level == 0)
      check_outermost(*declaration, *layer, &exported);
    else
      check_declaration(*declaration, *layer, &exported);
  }
}

/// The same, but what is too large to be checked ends here: as an error of the whole declaration.
void ModuleChecker::check_outermost(syntax::Declaration& declaration, Scope& scope,
                                    Environment* exported) {
  try {
    check_declaration(declaration, scope, exported);
  } catch (const types::TooLarge& too_large) {
    report_too_large(diagnostics(), declaration.span, too_large);
    modules_.level = 0;
    at_top_level_ = true;
    path_.clear();
    generated_.clear();
    scope.is_erroneous = true; // whatever it was to define
  }
}

void ModuleChecker::check_declaration(syntax::Declaration& declaration, Scope& scope,
                                      Environment* exported) {
  std::visit([&](auto& node) { declare(node, scope, exported); }, declaration.node);
}

// ---- values and types -------------------------------------------------------------------------

void ModuleChecker::declare(syntax::ValueDeclaration& declaration, Scope& scope,
                            Environment* exported) {
  if (declaration.keyword == syntax::ValueKeyword::Entry && !at_top_level_)
    diagnostics().error("nested-entry", declaration.name_span,
                        "Entry points may not be declared inside modules");
  types::Variable* variable =
      check_value_declaration(modules_.context, scope, declaration, deferred_ != nullptr);
  variable->module_level = modules_.level;
  if (declaration.keyword == syntax::ValueKeyword::Entry ||
      (is_root_ && at_top_level_ && declaration.name == "main"))
    check_entry_point(modules_.context, declaration);
  const bool is_postponed = deferred_ && declaration.body->type == nullptr;
  if (is_postponed) deferred_->bodies.emplace(&declaration, &scope);
  scope.names.bind(declaration.name, variable);
  if (exported) exported->bind(declaration.name, variable);
}

void ModuleChecker::declare(syntax::TypeDeclaration& declaration, Scope& scope,
                            Environment* exported) {
  TypeBinding binding = check_type_declaration(modules_.context, scope, declaration);
  if (exported) exported->types.insert_or_assign(declaration.name, binding);
  scope.names.types.insert_or_assign(declaration.name, std::move(binding));
}

// ---- modules ----------------------------------------------------------------------------------

const Module* ModuleChecker::check_module_declaration(const Scope& scope,
                                                      syntax::ModuleDeclaration& declaration) {
  const bool was_at_top_level = std::exchange(at_top_level_, false);
  std::string outer_path = path_;
  path_ += std::string(declaration.name) + ".";
  const Module* module = nullptr;
  if (!declaration.parameters.empty()) {
    FunctorParts parts{{}, declaration.ascription, declaration.body, &declaration.sealed};
    for (syntax::ModuleParameter& parameter : declaration.parameters)
      parts.parameters.push_back(&parameter);
    module = check_functor(scope, parts, 0);
  } else {
    module = check_module(scope, *declaration.body);
    if (declaration.ascription)
      module =
          seal(scope, *module, declaration.body->span, *declaration.ascription, declaration.sealed);
  }
  path_ = std::move(outer_path);
  at_top_level_ = was_at_top_level;
  return module;
}

void ModuleChecker::declare(syntax::ModuleDeclaration& declaration, Scope& scope,
                            Environment* exported) {
  const Module* module = nullptr;
  if (deferred_ && at_top_level_) {
    module = modules_.arena.make<Module>([this, &scope, &declaration]() -> Module::Shape {
      PostponedCheck here(*this);
      return check_module_declaration(scope, declaration)->shape();
    });
    deferred_->modules.emplace(&declaration, module);
  } else {
    module = check_module_declaration(scope, declaration);
  }
  scope.names.bind(declaration.name, module);
  if (exported) exported->bind(declaration.name, module);
}

ModuleType::Shape
ModuleChecker::check_module_type_declaration(const Scope& scope,
                                             syntax::ModuleTypeDeclaration& declaration) {
  ++modules_.level;
  ModuleType::Shape shape = check_module_type(scope, *declaration.type, "");
  --modules_.level;
  return shape;
}

void ModuleChecker::declare(syntax::ModuleTypeDeclaration& declaration, Scope& scope,
                            Environment* exported) {
  const ModuleType* type = nullptr;
  if (deferred_ && at_top_level_) {
    type = modules_.arena.make<ModuleType>([this, &scope, &declaration]() -> ModuleType::Shape {
      PostponedCheck here(*this);
      return check_module_type_declaration(scope, declaration);
    });
  } else {
    type = modules_.arena.make<ModuleType>(check_module_type_declaration(scope, declaration),
                                           modules_.level);
  }
  scope.names.module_types.insert_or_assign(declaration.name, type);
  if (exported) exported->module_types.insert_or_assign(declaration.name, type);
}

void ModuleChecker::declare(syntax::OpenDeclaration& declaration, Scope& scope,
                            Environment* exported) {
  const Module* module = check_module(scope, *declaration.module);
  const Environment* members = structure(*module, declaration.module->span, "the opened module");
  if (!members || module->is_erroneous) scope.is_erroneous = true;
  if (!members) return;
  add_all(scope.names, *members);
  if (exported) add_all(*exported, *members);
}

void ModuleChecker::declare(syntax::ImportDeclaration& declaration, Scope& scope, Environment*) {
  declaration.file = importer_.import(declaration.path, declaration.path_span);
  if (declaration.file)
    add_all(scope.names, *declaration.file->module->environment());
  else
    scope.is_erroneous = true;
}

void ModuleChecker::declare(syntax::LocalDeclaration& declaration, Scope& scope, Environment*) {
  check_declaration(*declaration.inner, scope, nullptr);
}

void ModuleChecker::declare(syntax::ErrorDeclaration&, Scope& scope, Environment*) {
  scope.is_erroneous = true; // whatever it was to define
}

} // namespace sinter::check
