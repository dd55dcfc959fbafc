#include "gpu/skeletons/across_reads.h"

#include "gpu/skeletons/transposition.h"
#include "jit/emit/kernel_shape.h"
#include "jit/ir/walk.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <unordered_map>

namespace sinter::gpu {

using namespace ir;

namespace {

/// Rows so short lie in one or two pieces that memory is read by.
constexpr std::int64_t least_row_bytes = 64;
/// So few elements come from caches anyway.
constexpr std::int64_t least_elements = 1 << 16;
constexpr std::int64_t least_threads = 1 << 8;

class AcrossReads {
public:
  explicit AcrossReads(const Function& function) : function_(function) {}

  std::vector<std::uint32_t> find() {
    const Soac* threads = jit::parallel_soac(function_);
    if (!threads || !jit::has_only<MapGroup>(*threads)) return {};
    if (const Soac* const inner = jit::nested_map(function_, *threads)) threads = inner;
    thread_ = threads->body.parameters[0];
    for (std::size_t i = 0; i < threads->inputs.size(); ++i) {
      const ValueId element = threads->body.parameters[i + 1];
      if (!function_.type(element).is_scalar()) rows_.emplace(element.index, threads->inputs[i]);
    }
    visit(function_.body, threads, 0);
    std::vector<std::uint32_t> result;
    for (std::uint32_t p = 0; p < function_.body.parameters.size(); ++p) {
      const auto found = uses_.find(function_.body.parameters[p].index);
      if (found != uses_.end() && found->second.across > 0 && found->second.others == 0)
        result.push_back(p);
    }
    return result;
  }

private:
  struct Uses {
    std::size_t across = 0, others = 0;
  };

  /// `loops`: how many loops of a thread are around.
  void visit(const Body& body, const Soac* threads, unsigned loops) {
    for (const Statement& statement : body.statements) {
      const auto* soac = std::get_if<Soac>(&statement.operation);
      const bool is_threads = soac == threads && soac;
      const bool is_around = soac && !is_threads && !is_inside_thread_;
      note_uses(statement, is_threads, loops);
      const bool was_inside = is_inside_thread_;
      is_inside_thread_ = was_inside || is_threads;
      const bool is_loop = soac || std::holds_alternative<For>(statement.operation) ||
                           std::holds_alternative<While>(statement.operation);
      for_each_body(statement.operation, [&](const Body& inner) {
        visit(inner, threads, loops + (is_loop && !is_threads && !is_around ? 1 : 0));
      });
      is_inside_thread_ = was_inside;
    }
    for (const Operand& result : body.results)
      if (result.is_value()) note(result.value(), false);
  }

  void note_uses(const Statement& statement, bool is_threads, unsigned loops) {
    const auto* index = std::get_if<Index>(&statement.operation);
    const auto* soac = std::get_if<Soac>(&statement.operation);
    if (index) return note(index->array, is_across(*index, loops));
    for_each_operand(statement.operation, [&](const Operand& operand) {
      if (!operand.is_value()) return;
      const ValueId value = operand.value();
      // What threads are given, they read as their bodies say.
      if (is_threads && is_given(*soac, value)) return;
      note(value, soac && rows_.contains(value.index) && is_given(*soac, value));
    });
  }

  static bool is_given(const Soac& soac, ValueId value) {
    return std::find(soac.inputs.begin(), soac.inputs.end(), value) != soac.inputs.end();
  }

  /// An element of the thread's row, or by the thread's number first, in a loop.
  bool is_across(const Index& index, unsigned loops) const {
    if (loops == 0) return false;
    if (rows_.contains(index.array.index)) return true;
    return index.indices[0] == Operand(thread_) && index.indices.size() > 1 &&
           std::find(index.indices.begin() + 1, index.indices.end(), Operand(thread_)) ==
               index.indices.end();
  }

  /// A use of an array, or of a thread's row of one.
  void note(ValueId value, bool is_across) {
    const auto row = rows_.find(value.index);
    Uses& uses = uses_[(row == rows_.end() ? value : row->second).index];
    ++(is_across ? uses.across : uses.others);
  }

  const Function& function_;
  ValueId thread_;
  bool is_inside_thread_ = false;
  std::unordered_map<std::uint32_t, ValueId> rows_; ///< elements of threads' inputs, and of which
  std::unordered_map<std::uint32_t, Uses> uses_;
};

bool is_worth_turning(const Leaf& argument) {
  if (argument.extents.size() < 2 || is_empty(argument.extents) || !is_row_major(argument))
    return false;
  const std::int64_t elements = element_count(argument.extents);
  const std::int64_t threads = argument.extents[0], row = elements / threads;
  return threads >= least_threads && elements >= least_elements &&
         row * static_cast<std::int64_t>(byte_size(argument.element)) >= least_row_bytes &&
         can_transpose(threads, row);
}

} // namespace

std::vector<std::uint32_t> parameters_read_across(const Function& kernel) {
  return AcrossReads(kernel).find();
}

void forget_order(ir::ArrayLayouts& layouts, std::span<const std::uint32_t> parameters) {
  for (const std::uint32_t parameter : parameters)
    if (parameter < layouts.size()) layouts[parameter] = ir::ArrayLayout::Strided;
}

std::vector<std::uint32_t> worth_turning(const LaunchSizes& sizes,
                                         std::span<const std::uint32_t> parameters) {
  std::vector<std::uint32_t> result;
  for (const std::uint32_t parameter : parameters)
    if (is_worth_turning(std::get<Leaf>(sizes.arguments[parameter]))) result.push_back(parameter);
  return result;
}

} // namespace sinter::gpu
