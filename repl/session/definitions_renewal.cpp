// Definitions::renewed: the same names with the same meanings in a new checker.
//
// Each entry that a state needs is declared again, in the order in which it was made, in a scope
// with the file that was around it and those meanings of its words that it was checked with.  The
// scopes of the states are then put together from the new entries.
#include "repl/session/definitions.h"

#include "lang/base/interruptible.h"
#include "lang/check/prompt_scope.h"
#include "lang/syntax/parser.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

namespace sinter::repl {

namespace {

using Scope = check::Checker::PromptScope;

/// Thrown and caught here: something does not come out as it was.
struct NotRenewable {};

/// The hidden name that a result was declared by.
std::string_view declared_name(const DependencyEntry& entry) {
  return std::get<syntax::ValueDeclaration>(entry.declarations.front()->node).name;
}

} // namespace

class DefinitionsRenewal {
public:
  DefinitionsRenewal(const Definitions& former, check::Checker& checker,
                     check::Checker::Renewal& renewal, Definitions::ValueCarrier& values)
      : former_(former), checker_(checker), renewal_(renewal), values_(values),
        result_(checker, *former.sources_, former.render_) {
    result_.hidden_count_ = former.hidden_count_;
    result_.serial_ = former.serial_;
  }

  Definitions run() {
    for (const DependencyEntryRef& entry : live_entries()) {
      poll_interruption();
      in_order_.push_back(renew(*entry));
      renewed_.emplace(entry.get(), in_order_.back());
    }
    result_.file_ = file(former_.file_);
    result_.graph_ = former_.graph_.replaced(renewed_);
    result_.scope_ = scope_of(result_.graph_, result_.file_);
    for (const Definitions::Snapshot& snapshot : former_.snapshots_) {
      Definitions::Snapshot& copy = result_.snapshots_.emplace_back();
      copy.file = file(snapshot.file);
      copy.graph = snapshot.graph.replaced(renewed_);
      copy.scope = scope_of(copy.graph, copy.file);
      copy.description = snapshot.description;
    }
    return std::move(result_);
  }

private:
  /// All that has to be declared again, in the order in which it was made.
  std::vector<DependencyEntryRef> live_entries() {
    std::map<std::uint64_t, DependencyEntryRef> live;
    std::vector<DependencyEntryRef> open;
    former_.for_each_graph([&](const DependencyGraph& graph) {
      const std::vector<DependencyEntryRef> needed = graph.needed();
      open.insert(open.end(), needed.begin(), needed.end());
    });
    while (!open.empty()) {
      DependencyEntryRef entry = std::move(open.back());
      open.pop_back();
      if (!live.emplace(entry->serial, entry).second) continue;
      if (entry->kind == DependencyEntry::Kind::Result) {
        std::optional<std::string> type = values_.value_type(*entry);
        if (type) {
          types_.emplace(entry.get(), std::move(*type));
          continue;
        }
      }
      for (const auto& [key, used] : entry->uses)
        if (used) open.push_back(used);
    }
    std::vector<DependencyEntryRef> ordered;
    for (auto& [serial, entry] : live)
      ordered.push_back(std::move(entry));
    return ordered;
  }

  const check::CheckedFile* file(const check::CheckedFile* former) {
    if (!former) return nullptr;
    const check::CheckedFile* found = renewal_.file(*former);
    if (!found) throw NotRenewable();
    return found;
  }

  std::shared_ptr<Scope> empty_scope(const check::CheckedFile* around) {
    std::shared_ptr<Scope> scope = checker_.new_prompt_scope();
    if (around) checker_.open_file(*scope, *around);
    return scope;
  }

  std::shared_ptr<Scope> scope_of(const DependencyGraph& graph, const check::CheckedFile* around) {
    std::shared_ptr<Scope> scope = empty_scope(around);
    for (const DependencyEntryRef& entry : graph.needed()) {
      poll_interruption();
      check::adopt(*scope, entry->declarations, graph.in_force(entry));
    }
    return scope;
  }

  /// The declaration of an entry as a new tree.
  syntax::Declaration* parsed(const DependencyEntry& entry, std::optional<FileId>& declared_in) {
    SourceMap& sources = *former_.sources_;
    Diagnostics diagnostics;
    auto parse = [&](FileId text) {
      return syntax::parse_prompt(sources, text, checker_.ast(), diagnostics);
    };
    if (entry.kind != DependencyEntry::Kind::Result) {
      syntax::PromptInput input = parse(entry.file);
      return entry.position < input.declarations.size() ? input.declarations[entry.position]
                                                        : nullptr;
    }
    syntax::ValueDeclaration value;
    Span span;
    if (auto type = types_.find(&entry); type != types_.end()) {
      declared_in = entry.declared_in
                        ? *entry.declared_in
                        : sources.add("<result>", "def it : " + type->second + " = ???");
      syntax::PromptInput input = parse(*declared_in);
      if (diagnostics.has_errors() || input.declarations.size() != 1) return nullptr;
      value = std::get<syntax::ValueDeclaration>(input.declarations.front()->node);
      span = input.declarations.front()->span;
    } else {
      syntax::PromptInput input = parse(entry.file);
      if (!input.expression) return nullptr;
      value.keyword = syntax::ValueKeyword::Def;
      span = value.name_span = input.expression->span;
      value.body = input.expression;
    }
    value.name = declared_name(entry);
    return checker_.ast().make<syntax::Declaration>(
        syntax::Declaration{std::move(value), span, {}, {}});
  }

  DependencyEntryRef renew(const DependencyEntry& entry) {
    auto result = std::make_shared<DependencyEntry>();
    result->around = file(entry.around);
    std::shared_ptr<Scope>& history = histories_[result->around];
    if (!history) {
      history = empty_scope(result->around);
      for (const DependencyEntryRef& earlier : in_order_)
        check::adopt(*history, earlier->declarations, {});
    }

    std::shared_ptr<Scope> scope = empty_scope(result->around);
    check::Environment names;
    for (const auto& [key, used] : entry.uses) {
      auto found = renewed_.find(used.get());
      if (found != renewed_.end()) add_name(names, found->second->meanings, key);
      // What a value was made from may be gone.
      if (found != renewed_.end() || !used)
        result->uses.emplace_back(key, used ? found->second : nullptr);
    }
    check::adopt(*scope, {}, names);

    syntax::Declaration* declaration = parsed(entry, result->declared_in);
    Diagnostics diagnostics;
    if (!declaration ||
        !renewal_.check_declaration(*scope, *declaration, *entry.declarations.front(), diagnostics,
                                    result->meanings))
      throw NotRenewable();
    result->kind = entry.kind;
    result->name = entry.name;
    result->file = entry.file;
    result->position = entry.position;
    result->span = entry.span;
    result->type = entry.type;
    result->texts = entry.texts;
    result->serial = entry.serial;
    result->declarations = {declaration};
    // A result has several names.
    if (entry.kind == DependencyEntry::Kind::Result)
      for (const auto& [space, name] : entry.names)
        result->meanings.bind(name, result->meanings.values.at(declared_name(entry)));
    result->names = names_of(result->meanings);
    if (result->names != entry.names) throw NotRenewable();
    tell_used(result);

    for (auto& [around, other] : histories_)
      check::adopt(*other, {declaration}, {});
    const std::shared_ptr<Scope> own = history;
    check::adopt(*own, {}, result->meanings);
    if (!values_.carry(entry, *result, *own)) throw NotRenewable();
    for (const auto& [space, name] : result->names)
      check::hide(*own, name);
    return result;
  }

  const Definitions& former_;
  check::Checker& checker_;
  check::Checker::Renewal& renewal_;
  Definitions::ValueCarrier& values_;
  Definitions result_;
  std::map<const DependencyEntry*, std::string> types_; ///< of what becomes a value
  std::map<const DependencyEntry*, DependencyEntryRef> renewed_;
  std::vector<DependencyEntryRef> in_order_; ///< the same
  /// For each file around an entry: what was declared so far.
  std::map<const check::CheckedFile*, std::shared_ptr<Scope>> histories_;
};

std::optional<Definitions> Definitions::renewed(check::Checker& checker,
                                                check::Checker::Renewal& renewal,
                                                ValueCarrier& values) const {
  try {
    return DefinitionsRenewal(*this, checker, renewal, values).run();
  } catch (const NotRenewable&) {
    return std::nullopt;
  }
}

std::vector<DependencyEntryRef> Definitions::entries() const {
  std::vector<DependencyEntryRef> found;
  for_each_graph([&](const DependencyGraph& graph) {
    const std::vector<DependencyEntryRef> needed = graph.needed();
    found.insert(found.end(), needed.begin(), needed.end());
  });
  std::set<const DependencyEntry*> seen;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const DependencyEntryRef entry = found[i];
    if (seen.insert(entry.get()).second)
      for (const auto& [key, used] : entry->uses)
        if (used) found.push_back(used);
  }
  std::ranges::sort(found, {}, &DependencyEntry::serial);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

} // namespace sinter::repl
