#include "tests/generate/ir/ir_writer.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sinter::generate {

using namespace ir;

void IrWriter::define(ValueId value, std::vector<std::uint32_t> roots) {
  variables_.push_back({value, std::move(roots), scopes_.size()});
}

ValueId IrWriter::parameter(Type type, bool is_owned) {
  const ValueId value = function_.add_value(std::move(type));
  scopes_.back().body.parameters.push_back(value);
  roots_.push_back({level_, is_owned});
  define(value, {static_cast<std::uint32_t>(roots_.size() - 1)});
  return value;
}

void IrWriter::append_defined(Operation operation, std::vector<ValueId> results) {
  for (ValueId value : results) {
    roots_.push_back({level_, true});
    define(value, {static_cast<std::uint32_t>(roots_.size() - 1)});
  }
  scopes_.back().body.statements.push_back({std::move(results), std::move(operation), {}});
}

std::vector<ValueId> IrWriter::append(Operation operation, const std::vector<Type>& types,
                                      std::optional<ValueId> views) {
  std::vector<ValueId> results;
  for (const Type& type : types)
    results.push_back(function_.add_value(type));
  if (!views) {
    append_defined(std::move(operation), results);
    return results;
  }
  const std::vector<std::uint32_t> roots = variable(*views).roots;
  for (ValueId value : results)
    define(value, roots);
  scopes_.back().body.statements.push_back({results, std::move(operation), {}});
  return results;
}

ValueId IrWriter::append_one(Operation operation, const Type& type, std::optional<ValueId> views) {
  return append(std::move(operation), {type}, views).front();
}

Body IrWriter::body(Ownership ownership, const std::function<std::vector<Operand>()>& write) {
  level_ += ownership == Ownership::Own;
  scopes_.push_back({{}, variables_.size(), positive_.size(), level_});
  std::vector<Operand> results = write();
  Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  level_ -= ownership == Ownership::Own;
  variables_.resize(scope.variables);
  positive_.resize(scope.positive);
  scope.body.results = std::move(results);
  return std::move(scope.body);
}

Function IrWriter::finish(std::vector<Operand> results) {
  assert(scopes_.size() == 1);
  function_.name = "random";
  function_.body = std::move(scopes_.back().body);
  function_.body.results = std::move(results);
  return std::move(function_);
}

std::optional<ValueId>
IrWriter::find(const std::function<bool(ValueId, const Type&)>& accepts) const {
  std::vector<ValueId> found;
  for (const Variable& candidate : variables_)
    if (candidate.is_alive && accepts(candidate.value, type(candidate.value)))
      found.push_back(candidate.value);
  if (found.empty()) return std::nullopt;
  return random_.pick(found);
}

const IrWriter::Variable& IrWriter::variable(ValueId value) const {
  const auto found = std::find_if(variables_.rbegin(), variables_.rend(),
                                  [&](const Variable& v) { return v.value == value; });
  assert(found != variables_.rend());
  return *found;
}

bool IrWriter::is_known_outside(const Type& type, std::size_t bodies) const {
  return std::all_of(type.extents.begin(), type.extents.end(), [&](const Operand& extent) {
    return extent.is_constant() || variable(extent.value()).depth + bodies <= scopes_.size();
  });
}

bool IrWriter::may_consume(ValueId array) const {
  const std::vector<std::uint32_t>& roots = variable(array).roots;
  return !type(array).is_scalar() && std::all_of(roots.begin(), roots.end(), [&](std::uint32_t r) {
    return roots_[r].is_owned && roots_[r].level == level_;
  });
}

void IrWriter::consume(ValueId array) {
  const std::vector<std::uint32_t> roots = variable(array).roots;
  for (Variable& other : variables_)
    if (!type(other.value).is_scalar() &&
        std::any_of(roots.begin(), roots.end(), [&](std::uint32_t root) {
          return std::find(other.roots.begin(), other.roots.end(), root) != other.roots.end();
        }))
      other.is_alive = false;
}

bool IrWriter::is_of_this_body(ValueId array) const {
  return may_consume(array) && variable(array).depth == scopes_.size();
}

bool IrWriter::may_overlap(ValueId a, ValueId b) const {
  const std::vector<std::uint32_t>& left = variable(a).roots;
  const std::vector<std::uint32_t>& right = variable(b).roots;
  return std::any_of(left.begin(), left.end(), [&](std::uint32_t root) {
    return std::find(right.begin(), right.end(), root) != right.end();
  });
}

bool IrWriter::is_positive(const Operand& extent) const {
  if (extent.is_constant()) return extent.scalar().as<std::int64_t>() > 0;
  return std::find(positive_.begin(), positive_.end(), extent) != positive_.end();
}

std::uint32_t IrWriter::add_failure(std::string message) {
  function_.failures.push_back({FailureKind::Program, std::move(message), {}, {}});
  return static_cast<std::uint32_t>(function_.failures.size() - 1);
}

} // namespace sinter::generate
