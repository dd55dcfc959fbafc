// Inference variables: how they are made, and decided at the end where nothing else did it.
#include "lang/base/excerpt.h"
#include "lang/check/types/unifier.h"
#include "lang/check/types/variables.h"
#include "lang/types/brief.h"
#include "lang/types/facts.h"

#include <algorithm>
#include <functional>

namespace sinter::check {

using namespace types;

namespace {

/// Collects open inference variables in order of appearance.
class OpenParts : public Rewriter {
public:
  using Rewriter::Rewriter;
  std::vector<const Type*> metas;

protected:
  const Type* on_meta(const Type* type) override {
    if (std::find(metas.begin(), metas.end(), type) == metas.end()) metas.push_back(type);
    return type;
  }
};

ElementType default_element(std::uint16_t elements) {
  for (ElementType element : {ElementType::I32, ElementType::F64})
    if ((elements & element_bit(element)) != 0) return element;
  for (ElementType element : all_element_types)
    if ((elements & element_bit(element)) != 0) return element;
  return ElementType::Bool;
}

} // namespace

std::string excerpt_of(const Context& context, Span span) {
  return excerpt(context.sources.text(span), 48);
}

std::vector<const Type*> open_metas(TypeArena& arena, const Type* type) {
  OpenParts open(arena);
  open.type(type);
  return std::move(open.metas);
}

const Type* Unifier::new_meta(Span origin, Lifting lifting) {
  MetaType meta;
  meta.id = next_id_++;
  meta.level = level;
  meta.lifting = lifting;
  meta.origin = origin;
  Type* type = arena().make<Type>(std::move(meta));
  metas_.push_back(type);
  return type;
}

const Type* Unifier::new_overloaded(Span origin, std::uint16_t elements) {
  const Type* type = new_meta(origin, Lifting::None);
  meta(type).elements = elements;
  return type;
}

const Type* Unifier::new_record(Span origin, std::string_view field, const Type* type) {
  const Type* made = new_meta(origin);
  meta(made).fields.push_back({field, type});
  return made;
}

const Type* Unifier::new_sum(Span origin, std::string_view constructor,
                             std::vector<const Type*> payload) {
  const Type* made = new_meta(origin);
  meta(made).constructors.push_back({constructor, std::move(payload)});
  return made;
}

bool Unifier::is_erroneous(const Type* type) const {
  return (context_.has_errors || context_.diagnostics->has_errors()) && contains_error(type);
}

/// What has met an error and is still open is itself unknown for that reason.
void Unifier::silence_excused() {
  Visited visited;
  std::function<void(const Type*)> silence = [&](const Type* type) {
    type = resolve(type);
    if (as<MetaType>(type)) {
      while (const auto* u = std::get_if<UniqueType>(&type->node))
        type = resolve(u->inner);
      MetaType& open = meta(type);
      open.link = error_;
      for (const Field& field : open.fields)
        silence(field.type);
      for (const Constructor& constructor : open.constructors)
        for (const Type* payload : constructor.payload)
          silence(payload);
      return;
    }
    if (!visited.is_new(type)) return;
    for (const Type* part : open_metas(arena(), type))
      silence(part);
  };
  for (const Type* type : excused_)
    silence(type);
  excused_.clear();
}

void Unifier::apply_defaults(const Type* visible) {
  silence_excused();
  if (visible) {
    for (const Type* part : open_metas(arena(), visible))
      if (meta(part).elements != 0)
        diagnostics().warning("defaulted-type", meta(part).origin,
                              "Defaulting ambiguous type to " +
                                  std::string(name(default_element(meta(part).elements))) + ".");
  }
  for (std::size_t i = 0; i < metas_.size(); ++i) {
    auto& open = std::get<MetaType>(metas_[i]->node);
    if (open.link) continue;
    if (open.elements != 0) {
      open.link = primitive(arena(), default_element(open.elements));
    } else if (!open.fields.empty() || !open.constructors.empty()) {
      bool is_record = !open.fields.empty();
      auto& diagnostic = diagnostics().error(
          "ambiguous-type", open.origin,
          std::string("Type is ambiguous: it must be a ") +
              (is_record ? "record with fields " : "sum type with constructors ") +
              in_quotes(print_briefly(metas_[i])));
      diagnostic.hint = "add a type annotation where the value is bound";
      open.link = error_;
    }
  }
}

} // namespace sinter::check
