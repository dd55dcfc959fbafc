#include "jit/swap/sites.h"

#include <algorithm>

namespace sinter::jit {

Site& Sites::of(const core::Function& function) {
  Site& site = met({SiteKey::Kind::Function, &function});
  if (!site.name.empty()) return site;
  site.name = "function " + function.name;
  site.span = site.source = function.span;
  // From the name to the end of the body.
  const Span body = function.body->span;
  if (body.file.index == site.span.file.index && body.begin > site.span.begin)
    site.source.end = std::max(site.source.end, body.end);
  return site;
}

Site& Sites::of(const core::Expr& expression) {
  Site& site = met({SiteKey::Kind::Expression, &expression});
  if (site.name.empty()) {
    site.name = "expression";
    site.span = expression.span;
  }
  return site;
}

Site& Sites::of(primitives::ArrayOperation operation, const eval::Site<Concrete>& site) {
  Site& found = met({SiteKey::Kind::Operation, site.place()});
  if (found.name.empty()) {
    found.name = name(operation);
    found.span = site.span();
    found.is_operation = true;
  }
  return found;
}

Site& Sites::of_loop(const core::Expr& loop) {
  Site& site = met({SiteKey::Kind::Loop, &loop});
  if (site.name.empty()) {
    site.name = "loop";
    site.span = loop.span;
  }
  return site;
}

const FrameInputs& Sites::inputs_of(const core::Expr& expression) {
  auto [known, is_new] = expression_inputs_.try_emplace(&expression);
  if (is_new) known->second = expression_inputs(expression);
  return known->second;
}

const FrameInputs& Sites::inputs_of_loop(const core::Expr& loop) {
  auto [known, is_new] = loop_inputs_.try_emplace(&loop);
  if (is_new) known->second = loop_inputs(loop);
  return known->second;
}

} // namespace sinter::jit
