// Rules that can be looked at only when all types of a declaration are known.
#pragma once

#include "lang/check/names/context.h"
#include "lang/types/type.h"

#include <string_view>
#include <utility>
#include <vector>

namespace sinter::check {

class DeferredChecks {
public:
  explicit DeferredChecks(Context& context);

  /// The type must not be functional (or lifted); `what` and `name` end the message.
  void oblige(const types::Type* type, types::Lifting at_most, Span span, std::string_view what,
              std::string_view name = {}) {
    obligations_.push_back({type, at_most, span, what, name});
  }
  /// The number must be one of its type.
  void add_literal(const syntax::Expr& literal) { literals_.push_back({&literal, false}); }
  /// It stands after a minus: its magnitude may be one too big on its own.
  void negate_last(const syntax::Expr& literal) {
    if (!literals_.empty() && literals_.back().literal == &literal)
      literals_.back().negative = true;
  }
  /// Values of the type are compared.
  void add_equality(const types::Type* type, Span span) { equalities_.emplace_back(type, span); }
  void add_hole(const syntax::Expr& hole) { holes_.push_back(&hole); }
  /// Some pattern must match each value.
  void add_match(Span span, std::vector<const syntax::Pattern*> cases) {
    coverage_.push_back({span, std::move(cases), true});
  }
  void add_irrefutable(const syntax::Pattern& pattern) {
    coverage_.push_back({pattern.span, {&pattern}, false});
  }

  /// What must not be functional passes that on to the type parameters that it is made of.
  void lower_liftings();
  /// What `lower_liftings` made sure of, where that was possible.
  void check_obligations();
  /// All others; patterns and types may not agree where something met an error.
  void check(bool has_met_error);

private:
  struct Obligation {
    const types::Type* type = nullptr;
    types::Lifting at_most{};
    Span span;
    std::string_view what;
    std::string_view name;
  };
  struct Coverage {
    Span span;
    std::vector<const syntax::Pattern*> patterns;
    bool is_match = false;
  };
  struct Literal {
    const syntax::Expr* literal = nullptr;
    bool negative = false;
  };

  void check_literals();
  void check_holes();
  void check_equality();
  void check_coverage();
  Diagnostics& diagnostics() { return *context_.diagnostics; }

  Context& context_;
  std::size_t errors_before_ = 0;
  std::vector<Obligation> obligations_;
  std::vector<Coverage> coverage_;
  std::vector<Literal> literals_;
  std::vector<std::pair<const types::Type*, Span>> equalities_;
  std::vector<const syntax::Expr*> holes_;
};

} // namespace sinter::check
