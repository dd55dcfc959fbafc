#include "jit/emit/kernel_shape.h"

#include "jit/emit/analysis.h"
#include "jit/emit/emit.h"
#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/reasons/reasons.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>

namespace sinter::jit {

namespace {

/// What may stand in front of a kernel's SOAC: it is done again for each chunk.
bool is_preliminary(const ir::Function& function, const ir::Statement& statement) {
  if (std::holds_alternative<ir::ArrayLiteral>(statement.operation))
    return function.type(statement.results[0]).rank() == 1;
  return ir::is_scalar_operation(statement.operation) || ir::is_strided_view(statement.operation);
}

/// A loop whose arrays change size from one iteration to the next.
bool changes_sizes(const ir::Function& function, const ir::Body& body) {
  for (const ir::Statement& statement : body.statements) {
    const ir::Body* loop = nullptr;
    if (const auto* op = std::get_if<ir::For>(&statement.operation)) loop = &op->body;
    if (const auto* op = std::get_if<ir::While>(&statement.operation)) loop = &op->body;
    if (loop)
      for (ir::ValueId parameter : loop->parameters)
        for (const ir::Operand& extent : function.type(parameter).extents)
          if (ir::is_defined_in(*loop, extent)) return true;
    bool inside = false;
    ir::for_each_body(statement.operation, [&](const ir::Body& inner) {
      inside = inside || changes_sizes(function, inner);
    });
    if (inside) return true;
  }
  return false;
}

} // namespace

namespace {

/// Whether chunks can do what becomes of a SOAC's elements: partitions stand alone or beside maps,
/// and the number of their kinds is known at launch.
bool may_be_in_chunks(const ir::Function& function, const ir::Soac& soac) {
  std::size_t partitions = 0;
  for (const ir::Group& group : soac.groups)
    if (const auto* partition = std::get_if<ir::PartitionGroup>(&group)) {
      if (!partition->kinds.is_constant() && !parameter_index(function, partition->kinds.value()))
        return false;
      ++partitions;
    }
  return partitions == 0 ||
         (partitions == 1 &&
          std::all_of(soac.groups.begin(), soac.groups.end(), [](const ir::Group& group) {
            return std::holds_alternative<ir::MapGroup>(group) ||
                   std::holds_alternative<ir::PartitionGroup>(group);
          }));
}

} // namespace

const ir::Soac* parallel_soac(const ir::Function& function) {
  const auto& statements = function.body.statements;
  if (statements.empty()) return nullptr;
  const auto* soac = std::get_if<ir::Soac>(&statements.back().operation);
  if (!soac || !may_be_in_chunks(function, *soac)) return nullptr;
  for (std::size_t i = 0; i + 1 < statements.size(); ++i)
    if (!is_preliminary(function, statements[i])) return nullptr;
  const auto& results = statements.back().results;
  if (function.body.results.size() != results.size()) return nullptr;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (function.body.results[i] != ir::Operand(results[i])) return nullptr;
  return soac;
}

const ir::Soac* nested_map(const ir::Function& function, const ir::Soac& soac) {
  const auto& statements = soac.body.statements;
  if (statements.empty()) return nullptr;
  const auto* inner = std::get_if<ir::Soac>(&statements.back().operation);
  if (!inner || inner->groups.size() != soac.groups.size()) return nullptr;
  if (!has_only<ir::MapGroup>(soac) || !has_only<ir::MapGroup>(*inner)) return nullptr;
  for (std::size_t i = 0; i < soac.groups.size(); ++i)
    if (soac.body.results[i] != ir::Operand(statements.back().results[i])) return nullptr;
  for (std::size_t i = 0; i + 1 < statements.size(); ++i)
    if (!is_preliminary(function, statements[i]) &&
        !std::holds_alternative<ir::Check>(statements[i].operation))
      return nullptr;
  const auto& parameters = function.body.parameters;
  const bool is_known =
      inner->extent.is_constant() ||
      std::find(parameters.begin(), parameters.end(), inner->extent.value()) != parameters.end();
  return is_known ? inner : nullptr;
}

std::optional<std::size_t> parameter_index(const ir::Function& function, ir::ValueId value) {
  const auto& parameters = function.body.parameters;
  const auto found = std::find(parameters.begin(), parameters.end(), value);
  if (found == parameters.end()) return std::nullopt;
  return static_cast<std::size_t>(found - parameters.begin());
}

ir::Skeleton skeleton_of(const ir::Soac& soac) {
  ir::GroupKind most = ir::GroupKind::Map;
  for (const ir::Group& group : soac.groups)
    most = std::max(most, ir::kind_of(group));
  return static_cast<ir::Skeleton>(most);
}

namespace {

bool keep_fold_order(const std::vector<ir::Group>& groups) {
  return std::any_of(groups.begin(), groups.end(), [](const ir::Group& group) {
    if (const ir::Post* post = ir::post_of(group); post && keep_fold_order(post->groups))
      return true;
    if (const auto* reduce = std::get_if<ir::ReduceGroup>(&group)) return ir::order_shows(*reduce);
    if (const auto* scan = std::get_if<ir::ScanGroup>(&group)) return ir::order_shows(*scan);
    return false;
  });
}

} // namespace

bool keeps_fold_order(const ir::Soac& soac) {
  return keep_fold_order(soac.groups);
}

bool folds_scalars(const ir::Function& function, const ir::Soac& soac) {
  return std::all_of(soac.groups.begin(), soac.groups.end(), [&](const ir::Group& group) {
    const std::vector<ir::Operand>* neutral = nullptr;
    if (const auto* reduce = std::get_if<ir::ReduceGroup>(&group)) neutral = &reduce->neutral;
    if (const auto* scan = std::get_if<ir::ScanGroup>(&group)) neutral = &scan->neutral;
    return !neutral || std::all_of(neutral->begin(), neutral->end(), [&](const ir::Operand& value) {
      return function.type(value).is_scalar();
    });
  });
}

bool only_selects(const ir::Soac& soac) {
  return std::all_of(soac.groups.begin(), soac.groups.end(), [](const ir::Group& group) {
    const auto* reduce = std::get_if<ir::ReduceGroup>(&group);
    return reduce && ir::selects_by_order(reduce->combine);
  });
}

const ir::ValueId* input_of_result(const ir::Soac& soac, std::size_t result) {
  for (std::size_t i = 0; i < soac.inputs.size(); ++i)
    if (soac.body.results[result] == ir::Operand(soac.body.parameters[i + 1]))
      return &soac.inputs[i];
  return nullptr;
}

bool may_keep_elements(const ir::Function& function, const ir::Soac& soac) {
  if (ir::has_group<ir::ScanGroup>(soac) || !folds_scalars(function, soac)) return false;
  for (std::size_t i = 0; i < soac.body.results.size(); ++i)
    if (!input_of_result(soac, i)) return true;
  return false;
}

bool may_lie_in_rows(const ir::Type& type) {
  return type.is_scalar() && type.element != ElementType::Bool && byte_size(type.element) >= 4;
}

bool folds_along_rows(const ir::Function& function, const ir::Soac& soac) {
  return keeps_fold_order(soac) && is_elementary(function, soac.body) &&
         std::all_of(soac.groups.begin(), soac.groups.end(), [&](const ir::Group& group) {
           const auto* reduce = std::get_if<ir::ReduceGroup>(&group);
           return reduce && std::all_of(reduce->neutral.begin(), reduce->neutral.end(),
                                        [&](const ir::Operand& neutral) {
                                          return may_lie_in_rows(function.type(neutral));
                                        });
         });
}

bool may_have_segments(const ir::Soac& soac) {
  if (soac.extent.is_constant() &&
      primitives::segments(soac.extent.scalar().as<std::int64_t>(), 1).count == 1)
    return false;
  return std::any_of(soac.groups.begin(), soac.groups.end(), [](const ir::Group& group) {
    const auto* histogram = std::get_if<ir::HistogramGroup>(&group);
    return histogram && ir::order_shows(*histogram);
  });
}

bool has_segments_inside(const ir::Body& body) {
  return std::any_of(body.statements.begin(), body.statements.end(),
                     [](const ir::Statement& statement) {
                       const auto* soac = std::get_if<ir::Soac>(&statement.operation);
                       bool result = soac && may_have_segments(*soac);
                       ir::for_each_body(statement.operation, [&](const ir::Body& inner) {
                         result = result || has_segments_inside(inner);
                       });
                       return result;
                     });
}

bool has_partitions(const ir::Body& body) {
  return std::any_of(
      body.statements.begin(), body.statements.end(), [](const ir::Statement& statement) {
        const auto* soac = std::get_if<ir::Soac>(&statement.operation);
        bool result = soac && ir::has_group<ir::PartitionGroup>(*soac);
        ir::for_each_body(statement.operation,
                          [&](const ir::Body& inner) { result = result || has_partitions(inner); });
        return result;
      });
}

bool may_deal_updates(const ir::Function& function, const ir::Soac& soac) {
  if (soac.groups.size() != 1) return false;
  const auto* const group = std::get_if<ir::HistogramGroup>(&soac.groups[0]);
  if (!group || group->index_count != 1 || !ir::order_shows(*group)) return false;
  const auto is_scalar = [&](const ir::Operand& neutral) {
    return function.type(neutral).is_scalar();
  };
  return std::all_of(group->neutral.begin(), group->neutral.end(), is_scalar) &&
         std::all_of(group->combine.statements.begin(), group->combine.statements.end(),
                     [](const ir::Statement& statement) {
                       return ir::is_scalar_operation(statement.operation);
                     });
}

std::int64_t update_bytes(const ir::Function& function, const ir::HistogramGroup& group) {
  std::size_t bytes = sizeof(std::int32_t);
  for (const ir::Operand& neutral : group.neutral)
    bytes += byte_size(function.type(neutral).element);
  return static_cast<std::int64_t>(bytes);
}

std::optional<std::string> cannot_emit(const ir::Function& function) {
  if (changes_sizes(function, function.body)) return words(Reason::SizesChangeInLoop);
  const ir::Soac* const soac = parallel_soac(function);
  const auto is_known = [&](const ir::Operand& operand) {
    return operand.is_constant() || parameter_index(function, operand.value());
  };
  if (soac && !is_known(soac->extent)) return words(Reason::ExtentInKernel);
  for (std::size_t r = 0; r < function.body.results.size(); ++r) {
    const ir::Type type = function.type(function.body.results[r]);
    for (std::size_t d = 0; d < type.rank(); ++d) {
      if (is_known(type.extents[d])) continue;
      // A filter's arrays are staged at the full extent.
      const bool is_count = soac && d == 0 &&
                            std::find(function.body.results.begin(), function.body.results.end(),
                                      type.extents[d]) != function.body.results.end();
      if (!is_count) return words(Reason::ResultSizeInKernel);
    }
  }
  return std::nullopt;
}

std::vector<std::optional<std::size_t>> results_in_place(const ir::Function& function) {
  std::vector<std::optional<std::size_t>> places;
  for (const ir::Operand& result : function.body.results) {
    places.emplace_back();
    if (!result.is_value() || function.type(result).is_scalar()) continue;
    const ir::ValueId origin = in_place_origin(function.body, result.value());
    if (origin != result.value()) places.back() = parameter_index(function, origin);
  }
  return places;
}

} // namespace sinter::jit
