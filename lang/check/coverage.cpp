#include "lang/check/coverage.h"

#include "lang/types/build.h"

#include <algorithm>

namespace sinter::check {
namespace {

using namespace types;
using syntax::Pattern;

/// Null stands for a pattern that matches everything.
const Pattern* essence(const Pattern* pattern) {
  while (pattern) {
    if (const auto* p = std::get_if<syntax::ParenthesizedPattern>(&pattern->node))
      pattern = p->inner;
    else if (const auto* a = std::get_if<syntax::AscribePattern>(&pattern->node))
      pattern = a->pattern;
    else if (const auto* b = std::get_if<syntax::AttributedPattern>(&pattern->node))
      pattern = b->pattern;
    else if (std::holds_alternative<syntax::NamePattern>(pattern->node) ||
             std::holds_alternative<syntax::WildcardPattern>(pattern->node))
      return nullptr;
    else
      return pattern;
  }
  return nullptr;
}

std::string literal_key(const syntax::LiteralPattern& pattern) {
  const syntax::Expr* literal = pattern.literal;
  std::string text;
  if (const auto* i = std::get_if<syntax::IntegerLiteral>(&literal->node))
    text = i->digits_value;
  else if (const auto* c = std::get_if<syntax::CharLiteral>(&literal->node))
    text = std::to_string(c->code_point);
  else if (const auto* f = std::get_if<syntax::FloatLiteral>(&literal->node))
    text = std::to_string(f->value);
  else if (const auto* b = std::get_if<syntax::BoolLiteral>(&literal->node))
    text = b->value ? "true" : "false";
  return pattern.negative ? "-" + text : text;
}

using Row = std::vector<const Pattern*>;
using Witness = std::vector<std::string>;

class Matrix {
public:
  /// A vector of values that no row matches, in reverse order.
  std::optional<Witness> unmatched(const std::vector<Row>& rows,
                                   const std::vector<const Type*>& columns) {
    // The problem is as hard as satisfiability; nobody writes such patterns, but a generator might.
    if (++steps_ > 200000) return std::nullopt;
    if (columns.empty()) return rows.empty() ? std::optional<Witness>(Witness{}) : std::nullopt;
    const Type* type = columns.back();
    if (const auto* record = as<RecordType>(type)) return by_record(rows, columns, *record);
    if (const auto* sum = as<SumType>(type)) return by_sum(rows, columns, *sum);
    return by_literal(rows, columns);
  }

private:
  // Columns are kept in reverse, so that the first one is at the back.

  std::optional<Witness> by_record(const std::vector<Row>& rows,
                                   const std::vector<const Type*>& columns,
                                   const RecordType& record) {
    std::size_t count = record.fields.size();
    std::vector<const Type*> inner(columns.begin(), columns.end() - 1);
    for (std::size_t i = count; i-- > 0;)
      inner.push_back(record.fields[i].type);
    std::vector<Row> expanded;
    for (const Row& row : rows) {
      Row next(row.begin(), row.end() - 1);
      const Pattern* head = essence(row.back());
      for (std::size_t i = count; i-- > 0;) {
        const Pattern* part = nullptr;
        if (head) {
          if (const auto* t = std::get_if<syntax::TuplePattern>(&head->node)) {
            if (i < t->elements.size()) part = t->elements[i];
          } else if (const auto* r = std::get_if<syntax::RecordPattern>(&head->node)) {
            for (const syntax::FieldPattern& field : r->fields)
              if (field.name == record.fields[i].name) part = field.pattern;
          }
        }
        next.push_back(part);
      }
      expanded.push_back(std::move(next));
    }
    auto found = unmatched(expanded, inner);
    if (!found) return found;
    bool tuple = is_tuple(record);
    std::string text = tuple ? "(" : "{";
    for (std::size_t i = 0; i < count; ++i) {
      if (i) text += ", ";
      if (!tuple) text += std::string(record.fields[i].name) + "=";
      text += found->back();
      found->pop_back();
    }
    found->push_back(text + (tuple ? ")" : "}"));
    return found;
  }

  std::optional<Witness> by_sum(const std::vector<Row>& rows,
                                const std::vector<const Type*>& columns, const SumType& sum) {
    auto named = [](const Row& row, Name name) -> const syntax::ConstructorPattern* {
      const Pattern* head = essence(row.back());
      const auto* c = head ? std::get_if<syntax::ConstructorPattern>(&head->node) : nullptr;
      return c && c->name == name ? c : nullptr;
    };
    for (const Constructor& constructor : sum.constructors) {
      std::size_t count = constructor.payload.size();
      std::vector<const Type*> inner(columns.begin(), columns.end() - 1);
      for (std::size_t i = count; i-- > 0;)
        inner.push_back(constructor.payload[i]);
      std::vector<Row> matching;
      for (const Row& row : rows) {
        const auto* head = named(row, constructor.name);
        if (!head && essence(row.back())) continue;
        Row next(row.begin(), row.end() - 1);
        for (std::size_t i = count; i-- > 0;)
          next.push_back(head && i < head->arguments.size() ? head->arguments[i] : nullptr);
        matching.push_back(std::move(next));
      }
      auto found = unmatched(matching, inner);
      if (!found) continue;
      std::string text = "#" + std::string(constructor.name);
      for (std::size_t i = 0; i < count; ++i) {
        const std::string& part = found->back();
        bool compound = part.starts_with('#') && part.find(' ') != std::string::npos;
        text += compound ? " (" + part + ")" : " " + part;
        found->pop_back();
      }
      found->push_back(std::move(text));
      return found;
    }
    return std::nullopt;
  }

  std::optional<Witness> by_literal(const std::vector<Row>& rows,
                                    const std::vector<const Type*>& columns) {
    std::vector<std::string> keys;
    auto key_of = [](const Row& row) -> std::string {
      const Pattern* head = essence(row.back());
      const auto* l = head ? std::get_if<syntax::LiteralPattern>(&head->node) : nullptr;
      return l ? literal_key(*l) : std::string();
    };
    for (const Row& row : rows) {
      std::string key = key_of(row);
      if (!key.empty() && std::find(keys.begin(), keys.end(), key) == keys.end())
        keys.push_back(std::move(key));
    }
    std::vector<const Type*> rest(columns.begin(), columns.end() - 1);
    auto select = [&](const std::string* key) {
      std::vector<Row> selected;
      for (const Row& row : rows)
        if (!essence(row.back()) || (key && key_of(row) == *key))
          selected.emplace_back(row.begin(), row.end() - 1);
      return selected;
    };
    bool boolean = is_primitive(columns.back(), ElementType::Bool);
    std::string other = "_";
    if (boolean && !keys.empty()) {
      for (const char* value : {"true", "false"})
        if (std::find(keys.begin(), keys.end(), value) == keys.end()) other = value;
    }
    for (const std::string& key : keys) {
      if (auto found = unmatched(select(&key), rest)) {
        found->push_back(key);
        return found;
      }
    }
    if (boolean && keys.size() == 2) return std::nullopt;
    auto found = unmatched(select(nullptr), rest);
    if (found) found->push_back(other);
    return found;
  }

  unsigned steps_ = 0;
};

} // namespace

std::optional<std::string> find_unmatched(const std::vector<const Pattern*>& patterns) {
  if (patterns.empty() || !patterns.front()->type) return std::nullopt;
  std::vector<Row> rows;
  for (const Pattern* pattern : patterns)
    rows.push_back({pattern});
  auto found = Matrix{}.unmatched(rows, {patterns.front()->type});
  if (!found) return std::nullopt;
  return found->front();
}

} // namespace sinter::check
