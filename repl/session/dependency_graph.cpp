#include "repl/session/dependency_graph.h"

#include <algorithm>
#include <unordered_set>

namespace sinter::repl {

namespace {

template <typename Map>
auto lookup(const Map& map, std::string_view name) -> const typename Map::mapped_type* {
  auto found = map.find(name);
  return found == map.end() ? nullptr : &found->second;
}

} // namespace

bool DependencyEntry::uses_directly(const DependencyEntry& other) const {
  return std::ranges::any_of(uses, [&](const auto& use) { return use.second.get() == &other; });
}

bool DependencyEntry::depends_on(const DependencyEntry& other) const {
  // Uses lead to older entries only, so this ends; each entry is looked at once.
  std::set<const DependencyEntry*> seen;
  std::vector<const DependencyEntry*> open = {this};
  while (!open.empty()) {
    const DependencyEntry* entry = open.back();
    open.pop_back();
    if (entry->uses_directly(other)) return true;
    for (const auto& [name, used] : entry->uses)
      if (used && seen.insert(used.get()).second) open.push_back(used.get());
  }
  return false;
}

void tell_used(const DependencyEntryRef& entry) {
  for (const auto& [name, used] : entry->uses) {
    if (!used) continue;
    auto& users = used->users;
    // Those that are gone make room before there is more.
    if (users.size() == users.capacity())
      std::erase_if(users, [](const auto& user) { return user.expired(); });
    users.push_back(entry);
  }
}

std::vector<DependencyEntry::Key> names_of(const check::Environment& environment) {
  std::vector<DependencyEntry::Key> names;
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

bool has_name(const check::Environment& environment, const DependencyEntry::Key& key) {
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
                    const DependencyEntry::Key& key) {
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

void add_name(check::Environment& names, const check::Environment& environment,
              const DependencyEntry::Key& key) {
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

void DependencyGraph::resolve(DependencyEntry& entry, const std::set<std::string_view>& words,
                              const check::Environment* file) const {
  entry.names = names_of(entry.meanings);
  entry.uses.clear();
  for (std::string_view word : words)
    for (NameSpace space : {NameSpace::Values, NameSpace::Types, NameSpace::ModuleTypes}) {
      const Key key(space, word);
      DependencyEntryRef meant = meaning(key);
      if (meant || (file && has_name(*file, key))) entry.uses.emplace_back(key, std::move(meant));
    }
}

void DependencyGraph::add(DependencyEntryRef entry) {
  const std::uint64_t position = next_position_++;
  entries_.set(position, entry);
  positions_.set(entry->serial, position);
  for (const Key& name : entry->names) {
    const DependencyEntryRef before = meaning(name);
    meanings_.set(name, entry);
    // What nothing means and nothing needs any more is let go with the session's next program
    // state.
    if (before && !is_in_force(before)) remove_from_indices(*before);
  }
  add_to_indices(entry, position);
}

void DependencyGraph::add_to_indices(const DependencyEntryRef& entry, std::uint64_t position) {
  if (entry->kind == DependencyEntry::Kind::Result) results_.set(position, entry);
  if (entry->kind != DependencyEntry::Kind::Definition) return;
  for (const auto& [name, used] : entry->uses)
    users_.set({name, entry->serial}, entry);
}

void DependencyGraph::remove_from_indices(const DependencyEntry& entry) {
  if (const std::uint64_t* position = positions_.find(entry.serial)) results_.erase(*position);
  for (const auto& [name, used] : entry.uses)
    users_.erase({name, entry.serial});
}

void DependencyGraph::remove(const DependencyEntry& entry) {
  const std::uint64_t* position = positions_.find(entry.serial);
  if (!position) return;
  remove_from_indices(entry);
  for (const Key& name : entry.names)
    if (const DependencyEntryRef* meant = meanings_.find(name); meant && meant->get() == &entry)
      meanings_.erase(name);
  entries_.erase(*position);
  positions_.erase(entry.serial);
}

DependencyEntryRef DependencyGraph::meaning(const Key& name) const {
  const DependencyEntryRef* found = meanings_.find(name);
  return found ? *found : nullptr;
}

bool DependencyGraph::is_in_force(const DependencyEntryRef& entry) const {
  // A declaration without names of its own (`import` of nothing new) counts as long as it is there.
  return entry->names.empty() ||
         std::ranges::any_of(entry->names, [&](const Key& name) { return meaning(name) == entry; });
}

std::vector<DependencyEntryRef> DependencyGraph::in_force() const {
  std::vector<DependencyEntryRef> found;
  entries_.for_each([&](std::uint64_t, const DependencyEntryRef& entry) {
    if (is_in_force(entry)) found.push_back(entry);
  });
  return found;
}

std::vector<DependencyEntryRef> DependencyGraph::results_in_force() const {
  std::vector<DependencyEntryRef> found;
  results_.for_each(
      [&](std::uint64_t, const DependencyEntryRef& entry) { found.push_back(entry); });
  return found;
}

std::vector<DependencyEntryRef> DependencyGraph::needed() const {
  std::unordered_set<const DependencyEntry*> wanted;
  std::vector<DependencyEntryRef> open = in_force();
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (!wanted.insert(open[i].get()).second) continue;
    const DependencyEntryRef entry = open[i];
    for (const auto& [name, used] : entry->uses)
      if (used) open.push_back(used);
  }
  std::vector<DependencyEntryRef> found;
  entries_.for_each([&](std::uint64_t, const DependencyEntryRef& entry) {
    if (wanted.contains(entry.get())) found.push_back(entry);
  });
  return found;
}

bool DependencyGraph::is_needed(const DependencyEntry& entry) const {
  std::unordered_set<const DependencyEntry*> seen;
  std::vector<const DependencyEntry*> open = {&entry};
  while (!open.empty()) {
    const DependencyEntry* const used = open.back();
    open.pop_back();
    for (const auto& one : used->users) {
      const DependencyEntryRef user = one.lock();
      if (!user || !positions_.contains(user->serial) || !seen.insert(user.get()).second) continue;
      if (user->kind == DependencyEntry::Kind::Definition && is_in_force(user)) return true;
      open.push_back(user.get());
    }
  }
  return false;
}

DependencyGraph DependencyGraph::replaced(
    const std::map<const DependencyEntry*, DependencyEntryRef>& renewed) const {
  DependencyGraph result;
  for (const DependencyEntryRef& entry : needed())
    if (auto found = renewed.find(entry.get()); found != renewed.end()) {
      const std::uint64_t position = result.next_position_++;
      result.entries_.set(position, found->second);
      result.positions_.set(found->second->serial, position);
    }
  meanings_.for_each([&](const Key& key, const DependencyEntryRef& entry) {
    auto found = renewed.find(entry.get());
    if (found == renewed.end()) return;
    // The key of the new entry lives as long as that.
    for (const Key& name : found->second->names)
      if (name == key) result.meanings_.set(name, found->second);
  });
  result.entries_.for_each([&](std::uint64_t position, const DependencyEntryRef& entry) {
    if (result.is_in_force(entry)) result.add_to_indices(entry, position);
  });
  return result;
}

check::Environment DependencyGraph::in_force(const DependencyEntryRef& entry) const {
  check::Environment names;
  for (const Key& key : entry->names)
    if (meaning(key) == entry) add_name(names, entry->meanings, key);
  return names;
}

void DependencyGraph::add_outdated_by(const std::vector<Key>& names, Positions& outdated) const {
  for (const Key& name : names) {
    const DependencyEntryRef meant = meaning(name);
    users_.for_each_from({name, 0}, [&](const Use& use, const DependencyEntryRef& entry) {
      if (use.first != name) return false;
      const bool is_outdated = std::ranges::any_of(
          entry->uses, [&](const auto& one) { return one.first == name && one.second != meant; });
      if (is_outdated) outdated.emplace(*positions_.find(entry->serial), entry);
      return true;
    });
  }
}

} // namespace sinter::repl
