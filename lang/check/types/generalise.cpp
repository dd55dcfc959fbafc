// The end of an inference: defaults, type parameters for what is still open, and the checks that
// need all types to be known.
#include "lang/check/types/inference.h"
#include "lang/check/types/variables.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

void Inference::apply_defaults(const Type* visible) {
  unifier_.apply_defaults(visible);
  deferred_.lower_liftings();
}

Scheme Inference::generalise(const Type* type, std::vector<const TypeName*> type_parameters,
                             std::vector<const Variable*> size_parameters) {
  char letter = 'a';
  for (const Type* part : open_metas(arena(), type)) {
    auto taken = [&](const std::string& name) {
      return std::any_of(type_parameters.begin(), type_parameters.end(),
                         [&](const TypeName* other) { return other->display == name; });
    };
    std::string display(1, letter);
    while (taken(display) && letter < 'z')
      display = std::string(1, ++letter);
    if (taken(display)) display = "t" + std::to_string(type_parameters.size());
    TypeName* name = arena().make<TypeName>(TypeName::Kind::Parameter, display, meta(part).origin,
                                            meta(part).lifting);
    type_parameters.push_back(name);
    meta(part).link = named(arena(), name);
  }
  return {std::move(type_parameters), std::move(size_parameters), type};
}

void Inference::finish() {
  deferred_.check_obligations();
  annotations_.complete(arena(), unit_);
  deferred_.check(unifier_.has_met_error());
}

} // namespace sinter::check
