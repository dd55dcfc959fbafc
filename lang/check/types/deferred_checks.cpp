#include "lang/check/types/deferred_checks.h"

#include "lang/check/types/coverage.h"
#include "lang/check/types/variables.h"
#include "lang/types/brief.h"
#include "lang/types/build.h"
#include "lang/types/rewrite.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace sinter::check {

using namespace types;

namespace {

bool contains_function(const Type* type, Visited& visited) {
  if (!visited.is_new(resolve(type))) return false;
  if (as<FunctionType>(type)) return true;
  if (const auto* a = as<ArrayType>(type)) return contains_function(a->element, visited);
  if (const auto* r = as<RecordType>(type))
    return std::any_of(r->fields.begin(), r->fields.end(),
                       [&](const Field& f) { return contains_function(f.type, visited); });
  if (const auto* s = as<SumType>(type))
    for (const Constructor& constructor : s->constructors)
      for (const Type* payload : constructor.payload)
        if (contains_function(payload, visited)) return true;
  return false;
}

/// The first type name in a type that is lifted more than allowed.
const TypeName* lifted_name(const Type* type, Lifting at_most, Visited& visited) {
  if (!visited.is_new(resolve(type))) return nullptr;
  if (const auto* n = as<NamedType>(type)) {
    if (n->name->lifting > at_most) return n->name;
  } else if (const auto* a = as<ArrayType>(type)) {
    return lifted_name(a->element, at_most, visited);
  } else if (const auto* r = as<RecordType>(type)) {
    for (const Field& field : r->fields)
      if (const TypeName* name = lifted_name(field.type, at_most, visited)) return name;
  } else if (const auto* s = as<SumType>(type)) {
    for (const Constructor& constructor : s->constructors)
      for (const Type* payload : constructor.payload)
        if (const TypeName* name = lifted_name(payload, at_most, visited)) return name;
  }
  return nullptr;
}

bool supports_equality(const Type* type, Visited& visited) {
  if (!visited.is_new(resolve(type))) return true; // or else the answer is known to be no
  if (as<PrimitiveType>(type) || as<ErrorType>(type)) return true;
  if (const auto* a = as<ArrayType>(type)) return supports_equality(a->element, visited);
  if (const auto* r = as<RecordType>(type))
    return std::all_of(r->fields.begin(), r->fields.end(),
                       [&](const Field& f) { return supports_equality(f.type, visited); });
  if (const auto* s = as<SumType>(type)) {
    for (const Constructor& constructor : s->constructors)
      for (const Type* payload : constructor.payload)
        if (!supports_equality(payload, visited)) return false;
    return true;
  }
  return false;
}

} // namespace

DeferredChecks::DeferredChecks(Context& context)
    : context_(context), errors_before_(context.diagnostics->error_count()) {}

void DeferredChecks::lower_liftings() {
  for (const Obligation& obligation : obligations_) {
    Visited visited;
    std::function<void(const Type*)> lower = [&](const Type* type) {
      if (!visited.is_new(resolve(type))) return;
      if (as<MetaType>(type)) {
        type = resolve(type);
        while (const auto* u = std::get_if<UniqueType>(&type->node))
          type = resolve(u->inner);
        MetaType& open = meta(type);
        open.lifting = std::min(open.lifting, obligation.at_most);
      } else if (const auto* r = as<RecordType>(type)) {
        for (const Field& field : r->fields)
          lower(field.type);
      } else if (const auto* s = as<SumType>(type)) {
        for (const Constructor& constructor : s->constructors)
          for (const Type* payload : constructor.payload)
            lower(payload);
      }
    };
    lower(obligation.type);
  }
}

void DeferredChecks::check(bool has_met_error) {
  check_literals();
  check_holes();
  check_equality();
  if (!has_met_error && diagnostics().error_count() == errors_before_) check_coverage();
}

void DeferredChecks::check_obligations() {
  for (const Obligation& obligation : obligations_) {
    Visited for_functions, for_names;
    if (contains_function(obligation.type, for_functions)) {
      std::string message = "type " + in_quotes(print_briefly(obligation.type)) +
                            " found to be functional" + (obligation.name.empty() ? "" : ", ") +
                            std::string(obligation.what);
      if (!obligation.name.empty()) message += in_quotes(obligation.name);
      diagnostics().error("functional-type", obligation.span, std::move(message));
    } else if (const TypeName* name = lifted_name(obligation.type, obligation.at_most, for_names)) {
      std::string message =
          "type parameter " + in_quotes(name->display) +
          (obligation.at_most == Lifting::None ? " is lifted and cannot be an array element"
                                               : " is lifted and may be a functional type");
      if (!obligation.name.empty())
        message += ", " + std::string(obligation.what) + in_quotes(obligation.name);
      else
        message += obligation.what;
      diagnostics().error("functional-type", obligation.span, std::move(message));
    }
  }
}

void DeferredChecks::check_holes() {
  for (const syntax::Expr* hole : holes_)
    diagnostics().warning("hole", hole->span, "Hole of type: " + print(hole->type));
}

namespace {
/// The largest finite value, as far as an integer literal or float literal must respect it.
double largest(ElementType element) {
  switch (byte_size(element)) {
  case 2:
    return 65519.99; // 65520 rounds to infinity
  case 4:
    return 3.4028235677973366e38;
  default:
    return INFINITY;
  }
}
} // namespace

void DeferredChecks::check_literals() {
  for (const Literal& literal : literals_) {
    const auto* type = as<PrimitiveType>(literal.literal->type);
    if (!type) continue;
    const auto* integer = std::get_if<syntax::IntegerLiteral>(&literal.literal->node);
    // With a suffix the bits are meant: `0x80i8`.
    if (integer && integer->suffix) continue;
    bool fits = true;
    std::string shown;
    if (integer) {
      if (is_integer(type->element)) {
        unsigned bits = static_cast<unsigned>(byte_size(type->element)) * 8;
        bool wide =
            integer->digits_value.size() > 20 ||
            (integer->digits_value.size() == 20 && integer->digits_value > "18446744073709551615");
        std::uint64_t limit = bits == 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1;
        if (is_signed(type->element))
          limit = (limit >> 1U) + (literal.negative ? 1 : 0);
        else if (literal.negative)
          limit = 0;
        fits = !wide && integer->value <= limit;
      } else {
        double value = std::strtod(integer->digits_value.c_str(), nullptr);
        fits = std::isfinite(value) && value < largest(type->element);
      }
      shown = (literal.negative ? "-" : "") + integer->digits_value;
    } else if (const auto* number = std::get_if<syntax::FloatLiteral>(&literal.literal->node)) {
      double limit = type->element == ElementType::F64 ? INFINITY : 3.4028235677973366e38;
      fits = std::abs(number->value) < limit;
      shown = number->text;
    }
    if (!fits) {
      Diagnostic& diagnostic =
          diagnostics().error("literal-out-of-bounds", literal.literal->span,
                              "Literal " + shown + " out of bounds for inferred type " +
                                  std::string(name(type->element)));
      const bool is_integer = std::holds_alternative<syntax::IntegerLiteral>(literal.literal->node);
      if (is_integer && type->element == ElementType::I32)
        diagnostic.hint = "larger numbers are of type i64: `" + shown + "i64`";
    }
  }
}

void DeferredChecks::check_equality() {
  for (const auto& [type, span] : equalities_) {
    Visited visited;
    if (!supports_equality(type, visited))
      diagnostics().error("no-equality", span,
                          "comparing equality of values of type " + in_quotes(print_briefly(type)) +
                              " which does not support equality");
  }
}

void DeferredChecks::check_coverage() {
  for (const Coverage& coverage : coverage_) {
    auto witness = find_unmatched(coverage.patterns);
    if (!witness) continue;
    if (coverage.is_match)
      diagnostics().error("unmatched-cases", coverage.span,
                          "Unmatched cases in match expression: " + *witness);
    else
      diagnostics().error("refutable-pattern", coverage.span,
                          "Refutable pattern not allowed here.  Unmatched cases: " + *witness);
  }
}

} // namespace sinter::check
