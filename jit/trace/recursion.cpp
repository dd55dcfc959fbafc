#include "jit/trace/recursion.h"

#include "jit/trace/loops.h"
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

bool Recursion::is_loop(const core::Function& function) {
  auto [known, is_new] = tail_recursive_.try_emplace(&function, false);
  if (is_new) known->second = is_tail_recursive(function) && !handles_arrays(function);
  return known->second;
}

bool Recursion::is_last_call(const core::Function& function) const {
  return !open_.empty() && open_.back().function == &function && open_.back().depth == depth_;
}

SymbolicValue Recursion::make_step(std::uint32_t tag, std::span<const Value> payload) const {
  std::vector<Value> captures;
  captures.push_back(sum_over(tag, payload));
  return Value::function(&step_, std::move(captures));
}

SymbolicValue Recursion::next_call(std::span<const Value> arguments) const {
  return make_step(again, arguments);
}

bool Recursion::is_step(const Value& value) const {
  return value.is_function() && value.function().function == &step_;
}

void Recursion::as_steps(Value& a, Value& b) const {
  if (is_step(a) == is_step(b)) return;
  Value& result = is_step(a) ? b : a;
  result = make_step(done, std::span<const Value>(&result, 1));
}

Recursion::CallDepth::CallDepth(Recursion& recursion, const core::Function& function)
    : recursion_(recursion) {
  const Code& code = recursion.code_;
  if (recursion.depth_ >= code.options().call_depth_limit)
    code.refuse(Reason::DeepRecursion, {function.name});
  code.limit_statements();
  ++recursion.depth_;
  recursion.code_.note_source(function.span);
}

/// While it lives, calls of the function at this depth give steps.
class Recursion::Scope {
public:
  Scope(Recursion& recursion, const core::Function& function) : recursion_(recursion) {
    recursion.open_.push_back({&function, recursion.depth_});
  }
  ~Scope() { recursion_.open_.pop_back(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

private:
  Recursion& recursion_;
};

SymbolicValue Recursion::trace(Loops& loops, const core::Function& function,
                               std::span<Value> arguments, const std::function<Value()>& body) {
  Value start = Value::record_of_size(2); // the sum, and the number of calls
  start.fields()[0] = sum_over(again, arguments);
  start.fields()[1] = code_.literal(ElementType::I64, {});
  const Value last = loops.trace_while(
      std::move(start),
      [&](const Value& entered) {
        return code_.operand(code_.has_tag(entered.fields()[0], again));
      },
      [&](const Value& entered) {
        const ir::Operand calls = code_.operand(entered.fields()[1]);
        code_.check(code_.binary(Operation::Less, calls, ir::Operand::i64(most_calls)),
                    code_.failure(FailureKind::StackLimit, "recursion is too deep"));
        const std::span<const Value> given = payload(entered.fields()[0], again);
        std::copy(given.begin(), given.end(), arguments.begin());
        const Scope scope(*this, function);
        const Value result = body();
        Value next = Value::record_of_size(2);
        next.fields()[0] = is_step(result) ? result.function().captures[0]
                                           : sum_over(done, std::span<const Value>(&result, 1));
        next.fields()[1] =
            Value(code_.handle(code_.binary(Operation::Add, calls, ir::Operand::i64(1))));
        return next;
      });
  if (code_.decided(code_.has_tag(last.fields()[0], done)) == false)
    code_.refuse(Reason::EndlessRecursion, {function.name});
  return payload(last.fields()[0], done)[0];
}

} // namespace sinter::jit
