// What the evaluator offers, in one form: a call, an operation, the rest of a loop, an expression.
#pragma once

#include "jit/swap/profile.h"
#include "jit/trace/layout.h"
#include "jit/trace/targets.h"
#include "lang/eval/accelerator.h"

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace sinter::jit {

/// Work that compiled code might take: where it belongs, what would be traced, and what it reads.
/// Values that it refers to stay where they are as long as it is used.
class Offer {
public:
  static Offer call(Site& site, const core::Function& function, std::span<const Value> captures,
                    std::span<Value> arguments);
  static Offer operation(Site& site, primitives::ArrayOperation operation,
                         eval::Site<Concrete>& place, std::span<Value> arguments);
  /// To be looked at only: its values are not to be taken.
  static Offer operation(Site& site, primitives::ArrayOperation operation,
                         eval::Site<Concrete>& place, std::span<const Value> arguments);
  /// `elements` are those that a for-in has still to do; null otherwise.
  static Offer loop(Site& site, const FrameInputs& frame, const eval::LoopPlace<Concrete>& place,
                    Value& state, Scalar next, Scalar bound, const Value* elements);
  static Offer expression(Site& site, const FrameInputs& frame,
                          const eval::ExpressionPlace<Concrete>& place);

  /// Whether layouts can describe all that it reads.
  bool is_possible() const;
  Target target() const;
  /// What begins with it; unknown if it is a part of something.
  Occasion occasion() const;
  std::vector<Layout> layouts(Representations& representations) const;
  /// The values, in the order of the layouts; moved from where they stand if `is_moved` and if it
  /// is the last that needs them.
  std::vector<Value> take(bool is_moved);

  Site& site;
  bool is_unsafe = false; ///< an `#[unsafe]` is around it
  std::uint64_t work = 0; ///< elements of arrays that it reads

private:
  struct Input {
    const Value* value = nullptr;
    const Representation* type = nullptr;
    Value* may_be_moved = nullptr; ///< the same value
  };
  struct CallSource {
    const core::Function* function = nullptr;
    std::uint32_t capture_count = 0;
  };
  struct OperationSource {
    primitives::ArrayOperation operation{};
    eval::Site<Concrete>* place = nullptr;
  };
  struct LoopSource {
    const core::Expr* loop = nullptr;
    std::uint32_t frame_size = 0;
    const FrameInputs* frame = nullptr;
    std::vector<Scalar> numbers; ///< the next index and the bound of a `for`
    ElementType number{};
    const Value* elements = nullptr;
    std::int64_t begin = 0, end = 0;
  };
  struct ExpressionSource {
    const core::Expr* expr = nullptr;
    std::uint32_t frame_size = 0;
    const FrameInputs* frame = nullptr;
  };
  using Source = std::variant<CallSource, OperationSource, LoopSource, ExpressionSource>;

  Offer(Site& place, Source what) : site(place), source_(std::move(what)) {}
  void read(const Value& value, const Representation* type) { inputs_.push_back({&value, type}); }
  void read(Value& value, const Representation* type, bool may_be_moved) {
    inputs_.push_back({&value, type, may_be_moved ? &value : nullptr});
  }
  template <typename Place>
  void read_frame(const FrameInputs& frame, const Place& place) {
    for (std::size_t i = 0; i < frame.slots.size(); ++i)
      read(place.slots[frame.slots[i]], frame.slot_types[i]);
    for (std::size_t i = 0; i < frame.captures.size(); ++i)
      read(place.captures[frame.captures[i]], frame.capture_types[i]);
  }

  Source source_;
  std::vector<Input> inputs_;
};

} // namespace sinter::jit
