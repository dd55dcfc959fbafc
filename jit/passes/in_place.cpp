#include "jit/passes/in_place.h"

#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/rewrite.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

bool makes_a_fresh_array(const ir::Operation& operation) {
  const auto* soac = std::get_if<Soac>(&operation);
  // Destinations keep the memory of others.
  if (soac && std::ranges::any_of(soac->groups,
                                  [](const Group& group) { return !destinations(group).empty(); }))
    return false;
  return row_of(operation).has(laws::Fresh);
}

class CopyRemover {
public:
  explicit CopyRemover(Function& function) : function_(function), aliases_(function) {}

  void run() {
    body(function_.body);
    if (!substitution_.empty()) substitution_.apply(function_, function_.body);
  }

private:
  void body(Body& body) {
    for (Statement& statement : body.statements)
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
    // From the end, so that what is read later is known.
    std::unordered_set<std::uint32_t> fresh; // classes that begin in this body
    for (const Statement& statement : body.statements)
      if (makes_a_fresh_array(statement.operation))
        for (ValueId result : statement.results)
          if (!function_.type(result).is_scalar()) fresh.insert(aliases_.of(result));
    forget_shared(body, fresh);
    std::unordered_set<std::uint32_t> read_later; // classes
    for (const Operand& result : body.results)
      read(result, read_later);
    for (std::size_t i = body.statements.size(); i-- > 0;) {
      const Statement& statement = body.statements[i];
      if (const auto* copy = std::get_if<Copy>(&statement.operation)) {
        const std::uint32_t source = aliases_.of(copy->array);
        const bool is_whole = is_root_of_fresh(body, i, copy->array);
        if (is_whole && fresh.contains(source) && !read_later.contains(source)) {
          // From here on the source is what the copy was: it is in use.
          read_later.insert(source);
          substitution_.set(statement.results[0], copy->array);
          body.statements.erase(body.statements.begin() + static_cast<std::ptrdiff_t>(i));
          continue;
        }
      }
      for (ValueId value : free_values(function_, statement))
        read(value, read_later);
    }
  }

  void read(const Operand& operand, std::unordered_set<std::uint32_t>& classes) const {
    if (operand.is_value() && !function_.type(operand).is_scalar())
      classes.insert(aliases_.of(operand.value()));
  }

  /// Whether the array is itself what a statement before made: not a view, whose strides a consumer
  /// would have to respect, nor state of a loop.
  static bool is_root_of_fresh(const Body& body, std::size_t end, ValueId array) {
    for (std::size_t i = 0; i < end; ++i)
      for (ValueId result : body.statements[i].results)
        if (result == array) return makes_a_fresh_array(body.statements[i].operation);
    return false;
  }

  /// Classes that the parameters of the body belong to may be known outside.
  void forget_shared(const Body& body, std::unordered_set<std::uint32_t>& fresh) const {
    for (ValueId parameter : body.parameters)
      if (!function_.type(parameter).is_scalar()) fresh.erase(aliases_.of(parameter));
    for (ValueId parameter : function_.body.parameters)
      fresh.erase(aliases_.of(parameter));
    for (ValueId value : free_values(function_, body))
      fresh.erase(aliases_.of(value));
  }

  Function& function_;
  AliasClasses aliases_;
  Substitution substitution_;
};

} // namespace

void remove_copies(Function& function) {
  CopyRemover(function).run();
}

} // namespace sinter::jit
