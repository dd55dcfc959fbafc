// Building a function: statements are appended to the innermost open body, and equal pure ones are
// found again instead of being made anew (hash-consing: sharing recovery and CSE in one).
#pragma once

#include "jit/ir/ir.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sinter::ir {

/// Builds one function.  Bodies nest: `open` starts one, `close` ends it and hands it back, to be
/// put into an operation.  Equal pure scalar operations and views within the open bodies are
/// shared; constants fold (exactly, by the primitive's own meaning); simple identities (x+0, x*1,
/// select of equals, index of a known literal …) are applied where they are exact.
class Builder {
public:
  explicit Builder(std::string name);
  ~Builder();

  /// While it lives, statements and parameters go to the function's own body, before the statement
  /// that the open bodies will be part of: what they need, but is made once.
  class Outermost {
  public:
    explicit Outermost(Builder& builder);
    ~Outermost();
    Outermost(const Outermost&) = delete;
    Outermost& operator=(const Outermost&) = delete;

  private:
    struct Aside;
    Builder& builder_;
    std::unique_ptr<Aside> aside_;
  };

  /// A parameter of the innermost open body (the function itself at first).
  ValueId parameter(Type type, std::string name = {});
  void open();
  Body close(std::vector<Operand> results);
  /// Continues the innermost body with the statements of a closed one without parameters.
  void splice(Body body);
  std::size_t depth() const; ///< open bodies, the function's not counted

  /// The result of a scalar operation; may be a constant or an earlier value.
  Operand primitive(const primitives::Primitive& primitive, std::span<const Operand> arguments,
                    Span span = {});
  Operand select(Operand condition, Operand then_value, Operand else_value, Span span = {});
  /// A scalar operation on two operands, at the left one's type; the table must have it.
  Operand binary(primitives::Operation operation, Operand left, Operand right, Span span = {});
  /// The element, or the view of a subarray, at `indices` (as in ir::Index, in bounds).  Looks
  /// through views, and into literals of scalars.
  Operand index(ValueId array, std::vector<Operand> indices, Span span = {});
  /// Appends any operation whose results have the given types.  Pure ones are shared.
  std::vector<ValueId> append(Operation operation, std::vector<Type> types, Span span = {});
  ValueId append_one(Operation operation, Type type, Span span = {});
  /// Types of results that refer to each other (a filter's arrays to its count): `types` is called
  /// with the results' ids.
  std::vector<ValueId>
  append_dependent(Operation operation, std::size_t count,
                   const std::function<Type(std::size_t, std::span<const ValueId>)>& types,
                   Span span = {});
  /// A check; nothing if the condition is the constant true, or was checked before on this path.
  void check(Operand condition, FailureSite failure, Span span = {});

  /// Everywhere in the function, a scalar stands for another one: it is defined around the body
  /// that defines that one.
  void rename(ValueId value, Operand by);
  /// A hint for readers; kept if the value has none yet.
  void name(ValueId value, std::string hint);
  /// Valid until the next value is made.
  const Type& type(ValueId value) const;
  Type type(const Operand& operand) const;
  /// Whether the value is defined in the innermost `count` open bodies (as a parameter or result).
  bool is_defined_within(ValueId value, std::size_t count) const;
  std::size_t statement_count() const; ///< so far, for budgets
  /// What defines the value, if that is a scalar operation, a view or a literal; else null.
  const Operation* definition(ValueId value) const;

  /// Ends the function.
  Function finish(std::vector<Operand> results);

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace sinter::ir
