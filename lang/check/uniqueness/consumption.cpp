// Consumption: what has been consumed, what may be, and what is said about it.
#include "lang/check/uniqueness/walk.h"

#include <algorithm>
#include <tuple>

namespace sinter::check {

using namespace types;

const Type* check_uniqueness(Context& context, const syntax::ValueDeclaration& declaration) {
  return UniquenessWalk(context).check_definition(declaration);
}

// ---- roots -------------------------------------------------------------------------------------

UniquenessWalk::Binding::~Binding() {
  while (walk_.in_scope_.size() > mark_) {
    walk_.roots_[walk_.in_scope_.back()].is_in_scope = false;
    walk_.in_scope_.pop_back();
  }
}

std::uint32_t UniquenessWalk::new_root(Root root) {
  roots_.push_back(std::move(root));
  return static_cast<std::uint32_t>(roots_.size() - 1);
}

void UniquenessWalk::bind(const Variable* variable, const AliasTree* shared, bool may_be_consumed) {
  if (!variable || as<PrimitiveType>(variable->scheme.type)) return;
  Root root;
  root.variable = variable;
  root.may_be_consumed = may_be_consumed;
  root.is_in_scope = true;
  std::uint32_t index = new_root(std::move(root));
  roots_[index].tree = arena_.combined(shared, arena_.self(variable->scheme.type, index));
  known_[variable] = index;
  in_scope_.push_back(index);
}

void UniquenessWalk::bind_function(const Variable* variable, const AliasTree* closure) {
  Root root;
  root.variable = variable;
  root.is_in_scope = true;
  root.tree = closure;
  known_[variable] = new_root(std::move(root));
  in_scope_.push_back(known_[variable]);
}

void UniquenessWalk::bind_pattern(const syntax::Pattern& pattern, const AliasTree* tree,
                                  bool may_be_consumed) {
  if (const auto* name = std::get_if<syntax::NamePattern>(&pattern.node)) {
    bind(name->variable, tree, may_be_consumed);
  } else if (const auto* t = std::get_if<syntax::TuplePattern>(&pattern.node)) {
    for (std::size_t i = 0; i < t->elements.size(); ++i)
      bind_pattern(*t->elements[i], arena_.field(tree, tuple_field(i)), may_be_consumed);
  } else if (const auto* r = std::get_if<syntax::RecordPattern>(&pattern.node)) {
    for (const syntax::FieldPattern& field : r->fields) {
      const AliasTree* part = arena_.field(tree, field.name);
      if (field.pattern)
        bind_pattern(*field.pattern, part, may_be_consumed);
      else
        bind(field.variable, part, may_be_consumed);
    }
  } else if (const auto* c = std::get_if<syntax::ConstructorPattern>(&pattern.node)) {
    for (std::size_t i = 0; i < c->arguments.size(); ++i)
      bind_pattern(*c->arguments[i], arena_.payload(tree, c->name, i), may_be_consumed);
  } else if (const auto* a = std::get_if<syntax::AscribePattern>(&pattern.node)) {
    bind_pattern(*a->pattern, tree, may_be_consumed);
  } else if (const auto* p = std::get_if<syntax::ParenthesizedPattern>(&pattern.node)) {
    bind_pattern(*p->inner, tree, may_be_consumed);
  } else if (const auto* b = std::get_if<syntax::AttributedPattern>(&pattern.node)) {
    bind_pattern(*b->pattern, tree, may_be_consumed);
  }
}

const AliasTree* UniquenessWalk::global_tree(const Variable* variable, const Type* type) {
  if (owns_globals_ || variable->kind == Variable::Kind::Intrinsic ||
      variable->kind == Variable::Kind::Overloaded || as<FunctionType>(type))
    return nullptr;
  // An instance of something polymorphic is made where it stands, like the result of a function;
  // that it is one shows in sizes from inside of the definition.
  bool is_instance = false;
  for_each_variable(type, [&](const Variable* size) {
    is_instance = is_instance || size->kind == Variable::Kind::Local;
  });
  if (is_instance) return nullptr;
  auto known = known_.find(variable);
  if (known == known_.end()) {
    Root root;
    root.kind = Root::Kind::Global;
    root.variable = variable;
    root.is_in_scope = true;
    known = known_.emplace(variable, new_root(std::move(root))).first;
  }
  return arena_.self_of_global(type, known->second);
}

const AliasTree* UniquenessWalk::observe(Span span, const Variable* variable, const Type* type) {
  if (!variable || !type || as<PrimitiveType>(type)) return nullptr;
  auto known = known_.find(variable);
  const AliasTree* tree = nullptr;
  if (known != known_.end() && roots_[known->second].kind == Root::Kind::Local) {
    tree = roots_[known->second].tree;
    uses_.push_back({known->second, span});
  } else {
    tree = global_tree(variable, type);
  }
  check_not_consumed(span, tree, variable);
  return tree;
}

// ---- consumption -------------------------------------------------------------------------------

bool UniquenessWalk::precedes(std::uint32_t a, std::uint32_t b) const {
  const Root &x = roots_[a], &y = roots_[b];
  if (x.is_in_scope != y.is_in_scope) return x.is_in_scope;
  return a < b;
}

void UniquenessWalk::check_not_consumed(Span span, const AliasTree* tree, const Variable* used) {
  if (consumed_.empty()) return;
  const std::uint32_t* first = nullptr;
  for_each_set(tree, [&](const AliasSet& aliases) {
    for (const Alias& alias : aliases)
      if (roots_[alias.root].is_consumed && (!first || precedes(alias.root, *first)))
        first = &alias.root;
  });
  if (!first) return;
  const Root& root = roots_[*first];
  Diagnostic& diagnostic = context_.diagnostics->error(
      "use-after-consume", span,
      "Using " + describe(*first) + ", but this was consumed at " +
          position(root.consumed_at, span) + ".  (Possibly through aliases.)");
  diagnostic.notes.push_back({root.consumed_at, "consumed here"});
  if (used && used != root.variable)
    diagnostic.notes.push_back(
        {used->span, "\"" + std::string(used->name) + "\" may share its memory"});
  diagnostic.hint = root.variable ? "to keep \"" + std::string(root.variable->name) +
                                        "\", consume a copy of it: `copy " +
                                        std::string(root.variable->name) + "`"
                                  : "to keep it, consume a copy of it, made with `copy`";
}

void UniquenessWalk::consume(Span span, const AliasSet& aliases) {
  const std::uint32_t* first = nullptr;
  for (const Alias& alias : aliases) {
    const Root& root = roots_[alias.root];
    bool may_be_consumed =
        !root.is_in_scope || (root.may_be_consumed && alias.root >= first_consumable_);
    if (!may_be_consumed && (!first || precedes(alias.root, *first))) first = &alias.root;
  }
  if (first) {
    const Root& root = roots_[*first];
    Diagnostic& diagnostic = context_.diagnostics->error(
        "not-consumable", span, "Consuming " + describe(*first) + ", which is not consumable.");
    if (root.variable) {
      std::string name = "\"" + std::string(root.variable->name) + "\"";
      if (root.variable->kind == Variable::Kind::Global)
        diagnostic.notes.push_back({root.variable->span, name + " belongs to a module"});
      else if (root.may_be_consumed)
        diagnostic.notes.push_back(
            {root.variable->span,
             name + " is bound here, outside of the function or loop that consumes it"});
      else
        diagnostic.notes.push_back({root.variable->span, name + " is bound here, without a `*`"});
      diagnostic.hint = "consume a copy instead, made with `copy`";
    }
  }
  if (!consumed_.empty() && std::any_of(aliases.begin(), aliases.end(), [&](const Alias& alias) {
        return roots_[alias.root].is_consumed;
      })) {
    const AliasTree* tree = arena_.whole(aliases);
    check_not_consumed(span, tree, nullptr);
  }
  for (const Alias& alias : aliases)
    mark_consumed({alias.root, span});
}

AliasSet UniquenessWalk::consumed_part(const Type* type, bool outer_unique,
                                       const AliasTree* tree) const {
  std::set<std::tuple<const Type*, bool, const AliasTree*>> seen;
  AliasSet all;
  auto add = [&](auto& self, const Type* outer, bool unique, const AliasTree* part) -> void {
    if (!part) return;
    auto [inner, is_unique] = below_stars(outer, unique);
    if (has_parts(inner) && !seen.emplace(inner, is_unique, part).second) return;
    if (const auto* r = std::get_if<RecordType>(&inner->node);
        r && std::holds_alternative<RecordAliases>(part->node)) {
      for (const Field& field : r->fields)
        self(self, field.type, is_unique, arena_.field(part, field.name));
    } else if (may_consume(inner, is_unique)) {
      all = united(all, all_aliases(part));
    }
  };
  add(add, type, outer_unique, tree);
  return all;
}

std::vector<UniquenessWalk::Consumption> UniquenessWalk::take_back(std::size_t mark) {
  std::vector<Consumption> taken(consumed_.begin() + static_cast<std::ptrdiff_t>(mark),
                                 consumed_.end());
  for (const Consumption& consumption : taken)
    roots_[consumption.root].is_consumed = false;
  consumed_.resize(mark);
  return taken;
}

void UniquenessWalk::mark_consumed(const Consumption& consumption) {
  Root& root = roots_[consumption.root];
  if (root.is_consumed) return;
  root.is_consumed = true;
  root.consumed_at = consumption.span;
  root.consumed_index = consumed_.size();
  consumed_.push_back(consumption);
}

void UniquenessWalk::repeat(const std::vector<Consumption>& consumptions) {
  for (const Consumption& consumption : consumptions)
    mark_consumed(consumption);
}

const AliasTree* UniquenessWalk::without_consumed_since(std::size_t mark, const AliasTree* tree) {
  if (consumed_.size() == mark) return tree;
  return arena_.without(tree, [&](Alias alias) {
    const Root& root = roots_[alias.root];
    return root.is_consumed && root.consumed_index >= mark;
  });
}

// ---- messages ----------------------------------------------------------------------------------

std::string UniquenessWalk::describe(std::uint32_t index) const {
  const Root& root = roots_[index];
  switch (root.kind) {
  case Root::Kind::Local:
  case Root::Kind::Global:
    return "variable \"" + std::string(root.variable->name) + "\"";
  case Root::Kind::ApplicationResult:
    if (root.function.empty()) return "result of application at " + position(root.span, root.span);
    return "result of applying \"" + std::string(root.function) + "\" (at " +
           position(root.span, root.span) + ")";
  case Root::Kind::LoopResult:
    return "result of loop at " + position(root.span, root.span);
  }
  return {};
}

std::string UniquenessWalk::position(Span span, Span from) const {
  if (!span.is_known()) return "an unknown place";
  if (!(span.file == from.file)) return context_.sources.describe(span);
  LineColumn at = context_.sources.position(span.file, span.begin);
  return std::to_string(at.line) + ":" + std::to_string(at.column);
}

std::string UniquenessWalk::text(Span span) const {
  std::string_view whole = context_.sources.text(span);
  std::string_view line = whole.substr(0, whole.find('\n'));
  return line.size() == whole.size() ? std::string(line) : std::string(line) + "…";
}

} // namespace sinter::check
