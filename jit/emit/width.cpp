#include "jit/emit/width.h"

#include "jit/emit/plan.h"
#include "jit/emit/target_hooks.h"
#include "jit/ir/costs.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <bit>

namespace sinter::jit {

namespace {

/// Values that are computed with: what only tells where something lies, or is compared with such,
/// is a number for all lanes together, and no reason for fewer of them.
class Used {
public:
  explicit Used(const ir::Function& function) : used_(function.values.size()) {
    visit(function.body);
  }
  bool contains(ir::ValueId value) const { return used_[value.index]; }

private:
  void visit(const ir::Body& body) {
    const auto note = [&](const ir::Operand& operand) {
      if (operand.is_value()) used_[operand.value().index] = true;
    };
    std::for_each(body.results.begin(), body.results.end(), note);
    // Values are used after they are defined.
    for (auto at = body.statements.rbegin(); at != body.statements.rend(); ++at) {
      ir::for_each_body(at->operation, [&](const ir::Body& inner) { visit(inner); });
      const auto* primitive = std::get_if<ir::Primitive>(&at->operation);
      const bool is_of_index =
          std::holds_alternative<ir::Index>(at->operation) ||
          (primitive && primitive->primitive->operand == ElementType::I64 &&
           (is_comparison(primitive->primitive->operation) ||
            (moves_index(primitive->primitive->operation) && !contains(at->results[0]))));
      if (!is_of_index) ir::for_each_operand(at->operation, note);
    }
  }

  static bool is_comparison(primitives::Operation operation) {
    using primitives::Operation;
    return operation == Operation::Less || operation == Operation::LessEqual ||
           operation == Operation::Greater || operation == Operation::GreaterEqual ||
           operation == Operation::Equal || operation == Operation::NotEqual;
  }
  static bool moves_index(primitives::Operation operation) {
    using primitives::Operation;
    return operation == Operation::Add || operation == Operation::Subtract ||
           operation == Operation::Minimum || operation == Operation::Maximum;
  }

  std::vector<bool> used_;
};

/// Bytes of the widest elements that are computed with.
struct Widest {
  std::size_t floats = 0, integers = 0;
};
void find_widest(const ir::Function& function, const Used& used, const ir::Body& body,
                 Widest& widest) {
  for (const ir::Statement& statement : body.statements) {
    // How many elements a filter keeps is no number that lanes compute with.
    const auto is_extent = [&](ir::ValueId value) {
      return std::any_of(statement.results.begin(), statement.results.end(),
                         [&](ir::ValueId other) {
                           const auto& extents = function.type(other).extents;
                           return !extents.empty() && extents[0] == ir::Operand(value);
                         });
    };
    for (ir::ValueId result : statement.results) {
      if (is_extent(result) || !used.contains(result)) continue;
      const ElementType element = function.type(result).element;
      if (is_float(element)) widest.floats = std::max(widest.floats, byte_size(element));
      if (is_integer(element)) widest.integers = std::max(widest.integers, byte_size(element));
    }
    ir::for_each_body(statement.operation,
                      [&](const ir::Body& inner) { find_widest(function, used, inner, widest); });
  }
}

/// How many primitives of the body wait for each other, one after the other.
std::size_t longest_chain(const ir::Function& function, const ir::Body& body) {
  std::vector<std::size_t> length(function.values.size());
  std::size_t longest = 0;
  for (const ir::Statement& statement : body.statements) {
    if (!std::holds_alternative<ir::Primitive>(statement.operation)) continue;
    std::size_t before = 0;
    ir::for_each_operand(statement.operation, [&](const ir::Operand& operand) {
      if (operand.is_value()) before = std::max(before, length[operand.value().index]);
    });
    for (ir::ValueId result : statement.results)
      length[result.index] = before + 1;
    longest = std::max(longest, before + 1);
  }
  return longest;
}

/// Whether each step of the body waits for the one before: loops, elementary functions, and chains
/// that are so long that a processor does not see the next lanes' beside them.
bool is_latency_bound(const ir::Function& function, const ir::Body& body) {
  constexpr std::size_t long_chain = 48;
  if (longest_chain(function, body) >= long_chain) return true;
  return std::any_of(body.statements.begin(), body.statements.end(),
                     [&](const ir::Statement& statement) {
                       const auto* primitive = std::get_if<ir::Primitive>(&statement.operation);
                       if (primitive) return primitive->primitive->cost >= costs::function_call;
                       bool is_inside = std::holds_alternative<ir::Soac>(statement.operation) ||
                                        std::holds_alternative<ir::For>(statement.operation) ||
                                        std::holds_alternative<ir::While>(statement.operation);
                       ir::for_each_body(statement.operation, [&](const ir::Body& inner) {
                         is_inside = is_inside || is_latency_bound(function, inner);
                       });
                       return is_inside;
                     });
}

constexpr std::size_t many_statements = 1000;

/// How many statements the body is, with all that is inside of it; many if one of them is a
/// function or reads memory.
std::size_t computing_statements(const ir::Body& body) {
  std::size_t count = 0;
  for (const ir::Statement& statement : body.statements) {
    const auto* primitive = std::get_if<ir::Primitive>(&statement.operation);
    const auto* soac = std::get_if<ir::Soac>(&statement.operation);
    if ((primitive && primitive->primitive->cost >= costs::function_call) ||
        (soac && !soac->inputs.empty()) || std::holds_alternative<ir::Index>(statement.operation))
      return many_statements;
    ++count;
    ir::for_each_body(statement.operation, [&](const ir::Body& inner) {
      count = std::min(many_statements, count + computing_statements(inner));
    });
  }
  return count;
}

/// Whether 16 registers hold twice what the body's loops compute with: few values, and nothing that
/// is on its way from memory.
bool has_few_values(const ir::Body& body) {
  constexpr std::size_t few_statements = 40;
  return computing_statements(body) <= few_statements;
}

unsigned lanes_of_register(const ir::Function& function, const EmitOptions& options) {
  Widest widest;
  find_widest(function, Used(function), function.body, widest);
  const std::size_t bytes =
      std::max<std::size_t>(widest.floats != 0 ? widest.floats : widest.integers, 2);
  return static_cast<unsigned>(options.hooks->facts().vector_bytes / bytes);
}

} // namespace

unsigned choose_width(const ir::Function& function, const EmitOptions& options) {
  if (options.lanes != 0) return options.lanes;
  if (!options.hooks->facts().has_gathers_and_masks) return 1;
  const unsigned lanes = lanes_of_register(function, options);
  return width_along(function, options, LanePlan(function, lanes, !options.is_compact));
}

unsigned width_along(const ir::Function& function, const EmitOptions& options,
                     const LanePlan& plan) {
  const TargetFacts& facts = options.hooks->facts();
  if (options.lanes != 0 || !facts.has_gathers_and_masks) return std::max(options.lanes, 1u);
  const unsigned lanes = lanes_of_register(function, options);
  unsigned most = 0; ///< that the operations chosen have elements for
  bool waits = false, has_few = true;
  for (const ir::Soac* soac : plan.chosen()) {
    const std::int64_t extent =
        soac->extent.is_constant() ? soac->extent.scalar().as<std::int64_t>() : std::int64_t{64};
    most = std::max(most,
                    std::bit_ceil(static_cast<unsigned>(std::clamp<std::int64_t>(extent, 1, 64))));
    waits = waits || is_latency_bound(function, soac->body);
    has_few = has_few && has_few_values(soac->body);
  }
  // (16 registers are few.  Vectors of two registers take longer to generate code for.)
  const bool may_double = (facts.vector_registers >= 32 || has_few) && !options.is_compact;
  const unsigned wanted = std::min(32u, waits && may_double ? 2 * lanes : lanes);
  return most == 0 ? lanes : std::min(wanted, most);
}

unsigned width_inside(const ir::Function& function, const EmitOptions& options, unsigned width) {
  if (options.lanes != 0 || !options.hooks->facts().has_gathers_and_masks) return width;
  return std::min(width, lanes_of_register(function, options));
}

} // namespace sinter::jit
