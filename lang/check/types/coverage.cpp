#include "lang/check/types/coverage.h"

#include "lang/base/interruptible.h"
#include "lang/types/build.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

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

/// Whether the row matches whatever comes.
bool is_irrefutable(const Row& row) {
  return std::all_of(row.begin(), row.end(),
                     [](const Pattern* pattern) { return essence(pattern) == nullptr; });
}

/// The rows of a matrix by what their first column asks for, in the order of the first to ask.
template <typename Key>
class Groups {
public:
  /// `key_of` gives nothing for a row that matches everything there: it belongs to every group.
  template <typename KeyOf>
  Groups(const std::vector<Row>& rows, KeyOf&& key_of) {
    for (const Row& row : rows) {
      const std::optional<Key> key = key_of(row);
      if (!key) {
        others_.push_back(&row);
        continue;
      }
      const auto [place, is_new] = places_.emplace(*key, keys_.size());
      if (is_new) {
        keys_.push_back(*key);
        rows_.emplace_back();
      }
      rows_[place->second].push_back(&row);
    }
  }

  const std::vector<Key>& keys() const { return keys_; }
  bool has(const Key& key) const { return places_.contains(key); }
  /// Those that match everything.
  const std::vector<const Row*>& others() const { return others_; }
  /// In their order.  (Put together when they are needed: all groups at once may be far more than
  /// there are rows.)
  std::vector<const Row*> of(const Key& key) const {
    auto found = places_.find(key);
    if (found == places_.end()) return others_;
    std::vector<const Row*> all;
    const std::vector<const Row*>& own = rows_[found->second];
    std::merge(own.begin(), own.end(), others_.begin(), others_.end(), std::back_inserter(all));
    return all;
  }

private:
  std::vector<Key> keys_;
  std::vector<std::vector<const Row*>> rows_; ///< of each key; within one vector, so in order
  std::unordered_map<Key, std::size_t> places_;
  std::vector<const Row*> others_;
};

class Matrix {
public:
  /// A vector of values that no row matches, in reverse order.
  std::optional<Witness> unmatched(const std::vector<Row>& rows,
                                   const std::vector<const Type*>& columns) {
    // The problem is as hard as satisfiability; nobody writes such patterns, but a generator might.
    steps_ += 1 + rows.size();
    if (steps_ > 2'000'000) return std::nullopt;
    poll_interruption();
    if (std::any_of(rows.begin(), rows.end(), is_irrefutable)) return std::nullopt;
    if (columns.empty()) return Witness{};
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
    auto named = [](const Row& row) -> const syntax::ConstructorPattern* {
      const Pattern* head = essence(row.back());
      return head ? std::get_if<syntax::ConstructorPattern>(&head->node) : nullptr;
    };
    const Groups<Name> groups(rows, [&](const Row& row) -> std::optional<Name> {
      const auto* head = named(row);
      // (Another kind of pattern is an error that was told; it matches no constructor.)
      if (!head) return essence(row.back()) ? std::optional<Name>(Name()) : std::nullopt;
      return head->name;
    });
    for (const Constructor& constructor : sum.constructors) {
      std::size_t count = constructor.payload.size();
      std::vector<const Type*> inner(columns.begin(), columns.end() - 1);
      for (std::size_t i = count; i-- > 0;)
        inner.push_back(constructor.payload[i]);
      std::vector<Row> matching;
      for (const Row* row : groups.of(constructor.name)) {
        const auto* head = named(*row);
        Row next(row->begin(), row->end() - 1);
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
    const Groups<std::string> groups(rows, [](const Row& row) -> std::optional<std::string> {
      const Pattern* head = essence(row.back());
      if (!head) return std::nullopt;
      const auto* literal = std::get_if<syntax::LiteralPattern>(&head->node);
      return literal ? literal_key(*literal) : std::string();
    });
    std::vector<const Type*> rest(columns.begin(), columns.end() - 1);
    auto unmatched_of = [&](const std::vector<const Row*>& group) {
      std::vector<Row> selected;
      for (const Row* row : group)
        selected.emplace_back(row->begin(), row->end() - 1);
      return unmatched(selected, rest);
    };
    bool boolean = is_primitive(columns.back(), ElementType::Bool);
    std::string other = "_";
    if (boolean && !groups.keys().empty()) {
      for (const char* value : {"true", "false"})
        if (!groups.has(value)) other = value;
    }
    for (const std::string& key : groups.keys()) {
      if (key.empty()) continue; // an error that was told
      if (auto found = unmatched_of(groups.of(key))) {
        found->push_back(key);
        return found;
      }
    }
    if (boolean && groups.has("true") && groups.has("false")) return std::nullopt;
    auto found = unmatched_of(groups.others());
    if (found) found->push_back(other);
    return found;
  }

  std::size_t steps_ = 0;
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
