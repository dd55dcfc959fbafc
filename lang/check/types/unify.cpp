// Unification: makes two types equal by solving inference variables, or says why they differ. Sizes
// are not looked at.
#include "lang/base/interruptible.h"
#include "lang/check/types/unifier.h"
#include "lang/check/types/variables.h"
#include "lang/types/brief.h"
#include "lang/types/stars.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

namespace {

template <typename List, typename NameOf>
std::string unshared(const List& a, const List& b, std::string_view prefix, NameOf name_of) {
  std::string text;
  auto add = [&](const List& from, const List& other) {
    for (const auto& item : from)
      if (std::none_of(other.begin(), other.end(),
                       [&](const auto& x) { return name_of(x) == name_of(item); }))
        text += (text.empty() ? "" : ", ") + std::string(prefix) + std::string(name_of(item));
  };
  add(b, a);
  add(a, b);
  return text;
}

} // namespace

/// Prepares a type for becoming the solution of a meta: refuses the meta itself inside, lowers the
/// levels of the metas inside.
class Unifier::ScopeCheck : public Rewriter {
public:
  ScopeCheck(Unifier& unifier, const Type* target)
      : Rewriter(unifier.arena()), unifier_(unifier), target_(target), level_(meta(target).level),
        lifting_(meta(target).lifting) {}

  bool occurs = false;
  const TypeName* escaping = nullptr;

protected:
  const Type* on_meta(const Type* type) override {
    if (type == target_) {
      occurs = true;
      return type;
    }
    MetaType& other = meta(type);
    other.level = std::min(other.level, level_);
    if (!in_function_) other.lifting = std::min(other.lifting, lifting_);
    for (const Field& field : other.fields)
      this->type(field.type);
    for (const Constructor& constructor : other.constructors)
      for (const Type* payload : constructor.payload)
        this->type(payload);
    return type;
  }
  const Type* on_named(const Type* type, const TypeName* name, std::vector<TypeArgument> arguments,
                       bool changed) override {
    auto found = unifier_.type_levels_.find(name);
    if (found != unifier_.type_levels_.end() && found->second > level_) escaping = name;
    return Rewriter::on_named(type, name, std::move(arguments), changed);
  }
  const Type* on_function(const Type* type, const FunctionType& f) override {
    bool outer = std::exchange(in_function_, true);
    unsigned outer_context = std::exchange(context_, 1); // what a function holds is lifted anew
    const Type* result = Rewriter::on_function(type, f);
    in_function_ = outer;
    context_ = outer_context;
    return result;
  }
  const Type* on_unique(const Type* type, const UniqueType& u) override {
    return in_function_ ? Rewriter::on_unique(type, u) : this->type(u.inner);
  }

private:
  Unifier& unifier_;
  const Type* target_;
  std::uint32_t level_;
  Lifting lifting_;
  bool in_function_ = false;
};

bool Unifier::fail(std::string detail) {
  if (detail_.empty()) detail_ = std::move(detail);
  return false;
}

bool Unifier::unify(const Type* expected, const Type* found, const Reason& reason) {
  detail_.clear();
  detail_id_ = "type-mismatch";
  unified_.clear();
  if (unify_types(expected, found)) return true;
  report_mismatch(expected, found, reason);
  excuse(expected);
  excuse(found);
  return false;
}

bool Unifier::unify_types(const Type* a, const Type* b) {
  poll_interruption();
  a = look_through(a);
  b = look_through(b);
  if (a == b) return true;
  bool meta_a = std::holds_alternative<MetaType>(a->node);
  bool meta_b = std::holds_alternative<MetaType>(b->node);
  if (meta_a && meta_b) return unify_metas(a, b);
  if (meta_a) return solve(a, b);
  if (meta_b) return solve(b, a);
  if (std::holds_alternative<ErrorType>(a->node) || std::holds_alternative<ErrorType>(b->node)) {
    excuse(a);
    excuse(b);
    return true;
  }
  if (a->node.index() != b->node.index()) return fail({});
  if (!unified_.is_new(a, b)) return true; // or else it has failed already
  if (const auto* p = std::get_if<PrimitiveType>(&a->node))
    return p->element == std::get<PrimitiveType>(b->node).element || fail({});
  if (const auto* x = std::get_if<ArrayType>(&a->node)) {
    const auto& y = std::get<ArrayType>(b->node);
    return unify_types(x->element, y.element);
  }
  if (const auto* x = std::get_if<RecordType>(&a->node)) {
    const auto& y = std::get<RecordType>(b->node);
    auto same = [](const Field& f, const Field& g) { return f.name == g.name; };
    if (std::equal(x->fields.begin(), x->fields.end(), y.fields.begin(), y.fields.end(), same))
      return unify_fields(x->fields, y.fields);
    if (is_tuple(*x) && is_tuple(y))
      return fail("tuples have " + std::to_string(x->fields.size()) + " and " +
                  std::to_string(y.fields.size()) + " elements respectively");
    return fail("unshared fields: " +
                unshared(x->fields, y.fields, "", [](const Field& f) { return f.name; }) + ".");
  }
  if (const auto* x = std::get_if<SumType>(&a->node)) {
    const auto& y = std::get<SumType>(b->node);
    auto same = [](const Constructor& c, const Constructor& d) { return c.name == d.name; };
    if (!std::equal(x->constructors.begin(), x->constructors.end(), y.constructors.begin(),
                    y.constructors.end(), same))
      return fail("Unshared constructors: " +
                  unshared(x->constructors, y.constructors, "#",
                           [](const Constructor& c) { return c.name; }) +
                  ".");
    return unify_constructors(x->constructors, y.constructors);
  }
  if (const auto* x = std::get_if<FunctionType>(&a->node))
    return unify_functions(*x, std::get<FunctionType>(b->node));
  if (const auto* x = std::get_if<NamedType>(&a->node)) {
    const auto& y = std::get<NamedType>(b->node);
    if (x->name != y.name || x->arguments.size() != y.arguments.size()) return fail({});
    for (std::size_t i = 0; i < x->arguments.size(); ++i) {
      const TypeArgument &s = x->arguments[i], &t = y.arguments[i];
      if (s.type && t.type && !unify_types(s.type, t.type)) return false;
    }
    return true;
  }
  return fail({});
}

/// Unifies the fields that both lists have.
bool Unifier::unify_fields(const std::vector<Field>& a, const std::vector<Field>& b) {
  for (const Field& field : a)
    if (const Type* other = find_field(b, field.name))
      if (!unify_types(field.type, other))
        return fail("when matching field " + in_quotes(field.name));
  return true;
}

/// Unifies the constructors that both lists have.
bool Unifier::unify_constructors(const std::vector<Constructor>& a,
                                 const std::vector<Constructor>& b) {
  for (const Constructor& constructor : a) {
    const Constructor* other = find_constructor(b, constructor.name);
    if (!other) continue;
    if (constructor.payload.size() != other->payload.size())
      return fail("the payloads of constructor \"#" + std::string(constructor.name) +
                  "\" differ in arity: " + std::to_string(constructor.payload.size()) + " and " +
                  std::to_string(other->payload.size()));
    for (std::size_t i = 0; i < constructor.payload.size(); ++i)
      if (!unify_types(constructor.payload[i], other->payload[i]))
        return fail("when matching constructor \"#" + std::string(constructor.name) + "\"");
  }
  return true;
}

/// `a` is what is expected: a function that consumes its argument cannot stand for one that does
/// not, nor one whose result may have aliases for one whose result has none.
bool Unifier::unify_functions(const FunctionType& a, const FunctionType& b) {
  if (is_consuming(b.parameter) && !is_consuming(a.parameter))
    return fail("Parameters " + in_quotes(print_briefly(a.parameter)) + " and " +
                in_quotes(print_briefly(b.parameter)) +
                " are incompatible regarding consuming their arguments");
  if (is_unique(a.result) && !is_unique(b.result))
    return fail("Return types " + in_quotes(print_briefly(a.result)) + " and " +
                in_quotes(print_briefly(b.result)) + " have incompatible uniqueness");
  // For parameters it is the other way round.
  return unify_types(b.parameter, a.parameter) && unify_types(a.result, b.result);
}

bool Unifier::unify_metas(const Type* a, const Type* b) {
  // The younger one is linked to the older: what a long list meets one after the other is linked
  // to the same.
  if (meta(a).id < meta(b).id && meta(a).fields.empty() && meta(a).constructors.empty() &&
      meta(b).fields.empty() && meta(b).constructors.empty()) {
    std::swap(a, b);
    meta(b).origin = meta(a).origin; // the more precise place for messages
  }
  MetaType &x = meta(a), &y = meta(b);
  auto kind = [](const MetaType& m) {
    return m.elements          ? "one of the primitive types"
           : !m.fields.empty() ? "a record"
                               : "a sum type";
  };
  auto is_open = [](const MetaType& m) {
    return m.elements == 0 && m.fields.empty() && m.constructors.empty();
  };
  if (!is_open(x) && !is_open(y)) {
    if ((x.elements != 0) != (y.elements != 0) || x.fields.empty() != y.fields.empty())
      return fail("Cannot unify type that must be " + std::string(kind(x.elements ? x : y)) +
                  " with type that must be " + kind(x.elements ? y : x) + ".");
    if (x.elements != 0 && (x.elements & y.elements) == 0)
      return fail("no type is both " + print_briefly(a) + " and " + print_briefly(b));
  }
  // `y` stays and takes over what is known of `x`.
  ScopeCheck check(*this, a);
  check.type(b);
  if (check.occurs) {
    detail_id_ = "occurs-check";
    return fail("Occurs check: cannot construct the infinite type " + print_briefly(a) + " = " +
                print_briefly(b));
  }
  if (x.elements != 0)
    y.elements = y.elements == 0 ? x.elements : static_cast<std::uint16_t>(x.elements & y.elements);
  x.link = b;
  std::vector<Field> fields = std::move(x.fields);
  std::vector<Constructor> constructors = std::move(x.constructors);
  if (!fields.empty()) {
    if (!unify_fields(fields, y.fields)) return false;
    for (const Field& field : fields)
      if (!find_field(y.fields, field.name)) y.fields.push_back(field);
  }
  if (!constructors.empty()) {
    if (!unify_constructors(constructors, y.constructors)) return false;
    for (const Constructor& constructor : constructors)
      if (!find_constructor(y.constructors, constructor.name))
        y.constructors.push_back(constructor);
  }
  return true;
}

bool Unifier::solve(const Type* unknown, const Type* type) {
  MetaType& target = meta(unknown);
  if (std::holds_alternative<ErrorType>(type->node)) {
    for (const Field& field : target.fields)
      excuse(field.type);
    for (const Constructor& constructor : target.constructors)
      for (const Type* payload : constructor.payload)
        excuse(payload);
    target.link = type;
    has_met_error_ = true;
    return true;
  }
  if (target.elements != 0) {
    const auto* p = std::get_if<PrimitiveType>(&type->node);
    if (!p || (target.elements & element_bit(p->element)) == 0)
      return fail(std::holds_alternative<ArrayType>(type->node)
                      ? "an array is no number; `map (+ 1) xs` goes through its elements, and "
                        "`map2 (+) xs ys` through those of two"
                      : "it must be a " + print_briefly(unknown));
    target.link = type;
    return true;
  }
  if (std::holds_alternative<PrimitiveType>(type->node) && target.fields.empty() &&
      target.constructors.empty()) {
    target.link = type;
    return true;
  }
  ScopeCheck check(*this, unknown);
  const Type* solution = check.type(type);
  for (const Field& field : target.fields)
    check.type(field.type);
  if (check.occurs) {
    detail_id_ = "occurs-check";
    return fail("Occurs check: cannot instantiate " + print_briefly(unknown) + " with " +
                print_briefly(type));
  }
  if (check.escaping) {
    detail_id_ = "scope-violation";
    return fail("type parameter " + in_quotes(check.escaping->display) +
                " is rigidly bound in a deeper scope");
  }
  if (!target.fields.empty()) {
    const auto* record = std::get_if<RecordType>(&type->node);
    if (!record) return fail("it must be a record with fields " + print_briefly(unknown));
    for (const Field& field : target.fields)
      if (!find_field(record->fields, field.name))
        return fail("Cannot unify record type with field " + in_quotes(field.name) +
                    " with record type " + print_briefly(type));
    target.link = solution;
    return unify_fields(std::vector<Field>(target.fields), record->fields);
  }
  if (!target.constructors.empty()) {
    const auto* sum_type = std::get_if<SumType>(&type->node);
    if (!sum_type)
      return fail("Cannot unify type with constructors " + print_briefly(unknown) + " with type " +
                  print_briefly(type));
    for (const Constructor& constructor : target.constructors)
      if (!find_constructor(sum_type->constructors, constructor.name))
        return fail("Unshared constructors: #" + std::string(constructor.name) + ".");
    target.link = solution;
    return unify_constructors(std::vector<Constructor>(target.constructors),
                              sum_type->constructors);
  }
  target.link = solution;
  return true;
}

// ---- messages ----------------------------------------------------------------------------------

void Unifier::report_mismatch(const Type* expected, const Type* found, const Reason& reason) {
  const auto [wanted, got] =
      print_briefly(strip_unique(arena(), expected), strip_unique(arena(), found));
  std::string both = "expected " + in_quotes(wanted) + ", found " + in_quotes(got);
  std::string message;
  switch (reason.kind) {
  case Reason::Kind::Plain:
    message = both;
    break;
  case Reason::Kind::Apply:
    message = "Cannot apply " +
              (reason.function ? in_quotes(context_.sources.text(reason.function->span))
                               : std::string("function")) +
              " to " + in_quotes(excerpt_of(context_, reason.subject)) + " (invalid type): " + both;
    break;
  case Reason::Kind::Ascription:
    message = "Expression does not have expected type from type ascription: " + both;
    break;
  case Reason::Kind::Result:
    message = "Function body does not have expected type: " + both;
    break;
  case Reason::Kind::Branches:
    message = "Branches differ in type: former " + in_quotes(wanted) + ", latter " + in_quotes(got);
    break;
  case Reason::Kind::Pattern:
    message = "pattern " + in_quotes(excerpt_of(context_, reason.span)) + " of type " +
              in_quotes(wanted) + " cannot match value of type " + in_quotes(got);
    break;
  case Reason::Kind::Element:
    message = "array element differs in type: " + both;
    break;
  case Reason::Kind::LoopBody:
    message = "Loop body does not have expected type: " + both;
    break;
  case Reason::Kind::Replacement:
    message = "the new value" +
              (reason.field.empty() ? std::string(" of an element")
                                    : " of record field " + in_quotes(reason.field)) +
              " does not have the type of the old one: " + both;
    break;
  }
  if (detail_id_ == "occurs-check") message = detail_;
  Diagnostic& diagnostic = diagnostics().error(detail_id_, reason.span, std::move(message));
  if (!detail_.empty() && detail_id_ != "occurs-check") diagnostic.notes.push_back({{}, detail_});
  if (reason.origin.is_known())
    diagnostic.notes.push_back({reason.origin, std::string(reason.origin_text)});
}

} // namespace sinter::check
