// What the language assumes of a program and cannot see: tested on the data at hand.
//
// - `reduce`, `scan` and histograms: the operator is associative, and commutative where the order
//   is left open (`reduce_comm`, histograms); what is called neutral is (operator_laws.h).
// - `scatter`: no two elements write different values to one place.
// - accumulators: the same of what is written to them.
// - loops that are marked `#[parallel]`: iterations are independent (dependent_iterations.h), and
//   may be done in another order, where nobody could look at the loop before (iteration_orders.h).
// - functions that are marked `#[chunked(…)]`: chunks come to the same (chunk_laws.h).
//
// Where an assumption does not hold, a program may mean anything: another implementation, another
// number of threads, another processor may combine in another order.
//
// What tests cost is bounded by what the program itself does at each place: a place has some
// applications of the operator free, then twice as many as the program has had there; of a scatter
// or a histogram the first eight million elements are looked at.  Chance begins anew from the same
// seed with each evaluator, so that a run repeats itself.
#pragma once

#include "lang/base/runtime_error.h"
#include "lang/eval/chunk_laws.h"
#include "lang/eval/concrete_domain.h"
#include "lang/eval/debugging.h"
#include "lang/eval/evaluator.h"
#include "lang/eval/iteration_orders.h"
#include "lang/eval/operator_laws.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::eval {

class Assumptions {
public:
  /// Both must outlive this.
  Assumptions(EvaluationContext& context, const Globals& globals)
      : context_(context), globals_(globals), chunk_chance_(context.chunking.seed) {}

  /// Whether what runs is a test, not the program: nobody is to see it, and it is not tested.
  bool is_testing() const { return is_testing_; }

  /// Tests what an operation assumes of its arguments, which is about to run.  Throws the error
  /// that a violation is, or tells it as the context's `debugging` says.
  void test(primitives::ArrayOperation operation, std::span<const Value> arguments,
            ConcreteSite& site);
  /// Of an operation that hands out an accumulator; `arguments` as it found them, but for the array
  /// at the beginning.  Runs `stream`, notes what is written meanwhile, and tests that.
  template <typename Stream>
  Value test_stream(primitives::ArrayOperation operation, std::span<Value> arguments,
                    ConcreteSite& site, Stream&& stream) {
    const Value function =
        operation == primitives::ArrayOperation::HistogramStream ? arguments[1] : Value();
    const Value neutral = function.is_function() ? arguments[2] : Value();
    Value result;
    try {
      result = stream();
    } catch (...) {
      end_stream(Value(), Value(), site);
      throw;
    }
    end_stream(function, neutral, site);
    return result;
  }
  /// A write to an accumulator, which is about to happen.
  void note_write(ConcreteSite& site, std::span<const Value> arguments);
  /// Iterations of a loop that is marked `#[parallel]` depend on each other.  Throws, or tells.
  void report_dependence(const core::Expr& loop, const std::string& text);
  /// Whether the iterations of a marked loop are to be tried in other orders.
  bool wants_other_orders(const core::Loop& loop, const Value& initial) const {
    return context_.was_examined && !context_.was_examined(loop.parallel->span) &&
           can_be_repeated(initial);
  }
  /// Tries them, of a loop that began with `initial` and came to `result`.  Throws, or tells.
  void test_orders(const core::Expr& loop, const Value& initial, const Value& result,
                   std::int64_t iterations, const Iteration& iteration);
  /// A call of a function that may be computed in chunks, which is tested or done as the context
  /// says.  Throws what a violation is, or tells it.
  Value in_chunks(const core::Function& function, std::span<const Value> arguments, Span site,
                  const ApplyFunction& apply);
  /// Throws the error that a NaN or an infinity which comes of numbers is.
  [[noreturn]] static void fail_not_finite(const primitives::Primitive& primitive,
                                           std::span<const Scalar> operands, Scalar result);

private:
  /// Does what nobody is to see, nor to go through step by step.
  template <typename Action>
  auto unseen(Action&& action);

  /// What has been done at a place of the program.
  struct Place {
    std::int64_t work = 0;   ///< elements that the program has combined there
    std::int64_t spent = 0;  ///< applications for tests
    std::int64_t judged = 0; ///< differences of floats that were looked into
  };
  /// What was written to an accumulator.
  struct Written {
    std::shared_ptr<ConcreteAccumulator> accumulator; ///< so that no other has its address
    std::int64_t count = 0;
    std::map<std::int64_t, std::vector<Value>> values; ///< by index: the first ones
    std::unordered_map<std::int64_t, std::int64_t> first_write;
  };
  /// What an operator is used for.
  struct Use {
    primitives::ArrayOperation operation{};
    bool is_commutative = false; ///< that is assumed too
  };

  void test_operator(Use use, const Value& function, const Value& neutral,
                     const Representation* element, std::span<const Sequence> sequences,
                     const Sequence& all, ConcreteSite& site);
  void test_scatter(primitives::ArrayOperation operation, std::span<const Value> arguments,
                    std::size_t dimensions, ConcreteSite& site);
  void test_histogram(primitives::ArrayOperation operation, std::span<const Value> arguments,
                      std::size_t dimensions, ConcreteSite& site);
  void end_stream(const Value& function, const Value& neutral, ConcreteSite& site);
  void report(std::string_view id, const std::string& text, primitives::ArrayOperation operation,
              ConcreteSite& site);
  /// `name`: of what may give anything.
  void tell(std::string_view id, const std::string& name, Span span, const std::string& text);

  EvaluationContext& context_;
  const Globals& globals_;
  bool is_testing_ = false;
  std::unordered_map<const void*, Place> places_;
  std::map<const ConcreteAccumulator*, Written> written_;
  std::set<std::pair<std::pair<std::uint32_t, std::uint32_t>, std::string_view>> told_;
  std::uint64_t tests_ = 0;
  RepeatableChance chunk_chance_;
};

} // namespace sinter::eval
