// Equality of closed types, and whether one scheme is at least as polymorphic as another.
//
// Matching is one-sided unification: the type and size parameters of what was found may become
// anything, those of what is wanted stand for themselves.  With existential sizes it is the other
// way round: what is wanted says only that there is some size.
#include "lang/check/modules/matches.h"

#include "lang/check/sizes/size_instances.h"
#include "lang/check/sizes/size_unifier.h"
#include "lang/check/types/variables.h"
#include "lang/types/brief.h"
#include "lang/types/facts.h"
#include "lang/types/rewrite.h"
#include "lang/types/stars.h"

#include <map>

namespace sinter::check {
namespace {

using namespace types;

class TypeMatcher {
public:
  explicit TypeMatcher(bool with_sizes) : with_sizes_(with_sizes) {}
  explicit TypeMatcher(const Scheme& found) : with_sizes_(true) {
    for (const TypeName* name : found.type_parameters)
      assigned_.emplace(name, nullptr);
    for (const Variable* size : found.size_parameters)
      // A constant's existential is the size that it has.
      if (size->kind == Variable::Kind::SizeParameter || as<FunctionType>(found.type))
        sizes_.emplace(size, nullptr);
  }

  bool type(const Type* wanted, const Type* found) {
    wanted = look_through(wanted);
    found = look_through(found);
    if (wanted == found) return true;
    if (std::holds_alternative<ErrorType>(wanted->node) ||
        std::holds_alternative<ErrorType>(found->node))
      return true;
    if (const auto* n = std::get_if<NamedType>(&found->node)) {
      auto slot = assigned_.find(n->name);
      if (slot != assigned_.end()) {
        if (slot->second) return type(wanted, slot->second);
        if (n->name->lifting != Lifting::FullyLifted && contains_function(wanted)) return false;
        slot->second = wanted;
        return true;
      }
    }
    if (wanted->node.index() != found->node.index()) return false;
    if (const auto* p = std::get_if<PrimitiveType>(&wanted->node))
      return p->element == std::get<PrimitiveType>(found->node).element;
    if (const auto* a = std::get_if<ArrayType>(&wanted->node)) {
      const auto& b = std::get<ArrayType>(found->node);
      return size(a->size, b.size) && type(a->element, b.element);
    }
    if (const auto* a = std::get_if<RecordType>(&wanted->node))
      return fields(a->fields, std::get<RecordType>(found->node).fields);
    if (const auto* a = std::get_if<SumType>(&wanted->node))
      return constructors(a->constructors, std::get<SumType>(found->node).constructors);
    if (const auto* a = std::get_if<FunctionType>(&wanted->node)) {
      const auto& b = std::get<FunctionType>(found->node);
      if (!compatible_uniqueness(*a, b)) return false;
      if (a->parameter_variable && b.parameter_variable)
        renamed_[b.parameter_variable] = a->parameter_variable;
      for (const Variable* existential : contravariant_ ? b.existentials : a->existentials)
        sizes_.emplace(existential, nullptr);
      contravariant_ = !contravariant_;
      const bool parameters_match = type(a->parameter, b.parameter);
      contravariant_ = !contravariant_;
      return parameters_match && type(a->result, b.result);
    }
    if (const auto* a = std::get_if<NamedType>(&wanted->node)) {
      const auto& b = std::get<NamedType>(found->node);
      if (a->name != b.name || a->arguments.size() != b.arguments.size()) return false;
      for (std::size_t i = 0; i < a->arguments.size(); ++i) {
        const TypeArgument &x = a->arguments[i], &y = b.arguments[i];
        if ((x.type == nullptr) != (y.type == nullptr)) return false;
        if (x.type ? !type(x.type, y.type) : !size(x.size, y.size)) return false;
      }
      return true;
    }
    return false; // two different unsolved metas
  }

  /// Lets a size of what was found become any other.
  void leave_open(const Variable* size) { sizes_.emplace(size, nullptr); }

  bool size(const Size* wanted, const Size* found) {
    if (!with_sizes_) return true;
    if (same_size(wanted, found)) return true;
    if (why.empty())
      why = "Sizes \"" + print(wanted) + "\" and \"" + print(found) + "\" do not match";
    return false;
  }

  /// What differs in uniqueness or size; empty if it is the types.
  std::string why;

private:
  bool same_size(const Size* wanted, const Size* found) {
    if (!wanted || !found || wanted == found) return true;
    const auto* b = std::get_if<VariableSize>(&found->node);
    if (const Size** slot = b ? slot_of(b->variable) : nullptr) {
      if (*slot) return same_size(wanted, *slot);
      *slot = wanted;
      return true;
    }
    const auto* a = std::get_if<VariableSize>(&wanted->node);
    if (const Size** slot = a ? slot_of(a->variable) : nullptr) {
      if (*slot) return same_size(*slot, found);
      *slot = found;
      return true;
    }
    // A size that was inferred to be unknown, and not written so, or an expression that is more
    // than arithmetic, says too little to call it another one.
    auto is_vague = [](const Size* s) {
      return std::holds_alternative<AnonymousSize>(s->node) ||
             std::holds_alternative<ExpressionSize>(s->node);
    };
    if (is_vague(wanted) || is_vague(found)) return true;
    if (wanted->node.index() != found->node.index()) return false;
    if (const auto* c = std::get_if<ConstantSize>(&wanted->node))
      return c->value == std::get<ConstantSize>(found->node).value;
    if (a) {
      const Variable* x = a->variable;
      const Variable* y = b->variable;
      if (auto other = renamed_.find(y); other != renamed_.end()) y = other->second;
      return x == y;
    }
    const auto& x = std::get<OperationSize>(wanted->node);
    const auto& y = std::get<OperationSize>(found->node);
    return x.op == y.op && same_size(x.left, y.left) && same_size(x.right, y.right);
  }

  /// Where the size that a flexible variable stands for is kept; null for others.
  const Size** slot_of(const Variable* variable) {
    auto found = sizes_.find(variable);
    return found == sizes_.end() ? nullptr : &found->second;
  }

  /// A function that consumes its argument cannot stand for one that does not, nor one whose result
  /// may have aliases for one that promises a result without.  In a parameter's own type it is the
  /// other way round.
  bool compatible_uniqueness(const FunctionType& wanted, const FunctionType& found) {
    const FunctionType& promised = contravariant_ ? found : wanted;
    const FunctionType& given = contravariant_ ? wanted : found;
    if (is_consuming(given.parameter) && !is_consuming(promised.parameter)) {
      why = "Parameters \"" + print_briefly(promised.parameter) + "\" and \"" +
            print_briefly(given.parameter) +
            "\" are incompatible regarding consuming their arguments";
      return false;
    }
    if (is_unique(promised.result) && !is_unique(given.result)) {
      why = "Return types \"" + print_briefly(promised.result) + "\" and \"" +
            print_briefly(given.result) + "\" have incompatible uniqueness";
      return false;
    }
    return true;
  }

  static bool contains_function(const Type* type) {
    type = look_through(type);
    if (std::holds_alternative<FunctionType>(type->node)) return true;
    if (const auto* r = std::get_if<RecordType>(&type->node)) {
      for (const Field& field : r->fields)
        if (contains_function(field.type)) return true;
    } else if (const auto* s = std::get_if<SumType>(&type->node)) {
      for (const Constructor& constructor : s->constructors)
        for (const Type* payload : constructor.payload)
          if (contains_function(payload)) return true;
    }
    return false;
  }
  bool fields(const std::vector<Field>& wanted, const std::vector<Field>& found) {
    if (wanted.size() != found.size()) return false;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i].name != found[i].name || !type(wanted[i].type, found[i].type)) return false;
    return true;
  }
  bool constructors(const std::vector<Constructor>& wanted, const std::vector<Constructor>& found) {
    if (wanted.size() != found.size()) return false;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const Constructor &a = wanted[i], &b = found[i];
      if (a.name != b.name || a.payload.size() != b.payload.size()) return false;
      for (std::size_t j = 0; j < a.payload.size(); ++j)
        if (!type(a.payload[j], b.payload[j])) return false;
    }
    return true;
  }

  bool with_sizes_;
  bool contravariant_ = false;
  std::map<const TypeName*, const Type*> assigned_;
  std::map<const Variable*, const Size*> sizes_; ///< what may become any size, and what it became
  std::map<const Variable*, const Variable*> renamed_;
};

} // namespace

bool matches(Context&, const Scheme& wanted, const Scheme& found, std::string& why) {
  TypeMatcher matcher(found);
  if (matcher.type(wanted.type, found.type)) return true;
  why = std::move(matcher.why);
  return false;
}

bool sizes_match(Context& context, const Scheme& wanted, const Scheme& found, std::string& why) {
  if (as<ErrorType>(wanted.type) || as<ErrorType>(found.type)) return true;
  // What is wanted may be used with any sizes; what was found with those that it can have.
  SizeVariables sizes(context.types);
  for (const Variable* size : wanted.size_parameters)
    if (size->kind == Variable::Kind::SizeParameter)
      sizes.constrain(size, SizeConstraint::Kind::Parameter, size->span);
  sizes.level = 1;
  for (const Variable* size : wanted.size_parameters)
    if (size->kind != Variable::Kind::SizeParameter)
      sizes.constrain(size, SizeConstraint::Kind::Flexible, size->span);
  try {
    const Type* instance = SizeInstances(sizes).instantiate(found, wanted.type, {}, {});
    SizeUnifier(sizes).unify(sizes.normalise(wanted.type), instance, {});
    return true;
  } catch (const SizeMismatch& mismatch) {
    why = mismatch.message;
    return false;
  }
}

bool equal(const Type* a, const Type* b, bool with_sizes) {
  TypeMatcher matcher(with_sizes);
  for_each_variable(b, [&](const Variable* variable) {
    if (variable->kind == Variable::Kind::UnknownSize) matcher.leave_open(variable);
  });
  return matcher.type(a, b);
}

} // namespace sinter::check
