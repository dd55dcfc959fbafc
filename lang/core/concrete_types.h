// Types without names: what a checked type is in one specialisation, with its sizes kept as terms.
//
// A *concrete type* has no type variables, no abstract types and no abbreviations left: its
// representation is known.  Its sizes stay unevaluated: a size expression together with the type
// environment that says what the size names in it stand for.
#pragma once

#include "lang/core/module_environment.h"
#include "lang/types/type.h"
#include "lang/values/representation.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::core {

struct TypeEnvironment;

/// A size expression in its environment; `size` null: nobody knows.
struct SizeTerm {
  const types::Size* size = nullptr;
  const TypeEnvironment* environment = nullptr;
};

struct ConcreteType {
  enum class Kind { Scalar, Array, Record, Sum, Function, Accumulator };
  Kind kind = Kind::Record;
  const Representation* representation = nullptr;
  SizeTerm size; ///< of an Array: its outermost extent
  /// Array: the element (one dimension less).  Record: the fields.  Function: parameter and result,
  /// or nothing where they are not known.  Accumulator: the type arguments.
  std::vector<const ConcreteType*> parts;
  std::vector<std::vector<const ConcreteType*>> payloads; ///< Sum: of each constructor

  const ConcreteType& element() const { return *parts[0]; }
};

/// What the names of types and sizes mean in one specialisation, innermost layer first.
struct TypeEnvironment {
  /// A type in its environment, or one that is concrete already.
  struct TypeTerm {
    const ConcreteType* concrete = nullptr;
    const types::Type* type = nullptr;
    const TypeEnvironment* environment = nullptr;
  };
  const TypeEnvironment* outer = nullptr;
  const Environment* modules = nullptr; ///< where abstract types are looked up
  std::vector<std::pair<const types::TypeName*, TypeTerm>> types;
  std::vector<std::pair<const types::Variable*, SizeTerm>> sizes;
  mutable std::unordered_map<const types::Type*, const ConcreteType*> known;

  const TypeTerm* find(const types::TypeName* name) const;
  const SizeTerm* find(const types::Variable* variable) const;
};

/// What a definition's type parameters and size parameters are at a use.
struct Instantiation {
  std::vector<const ConcreteType*> types; ///< in the scheme's order; `()` where nothing says
  /// For each size parameter the sizes that stand in its place, best first.
  std::vector<std::vector<SizeTerm>> sizes;
};

class TypeWorld {
public:
  TypeWorld(ModuleWorld& modules, Representations& representations)
      : modules_(modules), representations_(representations) {}

  const TypeEnvironment* environment(TypeEnvironment environment);
  const ConcreteType* concrete(const types::Type* type, const TypeEnvironment* environment);
  /// A type of this representation; each extent is a new size variable, added to `extents` (in the
  /// order of `SizedType::extents`).
  const ConcreteType* with_fresh_extents(const Representation* representation,
                                         std::vector<const types::Variable*>& extents);
  /// Finds the parameters of `scheme` (a definition's, read in `environment`) from the type that it
  /// has at a use.
  Instantiation match(const types::Scheme& scheme, const TypeEnvironment* environment,
                      const ConcreteType* use);
  const ConcreteType* unit() { return scalar_or_unit(std::nullopt); }
  const ConcreteType* scalar(ElementType element) { return scalar_or_unit(element); }
  /// `a -> b -> result`
  const ConcreteType* function(const std::vector<const ConcreteType*>& parameters,
                               const ConcreteType* result);
  /// A size that is a variable's value.
  SizeTerm variable_size(const types::Variable* variable, const TypeEnvironment* environment);
  /// A size written as an expression, whose names mean what `environment` says.
  SizeTerm expression_size(const syntax::Expr* expression, const TypeEnvironment* environment);
  /// The environment in which the expression itself is to be read.
  const TypeEnvironment* inside(const types::ExpressionSize& size,
                                const TypeEnvironment* environment);
  /// Follows solved inference variables and substituted names as far as they go.
  SizeTerm resolve(SizeTerm term) const;
  Representations& representations() { return representations_; }

private:
  struct Matcher;
  const ConcreteType* scalar_or_unit(std::optional<ElementType> element);
  ConcreteType* make(ConcreteType type) { return &concrete_.emplace_back(std::move(type)); }
  const ConcreteType* build(const types::Type* type, const TypeEnvironment* environment);
  const ConcreteType* array_of(SizeTerm size, const ConcreteType* element);
  const ConcreteType* named(const types::NamedType& type, const TypeEnvironment* environment);
  /// What a name that is no parameter here stands for: a type in an environment.
  TypeEnvironment::TypeTerm unfold(const types::NamedType& type,
                                   const TypeEnvironment* environment);

  ModuleWorld& modules_;
  Representations& representations_;
  std::deque<ConcreteType> concrete_;
  std::deque<TypeEnvironment> environments_;
  std::deque<types::Type> types_;
  std::deque<types::Size> sizes_;
  std::deque<types::Variable> variables_;
  std::deque<types::TypeName> names_;
};

/// The extents of every array in a type, in the order of `SizedType::extents`.
void collect_extents(const ConcreteType& type, std::vector<SizeTerm>& extents);

} // namespace sinter::core
