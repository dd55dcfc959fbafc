#include "jit/emit/width.h"

#include "jit/emit/plan.h"
#include "jit/emit/target_hooks.h"
#include "jit/emit/turn_latency.h"
#include "jit/ir/comparisons.h"
#include "jit/ir/costs.h"
#include "jit/ir/groups.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <set>

namespace sinter::jit {

namespace {

/// Values that are computed with: what only tells where something lies, or is compared with such,
/// is a number for all lanes together, and no reason for fewer of them.
class Used {
public:
  explicit Used(const ir::Function& function)
      : used_(function.values.size()), is_narrowed_(function.values.size()) {
    visit(function.body);
  }
  bool contains(ir::ValueId value) const { return used_[value.index]; }

private:
  void visit(const ir::Body& body, const std::vector<bool>& are_places = {}) {
    const auto note = [&](const ir::Operand& operand) {
      if (operand.is_value()) used_[operand.value().index] = true;
    };
    for (std::size_t i = 0; i < body.results.size(); ++i)
      if (i >= are_places.size() || !are_places[i]) note(body.results[i]);
    // Values are used after they are defined.
    for (auto at = body.statements.rbegin(); at != body.statements.rend(); ++at) {
      const auto* const soac = std::get_if<ir::Soac>(&at->operation);
      ir::for_each_body(at->operation, [&](const ir::Body& inner) {
        visit(inner, soac && &inner == &soac->body ? scattered_places(*soac) : std::vector<bool>{});
      });
      const auto* primitive = std::get_if<ir::Primitive>(&at->operation);
      const bool moves = primitive && primitive->primitive->operand == ElementType::I64 &&
                         moves_index(primitive->primitive->operation);
      const bool is_sum = moves && is_sum_of(primitive->primitive->operation);
      for (const ir::ValueId result : at->results)
        if (is_narrowed_[result.index] && !is_sum) note(ir::Operand(result));
      if (const ir::Operand* index = primitive ? narrowed(*primitive) : nullptr) {
        if (index->is_value()) is_narrowed_[index->value().index] = true;
        continue;
      }
      const bool is_of_index = std::holds_alternative<ir::Index>(at->operation) ||
                               (primitive && primitive->primitive->operand == ElementType::I64 &&
                                ir::is_comparison(primitive->primitive->operation)) ||
                               (moves && !contains(at->results[0]));
      if (!is_of_index)
        ir::for_each_operand(at->operation, note);
      else if (is_sum && is_narrowed_[at->results[0].index])
        ir::for_each_operand(at->operation, [&](const ir::Operand& operand) {
          if (operand.is_value()) is_narrowed_[operand.value().index] = true;
        });
    }
  }

  /// Which of the body's results say where others are scattered to.
  static std::vector<bool> scattered_places(const ir::Soac& soac) {
    std::vector<bool> places(soac.body.results.size(), false);
    ir::for_each_group(soac, [&](const ir::Group& group, std::size_t first, std::size_t) {
      if (const auto* const scatter = std::get_if<ir::ScatterGroup>(&group))
        for (std::size_t i = 0; i < scatter->index_count; ++i)
          places[first + i] = true;
    });
    return places;
  }

  /// What a conversion takes the low bits of: a sum of numbers of which only those are wanted is
  /// computed in as few.
  static const ir::Operand* narrowed(const ir::Primitive& primitive) {
    if (primitive.primitive->operation != primitives::Operation::Convert) return nullptr;
    const ir::Operand& from = primitive.arguments[0];
    const bool is_narrower = primitive.primitive->operand == ElementType::I64 &&
                             is_integer(primitive.primitive->result) &&
                             byte_size(primitive.primitive->result) < byte_size(ElementType::I64);
    return is_narrower ? &from : nullptr;
  }

  static bool is_sum_of(primitives::Operation operation) {
    using primitives::Operation;
    return operation == Operation::Add || operation == Operation::Subtract;
  }
  static bool moves_index(primitives::Operation operation) {
    using primitives::Operation;
    return is_sum_of(operation) || operation == Operation::Minimum ||
           operation == Operation::Maximum;
  }

  std::vector<bool> used_;
  std::vector<bool> is_narrowed_; ///< only its low bits are used
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
int longest_chain(const ir::Function& function, const ir::Body& body) {
  std::vector<int> length(function.values.size());
  int longest = 0;
  for (const ir::Statement& statement : body.statements) {
    if (!std::holds_alternative<ir::Primitive>(statement.operation)) continue;
    int before = 0;
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

/// How many values of a body are needed at a time that differ between lanes: computed ones, defined
/// in it or in bodies within.
class Pressure {
public:
  Pressure(const ir::Function& function, const Used& used)
      : used_(used), is_inside_(function.values.size()), is_live_(function.values.size()) {}

  std::size_t of(const ir::Body& body) {
    define(body);
    visit(body);
    return most_;
  }

private:
  /// What a function of the elementary ones keeps on the way.
  static constexpr std::size_t kept_by_functions = 4;

  void define(const ir::Body& body) {
    const auto note = [&](ir::ValueId value) { is_inside_[value.index] = used_.contains(value); };
    std::ranges::for_each(body.parameters, note);
    for (const ir::Statement& statement : body.statements) {
      std::ranges::for_each(statement.results, note);
      ir::for_each_body(statement.operation, [&](const ir::Body& inner) { define(inner); });
    }
  }
  void need(const ir::Operand& operand) {
    if (operand.is_constant() || !is_inside_[operand.value().index]) return;
    if (is_live_[operand.value().index]) return;
    is_live_[operand.value().index] = true;
    ++live_;
  }
  void end(ir::ValueId value) {
    if (!is_live_[value.index]) return;
    is_live_[value.index] = false;
    --live_;
  }
  /// What is live behind the body stays so within.
  void visit(const ir::Body& body) {
    const auto need = [&](const ir::Operand& operand) { this->need(operand); };
    std::ranges::for_each(body.results, need);
    most_ = std::max(most_, live_);
    for (auto at = body.statements.rbegin(); at != body.statements.rend(); ++at) {
      const auto* primitive = std::get_if<ir::Primitive>(&at->operation);
      if (primitive && primitive->primitive->cost >= costs::function_call)
        most_ = std::max(most_, live_ + kept_by_functions);
      ir::for_each_body(at->operation, [&](const ir::Body& inner) { visit(inner); });
      std::ranges::for_each(at->results, [&](ir::ValueId result) { end(result); });
      ir::for_each_operand(at->operation, need);
      most_ = std::max(most_, live_);
    }
    std::ranges::for_each(body.parameters, [&](ir::ValueId parameter) { end(parameter); });
  }

  const Used& used_;
  std::vector<bool> is_inside_, is_live_;
  std::size_t live_ = 0, most_ = 0;
};

/// Whether there is such an operation in the body or in bodies within.
template <typename OperationType>
bool has(const ir::Body& body) {
  return std::ranges::any_of(body.statements, [](const ir::Statement& statement) {
    bool found = std::holds_alternative<OperationType>(statement.operation);
    ir::for_each_body(statement.operation,
                      [&](const ir::Body& inner) { found = found || has<OperationType>(inner); });
    return found;
  });
}

/// Of the reductions of one SOAC in the body or in bodies within, the most.
std::size_t most_reductions(const ir::Body& body) {
  std::size_t most = 0;
  for (const ir::Statement& statement : body.statements) {
    if (const auto* soac = std::get_if<ir::Soac>(&statement.operation)) {
      std::size_t count = 0;
      for (const ir::Group& group : soac->groups)
        if (const auto* reduce = std::get_if<ir::ReduceGroup>(&group))
          count += reduce->neutral.size();
      most = std::max(most, count);
    }
    ir::for_each_body(statement.operation, [&](const ir::Body& inner) {
      most = std::max(most, most_reductions(inner));
    });
  }
  return most;
}

/// The values that stand for an array on its way through updates, loops and branches to where it is
/// a result of the body, from the place on where it is made.
void find_versions(const ir::Body& body, const ir::Operand& value,
                   std::set<std::uint32_t>& versions) {
  if (!value.is_value() || !versions.insert(value.value().index).second) return;
  for (const ir::Statement& statement : body.statements) {
    const auto at = std::find(statement.results.begin(), statement.results.end(), value.value());
    if (at == statement.results.end()) continue;
    const auto place = static_cast<std::size_t>(at - statement.results.begin());
    if (const auto* update = std::get_if<ir::Update>(&statement.operation)) {
      find_versions(body, update->array, versions);
    } else if (const auto* loop = std::get_if<ir::For>(&statement.operation)) {
      find_versions(body, loop->initial[place], versions);
      find_versions(loop->body, loop->body.results[place], versions);
    } else if (const auto* choice = std::get_if<ir::If>(&statement.operation)) {
      find_versions(choice->then_body, choice->then_body.results[place], versions);
      find_versions(choice->else_body, choice->else_body.results[place], versions);
    }
  }
}

/// Bytes of the arrays that the body and those within make for each lane, but for some; none if
/// that is unknown.
std::optional<std::size_t> private_bytes(const ir::Function& function, const ir::Body& body,
                                         const std::set<std::uint32_t>& left_out = {}) {
  std::size_t bytes = 0;
  for (const ir::Statement& statement : body.statements) {
    bool is_known = true;
    ir::for_each_body(statement.operation, [&](const ir::Body& inner) {
      const std::optional<std::size_t> inside = private_bytes(function, inner, left_out);
      is_known = is_known && inside;
      bytes += inside.value_or(0);
    });
    if (!is_known) return std::nullopt;
    if (ir::is_view(statement.operation) || std::holds_alternative<ir::Index>(statement.operation))
      continue;
    for (const ir::ValueId result : statement.results) {
      const ir::Type& type = function.type(result);
      if (type.extents.empty() || left_out.contains(result.index)) continue;
      std::size_t size = byte_size(type.element);
      for (const ir::Operand& extent : type.extents) {
        if (!extent.is_constant()) return std::nullopt;
        size *= static_cast<std::size_t>(extent.scalar().as<std::int64_t>());
      }
      bytes += size;
    }
  }
  return bytes;
}

/// Of a sum of elements that are quickly computed: so many primitives are done for two registers
/// while the sum takes one up.
constexpr std::size_t while_a_sum_waits = 8;

/// How many values a fold of elements that are computed by primitives, choices and reads alone
/// holds, and how many of the first two an element takes.
struct ShortFold {
  std::size_t values = 0, primitives = 0;
  bool is_commutative = false;
};
std::optional<ShortFold> short_fold(const ir::Statement& statement) {
  const auto* const soac = std::get_if<ir::Soac>(&statement.operation);
  const auto* const reduce = soac ? ir::only_group<ir::ReduceGroup>(*soac) : nullptr;
  if (!reduce) return std::nullopt;
  ShortFold fold{reduce->neutral.size(), 0, reduce->is_commutative};
  for (const ir::Body* part : {&soac->body, &reduce->combine})
    for (const ir::Statement& inner : part->statements) {
      if (std::holds_alternative<ir::Primitive>(inner.operation) ||
          std::holds_alternative<ir::Select>(inner.operation))
        ++fold.primitives;
      else if (!std::holds_alternative<ir::Index>(inner.operation))
        return std::nullopt;
    }
  return fold;
}

/// Whether a fold of one value inside of the body still waits for itself where that has two
/// registers.
bool is_light_fold_inside(const ir::Body& body) {
  return std::ranges::any_of(body.statements, [](const ir::Statement& statement) {
    const std::optional<ShortFold> fold = short_fold(statement);
    return fold && fold->values == 1 && 2 * fold->primitives < while_a_sum_waits;
  });
}

/// How much the SOAC itself folds in lanes, in floats.
std::size_t folded_floats(const ir::Function& function, const ir::Soac& soac) {
  std::size_t bytes = 0;
  for (const ir::Group& group : soac.groups)
    if (const auto* const reduce = std::get_if<ir::ReduceGroup>(&group))
      for (std::size_t i = 0; i < reduce->neutral.size(); ++i)
        bytes += byte_size(function.type(reduce->combine.parameters[i]).element);
  return (bytes + sizeof(float) - 1) / sizeof(float);
}

/// Whether all folds inside of the body are short ones, of as many elements for all lanes and so
/// few values that four registers of each have room beside those of `folded` floats: what lanes
/// share, an element, its index and the loop, is as much work as two registers of them.  (Of
/// several values, where the order does not show: other operators need masks besides.)
bool are_folds_short(const ir::Body& body, const std::vector<ir::ValueId>& known_outside,
                     std::size_t folded, unsigned vector_registers) {
  constexpr std::size_t beside_values = 4, most_primitives = 12;
  return std::ranges::all_of(body.statements, [&](const ir::Statement& statement) {
    if (const auto* const soac = std::get_if<ir::Soac>(&statement.operation)) {
      const std::optional<ShortFold> fold = short_fold(statement);
      const bool is_even =
          soac->extent.is_constant() ||
          std::ranges::find(known_outside, soac->extent.value()) != known_outside.end();
      return fold && is_even && 4 * (fold->values + folded) + beside_values <= vector_registers &&
             fold->primitives <= most_primitives && (fold->values == 1 || fold->is_commutative);
    }
    bool are_short = true;
    ir::for_each_body(statement.operation, [&](const ir::Body& inner) {
      are_short = are_short && are_folds_short(inner, known_outside, folded, vector_registers);
    });
    return are_short;
  });
}

/// Whether a fold inside of the body has elementary functions for each element: what all lanes
/// share there, its loop and what it reads, counts the less the more of them there are.
bool is_fold_of_functions_inside(const ir::Body& body) {
  return std::ranges::any_of(body.statements, [](const ir::Statement& statement) {
    const auto* const soac = std::get_if<ir::Soac>(&statement.operation);
    if (!soac || !ir::has_only<ir::ReduceGroup>(*soac)) return false;
    return std::ranges::any_of(soac->body.statements, [](const ir::Statement& inner) {
      const auto* const primitive = std::get_if<ir::Primitive>(&inner.operation);
      return primitive && primitive->primitive->cost >= costs::function_call;
    });
  });
}

std::ptrdiff_t functions_in(const ir::Body& body) {
  return std::ranges::count_if(body.statements, [](const ir::Statement& each) {
    const auto* const primitive = std::get_if<ir::Primitive>(&each.operation);
    return primitive && primitive->primitive->cost >= costs::function_call;
  });
}

/// Whether a loop inside has elementary functions that its turns wait for: a processor does not see
/// beyond a turn with one or two of them, nor beyond more of them that wait for each other; and
/// they need few registers, so that it pays to keep other values in the cache.
bool waits_for_functions(const ir::Body& body, bool waits) {
  return std::ranges::any_of(body.statements, [&](const ir::Statement& statement) {
    const bool is_loop = std::holds_alternative<ir::Soac>(statement.operation) ||
                         std::holds_alternative<ir::For>(statement.operation);
    bool found = false;
    ir::for_each_body(statement.operation, [&](const ir::Body& inner) {
      constexpr std::ptrdiff_t few = 2;
      const std::ptrdiff_t functions = is_loop ? functions_in(inner) : 0;
      found = found || (functions >= 1 && (functions <= few || waits)) ||
              waits_for_functions(inner, waits);
    });
    return found;
  });
}
bool waits_for_functions(const ir::Function& function, const ir::Body& body) {
  return waits_for_functions(body, waits_in_turns(function, body));
}

/// How many registers a value has so that a processor need not wait for one of them: more than one
/// only where all that are needed at a time fit.  (They take longer to generate code for.)
unsigned registers_for(const ir::Function& function, const Used& used, const ir::Soac& soac,
                       const TargetFacts& facts) {
  const ir::Body& body = soac.body;
  if (!is_latency_bound(function, body)) return 1;
  // Where there are many, few bodies need so many; but what lanes make for themselves should stay
  // in the first cache, if it is not gone through again and again by what is reduced.
  if (facts.vector_registers >= 32) {
    // (Results are written, and rarely read again.)
    constexpr std::size_t most_bytes = 1024; // of a lane
    std::set<std::uint32_t> results;
    for (const ir::Operand& result : body.results)
      find_versions(body, result, results);
    const std::optional<std::size_t> bytes = private_bytes(function, body, results);
    const bool is_small = bytes && *bytes <= most_bytes;
    if (is_small && waits_in_turns(function, body)) return 4;
    if (bytes == 0U && is_fold_of_functions_inside(body)) return 4;
    return most_reductions(body) == 0 && !is_small ? 1 : 2;
  }
  if (has<ir::Soac>(body)) {
    // Their loops wait for themselves, too, where they are not tiles of sums that go side by side;
    // but what lanes make for themselves should stay in the first cache.
    // (Those take twice as wide lanes where all sums still have registers, beside what goes into
    // them: then fewer loads go with as many operations.)
    constexpr std::size_t side_by_side = 4, beside_sums = 4;
    if (const std::size_t sums = most_reductions(body); sums >= side_by_side)
      return 2 * sums + beside_sums <= facts.vector_registers ? 2 : 1;
    constexpr std::size_t most_bytes = 2048; // of a lane
    const std::optional<std::size_t> bytes = private_bytes(function, body);
    if (!bytes || *bytes > most_bytes) return 1;
    if (*bytes == 0 && are_folds_short(body, ir::free_values(function, body),
                                       folded_floats(function, soac), facts.vector_registers))
      return 4;
    return waits_for_functions(function, body) && 2 * *bytes <= most_bytes ? 4 : 2;
  }
  // Besides what is needed at a time: what is being computed, and masks.
  constexpr std::size_t reserve = 2;
  const std::size_t pressure = Pressure(function, used).of(body);
  const auto fit = [&](std::size_t registers) {
    return registers * pressure + reserve <= facts.vector_registers;
  };
  if (fit(4) && (longest_chain(function, body) >= long_chain || waits_in_turns(function, body)))
    return 4;
  if (waits_for_functions(function, body)) return 4;
  // A loop waits for itself in each of its turns, however far the processor sees: there it pays to
  // keep as many values again in the cache.
  const bool is_loop = has<ir::For>(body) || has<ir::While>(body);
  if (is_loop && pressure <= facts.vector_registers) return 2;
  return fit(2) ? 2 : 1;
}

unsigned lanes_of_register(const ir::Function& function, const EmitOptions& options) {
  Widest widest;
  find_widest(function, Used(function), function.body, widest);
  const std::size_t bytes =
      std::max<std::size_t>(widest.floats != 0 ? widest.floats : widest.integers, 2);
  return static_cast<unsigned>(options.hooks->facts().vector_bytes / bytes);
}

} // namespace

AlongRows along_rows(const EmitOptions& options) {
  if (options.is_compact) return AlongRows::Never;
  return options.hooks->facts().has_long_vectors() ? AlongRows::InLongVectors
                                                   : AlongRows::InShortVectors;
}

unsigned choose_width(const ir::Function& function, const EmitOptions& options) {
  if (options.lanes != 0) return options.lanes;
  const TargetFacts& facts = options.hooks->facts();
  if (!facts.has_gathers_and_masks) return 1;
  const unsigned lanes = lanes_of_register(function, options);
  const LanePlan plan(function, lanes, along_rows(options));
  unsigned most = 0;      ///< that the operations chosen have elements for
  unsigned registers = 1; ///< for a value
  unsigned widest = 1;    ///< that a fold inside of one asks for
  constexpr unsigned most_lanes = 64;
  const Used used(function);
  for (const ir::Soac* soac : plan.chosen()) {
    const std::int64_t extent =
        soac->extent.is_constant() ? soac->extent.scalar().as<std::int64_t>() : std::int64_t{64};
    most = std::max(most,
                    std::bit_ceil(static_cast<unsigned>(std::clamp<std::int64_t>(extent, 1, 64))));
    if (options.is_compact) continue;
    registers = std::max(registers, registers_for(function, used, *soac, facts));
    // Four, where no register of them is ever part empty.
    constexpr unsigned sums_at_a_time = 4;
    const bool is_whole =
        soac->extent.is_constant() && extent % (std::int64_t{sums_at_a_time} * lanes) == 0;
    if (is_whole && facts.vector_registers >= 32 && sums_at_a_time * lanes <= most_lanes &&
        is_light_fold_inside(soac->body))
      widest = sums_at_a_time * lanes;
  }
  // (Floats of two bytes are computed with as such of four.)
  const unsigned most_wanted =
      std::max(32u, registers * static_cast<unsigned>(facts.vector_bytes / sizeof(float)));
  const unsigned wanted = std::max(widest, std::min({most_wanted, most_lanes, registers * lanes}));
  return most == 0 ? lanes : std::min(wanted, most);
}

unsigned width_inside(const ir::Function& function, const EmitOptions& options, unsigned width) {
  if (options.lanes != 0 || !options.hooks->facts().has_gathers_and_masks) return width;
  return std::min(width, lanes_of_register(function, options));
}

} // namespace sinter::jit
