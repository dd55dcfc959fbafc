// A function under construction, with what the generator must know of its values: which are in
// scope, which may be consumed here, and which extents are surely not 0.
#pragma once

#include "jit/ir/ir.h"
#include "tests/generate/random.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace sinter::generate {

class IrWriter {
public:
  explicit IrWriter(Random& random) : random_(random) {}

  // ---- statements and bodies

  ir::ValueId parameter(ir::Type type, bool is_owned);
  /// Appends a statement to the open body; its array results are fresh unless `views` is an array.
  std::vector<ir::ValueId> append(ir::Operation operation, const std::vector<ir::Type>& types,
                                  std::optional<ir::ValueId> views = std::nullopt);
  ir::ValueId append_one(ir::Operation operation, const ir::Type& type,
                         std::optional<ir::ValueId> views = std::nullopt);
  /// For results whose types name each other.
  ir::ValueId new_value(ir::Type type) { return function_.add_value(std::move(type)); }
  void append_defined(ir::Operation operation, std::vector<ir::ValueId> results);

  /// Who owns what in a body; see jit/ir/consumption.cpp.
  enum class Ownership : std::uint8_t { Branch, Own };
  /// Writes a body: `write` makes parameters and statements and gives the results.
  ir::Body body(Ownership ownership, const std::function<std::vector<ir::Operand>()>& write);
  ir::Function finish(std::vector<ir::Operand> results);

  // ---- what is there

  const ir::Type& type(ir::ValueId value) const { return function_.type(value); }
  /// Any value in scope that the test accepts.
  std::optional<ir::ValueId>
  find(const std::function<bool(ir::ValueId, const ir::Type&)>& accepts) const;
  /// Whether every extent of the type is in scope outside of the innermost `bodies` bodies.
  bool is_known_outside(const ir::Type& type, std::size_t bodies) const;
  std::size_t depth() const { return scopes_.size(); }

  // ---- consumption

  bool may_consume(ir::ValueId array) const;
  /// Nothing that may share the array's memory is found any more.
  void consume(ir::ValueId array);
  /// Whether the value was made in the innermost body and by nobody else.
  bool is_of_this_body(ir::ValueId array) const;
  bool may_overlap(ir::ValueId a, ir::ValueId b) const;

  // ---- extents that are surely not 0

  bool is_positive(const ir::Operand& extent) const;
  void assume_positive(const ir::Operand& extent) { positive_.push_back(extent); }

  std::uint32_t add_failure(std::string message);

private:
  struct Variable {
    ir::ValueId value;
    std::vector<std::uint32_t> roots; ///< of arrays; see jit/ir/consumption.h
    std::size_t depth;
    bool is_alive = true;
  };
  struct Root {
    std::size_t level;
    bool is_owned;
  };
  struct Scope {
    ir::Body body;
    std::size_t variables, positive; ///< how many there were before
    std::size_t level;
  };

  const Variable& variable(ir::ValueId value) const;
  void define(ir::ValueId value, std::vector<std::uint32_t> roots);

  Random& random_;
  ir::Function function_;
  std::vector<Scope> scopes_ = {{{}, 0, 0, 0}};
  std::size_t level_ = 0; ///< bodies that own what they make, around
  std::vector<Variable> variables_;
  std::vector<Root> roots_;
  std::vector<ir::Operand> positive_;
};

} // namespace sinter::generate
