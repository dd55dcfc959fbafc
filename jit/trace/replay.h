// Scalar code of a body that was closed, computed again elsewhere.
#pragma once

#include "jit/ir/build.h"

#include <optional>
#include <unordered_map>

namespace sinter::jit {

/// Appends what some values of closed bodies are computed by to a builder's innermost body, each
/// statement at most once: scalar operations and, if wanted, reads of elements.  What they use of
/// the parameters of those bodies must be given other names.
class Replay {
public:
  enum class Reads : bool { No, Yes };

  /// With `Reads::Yes` elements are read again, without checks: those of the first time must hold.
  Replay(ir::Builder& builder, Reads reads) : builder_(builder), reads_(reads) {}

  /// The body must outlive the replay.  Its parameters have no names yet.
  void add(const ir::Body& body);
  void rename(ir::ValueId value, ir::Operand name) { names_.insert_or_assign(value.index, name); }
  /// The operand under its name where the builder stands; nothing if it needs more than may be
  /// computed again.
  std::optional<ir::Operand> operator()(const ir::Operand& operand);
  /// The statement of a closed body that defines the value; null if none does.
  const ir::Statement* definition(ir::ValueId value) const;
  /// Whether closed bodies have it as a parameter that was given no name.
  bool is_unnamed(ir::ValueId value) const;

private:
  std::optional<ir::Operand> compute(const ir::Statement& statement);
  std::optional<std::vector<ir::Operand>> all(std::span<const ir::Operand> operands);

  ir::Builder& builder_;
  Reads reads_;
  std::unordered_map<std::uint32_t, const ir::Statement*> definitions_; ///< null: a parameter
  std::unordered_map<std::uint32_t, ir::Operand> names_;
};

} // namespace sinter::jit
