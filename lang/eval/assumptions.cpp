#include "lang/eval/assumptions.h"

#include "lang/base/anew.h"
#include "lang/base/prelude_files.h"
#include "lang/core/core.h"
#include "lang/eval/witness_text.h"
#include "lang/primitives/laws.h"
#include "lang/values/elements.h"
#include "lang/values/number_text.h"

#include <algorithm>
#include <array>

namespace sinter::eval {

namespace {

using primitives::ArrayOperation;
using primitives::Operation;

/// Applications of an operator that are free for tests at each place.
constexpr std::int64_t free_applications = 1 << 16;
/// Further ones for each that the program has had.
constexpr std::int64_t applications_for_work = 2;
/// Differences of floats that are looked into at a place: that takes numbers of many digits.
constexpr std::int64_t most_judged = 256;
/// Scalars that the values of a test have together, at most.
constexpr std::int64_t most_scalars = 1 << 20;
/// Histograms of more elements are tested at some of their bins.
constexpr std::int64_t most_elements_of_all_bins = 4096;
constexpr std::int64_t random_bins = 64;
/// Elements of a scatter or a histogram that are looked at, for the sake of memory.
constexpr std::int64_t most_written = 1 << 23;
/// What is noted of an accumulator.
constexpr std::int64_t most_noted = 1 << 14;
constexpr std::size_t most_noted_at_an_index = 64;

/// As it is called in a program.
std::string_view name_of(ArrayOperation operation) {
  switch (operation) {
  case ArrayOperation::Reduce:
    return "reduce";
  case ArrayOperation::ReduceCommutative:
    return "reduce_comm";
  case ArrayOperation::Scan:
    return "scan";
  case ArrayOperation::Scatter:
    return "scatter";
  case ArrayOperation::Scatter2d:
    return "scatter_2d";
  case ArrayOperation::Scatter3d:
    return "scatter_3d";
  case ArrayOperation::ScatterStream:
  case ArrayOperation::AccumulatorWrite:
    return "scatter_stream";
  case ArrayOperation::HistogramStream:
    return "hist_stream";
  default:
    return "hist";
  }
}

/// The primitive that a function value is, if it is no more than that.
const primitives::Primitive* primitive_of(const Value& function) {
  const FunctionObject<Concrete>& object = function.function();
  return object.arguments.empty() ? object.function->primitive : nullptr;
}

/// `min` and `max` of a number and a NaN are the number: nothing is neutral for a NaN, and nobody
/// expects it to be.
bool is_nan_of_extremum(const primitives::Primitive* primitive, const Value& value) {
  if (!primitive || !is_float(primitive->operand)) return false;
  if (primitive->operation != Operation::Minimum && primitive->operation != Operation::Maximum)
    return false;
  return with_cpp_type(primitive->operand, [&]<typename T>() {
    const T number = value.scalar().as<T>();
    return !(number == number);
  });
}

Sequence elements_of(const ArrayRef& array) {
  return {array->shape.front(), [&array](std::int64_t i) { return get_element(array, i); }};
}

/// The places that lists of indices name, in row-major order.
class Places {
public:
  Places(const ArrayRef& target, const ArrayRef& indices, std::size_t dimensions)
      : target_(target), indices_(indices), dimensions_(dimensions) {}
  std::int64_t count() const { return indices_->shape.front(); }
  std::int64_t place_count() const {
    return element_count(std::span<const std::int64_t>(target_->shape).first(dimensions_));
  }
  /// None for one out of bounds.
  std::optional<std::int64_t> at(std::int64_t element) const {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < dimensions_; ++d) {
      const std::int64_t index = this->index(element, d);
      if (index < 0 || index >= target_->shape[d]) return std::nullopt;
      place = place * target_->shape[d] + index;
    }
    return place;
  }
  /// "4", "[1, 2]"
  std::string text(std::int64_t element) const {
    if (dimensions_ == 1) return std::to_string(index(element, 0));
    std::string text = "[";
    for (std::size_t d = 0; d < dimensions_; ++d)
      text += (d > 0 ? ", " : "") + std::to_string(index(element, d));
    return text + "]";
  }
  Value old_value(std::int64_t element) const {
    std::array<std::int64_t, 3> list{};
    for (std::size_t d = 0; d < dimensions_; ++d)
      list[d] = index(element, d);
    return get_element(target_, std::span<const std::int64_t>(list.data(), dimensions_));
  }

private:
  std::int64_t index(std::int64_t element, std::size_t dimension) const {
    const Leaf& leaf = indices_->leaves[dimension];
    return load_scalar(leaf.element, leaf.buffer->contents(),
                       leaf.offset + element * leaf.strides[0])
        .as<std::int64_t>();
  }

  const ArrayRef& target_;
  const ArrayRef& indices_;
  std::size_t dimensions_;
};

std::string different_values(std::int64_t first, std::int64_t second, const Value& a,
                             const Value& b, const Representation* type, const std::string& place) {
  return "elements " + std::to_string(first) + " and " + std::to_string(second) +
         " write different values, " + witness_text(a, type) + " and " + witness_text(b, type) +
         ", at index " + place;
}

/// Whether a flag is set, as long as this lives.
class Flag {
public:
  explicit Flag(bool& flag) : flag_(flag) { flag_ = true; }
  ~Flag() { flag_ = false; }
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;

private:
  bool& flag_;
};

} // namespace

template <typename Action>
auto Assumptions::unseen(Action&& action) {
  const Flag testing(is_testing_);
  const Anew no_steps(context_.steps);
  return action();
}

void Assumptions::test(ArrayOperation operation, std::span<const Value> arguments,
                       ConcreteSite& site) {
  switch (operation) {
  case ArrayOperation::Reduce:
  case ArrayOperation::ReduceCommutative:
  case ArrayOperation::Scan: {
    const ArrayRef& array = arguments[2].array();
    const Representation* element = indexed(*context_.representations, site.argument_type(2), 1);
    const Sequence elements = elements_of(array);
    return test_operator({operation, operation == ArrayOperation::ReduceCommutative}, arguments[0],
                         arguments[1], element, std::span(&elements, 1), elements, site);
  }
  case ArrayOperation::Scatter:
    return test_scatter(operation, arguments, 1, site);
  case ArrayOperation::Scatter2d:
    return test_scatter(operation, arguments, 2, site);
  case ArrayOperation::Scatter3d:
    return test_scatter(operation, arguments, 3, site);
  case ArrayOperation::Histogram1d:
    return test_histogram(operation, arguments, 1, site);
  case ArrayOperation::Histogram2d:
    return test_histogram(operation, arguments, 2, site);
  case ArrayOperation::Histogram3d:
    return test_histogram(operation, arguments, 3, site);
  default:
    return; // of the others nothing is assumed
  }
}

// ---- operators ---------------------------------------------------------------------------------

void Assumptions::test_operator(Use use, const Value& function, const Value& neutral,
                                const Representation* element, std::span<const Sequence> sequences,
                                const Sequence& all, ConcreteSite& site) {
  if (all.count == 0) return;
  Place& place = places_[site.place()];
  place.work += all.count;
  std::int64_t left = free_applications + applications_for_work * place.work - place.spent;
  if (left < 3 * applications_an_element) return;

  const Flag testing(is_testing_);
  // Nobody is to go through tests step by step.
  StepObserver* const steps = std::exchange(context_.steps, nullptr);
  struct Restore {
    EvaluationContext& context;
    StepObserver* steps;
    ~Restore() { context.steps = steps; }
  } restore{context_, steps};

  std::unique_ptr<RealDifference> real_difference;
  const auto is_real = [&](const Law& law, std::span<const Value> operands, const Sides& sides) {
    if (++place.judged > most_judged) return false;
    if (!real_difference)
      real_difference = std::make_unique<RealDifference>(context_, globals_, function, element);
    return real_difference->is_there(law, operands, sides);
  };
  const Combine combine = [&](const Value& a, const Value& b) {
    std::array<Value, 2> operands = {a, b};
    return site.call(function, operands);
  };
  OperatorLaws laws(function, element, combine, is_real, ++tests_);
  const auto most = [&] {
    const std::int64_t affordable = (left - laws.applications()) / applications_an_element;
    const std::int64_t storable = most_scalars / std::max<std::int64_t>(scalar_count(neutral), 1);
    return std::min({most_elements, affordable, std::max<std::int64_t>(storable, 3)});
  };
  std::optional<BrokenLaw> broken;
  const primitives::Primitive* primitive = primitive_of(function);
  if (!primitive || !primitives::combines_in_any_order(primitive->operation))
    for (const Sequence& sequence : sequences) {
      if (broken || most() < 3) break;
      broken = laws.associative(sequence, most());
      if (!broken && use.is_commutative) broken = laws.commutative(sequence, most());
    }
  if (!broken) {
    const Sequence numbers{all.count, [&](std::int64_t i) {
                             Value value = all.at(i);
                             return is_nan_of_extremum(primitive, value) ? neutral : value;
                           }};
    broken = laws.neutral(neutral, numbers, most());
  }
  // (The program itself applies primitives in less time than calls take.)
  constexpr std::int64_t primitive_weight = 4;
  place.spent += laws.applications() * (primitive ? primitive_weight : 1);
  if (broken) report(broken->id, broken->text, use.operation, site);
}

// ---- writes ------------------------------------------------------------------------------------

void Assumptions::test_scatter(ArrayOperation operation, std::span<const Value> arguments,
                               std::size_t dimensions, ConcreteSite& site) {
  const Places places(arguments[0].array(), arguments[1].array(), dimensions);
  const ArrayRef& values = arguments[2].array();
  const std::int64_t count = std::min({places.count(), values->shape.front(), most_written});
  const Representation* element = indexed(*context_.representations, site.argument_type(2), 1);
  const auto look_at = [&](std::int64_t i, std::int64_t first) {
    const Value a = get_element(values, first), b = get_element(values, i);
    if (is_same(a, b, element)) return;
    report("scatter-twice", different_values(first, i, a, b, element, places.text(i)), operation,
           site);
  };
  if (places.place_count() / 4 <= count) {
    std::vector<std::int64_t> first(static_cast<std::size_t>(places.place_count()), -1);
    for (std::int64_t i = 0; i < count; ++i) {
      if (i % ConcreteDomain::poll_interval == 0) site.poll();
      const auto place = places.at(i);
      if (!place) continue;
      std::int64_t& known = first[static_cast<std::size_t>(*place)];
      if (known < 0)
        known = i;
      else
        look_at(i, known);
    }
    return;
  }
  std::unordered_map<std::int64_t, std::int64_t> first;
  first.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    if (i % ConcreteDomain::poll_interval == 0) site.poll();
    const auto place = places.at(i);
    if (!place) continue;
    if (const auto [known, is_new] = first.emplace(*place, i); !is_new) look_at(i, known->second);
  }
}

/// The values that each bin combines, in order, with what was in it before.
void Assumptions::test_histogram(ArrayOperation operation, std::span<const Value> arguments,
                                 std::size_t dimensions, ConcreteSite& site) {
  const Places places(arguments[1].array(), arguments[4].array(), dimensions);
  const ArrayRef& values = arguments[5].array();
  const std::int64_t count = std::min({places.count(), values->shape.front(), most_written});
  const Representation* element = indexed(*context_.representations, site.argument_type(5), 1);

  std::map<std::int64_t, std::vector<std::int64_t>> bins; // the elements that fall into each
  const bool has_all = count <= most_elements_of_all_bins;
  if (!has_all) {
    RepeatableChance chance(tests_);
    for (std::int64_t i = 0; i < random_bins; ++i)
      if (const auto bin = places.at(chance.below(count))) bins[*bin];
  }
  std::vector<std::int64_t> inside;
  const primitives::Primitive* primitive = primitive_of(arguments[2]);
  const bool is_known = primitive && primitives::combines_in_any_order(primitive->operation);
  for (std::int64_t i = 0; i < count; ++i) {
    if (i % ConcreteDomain::poll_interval == 0) site.poll();
    const auto bin = places.at(i);
    if (!bin) continue;
    inside.push_back(i);
    if (is_known) continue;
    if (has_all)
      bins[*bin].push_back(i);
    else if (const auto found = bins.find(*bin); found != bins.end())
      found->second.push_back(i);
  }
  std::vector<Sequence> sequences;
  for (const auto& bin : bins) {
    const std::vector<std::int64_t>& elements = bin.second;
    if (elements.empty()) continue;
    sequences.push_back({static_cast<std::int64_t>(elements.size()) + 1, [&](std::int64_t i) {
                           if (i == 0) return places.old_value(elements.front());
                           return get_element(values, elements[static_cast<std::size_t>(i - 1)]);
                         }});
  }
  const Sequence all{static_cast<std::int64_t>(inside.size()), [&](std::int64_t i) {
                       return get_element(values, inside[static_cast<std::size_t>(i)]);
                     }};
  test_operator({operation, true}, arguments[2], arguments[3], element, sequences, all, site);
}

// ---- accumulators ------------------------------------------------------------------------------

void Assumptions::note_write(ConcreteSite& site, std::span<const Value> arguments) {
  if (is_testing_) return;
  const std::shared_ptr<ConcreteAccumulator>& accumulator = arguments[0].accumulator().state;
  const std::int64_t index = arguments[1].scalar().as<std::int64_t>();
  Written& written = written_[accumulator.get()];
  written.accumulator = accumulator;
  const std::int64_t number = written.count++;
  if (index < 0 || index >= accumulator->array->shape.front()) return;
  const auto found = written.values.find(index);
  if (accumulator->combine.is_function()) {
    if (number >= most_noted) return;
    if (found == written.values.end())
      written.values[index] = {get_element(accumulator->array, index), arguments[2]};
    else if (found->second.size() < most_noted_at_an_index)
      found->second.push_back(arguments[2]);
    return;
  }
  if (found == written.values.end()) {
    written.values[index] = {arguments[2]};
    written.first_write[index] = number;
    return;
  }
  const Representation* type = site.argument_type(2);
  const Value& before = found->second.front();
  if (!is_same(before, arguments[2], type))
    report("scatter-twice",
           "writes " + std::to_string(written.first_write[index]) + " and " +
               std::to_string(number) + " are of different values, " + witness_text(before, type) +
               " and " + witness_text(arguments[2], type) + ", at index " + std::to_string(index),
           ArrayOperation::AccumulatorWrite, site);
}

void Assumptions::end_stream(const Value& function, const Value& neutral, ConcreteSite& site) {
  for (auto each = written_.begin(); each != written_.end();) {
    if (each->second.accumulator.use_count() > 1) { // of a stream around this one
      ++each;
      continue;
    }
    const Written written = std::move(each->second);
    each = written_.erase(each);
    if (!function.is_function() || is_testing_) continue;
    const Representation* element = indexed(*context_.representations, site.type(), 1);
    std::vector<Sequence> sequences;
    std::vector<const Value*> all;
    for (const auto& entry : written.values) {
      const std::vector<Value>& values = entry.second;
      sequences.push_back({static_cast<std::int64_t>(values.size()),
                           [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; }});
      for (std::size_t i = 1; i < values.size(); ++i)
        all.push_back(&values[i]);
    }
    const Sequence together{static_cast<std::int64_t>(all.size()),
                            [&](std::int64_t i) { return *all[static_cast<std::size_t>(i)]; }};
    test_operator({ArrayOperation::HistogramStream, true}, function, neutral, element, sequences,
                  together, site);
    return; // there is one at most
  }
}

// ---- chunks ------------------------------------------------------------------------------------

Value Assumptions::in_chunks(const core::Function& function, std::span<const Value> arguments,
                             Span site, const ApplyFunction& apply) {
  ChunkLaws laws(context_, globals_, function, arguments, apply);
  const auto report_violation = [&](const Cuts& cuts, const Value& whole, const Value& chunked,
                                    const RuntimeError* error, const std::string& suffix) {
    const std::optional<std::string> text = unseen([&] {
      return error ? std::optional(laws.violation(cuts, whole, *error))
                   : laws.violation(cuts, whole, chunked);
    });
    if (text) tell("chunk-law", function.name, site, *text + suffix);
    return text.has_value();
  };

  if (context_.chunking.kind != Chunking::Kind::Whole) {
    Value whole = unseen([&] { return laws.in_chunks({}); });
    const Cuts cuts = context_.chunking.kind == Chunking::Kind::Random
                          ? random_cuts(laws.count(), chunk_chance_)
                          : regular_cuts(laws.count(), context_.chunking.size);
    const std::string suffix = " (with --chunks " + text(context_.chunking) + ")";
    try {
      Value chunked = laws.in_chunks(cuts);
      report_violation(cuts, whole, chunked, nullptr, suffix);
      return chunked;
    } catch (const RuntimeError& error) {
      if (error.kind != FailureKind::Program || cuts.empty() || error.id == "chunk-law") throw;
      report_violation(cuts, whole, {}, &error, suffix);
      return whole;
    }
  }

  Value whole = laws.in_chunks({});
  constexpr int most_rounds = 4;
  Place& place = places_[&function];
  place.work += laws.count();
  for (int round = 0; round < most_rounds && laws.count() > 1; ++round) {
    if (place.spent + laws.count() > free_applications + applications_for_work * place.work) break;
    place.spent += laws.count();
    RepeatableChance chance(++tests_);
    const Cuts cuts =
        round == 0 ? Cuts{1 + chance.below(laws.count() - 1)} : random_cuts(laws.count(), chance);
    bool is_broken = false;
    try {
      const Value chunked = unseen([&] { return laws.in_chunks(cuts); });
      is_broken = report_violation(cuts, whole, chunked, nullptr, "");
    } catch (const RuntimeError& error) {
      if (error.kind != FailureKind::Program || error.id == "chunk-law") throw;
      is_broken = report_violation(cuts, whole, {}, &error, "");
    }
    if (is_broken) break;
  }
  return whole;
}

// ---- what is told ------------------------------------------------------------------------------

void Assumptions::report(std::string_view id, const std::string& text, ArrayOperation operation,
                         ConcreteSite& site) {
  const std::vector<StackFrame> calls = site.calls();
  // What the user wrote is the first thing outside of the prelude.
  const SourceMap* sources = context_.sources;
  const auto is_in_prelude = [&](const StackFrame& frame) {
    return sources && sinter::is_in_prelude(*sources, frame.span);
  };
  std::size_t own = 0;
  while (own + 1 < calls.size() && is_in_prelude(calls[own]))
    ++own;
  const std::string name(own == 0 ? name_of(operation) : calls[own - 1].function);
  tell(id, name, calls.empty() ? site.span() : calls[own].span, text);
}

void Assumptions::report_dependence(const core::Expr& loop, const std::string& text) {
  tell("dependent-iterations", "loop", loop.span, text);
}

void Assumptions::test_orders(const core::Expr& loop, const Value& initial, const Value& result,
                              std::int64_t iterations, const Iteration& iteration) {
  // Loops within loops are tried at each level.
  Place& place = places_[&loop];
  place.work += iterations;
  if (place.spent + iterations > free_applications + place.work) return;
  const unsigned orders = place.spent + 2 * iterations <= free_applications ? 2 : 1;
  place.spent += orders * iterations;
  const std::optional<std::string> text = unseen(
      [&] { return difference_of_orders(loop, initial, result, iterations, orders, iteration); });
  if (text) report_dependence(loop, *text);
}

void Assumptions::tell(std::string_view id, const std::string& name, Span span,
                       const std::string& text) {
  const SourceMap* sources = context_.sources;
  std::string place;
  if (sources && span.is_known()) {
    const LineColumn at = sources->position(span.file, span.begin);
    place = " at " + std::to_string(at.line) + ":" + std::to_string(at.column);
  }
  RuntimeError error(id, "`" + name + "`" + place + " may give anything: " + text, span);
  if (context_.debugging != Debugging::Warn) throw error;
  if (context_.warn && told_.insert({{span.file.index, span.begin}, id}).second)
    context_.warn(error);
}

void Assumptions::fail_not_finite(const primitives::Primitive& primitive,
                                  std::span<const Scalar> operands, Scalar result) {
  const auto text = [](ElementType type, Scalar scalar) {
    std::array<char, longest_scalar_text> text;
    return std::string(text.data(), write_scalar(text.data(), type, scalar, false));
  };
  const std::string_view symbol = operator_symbol(primitive);
  std::string expression;
  if (!symbol.empty()) {
    expression = operand_text(text(primitive.operand, operands[0])) + " " + std::string(symbol) +
                 " " + operand_text(text(primitive.operand, operands[1]));
  } else {
    expression = primitive.name;
    for (std::size_t i = 0; i < primitive.arity; ++i)
      expression += " " + operand_text(text(primitive.operand, operands[i]));
  }
  throw RuntimeError("not-finite", expression + " is " + text(primitive.result, result));
}

} // namespace sinter::eval
