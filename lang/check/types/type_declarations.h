// Declarations and specifications of types, and specifications of values.
#pragma once

#include "lang/check/names/context.h"

#include <string>
#include <vector>

namespace sinter::check {

/// Checks `type t 'a [n] = …`: fills the parameters' annotations and gives the binding.
TypeBinding check_type_declaration(Context& context, const Scope& scope,
                                   syntax::TypeDeclaration& declaration);
/// The parameters and right-hand side of a type specification or `with` refinement; `definition`
/// null gives a binding to a new abstract TypeName shown as `display`.
TypeBinding check_type_binding(Context& context, const Scope& scope, std::string display, Span span,
                               types::Lifting lifting,
                               std::vector<syntax::TypeParameter>& parameters,
                               syntax::TypeExpr* definition);
/// The scheme of `val f 'a [n] : type`: anonymous sizes in parameters become size parameters, in
/// results existentials.
types::Scheme check_value_specification(Context& context, const Scope& scope,
                                        syntax::ValueSpecification& specification);

/// The types and the sizes that parameters bind; sizes that were left out follow.
std::vector<const types::TypeName*>
type_names(const std::vector<syntax::TypeParameter>& parameters);
std::vector<const types::Variable*> sizes_of(const std::vector<syntax::TypeParameter>& parameters,
                                             const std::vector<types::Variable*>& anonymous = {});

} // namespace sinter::check
