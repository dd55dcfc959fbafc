#include "lang/core/module_environment.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sinter::core {

// ---- structures ---------------------------------------------------------------------------------

void Structure::add(const syntax::Declaration& declaration) {
  Item item;
  item.declaration = &declaration;
  while (const auto* local = std::get_if<syntax::LocalDeclaration>(&item.declaration->node)) {
    item.declaration = local->inner;
    item.is_local = true;
  }
  if (std::holds_alternative<syntax::ImportDeclaration>(item.declaration->node))
    item.is_local = true;
  items_.push_back(std::move(item));
  // Modules are evaluated at once, so that the abstract types that they introduce are known; but
  // those of the prelude wait until somebody names them.
  if (!is_lazy_) force(size() - 1);
}

void Structure::add_scope_of(Structure& other) {
  Item item;
  item.scope = &other;
  item.is_forced = true;
  items_.push_back(std::move(item));
}

void Structure::add_from(Structure& other, std::uint32_t item) {
  other.environment_of(item);
  const syntax::DeclarationNode& node = other.items_[item].declaration->node;
  if (std::holds_alternative<syntax::ValueDeclaration>(node)) other.value_of(item);
  if (std::holds_alternative<syntax::TypeDeclaration>(node)) other.type_of(item);
  other.force(item);
  items_.push_back(other.items_[item]);
  // Types that the declaration made are found from here too.
  introductions_.types.insert(other.introductions_.types.begin(), other.introductions_.types.end());
  introductions_.sites.insert(other.introductions_.sites.begin(), other.introductions_.sites.end());
}

const ValueEntry* Structure::value_of(std::uint32_t index) {
  if (!items_[index].value) {
    const syntax::Declaration& declaration = *items_[index].declaration;
    const auto& value = std::get<syntax::ValueDeclaration>(declaration.node);
    const Environment* environment = environment_of(index);
    items_[index].value = &world_.values_.emplace_back(ValueEntry{&value, environment});
  }
  return items_[index].value;
}

const TypeEntry* Structure::type_of(std::uint32_t index) {
  if (!items_[index].type) {
    const auto& declaration = std::get<syntax::TypeDeclaration>(items_[index].declaration->node);
    const Environment* environment = environment_of(index);
    items_[index].type = &world_.types_.emplace_back(TypeEntry{&declaration, environment});
  }
  return items_[index].type;
}

const Environment* Structure::end() {
  return world_.new_environment(
      {.outer = outer_, .structure = this, .limit = size(), .introductions = &introductions_});
}

void Structure::force_all() {
  for (std::uint32_t i = 0; i < size(); ++i)
    force(i);
}

void Structure::force_checked() {
  for (std::uint32_t i = 0; i < size(); ++i) {
    if (items_[i].is_forced) continue;
    const auto* module = std::get_if<syntax::ModuleDeclaration>(&items_[i].declaration->node);
    if (!module || world_.checker_.is_checked(*module)) force(i);
  }
}

const ValueEntry* Structure::own_value(const syntax::ValueDeclaration& declaration) {
  index_new_items();
  auto named = values_.find(declaration.name);
  if (named == values_.end()) return nullptr;
  for (std::uint32_t i : named->second)
    if (std::get_if<syntax::ValueDeclaration>(&items_[i].declaration->node) == &declaration)
      return value_of(i);
  return nullptr;
}

const Environment* Structure::environment_of(std::uint32_t index) {
  Item& item = items_[index];
  if (!item.environment)
    item.environment = world_.new_environment(
        {.outer = outer_, .structure = this, .limit = index, .introductions = &introductions_});
  return item.environment;
}

ModuleValue* Structure::force(std::uint32_t index) {
  if (items_[index].is_forced) return items_[index].module;
  items_[index].is_forced = true;
  const syntax::Declaration& declaration = *items_[index].declaration;
  ModuleValue* module = nullptr;
  if (const auto* inner = std::get_if<syntax::ModuleDeclaration>(&declaration.node)) {
    if (is_lazy_) world_.checker_.ensure_checked(*inner);
    module = world_.evaluate(*inner, 0, environment_of(index));
  } else if (const auto* open = std::get_if<syntax::OpenDeclaration>(&declaration.node)) {
    module = world_.evaluate(*open->module, environment_of(index));
  } else if (const auto* import = std::get_if<syntax::ImportDeclaration>(&declaration.node)) {
    module = import->file ? world_.file(*import->file) : nullptr;
  }
  items_[index].module = module;
  return module;
}

void Structure::index_new_items() {
  for (; indexed_ < items_.size(); ++indexed_) {
    const Item& item = items_[indexed_];
    if (item.scope) {
      opens_.push_back(indexed_);
      continue;
    }
    const syntax::DeclarationNode& node = item.declaration->node;
    if (const auto* value = std::get_if<syntax::ValueDeclaration>(&node))
      values_[value->name].push_back(indexed_);
    else if (const auto* type = std::get_if<syntax::TypeDeclaration>(&node))
      types_[type->name].push_back(indexed_);
    else if (const auto* module = std::get_if<syntax::ModuleDeclaration>(&node))
      modules_[module->name].push_back(indexed_);
    else if (const auto* module_type = std::get_if<syntax::ModuleTypeDeclaration>(&node))
      module_types_[module_type->name].push_back(indexed_);
    else if (std::holds_alternative<syntax::OpenDeclaration>(node) ||
             std::holds_alternative<syntax::ImportDeclaration>(node))
      opens_.push_back(indexed_);
  }
}

/// The latest of: an own declaration that `own` accepts, and what an opened module or scope has.
template <typename Result, typename Own, typename InModule, typename InScope>
Result Structure::find(const Index& index, const Query& query, Own own, InModule in_module,
                       InScope in_scope) {
  index_new_items();
  Result found{};
  std::int64_t position = -1;
  if (auto named = index.find(query.name); named != index.end())
    for (auto i = named->second.rbegin(); i != named->second.rend() && position < 0; ++i) {
      if (*i > query.limit || (query.exported_only && items_[*i].is_local)) continue;
      found = own(*i);
      if (found != Result{}) position = *i;
    }
  for (auto i = opens_.rbegin(); i != opens_.rend() && static_cast<std::int64_t>(*i) > position;
       ++i) {
    if (*i >= query.limit || (query.exported_only && items_[*i].is_local)) continue;
    Result result{};
    if (items_[*i].scope)
      result = in_scope(*items_[*i].scope);
    else if (ModuleValue* module = force(*i))
      result = in_module(module);
    if (result != Result{}) return result;
  }
  return found;
}

FoundValue Structure::find_value(const Query& query) {
  auto own = [&](std::uint32_t i) -> FoundValue {
    const auto& declaration = std::get<syntax::ValueDeclaration>(items_[i].declaration->node);
    if (query.wanted ? query.wanted != &declaration : i == query.limit) return {};
    return value_of(i);
  };
  Query inner{.name = query.name, .wanted = query.wanted};
  Query everything = inner;
  everything.exported_only = false;
  return find<FoundValue>(
      values_, query, own, [&](ModuleValue* module) { return world_.member_value(module, inner); },
      [&](Structure& scope) { return scope.find_value(everything); });
}

ModuleValue* Structure::find_module(const Query& query) {
  auto own = [&](std::uint32_t i) -> ModuleValue* { return i == query.limit ? nullptr : force(i); };
  Query inner{.name = query.name};
  Query everything = inner;
  everything.exported_only = false;
  return find<ModuleValue*>(
      modules_, query, own,
      [&](ModuleValue* module) { return world_.member_module(module, inner); },
      [&](Structure& scope) { return scope.find_module(everything); });
}

const TypeEntry* Structure::find_type(const Query& query) {
  auto own = [&](std::uint32_t i) -> const TypeEntry* {
    return i == query.limit ? nullptr : type_of(i);
  };
  Query inner{.name = query.name};
  Query everything = inner;
  everything.exported_only = false;
  return find<const TypeEntry*>(
      types_, query, own, [&](ModuleValue* module) { return world_.member_type(module, inner); },
      [&](Structure& scope) { return scope.find_type(everything); });
}

ModuleTypeEntry Structure::find_module_type(const Query& query) {
  auto own = [&](std::uint32_t i) -> ModuleTypeEntry {
    if (i == query.limit) return {};
    return {&std::get<syntax::ModuleTypeDeclaration>(items_[i].declaration->node),
            environment_of(i)};
  };
  Query inner{.name = query.name};
  Query everything = inner;
  everything.exported_only = false;
  return find<ModuleTypeEntry>(
      module_types_, query, own,
      [&](ModuleValue* module) {
        auto* structure = std::get_if<Structure*>(&module->value);
        return structure ? (*structure)->find_module_type(inner) : ModuleTypeEntry{};
      },
      [&](Structure& scope) { return scope.find_module_type(everything); });
}

// ---- files and prompts --------------------------------------------------------------------------

namespace {

bool is_prelude_file(const check::CheckedFile& file) {
  return file.path.starts_with("/prelude");
}

} // namespace

ModuleValue* ModuleWorld::file(const check::CheckedFile& file) {
  if (auto known = files_.find(&file); known != files_.end()) return known->second;
  const bool in_prelude = is_prelude_file(file) || &file == &checker_.prelude();
  const Environment* outer = in_prelude ? nullptr : prelude_environment();
  Structure* structure = new_structure(outer, in_prelude);
  ModuleValue* module = files_[&file] = new_module(structure);
  importing_.deeper([&] {
    for (const syntax::Declaration* declaration : file.syntax.declarations)
      structure->add(*declaration); // which looks at what it imports
  });
  return module;
}

Structure& ModuleWorld::file_structure(const check::CheckedFile& checked) {
  return *std::get<Structure*>(file(checked)->value);
}

const Environment* ModuleWorld::prelude_environment() {
  if (!prelude_environment_) prelude_environment_ = open(nullptr, file(checker_.prelude()));
  return prelude_environment_;
}

const Environment* ModuleWorld::prompt(const check::Checker::PromptScope& scope) {
  const PersistentList<check::Checker::PromptEntry>& history = checker_.history(scope);
  Prompt& prompt = prompts_[&scope];
  // A new scope may have the address of one that died: then its history is another one.
  std::optional<std::vector<check::Checker::PromptEntry>> added;
  if (prompt.structure) added = history.since(prompt.seen);
  if (!added) {
    prompt = {{}, new_structure(prelude_environment(), false)};
    added = history.since({});
  }
  for (const check::Checker::PromptEntry& entry : *added) {
    if (const auto* opened = std::get_if<const check::CheckedFile*>(&entry)) {
      prompt.structure->add_scope_of(file_structure(**opened));
    } else {
      // What was declared before (a scope is put together anew, to take something back) stays what
      // it was: its values are not computed again.
      const auto* declaration = std::get<const syntax::Declaration*>(entry);
      auto [first, is_new] =
          prompt_items_.try_emplace(declaration, prompt.structure, prompt.structure->size());
      if (is_new)
        prompt.structure->add(*declaration);
      else
        prompt.structure->add_from(*first->second.first, first->second.second);
    }
  }
  prompt.seen = history;
  return prompt.structure->end();
}

const Environment* ModuleWorld::open(const Environment* outer, ModuleValue* module) {
  return new_environment({.outer = outer, .opened = module});
}

// ---- evaluation of module expressions -----------------------------------------------------------

ModuleValue* ModuleWorld::evaluate(const syntax::ModuleExpr& expr, const Environment* environment) {
  if (const auto* name = std::get_if<syntax::ModuleName>(&expr.node)) {
    std::vector<Name> path = name->name.qualifiers;
    path.push_back(name->name.name);
    return find_module(environment, path);
  }
  if (const auto* parenthesized = std::get_if<syntax::ModuleParenthesized>(&expr.node))
    return evaluate(*parenthesized->inner, environment);
  if (const auto* import = std::get_if<syntax::ModuleImport>(&expr.node))
    return import->file ? file(*import->file) : nullptr;
  if (const auto* body = std::get_if<syntax::ModuleBody>(&expr.node)) {
    Structure* structure = new_structure(environment, false);
    for (const syntax::Declaration* declaration : body->declarations)
      structure->add(*declaration);
    return new_module(structure);
  }
  if (const auto* application = std::get_if<syntax::ModuleApply>(&expr.node)) {
    ModuleValue* functor = evaluate(*application->functor, environment);
    ModuleValue* argument = evaluate(*application->argument, environment);
    if (!functor || !argument) return nullptr;
    Application result = apply(functor, argument);
    introduce(environment, application->site, {result.result, result.scope});
    return result.result;
  }
  if (const auto* ascription = std::get_if<syntax::ModuleAscribe>(&expr.node)) {
    ModuleValue* module = evaluate(*ascription->body, environment);
    introduce(environment, ascription->sealed, {module});
    return restrict(module, signature(ascription->type, environment));
  }
  if (const auto* lambda = std::get_if<syntax::ModuleLambda>(&expr.node))
    return new_module(FunctorValue{.lambda = lambda, .environment = environment});
  return nullptr; // an ErrorModule, which no checked program has
}

ModuleValue* ModuleWorld::evaluate(const syntax::ModuleDeclaration& declaration,
                                   std::uint32_t parameter, const Environment* environment) {
  if (parameter < declaration.parameters.size())
    return new_module(FunctorValue{
        .declaration = &declaration, .parameter = parameter, .environment = environment});
  ModuleValue* module = evaluate(*declaration.body, environment);
  introduce(environment, declaration.sealed, {module});
  return restrict(module, signature(declaration.ascription, environment));
}

ModuleWorld::Application ModuleWorld::apply(ModuleValue* functor, ModuleValue* argument) {
  const auto key = std::pair(functor, argument);
  if (auto known = applications_.find(key); known != applications_.end()) return known->second;
  const auto* closure = std::get_if<FunctorValue>(&functor->value);
  if (!closure) throw std::logic_error("a module that is not parametric is applied");
  const syntax::ModuleParameter& parameter =
      closure->lambda ? closure->lambda->parameter
                      : closure->declaration->parameters[closure->parameter];
  ModuleValue* seen = restrict(argument, signature(parameter.type, closure->environment));
  const Environment* scope = new_environment({.outer = closure->environment,
                                              .parameter = seen,
                                              .parameter_name = parameter.name,
                                              .introductions = &introductions_.emplace_back()});
  introduce(scope, parameter.site, {argument});
  ModuleValue* result = nullptr;
  if (closure->lambda) {
    result = evaluate(*closure->lambda->body, scope);
    introduce(scope, closure->lambda->sealed, {result});
    result = restrict(result, signature(closure->lambda->result_type, scope));
  } else {
    result = evaluate(*closure->declaration, closure->parameter + 1, scope);
  }
  if (functor->visible && functor->visible->result)
    result = restrict(result, signature(functor->visible->result, functor->visible->environment));
  return applications_[key] = {result, scope};
}

void ModuleWorld::introduce(const Environment* environment, const types::ModuleSite& site,
                            const SiteIntroduction& supplied) {
  while (environment && !environment->introductions)
    environment = environment->outer;
  if (environment) environment->introductions->sites[&site] = supplied;
  all_introductions_.sites.emplace(&site, supplied);
  for (const types::AbstractType& type : site.types) {
    const TypeIntroduction introduction{supplied, &type};
    if (environment) environment->introductions->types[type.name] = introduction;
    all_introductions_.types.emplace(type.name, introduction);
  }
}

template <typename Key, typename Value>
const Value* ModuleWorld::introduction(const Environment* environment, const Key* key,
                                       std::unordered_map<const Key*, Value> Introductions::*kind) {
  for (const Environment* scope = environment; scope; scope = scope->outer)
    if (scope->introductions)
      if (auto known = (scope->introductions->*kind).find(key);
          known != (scope->introductions->*kind).end())
        return &known->second;
  const auto& all = all_introductions_.*kind;
  auto known = all.find(key);
  // A module of the prelude that nobody has named yet may introduce it.
  for (auto force : {&Structure::force_checked, &Structure::force_all})
    for (std::size_t i = 0; i < structures_.size() && known == all.end(); ++i) {
      (structures_[i].*force)();
      known = all.find(key);
    }
  return known == all.end() ? nullptr : &known->second;
}

// ---- names --------------------------------------------------------------------------------------

FoundValue ModuleWorld::member_value(ModuleValue* module, const Structure::Query& query) {
  if (module->visible && !module->visible->values.contains(query.name)) return {};
  if (auto* structure = std::get_if<Structure*>(&module->value))
    return (*structure)->find_value(query);
  if (std::holds_alternative<IntrinsicsModule>(module->value) && !query.wanted)
    if (const primitives::Intrinsic* intrinsic = primitives::find_intrinsic(query.name))
      return intrinsic;
  return {};
}

ModuleValue* ModuleWorld::member_module(ModuleValue* module, const Structure::Query& query) {
  auto* structure = std::get_if<Structure*>(&module->value);
  if (!structure) return nullptr;
  if (!module->visible) return (*structure)->find_module(query);
  auto visible = module->visible->modules.find(query.name);
  if (visible == module->visible->modules.end()) return nullptr;
  return restrict((*structure)->find_module(query), visible->second);
}

const TypeEntry* ModuleWorld::member_type(ModuleValue* module, const Structure::Query& query) {
  auto* structure = std::get_if<Structure*>(&module->value);
  if (!structure || (module->visible && !module->visible->types.contains(query.name)))
    return nullptr;
  return (*structure)->find_type(query);
}

FoundValue ModuleWorld::find_unqualified(const Environment* environment, Name name,
                                         const syntax::ValueDeclaration* wanted) {
  for (; environment; environment = environment->outer) {
    FoundValue found;
    if (environment->structure)
      found = environment->structure->find_value(
          {.name = name, .limit = environment->limit, .exported_only = false, .wanted = wanted});
    else if (environment->opened)
      found = member_value(environment->opened, {.name = name, .wanted = wanted});
    if (found != FoundValue{}) return found;
  }
  return {};
}

FoundValue ModuleWorld::find_value(const Environment* environment,
                                   const std::vector<Name>& qualifiers, Name name,
                                   const syntax::ValueDeclaration* wanted) {
  // At a prompt a value may have several names.
  if (wanted && qualifiers.empty()) name = wanted->name;
  // The checker may know a declaration that is not what was supplied (the one behind a signature,
  // say): then the name alone decides.
  for (const syntax::ValueDeclaration* declaration : {wanted, decltype(wanted)(nullptr)}) {
    FoundValue found;
    if (qualifiers.empty())
      found = find_unqualified(environment, name, declaration);
    else if (ModuleValue* module = find_module(environment, qualifiers))
      found = member_value(module, {.name = name, .wanted = declaration});
    if (found != FoundValue{}) return found;
  }
  return {};
}

ModuleValue* ModuleWorld::find_module_named(const Environment* environment, Name name) {
  for (; environment; environment = environment->outer) {
    ModuleValue* found = nullptr;
    if (environment->structure)
      found = environment->structure->find_module(
          {.name = name, .limit = environment->limit, .exported_only = false});
    else if (environment->opened)
      found = member_module(environment->opened, {.name = name});
    else if (environment->parameter_name == name)
      found = environment->parameter;
    if (found) return found;
  }
  if (name != "intrinsics") return nullptr;
  if (!intrinsics_) intrinsics_ = new_module(IntrinsicsModule{});
  return intrinsics_;
}

ModuleValue* ModuleWorld::find_module(const Environment* environment,
                                      const std::vector<Name>& path) {
  ModuleValue* module = find_module_named(environment, path.front());
  for (std::size_t i = 1; i < path.size() && module; ++i)
    module = member_module(module, {.name = path[i]});
  return module;
}

const ValueEntry* ModuleWorld::entry_of(const Environment* environment,
                                        const syntax::ValueDeclaration* declaration) {
  Instances& instances = instances_[declaration];
  auto look_at_new = [&] {
    for (; instances.looked_at < structures_.size(); ++instances.looked_at)
      if (Structure& structure = structures_[instances.looked_at];
          structure.own_value(*declaration))
        instances.structures.push_back(&structure);
  };
  look_at_new();
  for (std::size_t i = 0; i < structures_.size() && instances.structures.empty(); ++i) {
    structures_[i].force_checked();
    look_at_new();
  }
  if (instances.structures.empty()) return nullptr;
  // Several are instances of a parametric module's body: what is meant is the one around the scope,
  // or in a module of what is around it.
  auto lies_in = [](const Structure& structure, const Environment& scope) {
    if (scope.structure == &structure) return true;
    for (const Environment* around = structure.outer(); around; around = around->outer)
      if (around == &scope || (scope.structure && around->structure == scope.structure))
        return true;
    return false;
  };
  if (instances.structures.size() > 1)
    for (const Environment* scope = environment; scope; scope = scope->outer)
      for (Structure* structure : instances.structures)
        if (lies_in(*structure, *scope)) return structure->own_value(*declaration);
  return instances.structures.front()->own_value(*declaration);
}

FoundValue ModuleWorld::meaning(const Environment* environment, const types::Variable& variable) {
  if (const types::Member* member = variable.member) {
    const SiteIntroduction* site = introduction(environment, member->site, &Introductions::sites);
    if (!site) return {};
    ModuleValue* module = site->module;
    FoundValue found;
    for (std::size_t i = 0; i + 1 < member->path.size() && module; ++i)
      module = member_module(module, {.name = member->path[i]});
    if (module && !member->path.empty())
      found = member_value(module, {.name = member->path.back()});
    if (found != FoundValue{} || !member->inner) return found;
    return meaning(inside(*site), *member->inner);
  }
  if (variable.kind == types::Variable::Kind::Intrinsic) return variable.intrinsic;
  if (!variable.declaration) return {};
  const ValueEntry* entry = entry_of(environment, variable.declaration);
  return entry ? FoundValue(entry) : FoundValue();
}

/// The scope of a parametric module's body, of an application.
const Environment* ModuleWorld::inside(const SiteIntroduction& site) {
  auto* structure = site.module ? std::get_if<Structure*>(&site.module->value) : nullptr;
  if (!structure) return site.application;
  for (const Environment* scope = (*structure)->outer(); scope; scope = scope->outer)
    if (scope == site.application) return (*structure)->end();
  return site.application;
}

// ---- abstract types -----------------------------------------------------------------------------

ModuleWorld::TypeMeaning ModuleWorld::follow(const TypeIntroduction& introduction) {
  const auto& path = introduction.type->path;
  ModuleValue* module = introduction.site.module;
  const TypeEntry* entry = nullptr;
  if (!path.empty()) {
    for (std::size_t i = 0; i + 1 < path.size() && module; ++i)
      module = member_module(module, {.name = path[i]});
    if (module) entry = member_type(module, {.name = path.back()});
  }
  if (entry) return {.entry = entry};
  if (!introduction.type->inner) return {};
  // No name leads to the type: ask for the name that it has in the functor's body.
  return {.name = introduction.type->inner, .environment = inside(introduction.site)};
}

ModuleWorld::TypeMeaning ModuleWorld::meaning(const Environment* environment,
                                              const types::TypeName* name) {
  const TypeIntroduction* known = introduction(environment, name, &Introductions::types);
  return known ? follow(*known) : TypeMeaning{};
}

// ---- storage ------------------------------------------------------------------------------------

Structure* ModuleWorld::new_structure(const Environment* outer, bool is_lazy) {
  return &structures_.emplace_back(*this, outer, is_lazy);
}

ModuleValue* ModuleWorld::new_module(decltype(ModuleValue::value) value, const Signature* visible) {
  return &modules_.emplace_back(ModuleValue{std::move(value), visible});
}

Environment* ModuleWorld::new_environment(Environment environment) {
  return &environments_.emplace_back(std::move(environment));
}

} // namespace sinter::core
