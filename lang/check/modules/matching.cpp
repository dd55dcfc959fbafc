// Matching of a module against a module type.

#include "lang/check/modules/matches.h"
#include "lang/check/modules/modules.h"
#include "lang/types/brief.h"
#include "lang/types/build.h"
#include "lang/types/facts.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

namespace sinter::check {
namespace {

struct Problem {
  std::string message;
  Span required_at; ///< the specification that is not met
};

template <typename Map>
auto look_up(const Map& map, std::string_view name) -> const typename Map::mapped_type* {
  auto found = map.find(name);
  return found == map.end() ? nullptr : &found->second;
}

/// The map's names in the order in which they were written, so that messages come in that order.
template <typename Map, typename PlaceOf>
std::vector<std::string_view> in_order(const Map& map, PlaceOf place_of) {
  std::vector<std::string_view> names;
  names.reserve(map.size());
  for (const auto& entry : map)
    names.push_back(entry.first);
  std::sort(names.begin(), names.end(), [&](std::string_view a, std::string_view b) {
    auto place_a = place_of(map.at(a)), place_b = place_of(map.at(b));
    return place_a != place_b ? place_a < place_b : a < b;
  });
  return names;
}

std::string describe(const std::vector<bool>& parameter_is_size) {
  if (parameter_is_size.empty()) return "no parameters";
  std::string text = parameter_is_size.size() == 1 ? "the parameter" : "the parameters";
  for (bool is_size : parameter_is_size)
    text += is_size ? " [n]" : " 'a";
  return text;
}

std::vector<bool> kinds(const std::vector<syntax::TypeParameter>& parameters) {
  std::vector<bool> result;
  for (const syntax::TypeParameter& parameter : parameters)
    result.push_back(parameter.kind == syntax::TypeParameter::Kind::Size);
  return result;
}

std::string_view keyword(types::Lifting lifting) {
  switch (lifting) {
  case types::Lifting::None:
    return "type";
  case types::Lifting::SizeLifted:
    return "type~";
  case types::Lifting::FullyLifted:
    return "type^";
  }
  return {};
}

std::string lifting_word(types::Lifting lifting) {
  switch (lifting) {
  case types::Lifting::None:
    return "non-lifted";
  case types::Lifting::SizeLifted:
    return "size-lifted";
  case types::Lifting::FullyLifted:
    return "lifted";
  }
  return {};
}

class ModuleMatcher {
public:
  ModuleMatcher(ModuleContext& modules, std::vector<Problem>& problems)
      : modules_(modules), problems_(problems) {}

  void match(const Module& module, const std::vector<types::AbstractType>& abstract_types,
             const Module& wanted, const std::string& path) {
    resolve_abstract(module, abstract_types, path);
    resolve_values(module, wanted);
    compare(module, wanted, path);
  }

  Substitution substitution;

private:
  void report(std::string message, Span required_at) {
    problems_.push_back({std::move(message), required_at});
  }

  // What the abstract types are in the module.  Those that are missing are reported by `compare`.
  void resolve_abstract(const Module& module,
                        const std::vector<types::AbstractType>& abstract_types,
                        const std::string& path) {
    for (const types::AbstractType& abstract : abstract_types) {
      if (substitution.types.contains(abstract.name)) continue;
      const TypeBinding* found = type_at(module, abstract.path);
      if (found && fits(*found, abstract, path)) {
        substitution.types.emplace(abstract.name, *found);
      } else {
        misfits_.insert(abstract.name);
        TypeBinding unknown = fresh_type(modules_, *abstract.name, "").binding;
        unknown.body = modules_.context.types.make<types::Type>(types::ErrorType{});
        substitution.types.emplace(abstract.name, std::move(unknown));
      }
    }
  }

  bool fits(const TypeBinding& found, const types::AbstractType& abstract,
            const std::string& path) {
    std::string name = path;
    for (std::size_t i = 0; i < abstract.path.size(); ++i)
      name += (i > 0 ? "." : "") + std::string(abstract.path[i]);
    std::vector<bool> parameters = kinds(found.parameters);
    if (parameters != abstract.name->parameter_is_size) {
      report("Module defines type \"" + name + "\" with " + describe(parameters) +
                 ", but module type requires " + describe(abstract.name->parameter_is_size),
             abstract.name->span);
      return false;
    }
    if (found.lifting > abstract.name->lifting) {
      report("Module defines \"" + std::string(keyword(found.lifting)) + " " + name +
                 "\", but module type requires a " + lifting_word(abstract.name->lifting) + " type",
             abstract.name->span);
      return false;
    }
    if (contains_error(found.body)) return true; // said already
    // A value of the abstract type must hold an array of each size that the type takes.
    const types::SizeUses uses = types::size_uses(found.body);
    for (const syntax::TypeParameter& parameter : found.parameters)
      if (parameter.size && !uses.constructive.contains(parameter.size)) {
        report("Type \"" + name + "\" cannot be made abstract because size parameter \"" +
                   std::string(parameter.name) +
                   "\" is not used constructively as an array size in the definition",
               abstract.name->span);
        return false;
      }
    return true;
  }

  // In sizes, members of the module type stand for the module's.
  void resolve_values(const Module& module, const Module& wanted) {
    const Environment* have = module.environment();
    const Environment* want = wanted.environment();
    if (!have || !want) return;
    for (const auto& [name, variable] : want->values)
      if (auto* found = look_up(have->values, name))
        substitution.members.insert_or_assign(variable, *found);
    for (const auto& [name, inner] : want->modules)
      if (auto* found = look_up(have->modules, name)) resolve_values(**found, *inner);
  }

  void compare(const Module& module, const Module& wanted, const std::string& path) {
    std::string what =
        path.empty() ? "module" : "module \"" + path.substr(0, path.size() - 1) + "\"";
    if ((wanted.functor() == nullptr) != (module.functor() == nullptr) &&
        (wanted.is_erroneous || module.is_erroneous))
      return;
    if (wanted.functor() && module.functor()) return compare_functors(module, wanted, path);
    if (wanted.functor())
      return report("Cannot match non-parametric " + what + " with parametric module type", {});
    if (module.functor())
      return report("Cannot match parametric " + what + " with non-parametric module type", {});
    compare_types(module, *wanted.environment(), path);
    compare_values(module, *wanted.environment(), path);
    compare_modules(module, *wanted.environment(), path);
  }

  void compare_types(const Module& module, const Environment& wanted, const std::string& path) {
    const Environment& have = *module.environment();
    auto place = [](const TypeBinding& binding) { return binding.span.begin; };
    for (std::string_view name : in_order(wanted.types, place)) {
      const TypeBinding& want = wanted.types.at(name);
      if (auto* found = look_up(have.types, name))
        compare_type(path + std::string(name), *found, want);
      else if (!module.is_erroneous)
        report(missing("type", path, name) + also_there(have, name), want.span);
    }
  }

  void compare_type(const std::string& name, const TypeBinding& found, const TypeBinding& wanted) {
    auto* named = std::get_if<types::NamedType>(&types::resolve(wanted.body)->node);
    if (named && misfits_.contains(named->name)) return; // said already
    std::vector<bool> have = kinds(found.parameters), want = kinds(wanted.parameters);
    if (have != want)
      return report("Module defines type \"" + name + "\" with " + describe(have) +
                        ", but module type requires " + describe(want),
                    wanted.span);
    Substitution rename;
    for (std::size_t i = 0; i < found.parameters.size(); ++i) {
      const syntax::TypeParameter& from = found.parameters[i];
      const syntax::TypeParameter& to = wanted.parameters[i];
      types::TypeArena& arena = modules_.context.types;
      if (from.kind == syntax::TypeParameter::Kind::Size)
        rename.sizes.emplace(from.size, arena.make<types::Size>(types::VariableSize{to.size}));
      else
        rename.types.emplace(
            from.type_name, TypeBinding{types::Lifting::None,
                                        {},
                                        arena.make<types::Type>(types::NamedType{to.type_name, {}}),
                                        to.span});
    }
    const types::Type* have_body = substitute(modules_.context, found.body, rename);
    const types::Type* want_body = substitute(modules_.context, wanted.body, substitution);
    if (equal(want_body, have_body, true)) return;
    const auto [have_text, want_text] = types::print_briefly(have_body, want_body);
    report("Module defines \"type " + name + " = " + have_text +
               "\", but module type requires \"type " + name + " = " + want_text + "\"",
           wanted.span);
  }

  void compare_values(const Module& module, const Environment& wanted, const std::string& path) {
    const Environment& have = *module.environment();
    auto place = [](const types::Variable* variable) { return variable->span.begin; };
    for (std::string_view name : in_order(wanted.values, place)) {
      const types::Variable& want = *wanted.values.at(name);
      auto* found = look_up(have.values, name);
      if (!found) {
        if (!module.is_erroneous)
          report(missing("value", path, name) + also_there(have, name), want.span);
        continue;
      }
      types::Scheme scheme = substitute(modules_.context, want.scheme, substitution);
      if ((*found)->has_unknown_sizes || contains_error((*found)->scheme.type) ||
          contains_error(scheme.type))
        continue; // said already
      if (has_top_level_size(want.scheme, scheme)) {
        report("Type substitution in \"" + path + std::string(name) +
                   "\" results in a top-level size",
               want.span);
        continue;
      }
      std::string why;
      if (matches(modules_.context, scheme, promised_scheme(**found), why) &&
          sizes_match(modules_.context, scheme, (*found)->scheme, why))
        continue;
      std::string message = "Module type specifies \"val " + path + std::string(name) + " : " +
                            types::print_briefly(scheme) + "\", but module provides \"val " + path +
                            std::string(name) + " : " + types::print_briefly((*found)->scheme) +
                            "\"";
      if (!why.empty()) message += ": " + why;
      report(std::move(message), want.span);
    }
  }

  /// Whether a value would have to bring a size along, because an abstract type of its
  /// specification stands for one with a size of its own (`type~ t = []i32`).
  static bool has_top_level_size(const types::Scheme& specified, const types::Scheme& meant) {
    const types::SizeUses uses = types::size_uses(meant.type);
    return std::any_of(meant.size_parameters.begin() +
                           static_cast<std::ptrdiff_t>(specified.size_parameters.size()),
                       meant.size_parameters.end(), [&](const types::Variable* size) {
                         return uses.constructive.contains(size);
                       });
  }

  /// A function without a declared result promises one without aliases wherever it is asked to:
  /// whether that holds is found where its body is looked at.  Unknown sizes of a result, declared
  /// or not, may turn out to be what is asked for: the exact check knows what the body makes them.
  types::Scheme promised_scheme(const types::Variable& variable) const {
    types::Scheme scheme = variable.scheme;
    if (!variable.declaration || !scheme.type) return scheme;
    const bool has_declared_result = variable.declaration->result_type != nullptr;
    types::TypeArena& arena = modules_.context.types;
    std::function<const types::Type*(const types::Type*)> with_promises =
        [&](const types::Type* whole) -> const types::Type* {
      const types::Type* type = types::resolve(whole);
      if (const auto* f = std::get_if<types::FunctionType>(&type->node)) {
        scheme.size_parameters.insert(scheme.size_parameters.end(), f->existentials.begin(),
                                      f->existentials.end());
        return types::function(arena, f->parameter, with_promises(f->result), f->parameter_variable,
                               {});
      }
      return has_declared_result ? whole : arena.make<types::Type>(types::UniqueType{type});
    };
    if (std::holds_alternative<types::FunctionType>(types::resolve(scheme.type)->node))
      scheme.type = with_promises(scheme.type);
    return scheme;
  }

  void compare_modules(const Module& module, const Environment& wanted, const std::string& path) {
    const Environment& have = *module.environment();
    auto place = [](const Module*) { return 0; };
    for (std::string_view name : in_order(wanted.modules, place)) {
      if (auto* found = look_up(have.modules, name))
        compare(**found, *wanted.modules.at(name), path + std::string(name) + ".");
      else if (!module.is_erroneous)
        report(missing("module", path, name) + also_there(have, name), {});
    }
  }

  // The module's functor must take all that the module type promises to give it, and give all that
  // the module type promises.
  void compare_functors(const Module& module, const Module& wanted, const std::string& path) {
    const Functor& have = *module.functor();
    const Functor& want = *wanted.functor();
    Substitution outer = substitution;
    const Module* parameter =
        copy_module(modules_, *want.parameter->module(), outer, wanted.level() + 1);
    std::vector<Problem> inner;
    ModuleMatcher parameters(modules_, inner);
    parameters.match(*parameter, have.parameter->abstract_types(), *have.parameter->module(), path);
    append("the parameter of ", path, inner);

    const Module* have_result =
        copy_module(modules_, *have.result, parameters.substitution, module.level() + 1);
    const Module* want_result = copy_module(modules_, *want.result, outer, wanted.level() + 1);
    ModuleMatcher results(modules_, inner);
    results.match(*have_result, want.result_types, *want_result, path);
    append("the result of ", path, inner);
  }

  void append(std::string_view where, const std::string& path, std::vector<Problem>& inner) {
    std::string what =
        path.empty() ? "the parametric module" : "\"" + path.substr(0, path.size() - 1) + "\"";
    for (Problem& problem : inner)
      report("in " + std::string(where) + what + ": " + problem.message, problem.required_at);
    inner.clear();
  }

  static std::string missing(std::string_view kind, const std::string& path,
                             std::string_view name) {
    return std::string("Module does not define a ") + std::string(kind) + " named \"" + path +
           std::string(name) + "\", which the module type requires";
  }

  static std::string also_there(const Environment& have, std::string_view name) {
    if (have.values.contains(name)) return " (it has a value of that name)";
    if (have.types.contains(name)) return " (it has a type of that name)";
    if (have.modules.contains(name)) return " (it has a module of that name)";
    return {};
  }

  ModuleContext& modules_;
  std::vector<Problem>& problems_;
  std::unordered_set<const types::TypeName*> misfits_;
};

} // namespace

const TypeBinding* type_at(const Module& module, const std::vector<types::Name>& path) {
  const Module* at = &module;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Environment* environment = at->environment();
    if (!environment) return nullptr;
    if (i + 1 == path.size()) return look_up(environment->types, path[i]);
    auto* next = look_up(environment->modules, path[i]);
    if (!next) return nullptr;
    at = *next;
  }
  return nullptr;
}

MatchResult match_module(ModuleContext& modules, const Module& module, const ModuleType& type,
                         Span span) {
  std::vector<Problem> problems;
  ModuleMatcher matcher(modules, problems);
  matcher.match(module, type.abstract_types(), *type.module(), "");
  MatchResult result{problems.empty(), std::move(matcher.substitution)};
  if (problems.empty()) return result;
  Diagnostic& diagnostic = modules.context.diagnostics->error("module-mismatch", span,
                                                              std::move(problems.front().message));
  if (problems.front().required_at.is_known())
    diagnostic.notes.push_back({problems.front().required_at, "it is required here"});
  // One sentence for each further difference; a module of quite another kind would flood.
  constexpr std::size_t most = 6;
  for (std::size_t i = 1; i < problems.size() && i < most; ++i)
    diagnostic.notes.push_back({problems[i].required_at, std::move(problems[i].message)});
  if (problems.size() > most)
    diagnostic.notes.push_back(
        {{}, "and " + std::to_string(problems.size() - most) + " more differences"});
  return result;
}

} // namespace sinter::check
