// An accelerator that takes nothing: it hears of calls and operations while they are interpreted.
// What looks on (a stepper, a profiler) derives from it; evaluations that nobody observes pay
// nothing.
#pragma once

#include "lang/eval/accelerator.h"

namespace sinter::repl {

class Observer : public Accelerator {
public:
  void enter(const core::Attributed&) override {}
  void leave(const core::Attributed&) noexcept override {}
  std::optional<Value> expression(const eval::ExpressionPlace<Concrete>&, Watch&) override {
    return std::nullopt;
  }
  std::optional<Value> call(const core::Function&, std::span<const Value>, std::span<Value>,
                            Watch&) override {
    return std::nullopt;
  }
  std::optional<Value> array_operation(primitives::ArrayOperation, eval::Site<Concrete>&,
                                       std::span<Value>, Watch&) override {
    return std::nullopt;
  }
  std::int64_t rest_from(primitives::ArrayOperation, eval::Site<Concrete>&, std::span<const Value>,
                         std::int64_t, std::int64_t, Watch&) override {
    return Watch::never;
  }
  std::optional<Value> begin_again(Candidate&) override { return std::nullopt; }
  void ahead(const eval::Forecast&, Candidate*) override {}
  void interpreted(const Watch&) noexcept override {}
  std::optional<Value> loop(const eval::LoopPlace<Concrete>&, Value&, Scalar, Scalar, const Value*,
                            std::int64_t, Watch&) override {
    return std::nullopt;
  }
};

} // namespace sinter::repl
