#include "repl/ledger.h"

#include <algorithm>

namespace sinter::repl {

namespace {

template <typename Map>
auto lookup(const Map& map, std::string_view name) -> const typename Map::mapped_type* {
  auto found = map.find(name);
  return found == map.end() ? nullptr : &found->second;
}

} // namespace

bool LedgerEntry::uses_directly(const LedgerEntry& other) const {
  return std::ranges::any_of(uses, [&](const auto& use) { return use.second.get() == &other; });
}

bool LedgerEntry::depends_on(const LedgerEntry& other) const {
  // Uses lead to older entries only, so this ends; each entry is looked at once.
  std::set<const LedgerEntry*> seen;
  std::vector<const LedgerEntry*> open = {this};
  while (!open.empty()) {
    const LedgerEntry* entry = open.back();
    open.pop_back();
    if (entry->uses_directly(other)) return true;
    for (const auto& [name, used] : entry->uses)
      if (used && seen.insert(used.get()).second) open.push_back(used.get());
  }
  return false;
}

std::vector<LedgerEntry::Key> names_of(const check::Environment& environment) {
  std::vector<LedgerEntry::Key> names;
  for (const auto& [name, value] : environment.values)
    names.emplace_back(NameSpace::Values, name);
  for (const auto& [name, module] : environment.modules)
    names.emplace_back(NameSpace::Values, name);
  for (const auto& [name, type] : environment.types)
    names.emplace_back(NameSpace::Types, name);
  for (const auto& [name, type] : environment.module_types)
    names.emplace_back(NameSpace::ModuleTypes, name);
  std::ranges::sort(names);
  return names;
}

bool has_name(const check::Environment& environment, const LedgerEntry::Key& key) {
  const auto& [space, name] = key;
  switch (space) {
  case NameSpace::Values:
    return environment.values.contains(name) || environment.modules.contains(name);
  case NameSpace::Types:
    return environment.types.contains(name);
  case NameSpace::ModuleTypes:
    return environment.module_types.contains(name);
  }
  return false;
}

bool means_the_same(const check::Environment& a, const check::Environment& b,
                    const LedgerEntry::Key& key) {
  const auto& [space, name] = key;
  auto same = [&](const auto* x, const auto* y) { return x && y ? *x == *y : !x && !y; };
  switch (space) {
  case NameSpace::Values:
    return same(lookup(a.values, name), lookup(b.values, name)) &&
           same(lookup(a.modules, name), lookup(b.modules, name));
  case NameSpace::Types: {
    const auto *x = lookup(a.types, name), *y = lookup(b.types, name);
    return x && y ? x->body == y->body : !x && !y;
  }
  case NameSpace::ModuleTypes:
    return same(lookup(a.module_types, name), lookup(b.module_types, name));
  }
  return false;
}

check::Environment difference(const check::Environment& before, const check::Environment& after) {
  check::Environment found;
  for (const auto& [name, value] : after.values)
    if (!means_the_same(before, after, {NameSpace::Values, name})) found.bind(name, value);
  for (const auto& [name, module] : after.modules)
    if (!means_the_same(before, after, {NameSpace::Values, name})) found.bind(name, module);
  for (const auto& [name, type] : after.types)
    if (!means_the_same(before, after, {NameSpace::Types, name})) found.types.emplace(name, type);
  for (const auto& [name, type] : after.module_types)
    if (!means_the_same(before, after, {NameSpace::ModuleTypes, name}))
      found.module_types.emplace(name, type);
  return found;
}

void add_name(check::Environment& names, const check::Environment& environment,
              const LedgerEntry::Key& key) {
  const auto& [space, name] = key;
  if (space == NameSpace::Values) {
    if (auto found = environment.values.find(name); found != environment.values.end())
      names.bind(name, found->second);
    if (auto found = environment.modules.find(name); found != environment.modules.end())
      names.bind(name, found->second);
  } else if (space == NameSpace::Types) {
    if (auto found = environment.types.find(name); found != environment.types.end())
      names.types.insert_or_assign(name, found->second);
  } else if (auto found = environment.module_types.find(name);
             found != environment.module_types.end()) {
    names.module_types.insert_or_assign(name, found->second);
  }
}

void Ledger::resolve(LedgerEntry& entry, const std::set<std::string_view>& words,
                     const check::Environment* file) const {
  entry.names = names_of(entry.meanings);
  entry.uses.clear();
  for (std::string_view word : words)
    for (NameSpace space : {NameSpace::Values, NameSpace::Types, NameSpace::ModuleTypes}) {
      const Key key(space, word);
      LedgerEntryRef meant = meaning(key);
      if (meant || (file && has_name(*file, key))) entry.uses.emplace_back(key, std::move(meant));
    }
}

void Ledger::add(LedgerEntryRef entry) {
  for (const Key& name : entry->names)
    meanings_[name] = entry;
  // What nothing means and nothing needs any more is let go with its last snapshot.
  entries_.push_back(std::move(entry));
}

void Ledger::remove(const LedgerEntry& entry) {
  std::erase_if(meanings_, [&](const auto& meaning) { return meaning.second.get() == &entry; });
  std::erase_if(entries_, [&](const LedgerEntryRef& known) { return known.get() == &entry; });
}

LedgerEntryRef Ledger::meaning(const Key& name) const {
  auto found = meanings_.find(name);
  return found == meanings_.end() ? nullptr : found->second;
}

bool Ledger::is_in_force(const LedgerEntryRef& entry) const {
  // A declaration without names of its own (`import` of nothing new) counts as long as it is there.
  return entry->names.empty() ||
         std::ranges::any_of(entry->names, [&](const Key& name) { return meaning(name) == entry; });
}

std::vector<LedgerEntryRef> Ledger::in_force() const {
  std::vector<LedgerEntryRef> found;
  for (const LedgerEntryRef& entry : entries_)
    if (is_in_force(entry)) found.push_back(entry);
  return found;
}

std::vector<LedgerEntryRef> Ledger::needed() const {
  std::set<const LedgerEntry*> wanted;
  std::vector<LedgerEntryRef> open = in_force();
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (!wanted.insert(open[i].get()).second) continue;
    const LedgerEntryRef entry = open[i];
    for (const auto& [name, used] : entry->uses)
      if (used) open.push_back(used);
  }
  std::vector<LedgerEntryRef> found;
  for (const LedgerEntryRef& entry : entries_)
    if (wanted.contains(entry.get())) found.push_back(entry);
  return found;
}

bool Ledger::is_needed(const LedgerEntry& entry) const {
  return std::ranges::any_of(in_force(), [&](const LedgerEntryRef& other) {
    return other.get() != &entry && other->kind == LedgerEntry::Kind::Definition &&
           other->depends_on(entry);
  });
}

Ledger Ledger::replaced(const std::map<const LedgerEntry*, LedgerEntryRef>& renewed) const {
  Ledger result;
  for (const LedgerEntryRef& entry : needed())
    if (auto found = renewed.find(entry.get()); found != renewed.end())
      result.entries_.push_back(found->second);
  for (const auto& [key, entry] : meanings_) {
    auto found = renewed.find(entry.get());
    if (found == renewed.end()) continue;
    // The key of the new entry lives as long as that.
    for (const Key& name : found->second->names)
      if (name == key) result.meanings_[name] = found->second;
  }
  return result;
}

check::Environment Ledger::in_force(const LedgerEntryRef& entry) const {
  check::Environment names;
  for (const Key& key : entry->names)
    if (meaning(key) == entry) add_name(names, entry->meanings, key);
  return names;
}

std::vector<LedgerEntryRef> Ledger::outdated_by(const std::set<Key>& names) const {
  std::vector<LedgerEntryRef> found;
  for (const LedgerEntryRef& entry : in_force()) {
    if (entry->kind != LedgerEntry::Kind::Definition) continue;
    const bool is_outdated = std::ranges::any_of(entry->uses, [&](const auto& use) {
      return names.contains(use.first) && meaning(use.first) != use.second;
    });
    if (is_outdated) found.push_back(entry);
  }
  return found;
}

} // namespace sinter::repl
