#include "jit/ir/build.h"

#include "jit/ir/fold.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sinter::ir {
namespace {

/// What makes two pure operations the same: the kind, the operands, what else they say, and their
/// results' types, as words.
using Key = std::vector<std::uint64_t>;

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t hash = key.size();
    for (std::uint64_t word : key) {
      hash ^= word;
      hash *= 0x9e3779b97f4a7c15u;
      hash ^= hash >> 32;
    }
    return static_cast<std::size_t>(hash);
  }
};

void add(Key& key, const Operand& operand) {
  if (operand.is_value()) {
    key.push_back(operand.value().index);
  } else {
    key.push_back((std::uint64_t{1} << 32) | static_cast<std::uint64_t>(operand.element()));
    key.push_back(operand.scalar().bits);
  }
}

/// Scalar operations and views: what gives the same value each time, and nothing to consume but
/// what it looks at.
bool is_shareable(const Operation& operation) {
  return is_scalar_operation(operation) || is_view(operation);
}

Key key_of(const Operation& operation, std::span<const Type> types) {
  Key key{operation.index()};
  for_each_operand(operation, [&](const Operand& operand) { add(key, operand); });
  for_each_number(operation, [&](std::uint64_t number) { key.push_back(number); });
  for (const Type& type : types) {
    key.push_back(static_cast<std::uint64_t>(type.element));
    key.push_back(type.rank());
    for (const Operand& extent : type.extents)
      add(key, extent);
  }
  return key;
}

} // namespace

struct Builder::State {
  /// A body that is being built.
  struct OpenBody {
    Body body;
    std::uint32_t serial = 0;
    std::unordered_map<Key, std::vector<ValueId>, KeyHash> known;
    std::unordered_set<Key, KeyHash> checked; ///< conditions that hold from here on
  };

  Function function;
  std::vector<OpenBody> open;
  std::uint32_t next_serial = 0;
  std::vector<std::uint32_t> serial_of; ///< of the body that defines the value
  /// Definitions that folding looks at: scalar operations, views, literals of scalars.
  std::unordered_map<std::uint32_t, Operation> definitions;
  std::size_t statement_count = 0;
  std::unordered_map<std::uint32_t, Operand> renamed;

  void open_body() { open.push_back({{}, next_serial++, {}, {}}); }
  OpenBody& innermost() { return open.back(); }

  ValueId define(Type type, std::string name = {}) {
    const ValueId value = function.add_value(std::move(type), std::move(name));
    serial_of.push_back(innermost().serial);
    return value;
  }
  bool is_in_scope(ValueId value) const {
    return std::any_of(open.begin(), open.end(),
                       [&](const OpenBody& body) { return body.serial == serial_of[value.index]; });
  }

  template <typename T>
  const T* definition(ValueId value) const {
    const auto found = definitions.find(value.index);
    return found == definitions.end() ? nullptr : std::get_if<T>(&found->second);
  }
  PrimitiveDefinition primitive_definition() const {
    return [this](ValueId value) { return definition<Primitive>(value); };
  }

  /// What stands for it in the end.
  Operand resolve(Operand operand) const {
    while (operand.is_value()) {
      const auto found = renamed.find(operand.value().index);
      if (found == renamed.end()) break;
      operand = found->second;
    }
    return operand;
  }
  void rename_in(Body& body) const {
    std::erase_if(body.statements, [&](const Statement& statement) {
      return statement.results.size() == 1 && renamed.contains(statement.results[0].index);
    });
    for (Statement& statement : body.statements) {
      for_each_operand(statement.operation, [&](Operand& operand) { operand = resolve(operand); });
      for_each_body(statement.operation, [&](Body& inner) { rename_in(inner); });
    }
    for (Operand& result : body.results)
      result = resolve(result);
  }
  void apply_renames() {
    if (renamed.empty()) return;
    rename_in(function.body);
    for (ValueInfo& value : function.values)
      for (Operand& extent : value.type.extents)
        extent = resolve(extent);
  }

  const std::vector<ValueId>* find(const Key& key) const {
    for (auto body = open.rbegin(); body != open.rend(); ++body)
      if (const auto found = body->known.find(key); found != body->known.end())
        return &found->second;
    return nullptr;
  }

  void append(std::vector<ValueId> results, Operation operation, Span span) {
    for_each_operand(operation, [&]([[maybe_unused]] const Operand& operand) {
      assert(operand.is_constant() || is_in_scope(operand.value()));
    });
    ++statement_count;
    innermost().body.statements.push_back({std::move(results), std::move(operation), span});
  }
};

struct Builder::Outermost::Aside {
  std::vector<State::OpenBody> bodies;
};

Builder::Outermost::Outermost(Builder& builder)
    : builder_(builder), aside_(std::make_unique<Aside>()) {
  std::vector<State::OpenBody>& open = builder.state_->open;
  std::move(open.begin() + 1, open.end(), std::back_inserter(aside_->bodies));
  open.resize(1);
}

Builder::Outermost::~Outermost() {
  std::vector<State::OpenBody>& open = builder_.state_->open;
  assert(open.size() == 1);
  std::move(aside_->bodies.begin(), aside_->bodies.end(), std::back_inserter(open));
}

Builder::Builder(std::string name) : state_(std::make_unique<State>()) {
  state_->function.name = std::move(name);
  state_->open_body();
}

Builder::~Builder() = default;

ValueId Builder::parameter(Type type, std::string name) {
  const ValueId value = state_->define(std::move(type), std::move(name));
  state_->innermost().body.parameters.push_back(value);
  return value;
}

void Builder::open() {
  state_->open_body();
}

Body Builder::close(std::vector<Operand> results) {
  assert(depth() > 0);
  Body body = std::move(state_->innermost().body);
  body.results = std::move(results);
  state_->open.pop_back();
  return body;
}

void Builder::splice(Body body) {
  assert(body.parameters.empty());
  State::OpenBody& innermost = state_->innermost();
  for (Statement& statement : body.statements) {
    std::vector<Type> types;
    for (const ValueId result : statement.results) {
      state_->serial_of[result.index] = innermost.serial;
      types.push_back(type(result));
    }
    if (is_shareable(statement.operation))
      innermost.known.emplace(key_of(statement.operation, types), statement.results);
    if (const auto* check = std::get_if<Check>(&statement.operation)) {
      Key key;
      add(key, check->condition);
      innermost.checked.insert(std::move(key));
    }
    innermost.body.statements.push_back(std::move(statement));
  }
}

std::size_t Builder::depth() const {
  return state_->open.size() - 1;
}

Operand Builder::primitive(const primitives::Primitive& primitive,
                           std::span<const Operand> arguments, Span span) {
  assert(arguments.size() >= primitive.arity);
  const PrimitiveDefinition definition = state_->primitive_definition();
  arguments = arguments.first(primitive.arity);
  if (std::optional<Operand> known = fold(primitive, arguments, definition)) return *known;
  Primitive operation = normalise({&primitive, {arguments.begin(), arguments.end()}}, definition);
  if (std::optional<Operand> known = fold(*operation.primitive, operation.arguments, definition))
    return *known;
  return append_one(std::move(operation), {primitive.result, {}}, span);
}

Operand Builder::select(Operand condition, Operand then_value, Operand else_value, Span span) {
  if (std::optional<Operand> known = fold_select(condition, then_value, else_value)) return *known;
  return append_one(Select{condition, then_value, else_value}, type(then_value), span);
}

std::vector<ValueId> Builder::append(Operation operation, std::vector<Type> types, Span span) {
  const bool is_shared = is_shareable(operation);
  Key key;
  if (is_shared) {
    key = key_of(operation, types);
    if (const std::vector<ValueId>* known = state_->find(key)) return *known;
  }
  std::vector<ValueId> results;
  results.reserve(types.size());
  for (Type& type : types)
    results.push_back(state_->define(std::move(type)));
  if (is_shared || std::holds_alternative<ArrayLiteral>(operation)) {
    for (ValueId result : results)
      state_->definitions.emplace(result.index, operation);
  }
  if (is_shared) state_->innermost().known.emplace(std::move(key), results);
  state_->append(results, std::move(operation), span);
  return results;
}

ValueId Builder::append_one(Operation operation, Type type, Span span) {
  return append(std::move(operation), {std::move(type)}, span).front();
}

std::vector<ValueId>
Builder::append_dependent(Operation operation, std::size_t count,
                          const std::function<Type(std::size_t, std::span<const ValueId>)>& types,
                          Span span) {
  std::vector<ValueId> results;
  for (std::size_t i = 0; i < count; ++i)
    results.push_back(state_->define({}));
  for (std::size_t i = 0; i < count; ++i) {
    Type type = types(i, results);
    state_->function.values[results[i].index].type = std::move(type);
  }
  state_->append(results, std::move(operation), span);
  return results;
}

Operand Builder::index(ValueId array, std::vector<Operand> indices, Span span) {
  // Through views, to the array that has the element.
  while (true) {
    if (const auto* view = state_->definition<Index>(array)) {
      indices.insert(indices.begin(), view->indices.begin(), view->indices.end());
      array = view->array;
    } else if (const auto* transposed = state_->definition<Transpose>(array);
               transposed && indices.size() == transposed->permutation.size()) {
      std::vector<Operand> permuted(indices.size());
      for (std::size_t i = 0; i < indices.size(); ++i)
        permuted[transposed->permutation[i]] = indices[i];
      indices = std::move(permuted);
      array = transposed->array;
    } else if (const auto* slice = state_->definition<Slice>(array);
               slice && indices.size() == slice->dimensions.size()) {
      const Slice view_copy = *slice; // the definitions may move while statements are added
      for (std::size_t i = 0; i < indices.size(); ++i) {
        const Operand step = binary(primitives::Operation::Multiply, indices[i],
                                    view_copy.dimensions[i].stride, span);
        indices[i] = binary(primitives::Operation::Add, step, view_copy.dimensions[i].begin, span);
      }
      array = view_copy.array;
    } else {
      break;
    }
  }
  if (const auto* literal = state_->definition<ArrayLiteral>(array);
      literal && indices[0].is_constant()) {
    const std::int64_t position = indices[0].scalar().as<std::int64_t>();
    if (position >= 0 && position < static_cast<std::int64_t>(literal->elements.size())) {
      const Operand element = literal->elements[static_cast<std::size_t>(position)];
      // Rows of a literal are arrays that may have been consumed since.
      if (type(element).is_scalar()) return element;
    }
  }
  const Type& whole = type(array);
  assert(!indices.empty() && indices.size() <= whole.rank());
  Type element{
      whole.element,
      {whole.extents.begin() + static_cast<std::ptrdiff_t>(indices.size()), whole.extents.end()}};
  return append_one(Index{array, std::move(indices)}, std::move(element), span);
}

Operand Builder::binary(primitives::Operation operation, Operand left, Operand right, Span span) {
  const primitives::Primitive* primitive = primitives::find(operation, type(left).element);
  assert(primitive && primitive->arity == 2);
  const Operand arguments[] = {left, right};
  return this->primitive(*primitive, arguments, span);
}

void Builder::check(Operand condition, FailureSite failure, Span span) {
  if (condition.is_constant() && condition.scalar().as<bool>()) return;
  Key key;
  add(key, condition);
  for (const State::OpenBody& body : state_->open)
    if (body.checked.contains(key)) return;
  state_->innermost().checked.insert(std::move(key));
  const FailureId site{static_cast<std::uint32_t>(state_->function.failures.size())};
  state_->function.failures.push_back(std::move(failure));
  state_->append({}, Check{condition, site}, span);
}

void Builder::rename(ValueId value, Operand by) {
  assert(type(value).is_scalar());
  state_->renamed.insert_or_assign(value.index, by);
}

void Builder::name(ValueId value, std::string hint) {
  std::string& name = state_->function.values[value.index].name;
  if (name.empty()) name = std::move(hint);
}

const Type& Builder::type(ValueId value) const {
  return state_->function.type(value);
}

Type Builder::type(const Operand& operand) const {
  return state_->function.type(operand);
}

bool Builder::is_defined_within(ValueId value, std::size_t count) const {
  const std::size_t first = state_->open.size() - std::min(count, state_->open.size());
  for (std::size_t i = first; i < state_->open.size(); ++i)
    if (state_->open[i].serial == state_->serial_of[value.index]) return true;
  return false;
}

std::size_t Builder::statement_count() const {
  return state_->statement_count;
}

const Operation* Builder::definition(ValueId value) const {
  const auto found = state_->definitions.find(value.index);
  return found == state_->definitions.end() ? nullptr : &found->second;
}

Function Builder::finish(std::vector<Operand> results) {
  assert(depth() == 0);
  Body body = std::move(state_->innermost().body);
  body.results = std::move(results);
  state_->open.pop_back();
  state_->function.body = std::move(body);
  state_->apply_renames();
  return std::move(state_->function);
}

} // namespace sinter::ir
