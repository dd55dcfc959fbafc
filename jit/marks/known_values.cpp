#include "jit/marks/known_values.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

namespace {

/// So many definitions are followed to the functions that they give.
constexpr unsigned most_followed = 64;

Layout layout_of_function(const core::Function& function, std::vector<Layout> captures = {}) {
  Layout layout;
  layout.kind = Layout::Kind::Function;
  layout.function = &function;
  layout.capture_count = static_cast<std::uint32_t>(captures.size());
  layout.parts = std::move(captures);
  return layout;
}

Layout layout_of_record(std::vector<Layout> parts) {
  Layout layout;
  layout.kind = Layout::Kind::Record;
  layout.parts = std::move(parts);
  return layout;
}

/// The layouts of parts, if all are known.
template <typename Parts, typename Known>
std::optional<std::vector<Layout>> all_known(const Parts& parts, Known&& known) {
  std::vector<Layout> layouts;
  for (const auto& part : parts) {
    std::optional<Layout> layout = known(part);
    if (!layout) return std::nullopt;
    layouts.push_back(std::move(*layout));
  }
  return layouts;
}

/// Where an expression's value comes from, as far as functions are concerned.
struct Origin {
  KnownFrame& frame;
  LayoutsByType& by_type;
  unsigned depth;
  const core::Expr& expr;

  std::optional<Layout> of(const core::Expr* part) const {
    return known_layout(*part, frame, by_type, depth);
  }
  std::optional<Layout> by_its_type() const { return by_type(expr.type); }

  std::optional<Layout> operator()(const core::Local& local) const {
    const auto known = frame.slots.find(local.slot);
    return known == frame.slots.end() ? by_its_type() : known->second;
  }
  std::optional<Layout> operator()(const core::Captured& captured) const {
    const auto known = frame.captures.find(captured.index);
    return known == frame.captures.end() ? by_its_type() : known->second;
  }
  std::optional<Layout> operator()(const core::FunctionValue& value) const {
    return layout_of_function(*value.function);
  }
  std::optional<Layout> operator()(const core::Closure& closure) const {
    auto captures = all_known(closure.captures, [&](const core::Expr* one) { return of(one); });
    if (!captures) return std::nullopt;
    return layout_of_function(*closure.function, std::move(*captures));
  }
  std::optional<Layout> operator()(const core::GlobalValue& value) const {
    if (std::optional<Layout> layout = by_its_type()) return layout;
    if (depth >= most_followed || !value.global->body) return std::nullopt;
    KnownFrame none;
    return known_layout(*value.global->body, none, by_type, depth + 1);
  }
  std::optional<Layout> operator()(const core::Let& let) const {
    frame.bind(*let.pattern, of(let.value));
    return of(let.body);
  }
  std::optional<Layout> operator()(const core::BindSizes& node) const { return of(node.value); }
  std::optional<Layout> operator()(const core::Coerce& node) const { return of(node.value); }
  std::optional<Layout> operator()(const core::Assert& node) const { return of(node.body); }
  std::optional<Layout> operator()(const core::Attributed& node) const { return of(node.body); }
  std::optional<Layout> operator()(const core::Record& node) const {
    auto fields = all_known(node.fields, [&](const core::Expr* one) { return of(one); });
    if (!fields) return by_its_type();
    return layout_of_record(std::move(*fields));
  }
  std::optional<Layout> operator()(const core::Project& node) const {
    const std::optional<Layout> record = of(node.record);
    if (!record || record->kind != Layout::Kind::Record) return by_its_type();
    return record->parts[node.field];
  }
  std::optional<Layout> operator()(const core::Apply& apply) const {
    if (std::optional<Layout> layout = by_its_type()) return layout;
    std::optional<Layout> function = of(apply.function);
    if (!function || function->kind != Layout::Kind::Function) return std::nullopt;
    for (const core::Expr* argument : apply.arguments) {
      std::optional<Layout> layout = of(argument);
      if (!layout) return std::nullopt;
      function->parts.push_back(std::move(*layout));
    }
    const core::Function& code = *function->function;
    const std::size_t given = function->parts.size() - function->capture_count;
    if (given < code.parameters.size()) return function;
    if (given > code.parameters.size() || depth >= most_followed || !code.body) return std::nullopt;
    KnownFrame callee;
    for (std::uint32_t i = 0; i < function->capture_count; ++i)
      callee.captures[i] = function->parts[i];
    for (std::size_t i = 0; i < given; ++i)
      callee.bind(*code.parameters[i], function->parts[function->capture_count + i]);
    return known_layout(*code.body, callee, by_type, depth + 1);
  }
  template <typename Other>
  std::optional<Layout> operator()(const Other&) const {
    return by_its_type();
  }
};

} // namespace

std::optional<Layout> LayoutsByType::operator()(const Representation* type) {
  Layout layout;
  if (!type) return layout;
  const auto parts = [&](const auto& types, auto&& type_of) {
    auto known = all_known(types, [&](const auto& one) { return (*this)(type_of(one)); });
    if (known) layout.parts = std::move(*known);
    return known.has_value();
  };
  if (type->is_scalar()) {
    layout.kind = Layout::Kind::Scalar;
    layout.scalar = type->scalar();
    return layout;
  }
  if (type->is_array()) {
    layout.kind = Layout::Kind::Array;
    layout.array = type;
    return layout;
  }
  if (type->is_record()) {
    layout.kind = Layout::Kind::Record;
    const bool are_known =
        parts(type->record().fields, [](const FieldRepresentation& field) { return field.type; });
    return are_known ? std::optional(layout) : std::nullopt;
  }
  if (type->is_sum()) {
    const std::vector<ConstructorRepresentation>& constructors = type->sum().constructors;
    if (next_ == sums_.size()) sums_.push_back({constructors.size(), 0});
    layout.kind = Layout::Kind::Sum;
    layout.tag =
        static_cast<std::uint32_t>(std::min(sums_[next_++].chosen, constructors.size() - 1));
    const bool are_known = parts(constructors[layout.tag].payload,
                                 [](const Representation* payload) { return payload; });
    return are_known ? std::optional(layout) : std::nullopt;
  }
  return std::nullopt;
}

bool LayoutsByType::choose_others() {
  sums_.resize(next_);
  while (!sums_.empty()) {
    if (++sums_.back().chosen < sums_.back().constructors) return true;
    sums_.pop_back();
  }
  return false;
}

bool has_function(const Layout& layout) {
  return layout.kind == Layout::Kind::Function || std::ranges::any_of(layout.parts, has_function);
}

void KnownFrame::bind(const core::Pattern& pattern, const std::optional<Layout>& value) {
  if (!value || !has_function(*value)) return;
  if (const auto* slot = std::get_if<core::SlotPattern>(&pattern.node)) {
    slots.insert_or_assign(slot->slot, *value);
  } else if (const auto* record = std::get_if<core::RecordPattern>(&pattern.node)) {
    if (value->kind != Layout::Kind::Record) return;
    for (std::size_t i = 0; i < record->fields.size(); ++i)
      bind(*record->fields[i], value->parts[i]);
  }
}

std::optional<Layout> known_layout(const core::Expr& expr, KnownFrame& frame,
                                   LayoutsByType& by_type, unsigned depth) {
  // Where the type tells all there is no need to look further, but for what has no type.
  if (expr.type)
    if (std::optional<Layout> layout = by_type(expr.type)) return layout;
  return std::visit(Origin{frame, by_type, depth, expr}, expr.node);
}

} // namespace sinter::jit
