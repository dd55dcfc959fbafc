#include "tests/unit/jit_pieces/in_pieces.h"

#include <algorithm>

namespace sinter::jit {

namespace {

using ir::DenseArray;
using ir::DenseValue;
using State = std::vector<DenseValue>;

DenseArray rows(const DenseArray& array, std::int64_t begin, std::int64_t end) {
  DenseArray result{array.element, array.extents, {}};
  result.extents[0] = end - begin;
  std::int64_t size = 1;
  for (std::size_t d = 1; d < array.extents.size(); ++d)
    size *= array.extents[d];
  result.elements.own().assign(array.elements.begin() + begin * size,
                               array.elements.begin() + end * size);
  return result;
}

State chunk_arguments(const PieceFunctions& functions, const std::vector<DenseValue>& arguments,
                      std::int64_t n, std::int64_t first, std::int64_t count) {
  using Kind = ChunkArgument::Kind;
  State result;
  for (const ChunkArgument& argument : functions.arguments) {
    const std::int64_t begin = std::max<std::int64_t>(0, first - argument.low);
    const std::int64_t end = std::min(n, first + count + argument.high);
    switch (argument.kind) {
    case Kind::First:
      result.emplace_back(Scalar::of(first));
      break;
    case Kind::Count:
      result.emplace_back(Scalar::of(count));
      break;
    case Kind::HaloBegin:
      result.emplace_back(Scalar::of(begin));
      break;
    case Kind::HaloCount:
      result.emplace_back(Scalar::of(end - begin));
      break;
    case Kind::Block:
      result.emplace_back(rows(std::get<DenseArray>(arguments[argument.parameter]), begin, end));
      break;
    case Kind::Whole:
      result.push_back(arguments[argument.parameter]);
      break;
    }
  }
  return result;
}

void append(DenseValue& all, const DenseValue& more) {
  DenseArray& array = std::get<DenseArray>(all);
  const DenseArray& behind = std::get<DenseArray>(more);
  array.extents[0] += behind.extents[0];
  std::vector<Scalar>& elements = array.elements.own();
  elements.insert(elements.end(), behind.elements.begin(), behind.elements.end());
}

DenseValue stacked(const StateComponent& component, const DenseValue& value) {
  if (const auto* scalar = std::get_if<Scalar>(&value))
    return DenseArray{component.element, {1}, {*scalar}};
  DenseArray array = std::get<DenseArray>(value);
  array.extents.insert(array.extents.begin(), 1);
  return array;
}

void combine(const std::vector<StateComponent>& components, State& all, State more) {
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (components[i].role == StateRole::Stacked) more[i] = stacked(components[i], more[i]);
    if (all.size() == i) {
      all.push_back(std::move(more[i]));
      continue;
    }
    switch (components[i].role) {
    case StateRole::Shared:
      break;
    case StateRole::Sum:
      all[i] = Scalar::of(std::get<Scalar>(all[i]).as<std::int64_t>() +
                          std::get<Scalar>(more[i]).as<std::int64_t>());
      break;
    case StateRole::Joined:
    case StateRole::Stacked:
      append(all[i], more[i]);
      break;
    }
  }
}

} // namespace

std::int64_t extent_of(const ir::Function& function, const CutPlan& plan,
                       const std::vector<DenseValue>& arguments) {
  const auto at = std::ranges::find(function.body.parameters, plan.extent);
  const auto index = static_cast<std::size_t>(at - function.body.parameters.begin());
  return std::get<Scalar>(arguments[index]).as<std::int64_t>();
}

ir::Evaluation evaluate_in_pieces(const ir::Function& function, const CutPlan& plan,
                                  const std::vector<DenseValue>& arguments,
                                  std::span<const std::int64_t> cuts) {
  const PieceFunctions functions = piece_functions(function, plan);
  const std::int64_t n = extent_of(function, plan, arguments);
  State all;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    ir::Evaluation state = ir::evaluate(
        functions.chunk, chunk_arguments(functions, arguments, n, cuts[i], cuts[i + 1] - cuts[i]));
    if (std::holds_alternative<std::uint32_t>(state)) return state;
    combine(functions.state, all, std::get<State>(std::move(state)));
  }
  return ir::evaluate(functions.finish, std::move(all));
}

} // namespace sinter::jit
