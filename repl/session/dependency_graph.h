// The dependency graph: what was defined at a prompt, in order, and who uses whom.  It decides what
// a new definition makes stale; it checks and evaluates nothing.
#pragma once

#include "lang/base/persistent_map.h"
#include "lang/base/span.h"
#include "lang/check/checker.h"
#include "lang/core/core.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter::repl {

/// The name spaces of the language (values and modules share one).
enum class NameSpace { Values, Types, ModuleTypes };

/// One declaration at the prompt, one result, or one value that came from a file.
struct DependencyEntry {
  enum class Kind {
    Definition, ///< has a text that can be checked again
    Result,     ///< the value of an expression, with the expression's text
    Data,       ///< a value that is its own source
  };
  Kind kind = Kind::Definition;
  std::string name;         ///< the first name that it brings: "f", "it3", "module m"; may be empty
  FileId file;              ///< the input's text
  std::size_t position = 0; ///< among the input's declarations
  Span span;                ///< in `file`
  std::string type;         ///< of Data: as declared
  std::vector<FileId> texts; ///< that its names stand in, besides `file`
  /// Of a Result that has been renewed as a value: a text that declares its type.
  std::optional<FileId> declared_in;
  std::uint64_t serial = 0;                   ///< grows with each declaration that is checked
  const check::CheckedFile* around = nullptr; ///< the file whose names were around it; may be null
  std::vector<const syntax::Declaration*> declarations;
  check::Environment meanings;                    ///< of the names that it brings
  const core::Global* global = nullptr;           ///< that holds the value of a Result or of Data
  const Representation* representation = nullptr; ///< of that value

  using Key = std::pair<NameSpace, std::string_view>;
  std::vector<Key> names; ///< sorted
  /// What the names in its text meant when it was checked; null: what the loaded file defines.
  /// A local variable of such a name counts too: it is better to check once too often.
  std::vector<std::pair<Key, std::shared_ptr<const DependencyEntry>>> uses;
  /// The entries that use this one, as far as they are still there: in any graph.
  mutable std::vector<std::weak_ptr<const DependencyEntry>> users;

  bool uses_directly(const DependencyEntry& other) const;
  /// Directly or through others.
  bool depends_on(const DependencyEntry& other) const;
};
using DependencyEntryRef = std::shared_ptr<const DependencyEntry>;
/// Fills in `users` of what a new entry uses.
void tell_used(const DependencyEntryRef& entry);

/// A value: copies are snapshots, which cost nothing.
class DependencyGraph {
public:
  using Key = DependencyEntry::Key;

  /// Fills in `names`, and `uses` by what the words of a text mean now; `file` has the names around
  /// the prompt's (it may be null).
  void resolve(DependencyEntry& entry, const std::set<std::string_view>& words,
               const check::Environment* file) const;
  /// Adds an entry: its names mean it from now on.
  void add(DependencyEntryRef entry);
  /// Takes an entry out; its names mean nothing then.
  void remove(const DependencyEntry& entry);

  /// Null if the prompt has not defined the name.
  DependencyEntryRef meaning(const Key& name) const;
  /// The entries that a name still means, in the order in which they were added.
  std::vector<DependencyEntryRef> in_force() const;
  /// Those of them that are results.
  std::vector<DependencyEntryRef> results_in_force() const;
  /// How many names mean something.
  std::size_t name_count() const { return meanings_.size(); }
  /// Those and all that they depend on.
  std::vector<DependencyEntryRef> needed() const;
  /// Whether an entry in force other than itself depends on it.
  bool is_needed(const DependencyEntry& entry) const;

  /// The same with each entry in force, and what it depends on, replaced as `renewed` says; what
  /// that lacks is left out.
  DependencyGraph
  replaced(const std::map<const DependencyEntry*, DependencyEntryRef>& renewed) const;
  /// What a name means here, and nothing else: the part of `entry.meanings` that is in force.
  check::Environment in_force(const DependencyEntryRef& entry) const;

  /// Entries by the order in which they were added.
  using Positions = std::map<std::uint64_t, DependencyEntryRef>;
  /// Adds the definitions in force that use one of `names` with another meaning than the present
  /// one.
  void add_outdated_by(const std::vector<Key>& names, Positions& outdated) const;

private:
  /// A name, and the serial of an entry that uses it.
  using Use = std::pair<Key, std::uint64_t>;

  bool is_in_force(const DependencyEntryRef& entry) const;
  /// What is looked up by what is in force.
  void add_to_indices(const DependencyEntryRef& entry, std::uint64_t position);
  void remove_from_indices(const DependencyEntry& entry);

  PersistentMap<std::uint64_t, DependencyEntryRef> entries_; ///< by position
  PersistentMap<std::uint64_t, std::uint64_t> positions_;    ///< by serial
  PersistentMap<Key, DependencyEntryRef> meanings_;
  PersistentMap<Use, DependencyEntryRef> users_;             ///< definitions in force
  PersistentMap<std::uint64_t, DependencyEntryRef> results_; ///< in force, by position
  std::uint64_t next_position_ = 0;
};

/// The names of an environment, sorted.
std::vector<DependencyEntry::Key> names_of(const check::Environment& environment);
bool has_name(const check::Environment& environment, const DependencyEntry::Key& name);
/// Whether a name means the same in both.
bool means_the_same(const check::Environment& a, const check::Environment& b,
                    const DependencyEntry::Key& key);
/// Adds what a name means in `environment`, if it means something there.
void add_name(check::Environment& names, const check::Environment& environment,
              const DependencyEntry::Key& key);

} // namespace sinter::repl
