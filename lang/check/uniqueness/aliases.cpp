#include "lang/check/uniqueness/aliases.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace sinter::check {

using namespace types;

AliasSet united(const AliasSet& a, const AliasSet& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  AliasSet both;
  both.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

bool intersect(const AliasSet& a, const AliasSet& b) {
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) return true;
    if (*i < *j)
      ++i;
    else
      ++j;
  }
  return false;
}

namespace {

AliasSet gathered(const AliasTree* tree, bool with_functions) {
  // The common cases need no merging.
  if (!tree) return {};
  if (const auto* w = std::get_if<WholeAliases>(&tree->node)) return w->aliases;
  if (const auto* c = std::get_if<ClosureAliases>(&tree->node))
    return with_functions ? c->aliases : AliasSet{};
  AliasSet all;
  if (const auto* r = std::get_if<RecordAliases>(&tree->node)) {
    for (const auto& [name, part] : r->fields)
      all = united(all, gathered(part, with_functions));
  } else {
    for (const auto& [name, payload] : std::get<SumAliases>(tree->node).constructors)
      for (const AliasTree* part : payload)
        all = united(all, gathered(part, with_functions));
  }
  return all;
}

} // namespace

AliasSet all_aliases(const AliasTree* tree) {
  return gathered(tree, true);
}

AliasSet array_aliases(const AliasTree* tree) {
  return gathered(tree, false);
}

void for_each_part(const AliasTree* tree, const std::function<void(const AliasSet&)>& visit) {
  if (!tree) return;
  if (const auto* r = std::get_if<RecordAliases>(&tree->node)) {
    for (const auto& field : r->fields)
      for_each_part(field.second, visit);
  } else {
    visit(all_aliases(tree));
  }
}

// ---- making trees ------------------------------------------------------------------------------

const AliasTree* AliasArena::whole(AliasSet aliases) {
  return aliases.empty() ? nullptr : trees_.make<AliasTree>(WholeAliases{std::move(aliases)});
}

const AliasTree* AliasArena::closure(AliasSet aliases, const FunctionType* function) {
  return trees_.make<AliasTree>(ClosureAliases{std::move(aliases), function});
}

const AliasTree* AliasArena::record(std::vector<std::pair<Name, const AliasTree*>> fields) {
  if (std::none_of(fields.begin(), fields.end(), [](const auto& f) { return f.second; }))
    return nullptr;
  return trees_.make<AliasTree>(RecordAliases{std::move(fields)});
}

const AliasTree*
AliasArena::sum(std::vector<std::pair<Name, std::vector<const AliasTree*>>> constructors) {
  auto shares = [](const auto& constructor) {
    return std::any_of(constructor.second.begin(), constructor.second.end(),
                       [](const AliasTree* part) { return part != nullptr; });
  };
  if (std::none_of(constructors.begin(), constructors.end(), shares)) return nullptr;
  return trees_.make<AliasTree>(SumAliases{std::move(constructors)});
}

std::uint32_t AliasArena::extended(std::uint32_t path, Name field) {
  return paths_.emplace(std::pair(path, field), static_cast<std::uint32_t>(paths_.size() + 1))
      .first->second;
}

namespace {
/// Whether a part of a value may share memory; of a global one only arrays count.
bool is_in_memory(const Type* type, bool is_global, Visited& visited) {
  type = resolve(type);
  while (const auto* u = std::get_if<UniqueType>(&type->node))
    type = resolve(u->inner);
  if (!visited.is_new(type)) return false;
  auto part = [&](const Type* t) { return is_in_memory(t, is_global, visited); };
  if (const auto* r = std::get_if<RecordType>(&type->node))
    return std::any_of(r->fields.begin(), r->fields.end(),
                       [&](const Field& field) { return part(field.type); });
  if (const auto* s = std::get_if<SumType>(&type->node))
    return std::any_of(s->constructors.begin(), s->constructors.end(), [&](const Constructor& c) {
      return std::any_of(c.payload.begin(), c.payload.end(), part);
    });
  if (std::holds_alternative<ArrayType>(type->node)) return true;
  return !is_global && !std::holds_alternative<PrimitiveType>(type->node);
}
} // namespace

const AliasTree* AliasArena::build(const Type* type, std::uint32_t path, bool is_global,
                                   const std::function<AliasSet(std::uint32_t)>& leaf) {
  type = resolve(type);
  while (const auto* u = std::get_if<UniqueType>(&type->node))
    type = resolve(u->inner);
  if (std::holds_alternative<ArrayType>(type->node)) return whole(leaf(path));
  if (std::holds_alternative<types::NamedType>(type->node) ||
      std::holds_alternative<MetaType>(type->node))
    return is_global ? nullptr : whole(leaf(path));
  if (const auto* f = std::get_if<FunctionType>(&type->node))
    return is_global ? nullptr : closure(leaf(path), f);
  if (is_large(type)) {
    Visited visited;
    return is_in_memory(type, is_global, visited) ? whole(leaf(path)) : nullptr;
  }
  if (const auto* r = std::get_if<RecordType>(&type->node)) {
    std::vector<std::pair<Name, const AliasTree*>> fields;
    fields.reserve(r->fields.size());
    for (const Field& field : r->fields)
      fields.emplace_back(field.name,
                          build(field.type, extended(path, field.name), is_global, leaf));
    return record(std::move(fields));
  }
  if (const auto* s = std::get_if<SumType>(&type->node)) {
    std::vector<std::pair<Name, std::vector<const AliasTree*>>> constructors;
    for (const Constructor& constructor : s->constructors) {
      auto& parts = constructors.emplace_back(constructor.name, std::vector<const AliasTree*>{});
      for (const Type* payload : constructor.payload)
        parts.second.push_back(build(payload, path, is_global, leaf));
    }
    return sum(std::move(constructors));
  }
  return nullptr; // primitive
}

const AliasTree* AliasArena::spread(const Type* type, const AliasSet& aliases) {
  return build(type, 0, false, [&](std::uint32_t) { return aliases; });
}

const AliasTree* AliasArena::self(const Type* type, std::uint32_t root) {
  return build(type, 0, false, [root](std::uint32_t path) { return AliasSet{{root, path}}; });
}

const AliasTree* AliasArena::self_of_global(const Type* type, std::uint32_t root) {
  return build(type, 0, true, [root](std::uint32_t path) { return AliasSet{{root, path}}; });
}

// ---- combining and taking apart ----------------------------------------------------------------

const AliasTree* AliasArena::combined(const AliasTree* a, const AliasTree* b) {
  if (!a || a == b) return b;
  if (!b) return a;
  if (const auto* x = std::get_if<RecordAliases>(&a->node)) {
    if (const auto* y = std::get_if<RecordAliases>(&b->node);
        y && x->fields.size() == y->fields.size()) {
      std::vector<std::pair<Name, const AliasTree*>> fields;
      fields.reserve(x->fields.size());
      for (const auto& [name, part] : x->fields)
        fields.emplace_back(name, combined(part, field(b, name)));
      return record(std::move(fields));
    }
  } else if (const auto* s = std::get_if<SumAliases>(&a->node)) {
    if (std::holds_alternative<SumAliases>(b->node)) {
      std::vector<std::pair<Name, std::vector<const AliasTree*>>> constructors;
      for (const auto& [name, parts] : s->constructors) {
        auto& all = constructors.emplace_back(name, std::vector<const AliasTree*>{}).second;
        for (std::size_t i = 0; i < parts.size(); ++i)
          all.push_back(combined(parts[i], payload(b, name, i)));
      }
      return sum(std::move(constructors));
    }
  } else if (const auto* f = std::get_if<ClosureAliases>(&a->node)) {
    if (const auto* g = std::get_if<ClosureAliases>(&b->node))
      return closure(united(f->aliases, g->aliases), f->function);
  }
  return whole(united(all_aliases(a), all_aliases(b)));
}

const AliasTree* AliasArena::without(const AliasTree* tree,
                                     const std::function<bool(Alias)>& leave_out) {
  if (!tree) return nullptr;
  auto rest = [&](const AliasSet& set) {
    AliasSet kept;
    std::remove_copy_if(set.begin(), set.end(), std::back_inserter(kept), leave_out);
    return kept;
  };
  if (const auto* w = std::get_if<WholeAliases>(&tree->node)) return whole(rest(w->aliases));
  if (const auto* c = std::get_if<ClosureAliases>(&tree->node))
    return closure(rest(c->aliases), c->function);
  if (const auto* r = std::get_if<RecordAliases>(&tree->node)) {
    std::vector<std::pair<Name, const AliasTree*>> fields;
    for (const auto& [name, part] : r->fields)
      fields.emplace_back(name, without(part, leave_out));
    return record(std::move(fields));
  }
  std::vector<std::pair<Name, std::vector<const AliasTree*>>> constructors;
  for (const auto& [name, parts] : std::get<SumAliases>(tree->node).constructors) {
    auto& kept = constructors.emplace_back(name, std::vector<const AliasTree*>{}).second;
    for (const AliasTree* part : parts)
      kept.push_back(without(part, leave_out));
  }
  return sum(std::move(constructors));
}

const AliasTree* AliasArena::field(const AliasTree* tree, Name name) const {
  if (!tree) return nullptr;
  const auto* r = std::get_if<RecordAliases>(&tree->node);
  if (!r) return tree; // of a type of which only the name was known
  for (const auto& [field_name, part] : r->fields)
    if (field_name == name) return part;
  return nullptr;
}

const AliasTree* AliasArena::payload(const AliasTree* tree, Name constructor,
                                     std::size_t index) const {
  if (!tree) return nullptr;
  const auto* s = std::get_if<SumAliases>(&tree->node);
  if (!s) return tree;
  for (const auto& [name, parts] : s->constructors)
    if (name == constructor) return index < parts.size() ? parts[index] : nullptr;
  return nullptr;
}

const AliasTree* AliasArena::with_field(const AliasTree* old, const Type* type,
                                        const std::vector<Name>& path, std::size_t from,
                                        const AliasTree* value) {
  if (from == path.size()) return value;
  const auto* r = as<RecordType>(type);
  if (!r) return combined(old, value);
  std::vector<std::pair<Name, const AliasTree*>> fields;
  for (const Field& f : r->fields) {
    const AliasTree* part = field(old, f.name);
    if (f.name == path[from]) part = with_field(part, f.type, path, from + 1, value);
    fields.emplace_back(f.name, part);
  }
  return record(std::move(fields));
}

} // namespace sinter::check
