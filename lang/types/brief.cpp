#include "lang/types/brief.h"

#include "lang/base/text_width.h"
#include "lang/types/build.h"

#include <algorithm>
#include <array>
#include <vector>

namespace sinter::types {
namespace {

/// How much of a type may stay.
struct Limits {
  std::size_t items; ///< fields, constructors, parameters of one part
  std::size_t depth; ///< of parts within parts
};
/// From generous to what fits always, or nearly.
constexpr std::array<Limits, 6> all_limits = {{{12, 6}, {8, 4}, {6, 3}, {4, 3}, {3, 2}, {2, 1}}};
/// No more parts than this are looked at: a type that shares its parts may have any number of them.
constexpr std::size_t most_parts = 1000;
/// A part that is as short as this stays even if it is the same in both types.
constexpr std::size_t short_columns = 16;

/// The fields of a record, also of one of which no more is known yet; null for tuples and others.
const std::vector<Field>* fields_of(const Type* type) {
  if (const auto* record = std::get_if<RecordType>(&type->node))
    return is_tuple(*record) ? nullptr : &record->fields;
  const auto* meta = std::get_if<MetaType>(&type->node);
  return meta && !meta->fields.empty() ? &meta->fields : nullptr;
}
const std::vector<Constructor>* constructors_of(const Type* type) {
  if (const auto* sum = std::get_if<SumType>(&type->node)) return &sum->constructors;
  const auto* meta = std::get_if<MetaType>(&type->node);
  return meta && !meta->constructors.empty() ? &meta->constructors : nullptr;
}
bool is_open(const Type* type) {
  return std::holds_alternative<MetaType>(type->node);
}

/// Makes types of which parts are missing; they are good for printing only.
class Shortener {
public:
  using Pair = std::pair<const Type*, const Type*>;

  explicit Shortener(Limits limits) : limits_(limits), depth_(limits.depth) {}

  const Type* one(const Type* type) {
    type = resolve(type);
    const auto* node = type ? &type->node : nullptr;
    if (!node || std::holds_alternative<PrimitiveType>(*node)) return type;
    if (++parts_ > most_parts) return ellipsis();
    if (const auto* array = std::get_if<ArrayType>(node))
      return types::array(arena_, array->size, one(array->element));
    if (const auto* unique = std::get_if<UniqueType>(node))
      return types::unique(arena_, one(unique->inner));
    if (depth_ == 0) return is_leaf(type) ? type : ellipsis();
    --depth_;
    const Type* result = type;
    if (const auto* fields = fields_of(type)) {
      std::vector<Field> kept;
      for (std::size_t i = 0; i < std::min(fields->size(), limits_.items); ++i)
        kept.push_back({(*fields)[i].name, one((*fields)[i].type)});
      result = with_fields(kept, kept.size() < fields->size() || is_open(type));
    } else if (const auto* constructors = constructors_of(type)) {
      std::vector<Constructor> kept;
      for (std::size_t i = 0; i < std::min(constructors->size(), limits_.items); ++i)
        kept.push_back(one((*constructors)[i]));
      result = with_constructors(kept, kept.size() < constructors->size() || is_open(type));
    } else if (const auto* record = std::get_if<RecordType>(node)) {
      std::vector<const Type*> elements;
      for (const Field& field : record->fields)
        elements.push_back(elements.size() < limits_.items ? one(field.type) : ellipsis());
      result = tuple(arena_, elements);
    } else if (const auto* named = std::get_if<NamedType>(node)) {
      NamedType copy = *named;
      for (TypeArgument& argument : copy.arguments)
        if (argument.type) argument.type = one(argument.type);
      result = arena_.make<Type>(Type{std::move(copy)});
    } else if (const auto* function = std::get_if<FunctionType>(node)) {
      result = one(*function);
    }
    ++depth_;
    return result;
  }

  Pair both(const Type* a, const Type* b) {
    a = resolve(a);
    b = resolve(b);
    if (!a || !b) return {a, b};
    if (++parts_ > most_parts) return {ellipsis(), ellipsis()};
    if (are_same(a, b)) return {same(a), same(b)};
    if (const auto* x = std::get_if<ArrayType>(&a->node), *y = std::get_if<ArrayType>(&b->node);
        x && y) {
      const Pair elements = both(x->element, y->element);
      return {types::array(arena_, x->size, elements.first),
              types::array(arena_, y->size, elements.second)};
    }
    if (const auto* x = std::get_if<UniqueType>(&a->node), *y = std::get_if<UniqueType>(&b->node);
        x && y) {
      const Pair inner = both(x->inner, y->inner);
      return {types::unique(arena_, inner.first), types::unique(arena_, inner.second)};
    }
    if (const auto* x = fields_of(a), *y = fields_of(b); x && y) return records(a, *x, b, *y);
    if (const auto* x = constructors_of(a), *y = constructors_of(b); x && y)
      return sums(a, *x, b, *y);
    if (const auto* x = std::get_if<RecordType>(&a->node), *y = std::get_if<RecordType>(&b->node);
        x && y && is_tuple(*x) && is_tuple(*y) && x->fields.size() == y->fields.size()) {
      std::vector<const Type*> first, second;
      for (std::size_t i = 0; i < x->fields.size(); ++i) {
        const Pair elements = both(x->fields[i].type, y->fields[i].type);
        first.push_back(elements.first);
        second.push_back(elements.second);
      }
      return {tuple(arena_, first), tuple(arena_, second)};
    }
    if (const auto* x = std::get_if<FunctionType>(&a->node),
        *y = std::get_if<FunctionType>(&b->node);
        x && y) {
      const Pair parameters = both(x->parameter, y->parameter),
                 results = both(x->result, y->result);
      FunctionType first = *x, second = *y;
      first.parameter = parameters.first;
      first.result = results.first;
      second.parameter = parameters.second;
      second.result = results.second;
      return {arena_.make<Type>(Type{first}), arena_.make<Type>(Type{second})};
    }
    return {one(a), one(b)};
  }

private:
  static bool is_leaf(const Type* type) {
    if (const auto* record = std::get_if<RecordType>(&type->node)) return record->fields.empty();
    if (const auto* named = std::get_if<NamedType>(&type->node)) return named->arguments.empty();
    if (const auto* meta = std::get_if<MetaType>(&type->node))
      return meta->fields.empty() && meta->constructors.empty();
    return std::holds_alternative<ErrorType>(type->node);
  }
  static bool are_same(const Type* a, const Type* b) {
    if (a == b) return true;
    NumberedNames names; // shared: what has no name is told apart by its number
    names.is_canonical = true;
    return print(a, names) == print(b, names);
  }
  const Type* same(const Type* type) {
    return text_width(print(type)) <= short_columns ? type : ellipsis();
  }
  const Type* ellipsis() {
    TypeName* name = arena_.make<TypeName>();
    name->display = "…";
    return named(arena_, name);
  }
  /// A record that prints with a `…` at its end if more fields belong to it.
  const Type* with_fields(std::vector<Field> fields, bool is_partial) {
    if (!is_partial) return record(arena_, std::move(fields));
    if (fields.empty()) return ellipsis();
    MetaType meta;
    meta.fields = std::move(fields);
    return arena_.make<Type>(Type{std::move(meta)});
  }
  const Type* with_constructors(std::vector<Constructor> constructors, bool is_partial) {
    if (!is_partial) return sum(arena_, std::move(constructors));
    if (constructors.empty()) return ellipsis();
    MetaType meta;
    meta.constructors = std::move(constructors);
    return arena_.make<Type>(Type{std::move(meta)});
  }
  Constructor one(const Constructor& constructor) {
    Constructor copy{constructor.name, {}};
    for (const Type* payload : constructor.payload)
      copy.payload.push_back(one(payload));
    return copy;
  }
  /// Of a curried function the first parameters and the result.
  const Type* one(const FunctionType& function) {
    const std::size_t items_before = limits_.items;
    FunctionType copy = function;
    if (limits_.items == 0) {
      copy.parameter = ellipsis();
      const Type* result = resolve(function.result);
      while (const auto* next = std::get_if<FunctionType>(&result->node))
        result = resolve(next->result);
      copy.result = one(result);
      return arena_.make<Type>(Type{copy});
    }
    copy.parameter = one(function.parameter);
    --limits_.items;
    const Type* result = resolve(function.result);
    const auto* next = std::get_if<FunctionType>(&result->node);
    copy.result = next ? one(*next) : one(result);
    limits_.items = items_before;
    return arena_.make<Type>(Type{copy});
  }

  /// The fields that differ, or that only one of them has.
  Pair records(const Type* a, const std::vector<Field>& x, const Type* b,
               const std::vector<Field>& y) {
    std::vector<Field> first, second;
    for (const Field& field : x) {
      const Type* other = find_field(y, field.name);
      if (first.size() == limits_.items || (other && are_same(field.type, other))) continue;
      if (!other) {
        first.push_back({field.name, one(field.type)});
        continue;
      }
      const Pair types = both(field.type, other);
      first.push_back({field.name, types.first});
      second.push_back({field.name, types.second});
    }
    for (const Field& field : y)
      if (second.size() < limits_.items && !find_field(x, field.name))
        second.push_back({field.name, one(field.type)});
    const bool is_first_partial = first.size() < x.size() || is_open(a);
    const bool is_second_partial = second.size() < y.size() || is_open(b);
    return {with_fields(std::move(first), is_first_partial),
            with_fields(std::move(second), is_second_partial)};
  }
  Pair sums(const Type* a, const std::vector<Constructor>& x, const Type* b,
            const std::vector<Constructor>& y) {
    std::vector<Constructor> first, second;
    for (const Constructor& constructor : x) {
      const Constructor* other = find_constructor(y, constructor.name);
      if (first.size() == limits_.items) continue;
      if (!other || other->payload.size() != constructor.payload.size()) {
        first.push_back(one(constructor));
        if (other) second.push_back(one(*other));
        continue;
      }
      Constructor left{constructor.name, {}}, right{constructor.name, {}};
      bool differ = false;
      for (std::size_t i = 0; i < constructor.payload.size(); ++i) {
        differ = differ || !are_same(constructor.payload[i], other->payload[i]);
        const Pair types = both(constructor.payload[i], other->payload[i]);
        left.payload.push_back(types.first);
        right.payload.push_back(types.second);
      }
      if (!differ) continue;
      first.push_back(std::move(left));
      second.push_back(std::move(right));
    }
    for (const Constructor& constructor : y)
      if (second.size() < limits_.items && !find_constructor(x, constructor.name))
        second.push_back(one(constructor));
    const bool is_first_partial = first.size() < x.size() || is_open(a);
    const bool is_second_partial = second.size() < y.size() || is_open(b);
    return {with_constructors(std::move(first), is_first_partial),
            with_constructors(std::move(second), is_second_partial)};
  }

  TypeArena arena_;
  Limits limits_;
  std::size_t depth_;
  std::size_t parts_ = 0;
};

template <typename Print>
std::pair<std::string, std::string> brief_pair(const Type* a, const Type* b, const Print& print) {
  std::pair<std::string, std::string> texts = print(a, b);
  for (const Limits& limits : all_limits) {
    if (std::max(text_width(texts.first), text_width(texts.second)) <= brief_columns) break;
    Shortener shortener(limits);
    const auto [x, y] = shortener.both(a, b);
    texts = print(x, y);
  }
  return texts;
}

} // namespace

std::string print_briefly(const Type* type, NumberedNames& names) {
  NumberedNames used = names;
  std::string text = print(type, used);
  for (const Limits& limits : all_limits) {
    if (text_width(text) <= brief_columns) break;
    used = names; // what is left out takes no number
    Shortener shortener(limits);
    text = print(shortener.one(type), used);
  }
  names = std::move(used);
  return text;
}

std::string print_briefly(const Type* type) {
  NumberedNames names;
  return print_briefly(type, names);
}

std::string print_briefly(const Scheme& scheme) {
  std::string text = print(scheme);
  for (const Limits& limits : all_limits) {
    if (text_width(text) <= brief_columns) break;
    Shortener shortener(limits);
    Scheme shorter = scheme;
    shorter.type = shortener.one(scheme.type);
    text = print(shorter);
  }
  return text;
}

std::pair<std::string, std::string> print_briefly(const Type* a, const Type* b) {
  return brief_pair(a, b, [](const Type* x, const Type* y) {
    return std::pair{print(x), print(y)};
  });
}

std::pair<std::string, std::string> print_briefly(const Type* a, const Type* b,
                                                  NumberedNames& names) {
  NumberedNames used;
  auto texts = brief_pair(a, b, [&](const Type* x, const Type* y) {
    used = names; // what is left out takes no number
    std::string first = print(x, used);
    return std::pair{std::move(first), print(y, used)};
  });
  names = std::move(used);
  return texts;
}

} // namespace sinter::types
