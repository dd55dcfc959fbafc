#include "jit/passes/read_places.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using primitives::Operation;

namespace {

/// Where a number comes from.  Levels count the bodies around that run many times.
struct Source {
  unsigned level = 0;             ///< it is the same for all of what runs within
  std::optional<ValueId> index{}; ///< of a SOAC, that it goes along with
};

class PlaceFinder {
public:
  explicit PlaceFinder(const Function& function) : function_(function) {}

  std::unordered_map<std::uint32_t, ReadPlaces> find() && {
    define(function_.body.parameters, 0);
    body(function_.body, 0);
    return std::move(found_);
  }

private:
  /// An array that is looked at, and by which indices so far.
  struct Seen {
    ValueId array;
    std::vector<Source> indices;
    bool is_unclear = false; ///< an element may be there for several indices
    bool is_transposed = false;
  };

  void define(const std::vector<ValueId>& values, unsigned level) {
    for (const ValueId value : values)
      sources_[value.index] = {level, {}};
  }
  Source source(const Operand& operand) const {
    return operand.is_constant() ? Source{} : sources_.at(operand.value().index);
  }

  void body(const Body& body, unsigned level) {
    for (const Statement& statement : body.statements)
      this->statement(statement, level);
    for (const Operand& result : body.results)
      keep(result);
  }

  void statement(const Statement& statement, unsigned level) {
    define(statement.results, level);
    if (is_strided_view(statement.operation)) {
      look(statement, level);
    } else if (const auto* soac = std::get_if<Soac>(&statement.operation)) {
      return this->soac(*soac, level);
    } else {
      for_each_operand(statement.operation, [&](const Operand& operand) { keep(operand); });
    }
    follow(statement);
    const bool is_choice = std::holds_alternative<If>(statement.operation);
    for_each_body(statement.operation, [&](const Body& inner) {
      define(inner.parameters, level + 1);
      body(inner, is_choice ? level : level + 1);
    });
  }

  void soac(const Soac& soac, unsigned level) {
    const unsigned scanned_around = scanned_level_;
    if (has_group<ScanGroup>(soac)) scanned_level_ = level + 1;
    const ValueId index = soac.body.parameters[0];
    sources_[index.index] = {level + 1, index};
    for (std::size_t i = 0; i < soac.inputs.size(); ++i) {
      const ValueId element = soac.body.parameters[i + 1];
      define({element}, level + 1);
      Seen view = this->view(soac.inputs[i]);
      view.indices.push_back(source(index));
      see(element, std::move(view), level + 1);
    }
    for (const Group& group : soac.groups) {
      for_each_operand(group, [&](const Operand& operand) { keep(operand); });
      for_each_body(group, [&](const Body& inner) {
        define(inner.parameters, level + 1);
        body(inner, level + 1);
      });
    }
    body(soac.body, level + 1);
    scanned_level_ = scanned_around;
  }

  Seen view(ValueId array) const {
    const auto found = views_.find(array.index);
    return found == views_.end() ? Seen{array, {}} : found->second;
  }

  void look(const Statement& statement, unsigned level) {
    Seen view = this->view(source_array(statement.operation));
    if (const auto* index = std::get_if<ir::Index>(&statement.operation)) {
      for (const Operand& each : index->indices)
        view.indices.push_back(source(each));
    } else if (const auto* slice = std::get_if<Slice>(&statement.operation)) {
      const unsigned array_level = sources_.at(view.array.index).level;
      for (const Slice::Dimension& dimension : slice->dimensions)
        view.is_unclear = view.is_unclear || source(dimension.begin).level > array_level ||
                          !dimension.stride.is_constant() || dimension.stride == Operand::i64(0);
    } else {
      view.is_transposed = true;
    }
    see(statement.results[0], std::move(view), level);
  }

  /// What is seen is an element, which is read here, or an array.
  void see(ValueId seen, Seen view, unsigned level) {
    if (!function_.type(seen).is_scalar()) {
      views_.insert_or_assign(seen.index, std::move(view));
      return;
    }
    ReadPlaces& places = found_[view.array.index];
    ++places.count;
    places.is_read_once = places.is_read_once && reads_once(view, level);
    places.is_read_in_order = places.is_read_in_order && reads_in_order(view);
  }

  /// Whether there is another element for each time.
  bool reads_once(const Seen& view, unsigned level) const {
    if (view.is_unclear) return false;
    const unsigned array_level = sources_.at(view.array.index).level;
    if (scanned_level_ > array_level) return false;
    std::vector<ValueId> along;
    for (const Source& each : view.indices) {
      if (each.level <= array_level) continue;
      if (!each.index || std::ranges::find(along, *each.index) != along.end()) return false;
      along.push_back(*each.index);
    }
    return along.empty() || along.size() == level - array_level;
  }

  static bool reads_in_order(const Seen& view) {
    return !view.is_transposed && std::ranges::is_sorted(view.indices, {}, &Source::level);
  }

  void keep(const Operand& operand) {
    if (operand.is_value() && !function_.type(operand).is_scalar())
      found_[view(operand.value()).array.index].is_only_read = false;
  }

  /// Notes what a scalar goes along with.
  void follow(const Statement& statement) {
    std::vector<Operand> parts;
    if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation)) {
      parts = primitive->arguments;
      if (!is_step(primitive->primitive->operation)) return depend(statement.results[0], parts);
    } else if (const auto* select = std::get_if<Select>(&statement.operation)) {
      parts = {select->then_value, select->else_value};
    } else {
      return;
    }
    Source whole;
    for (const Operand& part : parts) {
      const Source each = source(part);
      if (!each.index) {
        if (each.level > whole.level) whole = each;
      } else if (!whole.index || *whole.index == *each.index) {
        whole = each;
      } else {
        return depend(statement.results[0], parts);
      }
    }
    // (Of what varies within the index's body the sum is anything.)
    for (const Operand& part : parts)
      if (whole.index && !source(part).index && source(part).level >= whole.level)
        return depend(statement.results[0], parts);
    sources_[statement.results[0].index] = whole;
  }

  /// It is something of all of them.
  void depend(ValueId result, const std::vector<Operand>& parts) {
    Source whole;
    for (const Operand& part : parts)
      whole.level = std::max(whole.level, source(part).level);
    sources_[result.index] = whole;
  }

  static bool is_step(Operation operation) {
    return operation == Operation::Add || operation == Operation::Subtract ||
           operation == Operation::Minimum || operation == Operation::Maximum;
  }

  const Function& function_;
  unsigned scanned_level_ =
      0; ///< of the innermost body around whose results are scanned: it runs twice
  std::unordered_map<std::uint32_t, ReadPlaces> found_;
  std::unordered_map<std::uint32_t, Source> sources_; ///< by value
  std::unordered_map<std::uint32_t, Seen> views_;     ///< by value
};

} // namespace

std::unordered_map<std::uint32_t, ReadPlaces> read_places(const Function& function) {
  return PlaceFinder(function).find();
}

} // namespace sinter::jit
