// Visitors of variants, put together from lambdas.
#pragma once

namespace sinter {

/// One function object with the calls of all of them: `std::visit(Overloaded{…}, variant)`.
template <typename... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <typename... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

} // namespace sinter
