// Recursion whose calls come last is a loop: `while` the body ends in a call of the function
// itself, the arguments of that call are the next state.
//
// While such a body is walked, a call of the function itself gives a *step* instead of its result:
// a value that holds a sum, `#again arguments | #done result`.  Where a branch joins a step with an
// ordinary value, that value becomes a step too (`as_steps`, called when branches are joined).  So
// the walk of the body needs to know nothing of it.
#include "jit/trace/symbolic_domain.h"

#include "jit/trace/tail_recursion.h"

#include <algorithm>

namespace sinter::jit {

namespace {

constexpr std::uint32_t again = 0, done = 1; ///< tags of a step's sum
/// Beyond so many calls the evaluator decides whether the recursion is too deep: its stack holds
/// many more.
constexpr std::int64_t most_calls = 100'000;

SymbolicValue sum_over(std::uint32_t tag, std::span<const SymbolicValue> payload) {
  SymbolicValue sum = SymbolicValue::sum_of_size(tag, payload.size());
  std::copy(payload.begin(), payload.end(), sum.fields().begin());
  return sum;
}

/// Arrays among arguments or results.  COULD: be the loop's state, once a result that is an
/// argument is not kept beside the next arguments: an update in place would copy the array at each
/// call.
bool handles_arrays(const core::Function& function) {
  auto has_arrays = [](const Representation* type) { return !type || type->extent_count > 0; };
  return has_arrays(function.result) ||
         std::ranges::any_of(function.parameters, [&](const core::Pattern* parameter) {
           return has_arrays(parameter->type);
         });
}

} // namespace

bool SymbolicDomain::is_loop(const core::Function& function) {
  auto [known, is_new] = tail_recursive_.try_emplace(&function, false);
  if (is_new) known->second = is_tail_recursive(function) && !handles_arrays(function);
  return known->second;
}

bool SymbolicDomain::is_last_call(const core::Function& function) const {
  return !recursions_.empty() && recursions_.back().function == &function &&
         recursions_.back().depth == depth_;
}

SymbolicValue SymbolicDomain::make_step(std::uint32_t tag, std::span<const Value> payload) const {
  std::vector<Value> captures;
  captures.push_back(sum_over(tag, payload));
  return Value::function(&step_, std::move(captures));
}

SymbolicValue SymbolicDomain::next_call(std::span<const Value> arguments) const {
  return make_step(again, arguments);
}

bool SymbolicDomain::is_step(const Value& value) const {
  return value.is_function() && value.function().function == &step_;
}

void SymbolicDomain::as_steps(Value& a, Value& b) const {
  if (is_step(a) == is_step(b)) return;
  Value& result = is_step(a) ? b : a;
  result = make_step(done, std::span<const Value>(&result, 1));
}

/// While it lives, calls of the function at this depth give steps.
class SymbolicDomain::RecursionScope {
public:
  RecursionScope(SymbolicDomain& domain, const core::Function& function) : domain_(domain) {
    domain.recursions_.push_back({&function, domain.depth_});
  }
  ~RecursionScope() { domain_.recursions_.pop_back(); }
  RecursionScope(const RecursionScope&) = delete;
  RecursionScope& operator=(const RecursionScope&) = delete;

private:
  SymbolicDomain& domain_;
};

SymbolicValue SymbolicDomain::trace_recursion(const core::Function& function,
                                              std::span<Value> arguments,
                                              const std::function<Value()>& body) {
  Value start = Value::record_of_size(2); // the sum, and the number of calls
  start.fields()[0] = sum_over(again, arguments);
  start.fields()[1] = literal(ElementType::I64, {});
  const Value last = trace_while(
      std::move(start),
      [&](const Value& entered) { return operand(has_tag(entered.fields()[0], again)); },
      [&](const Value& entered) {
        const Operand calls = operand(entered.fields()[1]);
        check(binary(Operation::Less, calls, Operand::i64(most_calls)),
              ir::FailureSite{FailureKind::StackLimit, "recursion is too deep", span_,
                              call_stack_ ? call_stack_(span_) : std::vector<StackFrame>()});
        const std::span<const Value> given = payload(entered.fields()[0], again);
        std::copy(given.begin(), given.end(), arguments.begin());
        RecursionScope scope(*this, function);
        const Value result = body();
        Value next = Value::record_of_size(2);
        next.fields()[0] = is_step(result) ? result.function().captures[0]
                                           : sum_over(done, std::span<const Value>(&result, 1));
        next.fields()[1] = Value(handle(binary(Operation::Add, calls, Operand::i64(1))));
        return next;
      });
  if (decided(has_tag(last.fields()[0], done)) == false)
    refuse("recursion without end, in `" + function.name + "`");
  return payload(last.fields()[0], done)[0];
}

} // namespace sinter::jit
