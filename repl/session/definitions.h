// What names mean at a prompt, and how that changes: new definitions, with those that depend on
// them checked again; results; a file loaded anew; taking a change back.  It evaluates nothing.
//
// A definition means what its text says: when `f` is defined anew, `g` that uses it is checked
// again and uses the new `f` from then on.  Where that has errors, `g` stays as it was.  Results
// (`it`, `it3`) are values, and stay.
#pragma once

#include "lang/base/diagnostic.h"
#include "lang/check/checker.h"
#include "repl/session/dependency_graph.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

class Definitions {
public:
  /// `render` words diagnostics for remarks.
  Definitions(check::Checker& checker, SourceMap& sources,
              std::function<std::string(const Diagnostics&)> render);

  check::Checker::PromptScope& scope() { return *scope_; }
  const check::Checker::PromptScope& scope() const { return *scope_; }
  const DependencyGraph& dependencies() const { return graph_; }
  /// The file whose names are around the prompt's; may be null.
  const check::CheckedFile* file() const { return file_; }

  /// Adds an input's declarations, and checks again what depends on them.  With errors (then
  /// `diagnostics` has them) nothing is changed.  `remarks` gets whole lines on what became of
  /// dependants.
  bool declare(FileId input, const std::vector<syntax::Declaration*>& declarations,
               Diagnostics& diagnostics, std::string& remarks);
  /// Takes the names of a file instead of those of the file before, and keeps those of the prompt's
  /// definitions that still have a type and that the file does not define itself.
  void load(const check::CheckedFile& file, std::string& remarks);

  /// Declares an expression under a name that nobody can write, in the scope; the result is not yet
  /// in the graph.  Null with errors.
  std::shared_ptr<DependencyEntry> declare_hidden(FileId input, syntax::Expr* expression,
                                                  Diagnostics& diagnostics);
  /// Lets `it`, and `name` if it is not empty, mean the value of a hidden declaration.
  void add_result(std::shared_ptr<DependencyEntry> entry, const std::string& name);
  /// Declares `name : type` whose value will be supplied.  Null with errors.
  std::shared_ptr<DependencyEntry> declare_data(const std::string& name, const std::string& type,
                                                Diagnostics& diagnostics);
  /// The value is there: dependants are checked as for `declare`.
  void add_data(std::shared_ptr<DependencyEntry> entry, std::string& remarks);
  /// Takes names out of scope that an entry has brought.
  void forget(const DependencyEntryRef& entry);

  class Change;
  /// Before a change that `undo` can take back: `description` is what it was ("f", "it3").
  void remember(std::string description);
  /// After `remember`, if nothing was changed.
  void forget_remembered();
  /// Takes the last change back; its description, or nothing if there is none.
  std::optional<std::string> undo();

  /// What becomes of values when definitions are renewed.
  class ValueCarrier {
  public:
    virtual ~ValueCarrier() = default;
    /// The type to declare for an entry whose value is all that is needed of it: as one writes it.
    virtual std::optional<std::string> value_type(const DependencyEntry& entry) = 0;
    /// An entry has been declared again, and can be named in `scope`: gives it its value.  False if
    /// that cannot be.
    virtual bool carry(const DependencyEntry& former, DependencyEntry& renewed,
                       check::Checker::PromptScope& scope) = 0;
  };
  /// Makes the states that `undo` leads to fit to be renewed: they no longer bring back what has
  /// been forgotten since, and where much is defined there are fewer of them.
  void prepare_renewal();
  /// The same definitions, and the states that `undo` leads to, in another checker, without what
  /// none of them needs: so a session gets rid of what the old checker holds.  After
  /// `prepare_renewal`.  Definitions are
  /// checked again in their own words, results become values without a history.  Nothing if
  /// that cannot be done.
  std::optional<Definitions> renewed(check::Checker& checker, check::Checker::Renewal& renewal,
                                     ValueCarrier& values) const;
  /// All that the present state and those that `undo` leads to are made of, the oldest first.
  std::vector<DependencyEntryRef> entries() const;

  /// Nothing is defined.
  void clear();
  /// From now on a copy of these definitions goes its own way, without memory of former changes.
  void separate();

private:
  struct Snapshot {
    std::shared_ptr<check::Checker::PromptScope> scope;
    DependencyGraph graph;
    const check::CheckedFile* file = nullptr;
    std::string description;
    std::size_t forgotten = 0; ///< how many entries had been forgotten: the later ones are to go
  };

  friend class DefinitionsRenewal;

  const check::Environment* exported() const;
  /// Lets a state not bring back what has been forgotten since; false if it can't do without.
  bool let_go_forgotten(Snapshot& snapshot) const;
  /// Calls `visit` with the graph of the present state and of each that `undo` leads to.
  template <typename Visit>
  void for_each_graph(Visit&& visit) const {
    visit(graph_);
    for (const Snapshot& snapshot : snapshots_)
      visit(snapshot.graph);
  }
  std::shared_ptr<DependencyEntry> check(FileId input, std::size_t position,
                                         syntax::Declaration* declaration,
                                         Diagnostics& diagnostics);
  /// A string that lives as long as its text.
  std::string_view keep(std::string name, std::vector<FileId>& texts);
  /// The same text again, in the scope as it is now.  Null with errors.
  std::shared_ptr<DependencyEntry> check_again(const DependencyEntry& entry,
                                               Diagnostics& diagnostics);
  void check_dependants(const std::vector<DependencyEntryRef>& added, std::string& remarks);

  check::Checker* checker_;
  SourceMap* sources_;
  std::function<std::string(const Diagnostics&)> render_;
  std::shared_ptr<check::Checker::PromptScope> scope_;
  DependencyGraph graph_;
  const check::CheckedFile* file_ = nullptr;
  std::deque<Snapshot> snapshots_;
  /// What was forgotten since the oldest snapshot, and how many entries before that.  Snapshots let
  /// it go when they are looked at.
  std::deque<DependencyEntryRef> forgotten_;
  std::size_t forgotten_before_ = 0;
  std::uint64_t hidden_count_ = 0;
  std::uint64_t serial_ = 0; ///< of the last entry
};

/// A change that `undo` can take back, and that an error takes back: everything is as it was before
/// unless it is kept.
class Definitions::Change {
public:
  Change(Definitions& definitions, std::string description) : definitions_(definitions) {
    definitions.remember(std::move(description));
  }
  ~Change() {
    if (!is_kept_) definitions_.undo();
  }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;
  void keep() { is_kept_ = true; }

private:
  Definitions& definitions_;
  bool is_kept_ = false;
};

/// A variable as an expression.
syntax::Expr* variable(syntax::Ast& ast, syntax::Name name, Span span);

} // namespace sinter::repl
