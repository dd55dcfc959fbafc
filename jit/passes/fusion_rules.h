// Whether two SOACs may become one, and if not, why: for the pass that does it (fuse.h) and for
// those who ask afterwards (not_fused.h).
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/dependencies.h"
#include "jit/passes/rewrite.h"
#include "jit/reasons/reasons.h"

#include <optional>

namespace sinter::jit {

/// Of the SOACs among a body's statements.
class FusionRules {
public:
  using Node = DependencyGraph::Node;

  FusionRules(const ir::Function& function, const AliasClasses& aliases,
              const DependencyGraph& graph)
      : function_(function), aliases_(aliases), graph_(graph) {}

  /// Against making one statement of the two, whatever flows between them.
  std::optional<Reason> against_joining(Node earlier, Node later) const;
  /// Against handing the producer's results over element by element: the consumer needs others than
  /// those of maps at its own index.
  std::optional<Reason> against_reading(Node producer, Node consumer) const;

  /// Whether the consumer reads results of the producer's apart from its inputs.
  bool is_read_elsewhere(Node producer, Node consumer) const;

private:
  bool are_cut_apart(const ir::Soac& a, const ir::Soac& b) const;

  const ir::Function& function_;
  const AliasClasses& aliases_;
  const DependencyGraph& graph_;
};

} // namespace sinter::jit
