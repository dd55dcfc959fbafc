#include "jit/marks/marked_expressions.h"

#include "jit/trace/targets.h"
#include "lang/core/children.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace sinter::jit {

namespace {

/// A function is walked for so many forms of its arguments.
constexpr std::size_t most_forms = 16;

using KnownValues = std::vector<std::optional<Layout>>;

/// The places where an expression names the variables that it reads.
struct Names {
  std::map<core::Slot, Span> slots;
  std::map<std::uint32_t, Span> captures;

  void visit(const core::Expr& expr) {
    read(expr, expr.span);
    // What a function captures stands in its text.
    if (const auto* closure = std::get_if<core::Closure>(&expr.node)) {
      Names inside;
      if (closure->function->body) inside.visit(*closure->function->body);
      for (const auto& [index, name] : inside.captures)
        if (index < closure->captures.size()) read(*closure->captures[index], name);
    }
    core::for_each_child(expr, [&](const core::Expr& child) { visit(child); });
  }

private:
  void read(const core::Expr& expr, Span name) {
    if (const auto* local = std::get_if<core::Local>(&expr.node))
      note(slots.emplace(local->slot, name).first->second, name);
    if (const auto* captured = std::get_if<core::Captured>(&expr.node))
      note(captures.emplace(captured->index, name).first->second, name);
  }
  /// (A size is also read where nothing but a type needs it: there stands no name.)
  static void note(Span& known, Span read) {
    if (read.end - read.begin < known.end - known.begin) known = read;
  }
};

/// Walks functions as far as they are reached.
class Search {
public:
  explicit Search(std::vector<MarkedExpression>& found) : found_(found) {}

  struct Place {
    KnownFrame frame;
    std::uint32_t frame_size = 0;
    bool is_inside = false;   ///< of a mark
    bool is_demanded = false; ///< by that mark, which is more than a preference
  };

  void visit(const core::Expr& expr, Place& place) {
    if (const auto* node = std::get_if<core::Attributed>(&expr.node))
      if (node->attribute == core::Attribute::Accelerate) return marked(*node, place);
    if (const auto* let = std::get_if<core::Let>(&expr.node)) {
      visit(*let->value, place);
      place.frame.bind(*let->pattern, known(*let->value, place));
      return visit(*let->body, place);
    }
    if (const auto* apply = std::get_if<core::Apply>(&expr.node)) {
      for (const core::Expr* argument : apply->arguments)
        visit(*argument, place);
      const std::optional<Layout> function = known(*apply->function, place);
      visit_parts(*apply->function, place);
      if (function && function->kind == Layout::Kind::Function)
        enter_with(*function, apply->arguments, place);
      return;
    }
    visit_parts(expr, place);
    if (const auto* loop = std::get_if<core::Loop>(&expr.node))
      if (loop->parallel) { // inner ones come first: what is told of both is told of them
        MarkedExpression result = in_frame(expr, place);
        result.is_loop = true;
        result.is_demanded = place.is_demanded;
        result.mark_span = loop->parallel->span;
        found_.push_back(std::move(result));
      }
    if (const auto* value = std::get_if<core::FunctionValue>(&expr.node))
      enter(*value->function, {}, {}, place);
    if (const auto* closure = std::get_if<core::Closure>(&expr.node)) {
      KnownValues captures;
      for (const core::Expr* capture : closure->captures)
        captures.push_back(known(*capture, place));
      enter(*closure->function, captures, {}, place);
    }
    if (const auto* value = std::get_if<core::GlobalValue>(&expr.node)) enter(*value->global);
  }

private:
  std::optional<Layout> known(const core::Expr& expr, Place& place) {
    LayoutsByType by_type;
    return known_layout(expr, place.frame, by_type);
  }

  void visit_parts(const core::Expr& expr, Place& place) {
    core::for_each_child(expr, [&](const core::Expr& child) { visit(child, place); });
  }

  void enter_with(const Layout& function, const std::vector<const core::Expr*>& given,
                  Place& place) {
    KnownValues captures, arguments;
    for (std::size_t i = 0; i < function.parts.size(); ++i)
      (i < function.capture_count ? captures : arguments).emplace_back(function.parts[i]);
    for (const core::Expr* argument : given)
      arguments.push_back(known(*argument, place));
    enter(*function.function, std::move(captures), std::move(arguments), place);
  }

  void enter(const core::Function& function, KnownValues captures, KnownValues arguments,
             const Place& from) {
    if (!function.body) return;
    // Only what types do not tell makes a difference.
    for (KnownValues* values : {&captures, &arguments})
      for (std::optional<Layout>& value : *values)
        if (value && !has_function(*value)) value.reset();
    Form form{from.is_inside, from.is_demanded, std::move(captures), std::move(arguments)};
    std::vector<Form>& forms = forms_[&function];
    if (forms.size() >= most_forms || std::ranges::find(forms, form) != forms.end()) return;
    forms.push_back(form);
    Place place;
    place.frame_size = function.frame_size;
    place.is_inside = from.is_inside;
    place.is_demanded = from.is_demanded;
    for (std::size_t i = 0; i < form.captures.size(); ++i)
      if (form.captures[i])
        place.frame.captures.emplace(static_cast<std::uint32_t>(i), *form.captures[i]);
    for (std::size_t i = 0; i < std::min(form.arguments.size(), function.parameters.size()); ++i)
      place.frame.bind(*function.parameters[i], form.arguments[i]);
    visit(*function.body, place);
  }

  void enter(const core::Global& global) {
    bool& is_known = globals_[&global];
    if (std::exchange(is_known, true) || !global.body) return;
    Place place; // constants are computed once, whoever asks for them, under no mark but their own
    place.frame_size = global.frame_size;
    visit(*global.body, place);
  }

  /// The expression with its inputs.
  static MarkedExpression in_frame(const core::Expr& body, const Place& place) {
    MarkedExpression result;
    result.span = body.span;
    const FrameInputs inputs = expression_inputs(body);
    Names names;
    names.visit(body);
    result.target = ExpressionTarget{&body, place.frame_size, inputs.slots, inputs.captures};
    for (std::size_t i = 0; i < inputs.slots.size(); ++i)
      result.inputs.push_back({inputs.slot_types[i],
                               known_value(place.frame.slots, inputs.slots[i]),
                               names.slots.at(inputs.slots[i])});
    for (std::size_t i = 0; i < inputs.captures.size(); ++i)
      result.inputs.push_back({inputs.capture_types[i],
                               known_value(place.frame.captures, inputs.captures[i]),
                               names.captures.at(inputs.captures[i])});
    return result;
  }

  void marked(const core::Attributed& node, Place& place) {
    const core::Expr& body = *node.body;
    MarkedExpression result;
    if (!place.is_inside) result = in_frame(body, place);
    result.mark = node.mark;
    result.mark_span = node.attribute_span;
    result.span = body.span;
    result.is_inside = place.is_inside;
    found_.push_back(std::move(result));
    const bool was_inside = std::exchange(place.is_inside, true);
    if (!was_inside) place.is_demanded = !node.mark.is_preference; // of all that is inside
    visit(body, place);
    place.is_inside = was_inside;
    place.is_demanded = place.is_demanded && was_inside;
  }

  template <typename Map, typename Key>
  static std::optional<Layout> known_value(const Map& known, const Key& key) {
    const auto at = known.find(key);
    return at == known.end() ? std::nullopt : std::optional(at->second);
  }

  struct Form {
    bool is_inside = false, is_demanded = false;
    KnownValues captures, arguments;
    friend bool operator==(const Form&, const Form&) = default;
  };

  std::vector<MarkedExpression>& found_;
  std::unordered_map<const core::Function*, std::vector<Form>> forms_;
  std::unordered_map<const core::Global*, bool> globals_;
};

bool is_marked(const core::Function& function) {
  const auto* node = std::get_if<core::Attributed>(&function.body->node);
  return node && node->attribute == core::Attribute::Accelerate;
}

MarkedExpression marked_call(const core::Function& function) {
  MarkedExpression result;
  result.mark_span = function.span;
  result.span = function.body->span;
  result.target = CallTarget{&function, 0};
  for (const core::Pattern* parameter : function.parameters)
    result.inputs.push_back({parameter->type, std::nullopt, parameter->span});
  return result;
}

} // namespace

std::vector<MarkedExpression> marked_expressions(const MarkQuestion& question) {
  std::vector<MarkedExpression> found;
  Search search(found);
  for (const core::Function* function : question.entry_points)
    if (!is_marked(*function)) found.push_back(marked_call(*function));
  for (const core::Toplevel& toplevel : question.expressions) {
    Search::Place place;
    place.frame_size = toplevel.frame_size;
    search.visit(*toplevel.body, place);
  }
  return found;
}

} // namespace sinter::jit
