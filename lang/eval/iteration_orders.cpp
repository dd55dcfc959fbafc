#include "lang/eval/iteration_orders.h"

#include "lang/base/runtime_error.h"
#include "lang/eval/real_difference.h"
#include "lang/eval/witness_text.h"
#include "lang/values/elements.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sinter::eval {

namespace {

/// A stride through so many iterations that meets all of them, after which the last ones come
/// neither next nor at the end.
std::int64_t stride_of(std::int64_t iterations) {
  constexpr double golden_ratio = 0.6180339887498949;
  auto stride = static_cast<std::int64_t>(static_cast<double>(iterations) * golden_ratio);
  stride = std::max<std::int64_t>(stride, 1);
  while (std::gcd(stride, iterations) != 1)
    ++stride;
  return stride;
}

/// A part of a state, as two orders have left it.
struct Part {
  std::string name; ///< "`xs[3]`"
  Value first, second;
  const Representation* type;
};

/// The first element that differs, of arrays of one shape; else the arrays.
Part element_that_differs(const std::string& name, const Value& first, const Value& second,
                          const Representation* type) {
  std::string indices;
  Value a = first, b = second;
  while (a.is_array() && a.array()->shape == b.array()->shape) {
    const std::int64_t count = a.array()->shape.front();
    std::int64_t i = 0;
    const auto part = [&](const Value& of) { return get_element(of.array(), i); };
    const auto type_of_part = [&] { return part(a).is_array() ? type : type->array().element; };
    while (i < count && is_same(part(a), part(b), type_of_part()))
      ++i;
    if (i == count) break;
    indices += (indices.empty() ? "" : ", ") + std::to_string(i);
    Value next_a = part(a), next_b = part(b);
    a = std::move(next_a);
    b = std::move(next_b);
  }
  if (a.is_array()) return {"`" + name + "`", first, second, type};
  return {"`" + name + "[" + indices + "]`", a, b, type->array().element};
}

/// The first part that differs, by the loop's variables.
std::optional<Part> part_that_differs(const core::ParallelMark& mark, const core::Pattern& pattern,
                                      const Value& first, const Value& second,
                                      const Representation* type) {
  if (const auto* record = std::get_if<core::RecordPattern>(&pattern.node)) {
    for (std::size_t i = 0; i < record->fields.size(); ++i)
      if (auto part = part_that_differs(mark, *record->fields[i], first.fields()[i],
                                        second.fields()[i], type->record().fields[i].type))
        return part;
    return std::nullopt;
  }
  if (is_same(first, second, type)) return std::nullopt;
  std::string name;
  if (const auto* slot = std::get_if<core::SlotPattern>(&pattern.node)) {
    const auto named =
        std::ranges::find(mark.names, slot->slot, &std::pair<core::Slot, std::string>::first);
    if (named != mark.names.end()) name = named->second;
  }
  if (name.empty()) return Part{"the state", first, second, type};
  if (first.is_array()) return element_that_differs(name, first, second, type);
  return Part{"`" + name + "`", first, second, type};
}

} // namespace

bool can_be_repeated(const Value& state) {
  switch (state.kind()) {
  case Value::Kind::Accumulator: // others see what is written
  case Value::Kind::Function:    // nothing tells two of them apart
    return false;
  case Value::Kind::Record:
  case Value::Kind::Sum:
    return std::ranges::all_of(state.fields(), can_be_repeated);
  default:
    return true;
  }
}

std::optional<std::string> difference_of_orders(const core::Expr& loop, const Value& initial,
                                                const Value& result, std::int64_t iterations,
                                                unsigned orders, const Iteration& iteration) {
  if (iterations < 2) return std::nullopt;
  const core::Loop& node = std::get<core::Loop>(loop.node);
  const auto difference = [&](const std::string& order, std::int64_t first,
                              std::int64_t stride) -> std::optional<std::string> {
    Value state = initial;
    std::int64_t number = first;
    try {
      for (std::int64_t done = 0; done < iterations; ++done) {
        state = iteration(number, std::move(state));
        number += stride;
        if (number >= iterations) number -= iterations;
      }
    } catch (const RuntimeError& error) {
      if (error.kind != FailureKind::Program) throw;
      return "with its iterations " + order + " number " + std::to_string(number) +
             " fails: " + error.message;
    }
    const std::optional<Part> part =
        part_that_differs(*node.parallel, *node.pattern, state, result, loop.type);
    if (!part) return std::nullopt;
    return "with its iterations " + order + " " + part->name + " comes to " +
           witness_text(part->first, part->type) + ", not to " +
           witness_text(part->second, part->type);
  };
  // (A step forward that is one short of all of them is a step back.)
  if (auto text = difference("backwards", iterations - 1, iterations - 1)) return text;
  if (iterations == 2 || orders == 1) return std::nullopt;
  const std::int64_t stride = stride_of(iterations);
  return difference("in the order 0, " + std::to_string(stride) + ", …", 0, stride);
}

} // namespace sinter::eval
