#include "tests/generate/renaming.h"

#include "lang/check/names/environment.h"
#include "lang/types/type.h"
#include "tests/generate/names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace sinter::generate {

namespace {

bool is_word(std::string_view name) {
  return !name.empty() &&
         (std::isalpha(static_cast<unsigned char>(name.front())) != 0 || name.front() == '_');
}

/// All names of values in modules that lie outside of a file.
class OutsideNames {
public:
  explicit OutsideNames(FileId file) : file_(file) {}
  std::set<std::string_view> names;

  void add(const check::Environment& environment) {
    for (const auto& [name, variable] : environment.values)
      if (variable->span.file != file_) names.insert(name);
    for (const auto& [name, module] : environment.modules)
      add(*module);
    for (const auto& [name, type] : environment.module_types)
      if (type->is_checked()) add(*type->module());
  }

private:
  void add(const check::Module& module) {
    if (!module.is_checked() || !seen_.insert(&module).second) return;
    if (const check::Environment* environment = module.environment()) return add(*environment);
    add(*module.functor()->parameter->module());
    add(*module.functor()->result);
  }
  FileId file_;
  std::unordered_set<const check::Module*> seen_;
};

class Renamer {
public:
  Renamer(const SourceMap& sources, const check::Checker& checker, const check::CheckedFile& file,
          Naming naming)
      : sources_(sources), file_(file), naming_(naming), outside_(file.syntax.id) {
    outside_.add(*checker.prelude().module->environment());
    outside_.add(file.scope);
    collect();
  }

  std::string text() {
    if (naming_ == Naming::Shadowing)
      visit_names(file_.syntax, {.value_declaration = [&](const syntax::Declaration& one) {
                    hide_globals(one);
                  }});
    else
      number_locals();
    visit_names(file_.syntax,
                {.value = [&](const NameUse& use) { rename(use, new_name(*use.variable)); },
                 .specification =
                     [&](const NameUse& use) {
                       if (naming_ == Naming::Apart) rename(use, member_name(use.name));
                     }});
    return patched();
  }

private:
  // ---- what there is ----
  void collect() {
    for (const syntax::Declaration* declaration : file_.syntax.declarations) {
      const syntax::Declaration* inner = declaration;
      while (const auto* local = std::get_if<syntax::LocalDeclaration>(&inner->node))
        inner = local->inner;
      const auto* value = std::get_if<syntax::ValueDeclaration>(&inner->node);
      if (!value) continue;
      top_.insert(value->variable);
      top_names_.insert(value->name);
      if (value->keyword == syntax::ValueKeyword::Entry || value->name == "main")
        entries_.insert(value->variable);
    }
    visit_names(
        file_.syntax,
        {.value =
             [&](const NameUse& use) {
               if (use.variable->kind == types::Variable::Kind::Global) {
                 if (is_member(*use.variable)) members_.insert(use.name);
                 if (!use.is_binder && !use.is_qualified) plainly_used_.insert(use.variable);
               } else if (use.is_binder && is_word(use.name) && use.name != "_") {
                 locals_.insert(use.variable);
               }
             },
         .other = [&](syntax::Name name) { others_.insert(name); },
         .specification =
             [&](const NameUse& use) {
               members_.insert(use.name);
               specified_.insert(use.name);
             },
         .shared_name = [&](const types::Variable* variable,
                            const types::Variable* other) { same_.emplace(variable, other); }});
    for (const auto& [variable, other] : same_)
      locals_.erase(variable);
  }
  bool is_top(const types::Variable& variable) const { return top_.contains(&variable); }
  bool is_member(const types::Variable& variable) const {
    return variable.kind == types::Variable::Kind::Global &&
           variable.span.file == file_.syntax.id && !is_top(variable);
  }

  // ---- new names ----
  /// The variable whose name it has.
  const types::Variable* origin(const types::Variable* variable) const {
    for (auto known = same_.find(variable); known != same_.end(); known = same_.find(variable))
      variable = known->second;
    return variable;
  }
  std::string new_name(const types::Variable& variable) {
    const types::Variable& named = *origin(&variable);
    if (auto local = local_names_.find(&named); local != local_names_.end()) return local->second;
    if (naming_ == Naming::Shadowing || named.kind != types::Variable::Kind::Global)
      return std::string(named.name);
    if (is_top(named))
      return entries_.contains(&named) || !is_word(named.name) ? std::string(named.name)
                                                               : std::string(named.name) + "_top";
    if (!is_member(named)) return std::string(named.name);
    const std::string name = member_name(named.name);
    // Names that a module type asks for are one name wherever they stand; others are their own.
    // (Copies of a member have its span.)
    if (name == named.name || specified_.contains(named.name)) return name;
    auto number = member_numbers_.emplace(named.span.begin, member_numbers_.size()).first->second;
    return name + std::to_string(number);
  }
  std::string member_name(std::string_view name) const {
    const bool is_known_outside = outside_.names.contains(name);
    return is_known_outside || !is_word(name) ? std::string(name) : std::string(name) + "_member";
  }

  void number_locals() {
    visit_names(file_.syntax, {.value = [&](const NameUse& use) {
                  if (use.is_binder && locals_.contains(use.variable))
                    local_names_.emplace(use.variable, std::string(use.name) + "_" +
                                                           std::to_string(local_names_.size()));
                }});
  }

  /// Gives the locals of a declaration names of the module level that it does not use itself.
  void hide_globals(const syntax::Declaration& declaration) {
    std::set<std::string_view> taken;
    std::vector<const types::Variable*> bound;
    bool opens = false;
    visit_names(declaration,
                {.value =
                     [&](const NameUse& use) {
                       if (!locals_.contains(use.variable)) {
                         if (!same_.contains(use.variable)) taken.insert(use.name);
                       } else if (use.is_binder && std::find(bound.begin(), bound.end(),
                                                             use.variable) == bound.end())
                         bound.push_back(use.variable);
                     },
                 .other = [&](syntax::Name name) { taken.insert(name); },
                 .specification = [&](const NameUse& use) { taken.insert(use.name); },
                 .local_open = [&] { opens = true; }});
    if (opens) return; // the module's names hide the locals
    std::vector<std::string_view> free;
    for (const auto* names : {&top_names_, &members_})
      for (std::string_view name : *names)
        if (is_word(name) && !taken.contains(name) && !others_.contains(name) &&
            std::find(free.begin(), free.end(), name) == free.end())
          free.push_back(name);
    // A local that keeps its name must not meet one that takes it.
    for (const types::Variable* variable : bound)
      std::erase(free, variable->name);
    for (std::size_t i = 0; i < bound.size() && i < free.size(); ++i)
      if (!bound[i]->name.starts_with('_')) local_names_.emplace(bound[i], std::string(free[i]));
  }

  // ---- the text ----
  void rename(const NameUse& use, const std::string& name) {
    if (name == use.name || use.span.file != file_.syntax.id) return;
    const std::string_view all = sources_.text(file_.syntax.id);
    const std::size_t at = all.substr(0, use.span.end).find(use.name, use.span.begin);
    if (at == all.npos) return;
    edits_[at] = {use.name.size(), use.is_shorthand ? std::string(use.name) + " = " + name : name};
  }

  /// Numbers that nobody means, under the names of members that are nothing at the top level.
  std::string decoys() const {
    if (naming_ != Naming::Shadowing) return {};
    std::set<std::string_view> visible = top_names_;
    for (const types::Variable* variable : plainly_used_)
      if (!is_member(*variable)) visible.insert(variable->name);
    std::string text;
    for (std::string_view name : members_)
      if (is_word(name) && !visible.contains(name) && !others_.contains(name))
        text += "local def " + std::string(name) + " : i64 = 77\n";
    return text;
  }

  std::string patched() {
    const std::string_view all = sources_.text(file_.syntax.id);
    std::size_t first = all.size();
    for (const syntax::Declaration* declaration : file_.syntax.declarations)
      if (!std::holds_alternative<syntax::ImportDeclaration>(declaration->node) &&
          !is_import(*declaration)) {
        first = line_start(all, *declaration);
        break;
      }
    std::string text;
    std::size_t done = 0;
    auto copy_to = [&](std::size_t end) {
      if (done <= first && first < end) {
        text += all.substr(done, first - done);
        text += decoys();
        done = first;
        first = all.npos;
      }
      text += all.substr(done, end - done);
      done = end;
    };
    for (const auto& [at, edit] : edits_) {
      copy_to(at);
      text += edit.replacement;
      done = at + edit.length;
    }
    copy_to(all.size());
    return text;
  }
  static bool is_import(const syntax::Declaration& declaration) {
    const auto* local = std::get_if<syntax::LocalDeclaration>(&declaration.node);
    return local && std::holds_alternative<syntax::ImportDeclaration>(local->inner->node);
  }
  static std::size_t line_start(std::string_view text, const syntax::Declaration& declaration) {
    std::size_t at = declaration.span.begin;
    for (const syntax::Attribute& attribute : declaration.attributes)
      at = std::min<std::size_t>(at, attribute.span.begin);
    while (at > 0 && text[at - 1] != '\n')
      --at;
    return at;
  }

  const SourceMap& sources_;
  const check::CheckedFile& file_;
  Naming naming_;
  OutsideNames outside_;
  std::unordered_set<const types::Variable*> top_, entries_, locals_, plainly_used_;
  std::set<std::string_view> top_names_, members_, specified_, others_;
  std::map<std::uint32_t, std::size_t> member_numbers_; ///< by the place of the definition
  std::unordered_map<const types::Variable*, const types::Variable*> same_;
  std::unordered_map<const types::Variable*, std::string> local_names_;
  struct Edit {
    std::size_t length = 0;
    std::string replacement;
  };
  std::map<std::size_t, Edit> edits_;
};

} // namespace

std::string renamed(const SourceMap& sources, const check::Checker& checker,
                    const check::CheckedFile& file, Naming naming) {
  return Renamer(sources, checker, file, naming).text();
}

} // namespace sinter::generate
