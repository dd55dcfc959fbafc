#include "lang/eval/chunk_laws.h"

#include "lang/eval/witness_text.h"
#include "lang/values/elements.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

namespace sinter::eval {

namespace {

using core::ChunkLaw;

constexpr std::int64_t most_random_cuts = 39;
/// Attempts to make a witness smaller.
constexpr int most_attempts = 200;
/// Numbers in the operands up to which differences of floats are looked into with many digits.
constexpr std::int64_t most_wide = 1 << 13;

/// Whether an error is the fault of what was evaluated, and not a wish that it end.
bool is_its_own_fault(const RuntimeError& error) {
  return error.kind == FailureKind::Program || error.kind == FailureKind::StackLimit;
}

} // namespace

Cuts random_cuts(std::int64_t count, RepeatableChance& chance) {
  if (count < 2) return {};
  std::set<std::int64_t> cuts;
  for (std::int64_t wanted = chance.below(most_random_cuts + 1); wanted > 0; --wanted)
    cuts.insert(1 + chance.below(count - 1));
  return {cuts.begin(), cuts.end()};
}

Cuts regular_cuts(std::int64_t count, std::int64_t size) {
  assert(size > 0);
  Cuts cuts;
  for (std::int64_t at = size; at < count; at += size)
    cuts.push_back(at);
  return cuts;
}

ChunkLaws::ChunkLaws(const EvaluationContext& context, const Globals& globals,
                     const core::Function& function, std::span<const Value> arguments,
                     const ApplyFunction& apply)
    : context_(context), globals_(globals), function_(function), apply_(apply) {
  assert(function.chunk_law != ChunkLaw::None);
  const std::size_t operands = function.chunk_law == ChunkLaw::Fold ? 2 : 1;
  fixed_.push_back({Value::function(&function, {}, {}), context.representations->function()});
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Representation* type = function.parameters[i]->type;
    if (i + operands < arguments.size()) {
      fixed_.push_back({arguments[i], type});
    } else {
      operands_.push_back(arguments[i]);
      operand_types_.push_back(type);
    }
  }
  count_ = operands_.back().array()->shape.front();
}

Value ChunkLaws::part(const Value& array, std::int64_t begin, std::int64_t end) const {
  return slice_view(array.array(), 0, begin, end - begin, 1);
}

/// `operands` end with the array.
Value ChunkLaws::chunk_by_chunk(const ApplyFunction& apply, std::span<const Value> fixed,
                                std::span<const Value> operands, const Cuts& cuts) const {
  const Value& array = operands.back();
  const std::int64_t count = array.array()->shape.front();
  const auto of_chunk = [&](std::span<const Value> before, std::int64_t begin, std::int64_t end) {
    std::vector<Value> arguments(fixed.begin() + 1, fixed.end());
    arguments.insert(arguments.end(), before.begin(), before.end());
    arguments.push_back(part(array, begin, end));
    return apply(fixed.front(), std::move(arguments));
  };
  std::vector<Value> results;
  std::vector<Value> state(operands.begin(), operands.end() - 1);
  std::int64_t begin = 0;
  for (std::size_t i = 0; i <= cuts.size(); ++i) {
    const std::int64_t end = i < cuts.size() ? cuts[i] : count;
    Value result = of_chunk(state, begin, end);
    begin = end;
    switch (function_.chunk_law) {
    case ChunkLaw::Map:
      results.push_back(std::move(result));
      break;
    case ChunkLaw::Reduce: {
      const Value& combine = fixed[1 + function_.hidden_sizes];
      if (results.empty())
        results.push_back(std::move(result));
      else
        results.front() = apply(combine, {std::move(results.front()), std::move(result)});
      break;
    }
    case ChunkLaw::Fold:
      state.front() = std::move(result);
      break;
    case ChunkLaw::None:
      break;
    }
  }
  if (function_.chunk_law == ChunkLaw::Fold) return std::move(state.front());
  if (results.size() == 1) return std::move(results.front());
  std::vector<ArrayRef> arrays;
  for (const Value& result : results)
    arrays.push_back(result.array());
  return concatenate(*context_.memory, arrays);
}

Value ChunkLaws::in_chunks(const Cuts& cuts) const {
  std::vector<Value> fixed;
  for (const RealDifference::Fixed& each : fixed_)
    fixed.push_back(each.value);
  return chunk_by_chunk(apply_, fixed, operands_, cuts);
}

std::vector<Value> ChunkLaws::operands_of(const Case& tried) const {
  std::vector<Value> operands = operands_;
  operands.back() = part(operands_.back(), tried.begin, tried.end);
  return operands;
}

/// None if it fails in one chunk, too.
std::optional<ChunkLaws::Result> ChunkLaws::tried(const Case& tried) {
  std::vector<Value> fixed;
  for (const RealDifference::Fixed& each : fixed_)
    fixed.push_back(each.value);
  const std::vector<Value> operands = operands_of(tried);
  Result result;
  const ApplyFunction noting = [&](const Value& function, std::vector<Value> arguments) {
    Value applied = apply_(function, std::move(arguments));
    result.sides.between.push_back(applied);
    return applied;
  };
  try {
    result.sides.left = chunk_by_chunk(apply_, fixed, operands, {});
  } catch (const RuntimeError& error) {
    if (!is_its_own_fault(error)) throw;
    return std::nullopt;
  }
  try {
    result.sides.right = chunk_by_chunk(noting, fixed, operands, tried.cuts);
  } catch (const RuntimeError& error) {
    if (!is_its_own_fault(error)) throw;
    result.failure = error.message;
  }
  return result;
}

bool ChunkLaws::is_violated(const Case& tried, const Result& result) {
  if (result.failure) return true;
  const std::vector<Value> operands = operands_of(tried);
  const Representation* type = function_.result;
  if (likeness(operands, operand_types_, result.sides, type) != Likeness::Unlike) return false;
  if (!holds_floats(type)) return true;
  std::int64_t numbers = 0;
  for (const Value& operand : operands)
    numbers += scalar_count(operand);
  if (numbers > most_wide) return differs_grossly(operands, operand_types_, result.sides, type);
  if (!real_difference_)
    real_difference_ =
        std::make_unique<RealDifference>(context_, globals_, fixed_, operand_types_, type);
  const auto computed = [&](const Cuts& cuts) {
    return [this, cuts](const ApplyFunction& apply, std::span<const Value> fixed,
                        std::span<const Value> values) {
      return chunk_by_chunk(apply, fixed, values, cuts);
    };
  };
  return real_difference_->is_there({computed({}), computed(tried.cuts)}, operands, result.sides);
}

std::optional<std::string> ChunkLaws::violation(const Cuts& cuts, const Value& whole,
                                                const Value& chunked) {
  const Case all{0, count_, cuts};
  Result result{{whole, chunked, {}}, std::nullopt};
  // (What comes between says how large the numbers are that were rounded: so it is computed again
  // where something differs.)
  if (likeness(operands_, operand_types_, result.sides, function_.result) == Likeness::Same)
    return std::nullopt;
  if (std::optional<Result> again = tried(all)) result = *std::move(again);
  if (!is_violated(all, result)) return std::nullopt;
  return shrunk(all, std::move(result));
}

std::string ChunkLaws::violation(const Cuts& cuts, const Value& whole, const RuntimeError& error) {
  return shrunk({0, count_, cuts}, Result{{whole, {}, {}}, error.message});
}

std::string ChunkLaws::shrunk(Case found, Result result) {
  int attempts = 0;
  const auto accept = [&](const Case& smaller) {
    if (++attempts > most_attempts) return false;
    std::optional<Result> again = tried(smaller);
    if (!again || !is_violated(smaller, *again)) return false;
    found = smaller;
    result = *std::move(again);
    return true;
  };
  if (found.cuts.size() > 1)
    for (const std::int64_t cut : Cuts(found.cuts))
      if (accept({found.begin, found.end, {cut}})) break;
  if (found.cuts.size() == 1) {
    // The elements before the cut become fewer, then those behind it.
    const auto shrink = [&](bool is_before) {
      const std::int64_t cut = found.begin + found.cuts.front();
      const std::int64_t left = cut - found.begin, right = found.end - cut;
      const std::int64_t size = is_before ? left : right;
      for (const std::int64_t kept : {std::int64_t{1}, size / 2, size - 1}) {
        if (kept < 1 || kept >= size) continue;
        const Case smaller =
            is_before ? Case{cut - kept, found.end, {kept}} : Case{found.begin, cut + kept, {left}};
        if (accept(smaller)) return true;
      }
      return false;
    };
    while (shrink(true) || shrink(false)) {
    }
  }
  return words(found, result);
}

std::string ChunkLaws::words(const Case& found, const Result& result) const {
  const std::vector<Value> operands = operands_of(found);
  std::string text;
  if (function_.chunk_law == ChunkLaw::Fold)
    text = "from " + witness_text(operands.front(), operand_types_.front()) + ", ";
  text += witness_text(operands.back(), operand_types_.back()) + " gives " +
          witness_text(result.sides.left, function_.result) + " in one chunk, ";
  text +=
      result.failure ? "and fails" : "and " + witness_text(result.sides.right, function_.result);
  text += " if it is cut after ";
  constexpr std::size_t shown_cuts = 4;
  const std::size_t count = found.cuts.size();
  for (std::size_t i = 0; i < std::min(count, shown_cuts); ++i)
    text += (i == 0 ? "" : i + 1 == count ? " and " : ", ") + std::to_string(found.cuts[i]);
  if (count > shown_cuts) text += ", …";
  return result.failure ? text + ": " + *result.failure : text;
}

} // namespace sinter::eval
