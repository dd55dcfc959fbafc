// Sizes of slices and of in-place updates.
#include "lang/check/sizes/size_checker.h"

namespace sinter::check {

using namespace types;

void SizeChecker::warn_binding(Span span) {
  context_.diagnostics->warning("size-expression-bind", span,
                                "Size expression with binding is replaced by unknown size");
}

/// The size of a slice that its bounds tell: `xs[:e]`, `xs[i:j]`, `xs[::-1]`; null for others.
const Size* SizeChecker::known_slice(const syntax::IndexPart& part, const Size* whole) {
  auto size_of = [&](const syntax::Expr* e) { return e ? structural_size(arena(), *e) : nullptr; };
  auto value = [&](const syntax::Expr* e) -> std::optional<std::int64_t> {
    const Size* size = size_of(e);
    const auto* c = size ? std::get_if<ConstantSize>(&size->node) : nullptr;
    return c ? std::optional(c->value) : std::nullopt;
  };
  auto minus = [&](const Size* a, const Size* b) -> const Size* {
    return a && b ? arena().make<Size>(OperationSize{SizeOperator::Subtract, a, b}) : nullptr;
  };
  bool forwards = !part.stride || value(part.stride) == 1;
  bool backwards = part.stride && value(part.stride) == -1;
  auto checked = [&](const Size* size) {
    if (!size) warn_binding(part.span);
    return size;
  };
  if (forwards) {
    const Size* end = part.end ? size_of(part.end) : whole;
    if (!part.begin || value(part.begin) == 0) return checked(end);
    return checked(minus(end, size_of(part.begin)));
  }
  if (backwards && !part.begin && !part.end) return whole;
  if (backwards && part.begin && part.end)
    return checked(minus(size_of(part.begin), size_of(part.end)));
  return nullptr;
}

const Type* SizeChecker::slice(syntax::Expr*, const Type* type,
                               const std::vector<syntax::IndexPart>& parts, Span span,
                               SliceSizes mode, Variables& made) {
  std::vector<const Size*> extents;
  for (const syntax::IndexPart& part : parts) {
    for (syntax::Expr* e : {part.index, part.begin, part.end, part.stride})
      if (e) check(*e);
    const auto* a = as<ArrayType>(type);
    if (!a) throw Stop{};
    extents.push_back(a->size);
    type = a->element;
  }
  for (std::size_t i = parts.size(); i-- > 0;) {
    if (!parts[i].is_slice()) continue;
    const Size* size = nullptr;
    switch (mode) {
    case SliceSizes::Exact:
      size = known_slice(parts[i], extents[i]);
      if (!size) {
        const Variable* unknown =
            sizes_.unknown(span, "is size produced by slice \"" + text(parts[i].span) + "\"");
        made.push_back(unknown);
        size = variable(arena(), unknown);
      }
      break;
    case SliceSizes::Flexible:
      size = variable(arena(), sizes_.flexible(span, "size of slice"));
      break;
    case SliceSizes::Existential: {
      Variable* existential = arena().make<Variable>(Variable::Kind::UnknownSize);
      existential->scheme.type = primitive(ElementType::I64);
      made.push_back(existential);
      size = variable(arena(), existential);
      break;
    }
    }
    type = array(arena(), size, type);
  }
  return type;
}

/// The type of `source with path = value`.  A field's new value may have other sizes than the old
/// one; what is written into an array may not.
const Type* SizeChecker::update(const Type* source, const std::vector<syntax::PathStep>& path,
                                syntax::Expr& value) {
  bool fields_only = true;
  for (const syntax::PathStep& step : path)
    fields_only = fields_only && step.is_field();
  if (!fields_only) {
    const Type* target = source;
    Variables none;
    for (const syntax::PathStep& step : path)
      target = step.is_field()
                   ? project(target, step.field)
                   : slice(nullptr, target, step.indices, step.span, SliceSizes::Flexible, none);
    unify(
        target, check(value),
        Purpose{value.span, "the new value of an element does not have the type of the old one."});
    return source;
  }
  const Type* type = check(value);
  std::function<const Type*(const Type*, std::size_t)> replace =
      [&](const Type* old, std::size_t step) -> const Type* {
    if (step == path.size()) {
      std::vector<std::pair<const Variable*, const Size*>> made;
      unify(instances_.refresh_flexible(old, value.span, "record update", made), type,
            Purpose{value.span, "Type mismatch when updating record field."});
      return type;
    }
    const auto* r = as<RecordType>(old);
    if (!r) throw Stop{};
    std::vector<Field> fields = r->fields;
    for (Field& field : fields)
      if (field.name == path[step].field) field.type = replace(field.type, step + 1);
    return record_like(arena(), *r, std::move(fields));
  };
  return replace(source, 0);
}

const Type* SizeChecker::path_section(syntax::Expr& expression, const syntax::PathSection& node) {
  const auto* f = as<FunctionType>(expression.type);
  if (!f) throw Stop{};
  const Type* parameter = instances_.refresh(f->parameter, expression.span, Lifting::None);
  const Type* result = parameter;
  Variables made;
  for (const syntax::PathStep& step : node.steps)
    result = step.is_field()
                 ? project(result, step.field)
                 : slice(nullptr, result, step.indices, step.span, SliceSizes::Existential, made);
  return function(arena(), parameter, result, nullptr, std::move(made));
}

} // namespace sinter::check
