#include "jit/emit/kernel_layout.h"

#include "jit/emit/kernel_shape.h"
#include "jit/emit/skeletons.h"
#include "jit/ir/costs.h"
#include "jit/ir/groups.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/reasons/reasons.h"
#include "lang/base/overloaded.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <set>
#include <unordered_map>

namespace sinter::jit {

using namespace ir;

namespace {

class LayoutBuilder {
public:
  LayoutBuilder(const Function& function, std::span<const Operand> index_space)
      : function_(function) {
    for (std::uint32_t i = 0; i < function.body.parameters.size(); ++i)
      parameters_.emplace(function.body.parameters[i].index, i);
    for (const Operand& extent : index_space)
      layout_.index_space.push_back(*term(extent));
  }

  KernelLayout run() {
    const Soac* soac = nullptr;
    const Statement* soac_statement = nullptr;
    for (const Statement& statement : function_.body.statements) {
      for (ValueId value : consumed_values(function_, statement.operation))
        if (auto found = parameters_.find(value.index); found != parameters_.end())
          layout_.consumed.push_back(found->second);
      if (const Soac* candidate = std::get_if<Soac>(&statement.operation)) {
        soac = candidate;
        soac_statement = &statement;
      }
    }
    if (layout_.index_space.empty()) soac = nullptr;
    add_results();
    if (!soac) return std::move(layout_);
    add_groups(*soac, *soac_statement);
    layout_.keeps_fold_order = keeps_fold_order(*soac);
    layout_.has_post = has_post(*soac);
    layout_.may_keep_elements = may_keep_elements(function_, *soac);
    find_reusable(*soac, *soac_statement);
    layout_.element_cost = cost(soac->body);
    for (const Group& group : soac->groups)
      if (const Post* post = post_of(group)) {
        CostEstimate more = cost(post->body);
        layout_.element_cost.constant += more.constant;
        std::ranges::move(more.loops, std::back_inserter(layout_.element_cost.loops));
      }
    // Of nested maps that are one index space, the inner extents are counted by it.
    for (std::size_t depth = 1; depth < layout_.index_space.size(); ++depth)
      if (layout_.element_cost.loops.size() == 1) {
        CostEstimate inner = std::move(layout_.element_cost.loops[0].body[0]);
        layout_.element_cost = std::move(inner);
      }
    layout_.element_bytes = element_bytes(*soac, *soac_statement);
    if (may_deal_updates(function_, *soac))
      layout_.update_bytes =
          jit::update_bytes(function_, std::get<HistogramGroup>(soac->groups[0]));
    return std::move(layout_);
  }

private:
  std::optional<std::uint32_t> parameter(ValueId value) const {
    auto found = parameters_.find(value.index);
    if (found == parameters_.end()) return std::nullopt;
    return found->second;
  }
  std::optional<SizeTerm> term(const Operand& operand) const {
    if (operand.is_constant()) return SizeTerm{operand.scalar().as<std::int64_t>(), {}};
    if (std::optional<std::uint32_t> found = parameter(operand.value())) return SizeTerm{0, found};
    return std::nullopt;
  }
  /// Those of the extents, from the given one on, that are known at launch.
  std::vector<SizeTerm> terms(const Type& type, std::size_t from = 0) const {
    std::vector<SizeTerm> result;
    for (std::size_t i = from; i < type.extents.size(); ++i) {
      std::optional<SizeTerm> known = term(type.extents[i]);
      assert(known);
      result.push_back(*known);
    }
    return result;
  }

  void add_results() {
    std::vector<std::optional<std::size_t>> in_place = results_in_place(function_);
    for (std::size_t i = 0; i < function_.body.results.size(); ++i) {
      Type type = function_.type(function_.body.results[i]);
      KernelLayout::Result result;
      result.element = type.element;
      if (i < in_place.size() && in_place[i]) {
        result.kind = KernelLayout::ResultKind::InPlace;
        result.parameter = static_cast<std::uint32_t>(*in_place[i]);
      } else if (!type.is_scalar()) {
        // A filter's arrays have an extent that is no parameter; add_groups completes them.
        bool is_fresh = term(type.extents[0]).has_value();
        result.kind = is_fresh ? KernelLayout::ResultKind::Fresh : KernelLayout::ResultKind::Kept;
        result.extents = terms(type, is_fresh ? 0 : 1);
      }
      layout_.results.push_back(std::move(result));
    }
  }

  /// Which of the function's results a value is; there may be several or none.
  template <typename Visit>
  void for_each_result(ValueId value, Visit&& visit) {
    for (std::size_t i = 0; i < function_.body.results.size(); ++i)
      if (function_.body.results[i] == Operand(value)) visit(i);
  }

  void add_groups(const Soac& soac, const Statement& statement) {
    for_each_group(soac, [&](const Group& group, std::size_t, std::size_t target) {
      layout_.groups |= 1u << static_cast<unsigned>(kind_of(group));
      const std::size_t first = layout_.partials.size();
      for (const Operand& value : partial_values(group)) {
        const Type type = function_.type(value);
        KernelLayout::Partial& partial = layout_.partials.emplace_back();
        partial.is_after_scan =
            post_of(group) && layout_.partials.size() - first > operator_of(group)->results.size();
        partial.group = partial.is_after_scan ? GroupKind::Reduce : kind_of(group);
        partial.element = type.element;
        partial.extents = terms(type);
      }
      const auto partials = std::span(layout_.partials).subspan(first);
      const auto results = std::span(statement.results).subspan(target);
      std::visit(
          Overloaded{[](const MapGroup&) {}, [](const ReduceGroup&) {}, [](const ScanGroup&) {},
                     [](const ScatterGroup&) {},
                     [&](const HistogramGroup& o) { add_bins(o, partials); },
                     [&](const FilterGroup& o) { add_kept(o, results, first); },
                     [&](const PartitionGroup& o) { partials[0].extents = {*term(o.kinds)}; }},
          group);
    });
  }

  /// What chunks' bins begin with.
  void add_bins(const HistogramGroup& group, std::span<KernelLayout::Partial> partials) {
    layout_.is_segmented = layout_.is_segmented || order_shows(group);
    for (std::size_t i = 0; i < partials.size(); ++i) {
      partials[i].index_count = group.index_count;
      partials[i].destination = *parameter(group.destinations[i].value());
      if (group.neutral[i].is_constant())
        partials[i].neutral = group.neutral[i].scalar();
      else
        partials[i].neutral_parameter = *parameter(group.neutral[i].value());
    }
  }

  /// Results of so many elements as chunks have kept.
  void add_kept(const FilterGroup& group, std::span<const ValueId> results, std::size_t count) {
    for_each_result(results[0], [&](std::size_t result) {
      layout_.results[result].kind = KernelLayout::ResultKind::Count;
    });
    for (std::size_t i = 0; i <= group.value_count; ++i)
      for_each_result(results[i], [&](std::size_t result) {
        layout_.results[result].count_partial = static_cast<std::uint32_t>(count);
      });
  }

  /// An array of scalars that is read at the element's own index alone may give its memory to a
  /// result of elements of the same size, which is written there after the element was read.
  void find_reusable(const Soac& soac, const Statement& statement) {
    if (layout_.index_space.size() != 1 || !has_only<MapGroup, ReduceGroup>(soac))
      return; // (elements of others are computed twice)
    const std::vector<std::uint32_t> uses = count_uses(function_);
    for (std::size_t from = 0; from < function_.body.parameters.size(); ++from) {
      const ValueId array = function_.body.parameters[from];
      const std::size_t reads = reads_at_own_index(array, soac);
      if (function_.type(array).rank() != 1 || reads == 0 || reads != uses[array.index]) continue;
      for (ValueId result : statement.results)
        for_each_result(result, [&](std::size_t at) {
          KernelLayout::Result& to = layout_.results[at];
          if (to.kind == KernelLayout::ResultKind::Fresh && to.extents.size() == 1 &&
              byte_size(to.element) == byte_size(function_.type(array).element))
            to.reusable.push_back(static_cast<std::uint32_t>(from));
        });
    }
  }

  /// As an input, and by reads.
  static std::size_t reads_at_own_index(ValueId array, const Soac& soac) {
    auto reads = std::ranges::count(soac.inputs, array);
    for (const Statement& inside : soac.body.statements)
      if (const auto* read = std::get_if<ir::Index>(&inside.operation);
          read && read->array == array &&
          read->indices == std::vector<Operand>{soac.body.parameters[0]})
        ++reads;
    return static_cast<std::size_t>(reads);
  }

  // ---- cost ------------------------------------------------------------------------------------

  CostEstimate cost(const Body& body) const {
    CostEstimate result;
    for (const Statement& statement : body.statements) {
      if (const auto* primitive = std::get_if<Primitive>(&statement.operation)) {
        result.constant += costs::nanoseconds_per_addition * primitive->primitive->cost;
        continue;
      }
      result.constant += costs::nanoseconds_per_addition;
      std::optional<SizeTerm> count = SizeTerm{1, {}};
      if (const auto* loop = std::get_if<For>(&statement.operation)) count = term(loop->bound);
      if (const auto* inner = std::get_if<Soac>(&statement.operation)) count = term(inner->extent);
      if (std::holds_alternative<While>(statement.operation)) count.reset();
      CostEstimate::Repeated repeated{count, {}};
      for_each_body(statement.operation,
                    [&](const Body& inner) { repeated.body.push_back(cost(inner)); });
      if (!repeated.body.empty()) result.loops.push_back(std::move(repeated));
    }
    return result;
  }

  double element_bytes(const Soac& soac, const Statement& statement) const {
    double bytes = 0;
    for (ValueId input : soac.inputs)
      if (function_.type(input).rank() == layout_.index_space.size())
        bytes += static_cast<double>(byte_size(function_.type(input).element));
    for_each_group(soac, [&](const Group& group, std::size_t, std::size_t first) {
      // (Numbers of elements by kind are not of elements.)
      const std::size_t begin = std::holds_alternative<PartitionGroup>(group) ? 1 : 0;
      for (std::size_t i = begin; i < arity(group).results; ++i)
        if (const Type& type = function_.type(statement.results[first + i]);
            type.rank() == layout_.index_space.size())
          bytes += static_cast<double>(byte_size(type.element));
    });
    return bytes;
  }

  const Function& function_;
  KernelLayout layout_;
  std::unordered_map<std::uint32_t, std::uint32_t> parameters_;
};

void add_counts(const CostEstimate& cost, std::vector<SizeTerm>& terms) {
  for (const CostEstimate::Repeated& loop : cost.loops) {
    if (loop.count) terms.push_back(*loop.count);
    for (const CostEstimate& body : loop.body)
      add_counts(body, terms);
  }
}

std::vector<std::uint32_t> size_parameters(const KernelLayout& layout) {
  std::vector<SizeTerm> terms = layout.index_space;
  for (const KernelLayout::Result& result : layout.results)
    std::ranges::copy(result.extents, std::back_inserter(terms));
  for (const KernelLayout::Partial& partial : layout.partials)
    std::ranges::copy(partial.extents, std::back_inserter(terms));
  add_counts(layout.element_cost, terms);
  std::set<std::uint32_t> parameters;
  for (const SizeTerm& term : terms)
    if (term.parameter) parameters.insert(*term.parameter);
  return {parameters.begin(), parameters.end()};
}

} // namespace

std::optional<std::string> unknown_result_size(const Function& function) {
  const std::vector<ValueId>& parameters = function.body.parameters;
  auto is_known = [&](const Operand& extent) {
    return extent.is_constant() ||
           std::find(parameters.begin(), parameters.end(), extent.value()) != parameters.end();
  };
  std::vector<ValueId> counts;
  for (const Statement& statement : function.body.statements)
    if (const Soac* soac = std::get_if<Soac>(&statement.operation))
      for_each_group(*soac, [&](const Group& group, std::size_t, std::size_t target) {
        if (kind_of(group) == GroupKind::Filter) counts.push_back(statement.results[target]);
      });
  for (const Operand& result : function.body.results) {
    const Type type = function.type(result);
    for (std::size_t i = 0; i < type.extents.size(); ++i) {
      bool is_count =
          i == 0 && type.extents[0].is_value() &&
          std::find(counts.begin(), counts.end(), type.extents[0].value()) != counts.end();
      if (!is_count && !is_known(type.extents[i])) return words(Reason::ResultSizeUnknown);
    }
  }
  return std::nullopt;
}

KernelLayout kernel_layout(const Function& function, std::span<const Operand> index_space) {
  KernelLayout layout = LayoutBuilder(function, index_space).run();
  layout.size_parameters = size_parameters(layout);
  return layout;
}

Extents values_of(const std::vector<SizeTerm>& terms, std::span<const std::uint64_t> scalars) {
  Extents result(terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i)
    result[i] = value_of(terms[i], scalars);
  return result;
}

double value_of(const CostEstimate& cost, std::span<const std::uint64_t> scalars) {
  double result = cost.constant;
  for (const CostEstimate::Repeated& loop : cost.loops) {
    double count = loop.count ? static_cast<double>(value_of(*loop.count, scalars))
                              : costs::unknown_count_in_launch;
    for (const CostEstimate& body : loop.body)
      result += std::max(count, 0.0) * value_of(body, scalars);
  }
  return result;
}

} // namespace sinter::jit
