#include "repl/observing/visible_variables.h"

#include "lang/core/children.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter::repl {

namespace {

bool is_within(Span inner, Span outer) {
  return inner.is_known() && inner.file == outer.file && outer.begin <= inner.begin &&
         inner.end <= outer.end;
}

bool is_name(std::string_view text) {
  auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (text.empty() || !is_letter(text.front())) return false;
  for (char c : text)
    if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '\'') return false;
  return true;
}

/// Finds what is bound around a place; later finds are further inside.
class Search {
public:
  /// `size_type`: the representation of sizes.
  Search(const SourceMap& sources, const Representation* size_type, const RunningCall& call,
         Span place)
      : sources_(sources), size_type_(size_type), call_(call), place_(place) {}

  void run() {
    if (call_.function)
      for (std::size_t i = call_.function->hidden_sizes; i < call_.function->parameters.size(); ++i)
        bind(*call_.function->parameters[i]);
    captured(*call_.body);
    visit(*call_.body);
  }

  struct Found {
    const Value* value = nullptr;
    const Representation* type = nullptr;
  };
  std::map<std::string, Found> found;

private:
  void add(std::string_view name, const Value& value, const Representation* type) {
    if (is_name(name)) found[std::string(name)] = {&value, type};
  }
  /// The first name of a text: "x" of `(x: i32)`.
  std::string_view first_name(Span span) const {
    std::string_view text = sources_.text(span);
    skip(text, "( \t\n*");
    return text.substr(0, text.find_first_of(" \t\n:)"));
  }
  /// The sizes that are read off a value: "n" of `xs: [n]f64`, by its place in the text.
  void bind_sizes(const core::Pattern& pattern) {
    const std::string_view name = first_name(pattern.span);
    if (pattern.sizes.empty() || name.empty()) return;
    const std::string_view file = sources_.text(pattern.span.file);
    std::string_view text = file.substr(static_cast<std::size_t>(name.data() - file.data()));
    text.remove_prefix(name.size());
    skip(text, " \t\n");
    if (!text.starts_with(':')) return;
    for (std::uint32_t dimension = 0;; ++dimension) {
      skip(text, " \t\n*:");
      const std::size_t end = text.find(']');
      if (!text.starts_with('[') || end == std::string_view::npos) return;
      for (const core::SizeBinding& size : pattern.sizes)
        if (size.path.fields.empty() && size.path.dimension == dimension)
          add(text.substr(1, end - 1), call_.slots[size.slot], size_type_);
      text.remove_prefix(end + 1);
    }
  }
  static void skip(std::string_view& text, std::string_view characters) {
    text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
  }
  void bind(const core::Pattern& pattern) {
    bind_sizes(pattern);
    auto all = [&](const std::vector<const core::Pattern*>& parts) {
      for (const core::Pattern* part : parts)
        bind(*part);
    };
    if (const auto* record = std::get_if<core::RecordPattern>(&pattern.node)) all(record->fields);
    if (const auto* sum = std::get_if<core::SumPattern>(&pattern.node)) all(sum->payload);
    const auto* slot = std::get_if<core::SlotPattern>(&pattern.node);
    if (!slot) return;
    add(first_name(pattern.span), call_.slots[slot->slot], pattern.type);
  }
  /// Captured variables are known by the places that use them.
  void captured(const core::Expr& expr) {
    if (const auto* capture = std::get_if<core::Captured>(&expr.node))
      add(sources_.text(expr.span), call_.captures[capture->index], expr.type);
    core::for_each_child(expr, [&](const core::Expr& child) { captured(child); });
  }
  void visit(const core::Expr& expr) {
    if (const auto* let = std::get_if<core::Let>(&expr.node)) {
      if (is_within(place_, let->body->span)) bind(*let->pattern);
    } else if (const auto* match = std::get_if<core::Match>(&expr.node)) {
      for (const core::Case& branch : match->cases)
        if (is_within(place_, branch.body->span)) bind(*branch.pattern);
    } else if (const auto* loop = std::get_if<core::Loop>(&expr.node)) {
      if (is_within(place_, loop->body->span)) bind_loop(*loop, expr.span);
    }
    core::for_each_child(expr, [&](const core::Expr& child) {
      if (is_within(place_, child.span)) visit(child);
    });
  }
  void bind_loop(const core::Loop& loop, Span span) {
    bind(*loop.pattern);
    if (const auto* in = std::get_if<core::ForIn>(&loop.form)) bind(*in->pattern);
    const auto* less = std::get_if<core::ForLess>(&loop.form);
    if (!less) return;
    // `for i < bound`: the index is no pattern.
    Span head = span;
    head.end = less->bound->span.begin;
    std::string_view text = sources_.text(head);
    text = text.substr(0, text.rfind('<'));
    text = text.substr(0, text.find_last_not_of(" \t\n") + 1);
    text = text.substr(text.find_last_of(" \t\n") + 1);
    add(text, call_.slots[less->slot], less->bound->type);
  }

  const SourceMap& sources_;
  const Representation* size_type_;
  const RunningCall& call_;
  Span place_;
};

} // namespace

VisibleVariables visible_variables(const SourceMap& sources, Representations& representations,
                                   const RunningCall& call, Span place) {
  std::vector<FieldRepresentation> fields;
  std::vector<Value> values;
  std::vector<std::string> lost;
  if (call.body) {
    Search search(sources, representations.scalar(ElementType::I64), call, place);
    search.run();
    for (const auto& [name, variable] : search.found) {
      if (!variable.type) continue;
      if (variable.value->kind() == Value::Kind::Nothing) {
        lost.push_back(name);
        continue;
      }
      fields.push_back({name, variable.type});
      values.push_back(*variable.value);
    }
  }
  Value record = Value::record_of_size(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    record.fields()[i] = std::move(values[i]);
  return {std::move(record), representations.record(std::move(fields)), std::move(lost)};
}

} // namespace sinter::repl
