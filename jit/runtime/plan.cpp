// From IR to plans: slots are given out, operands decoded, kernels cut out.

#include "jit/runtime/plan.h"

#include "jit/ir/groups.h"
#include "jit/ir/walk.h"
#include "jit/passes/short_rounds.h"
#include "jit/runtime/extract.h"
#include "jit/runtime/loop_team.h"
#include "jit/runtime/prepare.h"
#include "jit/runtime/versioned_kernel.h"
#include "lang/base/overloaded.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace sinter::jit {

using namespace plan;

namespace {

/// Whether a block launches kernels itself: not within a loop of its own.
bool has_launches(const Block& block) {
  return std::any_of(block.steps.begin(), block.steps.end(), [](const Step& step) {
    return std::holds_alternative<Launch>(step.action) ||
           (std::holds_alternative<Branch>(step.action) &&
            std::any_of(step.blocks.begin(), step.blocks.end(), has_launches));
  });
}

bool is_loop(const ir::Operation& operation) {
  return std::holds_alternative<ir::For>(operation) || std::holds_alternative<ir::While>(operation);
}

/// The scalar that all elements of the result are, if that is all that the operation makes: what
/// `replicate` says, also of arrays of arrays.
std::optional<ir::Operand> element_of_fill(const ir::Operation& operation) {
  const auto* soac = std::get_if<ir::Soac>(&operation);
  if (!soac || !soac->inputs.empty() || soac->groups.size() != 1 ||
      !std::holds_alternative<ir::MapGroup>(soac->groups[0]))
    return std::nullopt;
  const ir::Body& body = soac->body;
  std::optional<ir::Operand> element = body.results[0];
  if (!body.statements.empty()) {
    const ir::Statement& row = body.statements[0];
    if (body.statements.size() > 1 || row.results.size() != 1 ||
        *element != ir::Operand(row.results[0]))
      return std::nullopt;
    element = element_of_fill(row.operation);
  }
  if (element == ir::Operand(body.parameters[0])) return std::nullopt;
  return element;
}

class Planner {
public:
  Planner(const ir::Function& function, KernelPolicy policy, const Places& places,
          const CompileOptions& options)
      : function_(function), policy_(policy), places_(places), options_(options) {}

  Plan run() {
    collect_constants(function_.body);
    next_scalar_ = static_cast<Slot>(plan_.constants.size());
    plan_.body = block(function_.body);
    plan_.scalar_count = next_scalar_;
    plan_.array_count = next_array_;
    mark_pending(plan_.body);
    mark_last_uses(plan_);
    return std::move(plan_);
  }

private:
  // ---- slots -----------------------------------------------------------------------------------

  Slot constant(Scalar scalar) {
    auto [found, is_new] =
        constants_.try_emplace(scalar.bits, static_cast<Slot>(plan_.constants.size()));
    if (is_new) plan_.constants.push_back(scalar);
    return found->second;
  }
  void collect_constants(const ir::Body& body) {
    auto visit = [&](const ir::Operand& operand) {
      if (operand.is_constant()) constant(operand.scalar());
    };
    for (const ir::Operand& result : body.results)
      visit(result);
    for (const ir::Statement& statement : body.statements) {
      ir::for_each_operand(statement.operation, visit);
      if (const auto* choice = std::get_if<ir::If>(&statement.operation);
          choice && is_for_host_alone(*choice))
        constant(Scalar::of(true)); // where one branch is always taken
      ir::for_each_body(statement.operation,
                        [&](const ir::Body& inner) { collect_constants(inner); });
      for (ir::ValueId result : statement.results)
        for (const ir::Operand& extent : function_.type(result).extents)
          visit(extent);
    }
  }
  Target target(ir::ValueId value) {
    bool is_array = !function_.type(value).is_scalar();
    auto [found, is_new] = slots_.try_emplace(value.index, 0);
    if (is_new) found->second = is_array ? next_array_++ : next_scalar_++;
    return {found->second, is_array};
  }
  /// Gives a value the slot of another one.
  void share(ir::ValueId value, Target with) { slots_.insert_or_assign(value.index, with.slot); }
  std::vector<Target> targets(const std::vector<ir::ValueId>& values) {
    std::vector<Target> result;
    for (ir::ValueId value : values)
      result.push_back(target(value));
    return result;
  }
  /// A scalar that the host reads.
  Slot scalar(const ir::Operand& operand) {
    if (operand.is_constant()) return constant(operand.scalar());
    const Slot slot = target(operand.value()).slot;
    host_reads_.insert(slot);
    return slot;
  }
  Use use(const ir::Operand& operand) {
    const Use result = use_of_launch(operand);
    if (!result.is_array) host_reads_.insert(result.slot);
    return result;
  }
  /// The same, but a scalar may be pending.
  Use use_of_launch(const ir::Operand& operand) {
    if (operand.is_constant()) return {constant(operand.scalar()), false};
    Target at = target(operand.value());
    return {at.slot, at.is_array};
  }
  std::vector<Use> uses(const std::vector<ir::Operand>& operands) {
    std::vector<Use> result;
    for (const ir::Operand& operand : operands)
      result.push_back(use(operand));
    return result;
  }
  std::vector<Slot> scalars(const std::vector<ir::Operand>& operands) {
    std::vector<Slot> result;
    for (const ir::Operand& operand : operands)
      result.push_back(scalar(operand));
    return result;
  }
  Shape shape(ir::ValueId value) {
    const ir::Type& type = function_.type(value);
    return {type.element, scalars(type.extents)};
  }
  std::vector<SliceDimension> dimensions(const std::vector<ir::Slice::Dimension>& list) {
    std::vector<SliceDimension> result;
    for (const ir::Slice::Dimension& dimension : list)
      result.push_back({scalar(dimension.begin), scalar(dimension.stride)});
    return result;
  }

  // ---- statements ------------------------------------------------------------------------------

  Block block(const ir::Body& body) {
    Block result;
    result.parameters = targets(body.parameters);
    ++depth_;
    const std::size_t entered = sizes_.enter();
    for (const ir::Statement& statement : body.statements) {
      result.steps.push_back(step(statement));
      sizes_.note(statement);
    }
    sizes_.leave(entered);
    --depth_;
    if (depth_ > 0) {
      result.results = uses(body.results);
    } else {
      for (const ir::Operand& operand : body.results)
        result.results.push_back(use_of_launch(operand));
    }
    return result;
  }

  /// Says of each launch which of its scalars nobody but launches reads.
  void mark_pending(Block& block) {
    for (Step& step : block.steps) {
      if (auto* launch = std::get_if<Launch>(&step.action))
        for (const Target& target : step.targets)
          launch->may_be_pending.push_back(!target.is_array && !host_reads_.contains(target.slot));
      for (Block& inner : step.blocks)
        mark_pending(inner);
    }
  }

  bool wants_kernel(const ir::Statement& statement) const {
    if (policy_ == KernelPolicy::WalkEverything) return false;
    const bool walks_outermost =
        policy_ == KernelPolicy::WalkOutermost || policy_ == KernelPolicy::CompileInside;
    if (walks_outermost && depth_ == 1) return false;
    return is_worth_kernel(statement.operation);
  }

  Step step(const ir::Statement& statement) {
    Step result = step_without_span(statement);
    result.span = statement.span;
    return result;
  }
  Step step_without_span(const ir::Statement& statement) {
    if (std::optional<Step> fill = fill_step(statement)) return std::move(*fill);
    if (wants_kernel(statement))
      if (std::optional<Step> launch = launch_step(statement)) return std::move(*launch);
    return std::visit([&](const auto& operation) { return plan_operation(operation, statement); },
                      statement.operation);
  }

  std::optional<Step> fill_step(const ir::Statement& statement) {
    const std::optional<ir::Operand> element = element_of_fill(statement.operation);
    // (Rows are left to kernels.)
    if (!element || (element->is_value() && !function_.type(*element).is_scalar()))
      return std::nullopt;
    plan_.filled_soacs += static_cast<std::uint32_t>(function_.type(statement.results[0]).rank());
    return view(Filled{shape(statement.results[0])}, {*element}, statement);
  }

  std::optional<Step> launch_step(const ir::Statement& statement) {
    ExtractedKernel kernel = extract_kernel(function_, statement, sizes_);
    std::vector<KernelAtPlace> forms =
        forms_at_places(kernel.function, places_, options_,
                        policy_ != KernelPolicy::Compile && policy_ != KernelPolicy::CompileInside);
    // A loop's inside may still have kernels of its own, in the same frame.
    if (is_loop(statement.operation) && is_refused_everywhere(forms)) return std::nullopt;
    Step result;
    for (ir::ValueId argument : kernel.arguments)
      result.uses.push_back(use_of_launch(ir::Operand(argument)));
    result.targets = targets(statement.results);
    CompileOptions options = options_;
    options.is_late = streams_ > 0 || is_whole_loop(statement.operation);
    plan_.kernels.push_back(std::make_unique<VersionedKernel>(
        std::move(kernel.function), statement.span, std::move(forms), places_, options));
    result.action = Launch{plan_.kernels.back().get(), plan_.launch_count++};
    return result;
  }

  Step plan_operation(const ir::Primitive& operation, const ir::Statement& statement) {
    Apply apply{operation.primitive->apply, {}, target(statement.results[0]).slot};
    for (std::size_t i = 0; i < operation.arguments.size(); ++i)
      apply.arguments[i] = scalar(operation.arguments[i]);
    return {.action = apply};
  }
  Step plan_operation(const ir::Select& operation, const ir::Statement& statement) {
    return {.action = Choose{scalar(operation.condition), scalar(operation.then_value),
                             scalar(operation.else_value), target(statement.results[0]).slot}};
  }
  Step plan_operation(const ir::Check& operation, const ir::Statement&) {
    return {.action = CheckCondition{scalar(operation.condition), operation.site.index}};
  }
  Step plan_operation(const ir::If& operation, const ir::Statement& statement) {
    // (Either branch may run: whole arrays, launch by launch, are what other places work on.)
    if (is_for_host_alone(operation)) {
      if (!places_.is_host_alone()) return only_branch(operation.else_body, statement);
      if (streams(operation) && options_.piece > 0)
        return only_branch(operation.then_body, statement);
    }
    Step result{.action = Branch{scalar(operation.condition)}};
    result.blocks.push_back(block(operation.then_body));
    result.blocks.push_back(block(operation.else_body));
    result.targets = targets(statement.results);
    return result;
  }
  /// Whether the choice is between a stream and the whole.
  static bool streams(const ir::If& choice) {
    return choice.is_shortcut &&
           std::ranges::any_of(choice.then_body.statements, [](const ir::Statement& statement) {
             return std::holds_alternative<ir::Stream>(statement.operation);
           });
  }
  /// Whether the choice is between what the host does by itself and what any place does.
  static bool is_for_host_alone(const ir::If& choice) {
    return streams(choice) ||
           (choice.is_shortcut &&
            std::ranges::any_of(choice.then_body.statements, [](const ir::Statement& statement) {
              return is_whole_loop(statement.operation);
            }));
  }
  /// A branch that is always taken.
  Step only_branch(const ir::Body& branch, const ir::Statement& statement) {
    Step result{.action = Branch{constant(Scalar::of(true))}};
    result.blocks.push_back(block(branch));
    result.targets = targets(statement.results);
    return result;
  }
  Step plan_operation(const ir::For& operation, const ir::Statement& statement) {
    Step result{.action = CountedLoop{scalar(operation.bound), operation.index_type}};
    result.uses = uses(operation.initial);
    result.blocks.push_back(block(operation.body));
    const std::vector<Target>& parameters = result.blocks[0].parameters;
    for (std::size_t i = 0; i < statement.results.size(); ++i)
      share(statement.results[i], parameters[i + 1]);
    result.targets.assign(parameters.begin() + 1, parameters.end());
    auto& loop = std::get<CountedLoop>(result.action);
    loop.repeated = repeated_launch(result.blocks[0]);
    loop.may_go_by_team = LoopTeam::may_go_through(result.blocks[0]);
    if (has_launches(result.blocks[0])) loop.meter = std::make_unique<WorkMeter>();
    return result;
  }
  Step plan_operation(const ir::While& operation, const ir::Statement& statement) {
    Step result{.action = ConditionLoop{}};
    result.uses = uses(operation.initial);
    for (std::size_t i = 0; i < statement.results.size(); ++i) {
      Target state = target(statement.results[i]);
      share(operation.condition.parameters[i], state);
      share(operation.body.parameters[i], state);
      result.targets.push_back(state);
    }
    result.blocks.push_back(block(operation.condition));
    result.blocks.push_back(block(operation.body));
    if (has_launches(result.blocks[0]) || has_launches(result.blocks[1]))
      std::get<ConditionLoop>(result.action).meter = std::make_unique<WorkMeter>();
    return result;
  }
  Step plan_operation(const ir::Stream& operation, const ir::Statement& statement) {
    Step result{.action = StreamLoop{scalar(operation.extent), operation.unit,
                                     operation.element_bytes, options_.piece}};
    result.uses = uses(operation.initial);
    ++streams_;
    result.blocks.push_back(block(operation.body));
    --streams_;
    const std::vector<Target>& parameters = result.blocks[0].parameters;
    for (std::size_t i = 0; i < statement.results.size(); ++i)
      share(statement.results[i], parameters[i + 2]);
    result.targets.assign(parameters.begin() + 2, parameters.end());
    auto& loop = std::get<StreamLoop>(result.action);
    loop.pieces = std::make_unique<PieceMeter>();
    if (has_launches(result.blocks[0])) loop.meter = std::make_unique<WorkMeter>();
    return result;
  }
  class GroupCollector;
  Step plan_operation(const ir::Soac& operation, const ir::Statement& statement);

  Step plan_operation(const ir::Index& operation, const ir::Statement& statement) {
    Step result;
    result.uses.push_back(use(operation.array));
    Target to = target(statement.results[0]);
    if (to.is_array) {
      result.action = IndexView{scalars(operation.indices)};
      result.targets.push_back(to);
    } else {
      result.action = Load{scalars(operation.indices), to.slot};
    }
    return result;
  }
  Step view(Action action, const std::vector<ir::Operand>& arrays, const ir::Statement& statement) {
    return {std::move(action), uses(arrays), targets(statement.results), {}, {}};
  }
  Step plan_operation(const ir::Slice& operation, const ir::Statement& statement) {
    return view(SliceView{dimensions(operation.dimensions), shape(statement.results[0])},
                {operation.array}, statement);
  }
  Step plan_operation(const ir::Transpose& operation, const ir::Statement& statement) {
    return view(TransposeView{operation.permutation}, {operation.array}, statement);
  }
  Step plan_operation(const ir::Reshape& operation, const ir::Statement& statement) {
    return view(Reshaped{shape(statement.results[0])}, {operation.array}, statement);
  }
  Step plan_operation(const ir::Update& operation, const ir::Statement& statement) {
    return view(Store{scalars(operation.indices)}, {operation.array, operation.value}, statement);
  }
  Step plan_operation(const ir::UpdateSlice& operation, const ir::Statement& statement) {
    return view(StoreSlice{dimensions(operation.dimensions)}, {operation.array, operation.value},
                statement);
  }
  Step plan_operation(const ir::Concat& operation, const ir::Statement& statement) {
    return view(Joined{shape(statement.results[0])},
                {operation.arrays.begin(), operation.arrays.end()}, statement);
  }
  Step plan_operation(const ir::ArrayLiteral& operation, const ir::Statement& statement) {
    return view(Literal{shape(statement.results[0])}, operation.elements, statement);
  }
  Step plan_operation(const ir::Copy& operation, const ir::Statement& statement) {
    return view(Copied{}, {operation.array}, statement);
  }

  const ir::Function& function_;
  KernelPolicy policy_;
  const Places& places_;
  const CompileOptions& options_;
  Plan plan_;
  std::unordered_map<std::uint32_t, Slot> slots_;
  std::map<std::uint64_t, Slot> constants_;
  std::unordered_set<Slot> host_reads_; ///< scalars that host-level code reads
  Slot next_scalar_ = 0, next_array_ = 0;
  ir::SizesBefore sizes_;
  unsigned depth_ = 0;   ///< of bodies being planned
  unsigned streams_ = 0; ///< among them
};

/// Collects a walked SOAC's step: its groups, and those of their posts, take uses, body results,
/// targets and operators in order.
class Planner::GroupCollector {
public:
  GroupCollector(Planner& planner, const ir::Statement& statement, Step& step)
      : planner_(planner), statement_(statement), step_(step) {}

  /// Those of a SOAC or of a post.
  std::vector<WalkSoac::Group> groups(const std::vector<ir::Group>& nodes) {
    std::vector<WalkSoac::Group> result;
    std::uint32_t body_result = 0;
    for (const ir::Group& node : nodes) {
      WalkSoac::Group group;
      group.first_result = body_result;
      group.first_target = next_target_;
      group.kind = ir::kind_of(node);
      std::visit([&](const auto& kind) { collect(kind, group); }, node);
      if (const ir::Post* post = ir::post_of(node)) {
        group.post = add_operator(post->body);
        group.passed = post->value_count;
        group.post_groups = groups(post->groups);
      } else {
        next_target_ += static_cast<std::uint32_t>(ir::arity(node).results);
      }
      body_result += group.index_count + group.width + group.passed;
      result.push_back(std::move(group));
    }
    return result;
  }

private:
  void collect(const ir::MapGroup&, WalkSoac::Group& group) { add_shapes(group, next_target_, 1); }
  void collect(const ir::ReduceGroup& reduce, WalkSoac::Group& group) {
    group.first_use = add_uses(reduce.neutral);
    add_before(reduce.before, group);
    group.combine = add_operator(reduce.combine);
    group.width = static_cast<std::uint32_t>(reduce.neutral.size());
  }
  void collect(const ir::ScanGroup& scan, WalkSoac::Group& group) {
    group.first_use = add_uses(scan.neutral);
    add_before(scan.before, group);
    group.combine = add_operator(scan.combine);
    group.width = static_cast<std::uint32_t>(scan.neutral.size());
    if (scan.post.empty()) add_shapes(group, next_target_, group.width);
  }
  void collect(const ir::ScatterGroup& scatter, WalkSoac::Group& group) {
    group.first_use = add_uses({scatter.destination});
    group.index_count = scatter.index_count;
  }
  void collect(const ir::HistogramGroup& histogram, WalkSoac::Group& group) {
    group.first_use = add_uses(histogram.destinations);
    group.neutral_use = add_uses(histogram.neutral);
    group.combine = add_operator(histogram.combine);
    group.width = static_cast<std::uint32_t>(histogram.destinations.size());
    group.index_count = histogram.index_count;
  }
  void collect(const ir::FilterGroup& filter, WalkSoac::Group& group) {
    group.width = filter.value_count;
    group.index_count = 1; // the condition
    add_shapes(group, next_target_ + 1, filter.value_count);
  }
  void collect(const ir::PartitionGroup& partition, WalkSoac::Group& group) {
    group.width = partition.value_count;
    group.index_count = 1; // the kind
    add_shapes(group, next_target_, 1 + partition.value_count);
  }

  std::uint32_t add_uses(const std::vector<ir::Operand>& operands) {
    const auto first = static_cast<std::uint32_t>(step_.uses.size());
    for (const ir::Operand& operand : operands)
      step_.uses.push_back(planner_.use(operand));
    return first;
  }
  void add_before(const std::vector<ir::Before>& before, WalkSoac::Group& group) {
    if (before.empty()) return;
    group.before_use = add_uses({before[0].are_there});
    add_uses(before[0].values);
  }
  std::uint32_t add_operator(const ir::Body& combine) {
    step_.blocks.push_back(planner_.block(combine));
    return static_cast<std::uint32_t>(step_.blocks.size() - 1);
  }
  void add_shapes(WalkSoac::Group& group, std::uint32_t begin, std::uint32_t count) {
    for (std::uint32_t i = begin; i < begin + count; ++i)
      group.results.push_back(planner_.shape(statement_.results[i]));
  }

  Planner& planner_;
  const ir::Statement& statement_;
  Step& step_;
  std::uint32_t next_target_ = 0;
};

Step Planner::plan_operation(const ir::Soac& operation, const ir::Statement& statement) {
  WalkSoac soac;
  soac.extent = scalar(operation.extent);
  soac.input_count = static_cast<std::uint32_t>(operation.inputs.size());
  Step result;
  for (ir::ValueId input : operation.inputs)
    result.uses.push_back(use(input));
  result.blocks.push_back(block(operation.body));
  result.targets = targets(statement.results);
  soac.groups = GroupCollector(*this, statement, result).groups(operation.groups);
  result.action = std::move(soac);
  return result;
}

} // namespace

Plan make_plan(const ir::Function& function, KernelPolicy policy, const Places& places,
               const CompileOptions& options) {
  return Planner(function, policy, places, options).run();
}

} // namespace sinter::jit
