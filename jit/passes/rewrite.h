// What several passes need to rewrite functions: substitutions, and which arrays may share
// memory.
#pragma once

#include "jit/ir/ir.h"

#include <cstdint>
#include <vector>

namespace sinter::jit {

/// What stands for values from now on.  Ids are unique in a function, so one map serves all bodies.
class Substitution {
public:
  /// `to` must be defined wherever `from` is used; arrays are replaced by values only.
  void set(ir::ValueId from, ir::Operand to);
  bool empty() const { return count_ == 0; }
  /// What stands for it in the end.
  ir::Operand resolve(ir::Operand operand) const;
  /// Rewrites the statement's own operands and its results' types, not its bodies.
  void apply_to_head(ir::Function& function, ir::Statement& statement) const;
  void apply_to_type(ir::Function& function, ir::ValueId value) const;
  /// Rewrites all of it, bodies included.
  void apply(ir::Function& function, ir::Statement& statement) const;
  void apply(ir::Function& function, ir::Body& body) const;

private:
  std::vector<ir::Operand> to_; ///< by index; itself where nothing is known
  std::size_t count_ = 0;
};

/// Classes of arrays that may share memory: views with what they look at, updated arrays with what
/// they overwrite, results of `if` and loops with what the bodies yield.  Coarse: a value belongs
/// to one class.
class AliasClasses {
public:
  explicit AliasClasses(const ir::Function& function);
  std::uint32_t of(ir::ValueId value) const;
  /// Whether any member is overwritten, or is the initial state of a loop whose state is.
  bool is_consumed(ir::ValueId value) const;
  /// Whether a member is a parameter of the function.
  bool has_parameter(ir::ValueId value) const;

private:
  void join(ir::ValueId a, ir::Operand b);
  void visit(const ir::Function& function, const ir::Body& body);
  void visit(const ir::Function& function, const ir::Statement& statement);
  mutable std::vector<std::uint32_t> parent_;
  std::vector<bool> consumed_, parameter_; ///< by representative, once built
};

} // namespace sinter::jit
