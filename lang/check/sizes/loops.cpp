// Sizes of loops.
//
// A loop is a function that is called on its own result.  At first each size of its parameter is
// open.  Once the body is checked, it shows which of them it gives back as they were: those are the
// initial value's.  The others are sizes of the loop, like a function's size parameters; the result
// has unknown sizes in their places.
#include "lang/check/sizes/size_checker.h"

#include <algorithm>
#include <map>

namespace sinter::check {

using namespace types;

struct SizeChecker::LoopSizes {
  const Type* parameter = nullptr; ///< with open sizes
  const Type* pattern = nullptr;
  const Type* body = nullptr;
  std::uint32_t known_before = 0; ///< sizes with smaller numbers are older than the loop
  int level = 0;
  std::vector<OpenSize> initial; ///< of each open size
  std::vector<const Variable*> variant;
};

struct SizeChecker::LoopChanges {
  std::map<const Variable*, const Variable*> copies; ///< of which; null: the initial size itself
  std::set<const Variable*> variant;
};

const Type* SizeChecker::implicit_initial(const syntax::Pattern& pattern,
                                          const std::vector<Variable*>& variables,
                                          std::size_t& next) {
  auto outer = [&] {
    const Variable* v = next < variables.size() ? variables[next++] : nullptr;
    if (!v) throw Stop{};
    return instance(v, v->scheme.type, pattern.span, v->name);
  };
  if (std::holds_alternative<syntax::NamePattern>(pattern.node)) return outer();
  if (const auto* t = std::get_if<syntax::TuplePattern>(&pattern.node)) {
    std::vector<const Type*> parts;
    for (const syntax::Pattern* element : t->elements)
      parts.push_back(implicit_initial(*element, variables, next));
    return tuple(arena(), parts);
  }
  if (const auto* r = std::get_if<syntax::RecordPattern>(&pattern.node)) {
    std::vector<Field> fields;
    for (const syntax::FieldPattern& field : r->fields)
      fields.push_back({field.name, field.pattern
                                        ? implicit_initial(*field.pattern, variables, next)
                                        : outer()});
    return record(arena(), std::move(fields));
  }
  if (const auto* a = std::get_if<syntax::AscribePattern>(&pattern.node))
    return implicit_initial(*a->pattern, variables, next);
  if (const auto* p = std::get_if<syntax::ParenthesizedPattern>(&pattern.node))
    return implicit_initial(*p->inner, variables, next);
  if (const auto* b = std::get_if<syntax::AttributedPattern>(&pattern.node))
    return implicit_initial(*b->pattern, variables, next);
  throw Stop{};
}

/// The initial value's size in whose place an open one stands; null for other sizes.
auto SizeChecker::open_size(const LoopSizes& sizes, const Variable* v) const -> const OpenSize* {
  for (const auto& entry : sizes.initial)
    if (sizes_.chase(entry.first) == sizes_.chase(v)) return &entry;
  return nullptr;
}

/// The body's type may have any sizes in place of the open ones.
void SizeChecker::unify_body(const LoopSizes& sizes, const syntax::LoopExpr& node) {
  const Type* pattern = sizes_.normalise(sizes.pattern);
  for (const Variable* v : free_variables(pattern)) {
    const SizeConstraint* c = sizes_.find(v);
    if (c && c->kind == SizeConstraint::Kind::Unknown && c->number >= sizes.known_before)
      fail("loop-parameter-size", node.pattern->span,
           "Inferred type for loop parameter is \"" + sizes_.show(pattern) + "\" but \"" +
               sizes_.show(v) + "\" is an existential size created inside the loop body.",
           sizes_.notes(variable(arena(), v)));
  }
  class Opener : public Rewriter {
  public:
    Opener(TypeArena& arena, std::function<const Size*(const Size*, const Variable*)> replace)
        : Rewriter(arena), replace_(std::move(replace)) {
      shares_ = false; // each occurrence gets a size of its own
    }

  protected:
    const Size* on_variable(const Size* size, const Variable* v) override {
      return replace_(size, v);
    }

  private:
    std::function<const Size*(const Size*, const Variable*)> replace_;
  };
  Opener opener(arena(), [&](const Size* size, const Variable* v) {
    return open_size(sizes, v) ? variable(arena(), sizes_.flexible(node.body->span, "loop")) : size;
  });
  Purpose purpose{node.body->span, "Loop body does not have expected type."};
  unify(opener.type(pattern), sizes.body, std::move(purpose));
}

/// How the body makes each size: anew, or as that of a loop parameter that began with the same.
auto SizeChecker::changes_of(const LoopSizes& sizes) -> LoopChanges {
  LoopChanges changes;
  for (const auto& [before, after] : unifier_.pairs(sizes.parameter, sizes.body)) {
    if (same_size(before, after)) continue;
    const Size* next = after;
    for_each_variable(before, [&](const Variable* v) {
      const auto* own = open_size(sizes, v);
      if (!own) return;
      const Size* initial = sizes_.normalise(own->second);
      if (same_size(initial, next)) {
        changes.copies.emplace(v, nullptr);
        return;
      }
      const Variable* w = as_variable(next);
      const auto* other = w ? open_size(sizes, w) : nullptr;
      if (other && same_size(sizes_.normalise(other->second), initial)) {
        changes.copies.emplace(v, w);
        return;
      }
      const SizeConstraint* c = sizes_.find(v);
      if (c && c->number >= sizes.known_before) changes.variant.insert(v);
    });
  }
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& [v, source] : changes.copies)
      if (source && changes.variant.contains(source))
        grows = changes.variant.insert(v).second || grows;
  }
  return changes;
}

void SizeChecker::find_variant(LoopSizes& sizes, const syntax::LoopExpr& node) {
  unify_body(sizes, node);
  const auto [copies, variant] = changes_of(sizes);
  for (const Variable* v : sizes_.order())
    if (variant.contains(v) &&
        std::find(sizes.variant.begin(), sizes.variant.end(), v) == sizes.variant.end())
      sizes.variant.push_back(v);
  for (const Variable* v : sizes.variant)
    if (const SizeConstraint* c = sizes_.find(v); c && c->level < sizes.level)
      fail("loop-variant-escape", node.pattern->span,
           "Loop-variant size has escaped into type that occurs outside of loop. This is likely "
           "because the loop body uses a variable whose type depends on the loop parameter.");
  for (const auto& [v, source] : copies)
    if (!variant.contains(v))
      if (const auto* own = open_size(sizes, v)) sizes_.set_solution(v, own->second);
  // An open size that no equation touched is its initial one.
  for (const auto& [v, initial] : sizes.initial) {
    const SizeConstraint* c = sizes_.find(v);
    if (c && !c->solution && !variant.contains(v)) sizes_.set_solution(v, initial);
  }
  sizes.pattern = sizes_.normalise(sizes.pattern);
  for (const Variable* v : sizes.variant)
    sizes_.forget(v);
}

/// Whether the loop can be entered with a value of the type.
void SizeChecker::fits_loop(const LoopSizes& sizes, const Type* type, const Purpose& purpose) {
  const Type* wanted = sizes.pattern;
  for (const Variable* v : sizes.variant)
    wanted = sizes_.substitute(wanted, v, variable(arena(), sizes_.flexible(purpose.span, "loop")));
  unify(wanted, type, purpose);
}

const Type* SizeChecker::loop(syntax::Expr& expression, const syntax::LoopExpr& node) {
  std::size_t next = 0;
  const Type* initial = node.initial ? check(*node.initial)
                                     : implicit_initial(*node.pattern, node.implicit_initial, next);
  initial = strip_unique(arena(), initial);
  LoopSizes sizes;
  sizes.known_before = sizes_.made_so_far();
  sizes.level = sizes_.level;
  sizes.parameter = instances_.refresh_flexible(sizes_.normalise(initial), expression.span,
                                                "loop parameter type inference", sizes.initial);
  if (const auto* form = std::get_if<syntax::ForLess>(&node.form)) {
    const Type* bound = check(*form->bound);
    if (form->variable) bind(form->variable, bound);
  } else if (const auto* form_in = std::get_if<syntax::ForIn>(&node.form)) {
    const auto* a = as<ArrayType>(check(*form_in->array));
    if (!a) throw Stop{};
    std::vector<Variable*> bound;
    bind_pattern(*form_in->pattern, a->element, {}, bound);
  }
  for (const syntax::SizeBinder& size : node.sizes) {
    name(size.variable, primitive(ElementType::I64));
    sizes_.constrain(size.variable, SizeConstraint::Kind::Flexible, size.span, "size of a loop");
  }
  std::vector<Variable*> bound;
  sizes.pattern = bind_pattern(*node.pattern, sizes.parameter, {}, bound);
  {
    Deeper deeper(*this);
    if (const auto* form = std::get_if<syntax::While>(&node.form)) check(*form->condition);
    sizes.body = check(*node.body);
    find_variant(sizes, node);
    fits_loop(sizes, sizes.body,
              Purpose{node.body->span, "Loop body does not have expected type."});
  }
  fits_loop(sizes, initial,
            Purpose{node.initial ? node.initial->span : node.pattern->span,
                    "Initial loop values do not have expected type."});
  for (const syntax::SizeBinder& size : node.sizes) {
    shown_names_.insert(size.variable);
    const Variable* v = sizes_.chase(size.variable);
    if (std::find(sizes.variant.begin(), sizes.variant.end(), v) != sizes.variant.end())
      shown_as_.emplace(v, size.variable);
  }
  const Type* result = strip_unique(arena(), sizes.pattern);
  Variables made;
  for (const Variable* v : sizes.variant) {
    const Variable* unknown =
        sizes_.unknown(expression.span, "is unknown size of value returned by the loop");
    made.push_back(unknown);
    result = sizes_.substitute(result, v, variable(arena(), unknown));
  }
  nodes_[&expression].made = std::move(made);
  return result;
}

} // namespace sinter::check
