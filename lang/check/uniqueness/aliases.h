// Which variables a value may share memory with: the lattice of the uniqueness check.
//
// A value is described by a tree in the shape of its type: records (and so tuples) and sums have a
// part for each component, everything else that lives in memory has one set of aliases.  Trees are
// immutable and shared; no tree at all (null) means that there is nothing to share, as in numbers
// and in arrays that were just made.  A value with very many parts counts as one, with the aliases
// of all of them.
#pragma once

#include "lang/base/arena.h"
#include "lang/types/rewrite.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::check {

/// A component of something that the uniqueness check keeps track of (a variable, or the result of
/// a call): `path` names the record fields that lead to it.
struct Alias {
  std::uint32_t root = 0;
  std::uint32_t path = 0; ///< of an `AliasArena`; 0 is the whole
  friend auto operator<=>(const Alias&, const Alias&) = default;
};
using AliasSet = std::vector<Alias>; ///< sorted, each once

/// A set with everything of both.
AliasSet united(const AliasSet& a, const AliasSet& b);
bool intersect(const AliasSet& a, const AliasSet& b);

struct AliasTree;

/// An array, or a value of a type of which only the name is known.
struct WholeAliases {
  AliasSet aliases;
};
/// A function: what its closure shares, and its type where the check knows more of it than
/// inference does (an inferred result that is free of aliases).
struct ClosureAliases {
  AliasSet aliases;
  const types::FunctionType* function = nullptr;
};
struct RecordAliases {
  std::vector<std::pair<types::Name, const AliasTree*>> fields;
};
struct SumAliases {
  std::vector<std::pair<types::Name, std::vector<const AliasTree*>>> constructors;
};
struct AliasTree {
  std::variant<WholeAliases, ClosureAliases, RecordAliases, SumAliases> node;
};

/// Makes trees and owns them.
class AliasArena {
public:
  const AliasTree* whole(AliasSet aliases); ///< null for the empty set
  const AliasTree* closure(AliasSet aliases, const types::FunctionType* function);
  const AliasTree* record(std::vector<std::pair<types::Name, const AliasTree*>> fields);
  const AliasTree* sum(std::vector<std::pair<types::Name, std::vector<const AliasTree*>>> parts);

  /// A value of a type of which every part has the same aliases.
  const AliasTree* spread(const types::Type* type, const AliasSet& aliases);
  /// What a variable of a type shares with itself: each field is an alias of its own.
  const AliasTree* self(const types::Type* type, std::uint32_t root);
  /// The same for a variable of a module, of which only arrays count.
  const AliasTree* self_of_global(const types::Type* type, std::uint32_t root);

  /// Whether a type has so many parts that a value of it counts as one.
  bool is_large(const types::Type* type) {
    return written_size_(type) >= types::WrittenSize::limit;
  }

  /// What may be shared by a value that is one of two.
  const AliasTree* combined(const AliasTree* a, const AliasTree* b);
  /// Leaves out aliases.
  const AliasTree* without(const AliasTree* tree, const std::function<bool(Alias)>& leave_out);
  const AliasTree* field(const AliasTree* tree, types::Name name) const;
  const AliasTree* payload(const AliasTree* tree, types::Name constructor, std::size_t index) const;
  /// A record with another value in the field that a path leads to.
  const AliasTree* with_field(const AliasTree* record, const types::Type* type,
                              const std::vector<types::Name>& path, std::size_t from,
                              const AliasTree* value);

private:
  std::uint32_t extended(std::uint32_t path, types::Name field);
  const AliasTree* build(const types::Type* type, std::uint32_t path, bool is_global,
                         const std::function<AliasSet(std::uint32_t)>& leaf);

  Arena<AliasTree> trees_;
  types::WrittenSize written_size_;
  std::map<std::pair<std::uint32_t, types::Name>, std::uint32_t> paths_;
};

/// All aliases in a tree.
AliasSet all_aliases(const AliasTree* tree);
/// Without those of functions.
AliasSet array_aliases(const AliasTree* tree);
/// Calls `visit` with the aliases of each component; sums count as one.
void for_each_part(const AliasTree* tree, const std::function<void(const AliasSet&)>& visit);
/// Calls `visit` with each set in a tree.
template <typename Visit>
void for_each_set(const AliasTree* tree, Visit&& visit) {
  if (!tree) return;
  if (const auto* w = std::get_if<WholeAliases>(&tree->node)) {
    visit(w->aliases);
  } else if (const auto* c = std::get_if<ClosureAliases>(&tree->node)) {
    visit(c->aliases);
  } else if (const auto* r = std::get_if<RecordAliases>(&tree->node)) {
    for (const auto& field : r->fields)
      for_each_set(field.second, visit);
  } else {
    for (const auto& constructor : std::get<SumAliases>(tree->node).constructors)
      for (const AliasTree* payload : constructor.second)
        for_each_set(payload, visit);
  }
}

} // namespace sinter::check
