#include "repl/ledger.h"

#include <algorithm>

namespace sinter::repl {

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
