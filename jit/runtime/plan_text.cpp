#include "jit/runtime/plan_text.h"

#include <algorithm>
#include <iostream>
#include <span>

namespace sinter::jit {

namespace {

using namespace plan;

std::string scalar(Slot slot) {
  return "s" + std::to_string(slot);
}
std::string array(Slot slot) {
  return "a" + std::to_string(slot);
}
std::string text(const Use& use) {
  return use.is_array ? array(use.slot) + (use.is_last ? "!" : "") : scalar(use.slot);
}
std::string text(const Target& target) {
  return target.is_array ? array(target.slot) : scalar(target.slot);
}

/// "a, b, c".
template <typename Items, typename ToText>
std::string list(const Items& items, ToText&& to_text) {
  std::string result;
  for (const auto& item : items)
    result += (result.empty() ? "" : ", ") + to_text(item);
  return result;
}
template <typename Item>
std::string list(const std::vector<Item>& items) {
  return list(items, [](const Item& item) { return text(item); });
}
std::string index(const std::vector<Slot>& indices) {
  return "[" + list(indices, scalar) + "]";
}
std::string index(const std::vector<SliceDimension>& dimensions) {
  return "[" +
         list(dimensions,
              [](const SliceDimension& dimension) {
                return scalar(dimension.begin) + " by " + scalar(dimension.stride);
              }) +
         "]";
}
std::string text(const Shape& shape) {
  std::string result;
  for (const Slot extent : shape.extents)
    result += "[" + scalar(extent) + "]";
  return result + std::string(name(shape.element));
}

class PlanPrinter {
public:
  explicit PlanPrinter(const Plan& plan) : plan_(plan) {}

  std::string run() {
    for (std::size_t slot = 0; slot < plan_.constants.size(); ++slot)
      line(scalar(static_cast<Slot>(slot)) + " = " + std::to_string(plan_.constants[slot].bits));
    block(plan_.body, "plan");
    return std::move(out_);
  }

private:
  void line(const std::string& words) { out_ += std::string(2 * depth_, ' ') + words + "\n"; }
  void block(const Block& block, const std::string& title) {
    const std::string dead =
        block.dead_on_entry.empty() ? "" : " releases " + list(block.dead_on_entry, array);
    line(title + " (" + list(block.parameters) + ")" + dead + " {");
    ++depth_;
    for (const Step& step : block.steps)
      this->step(step);
    line("give " + list(block.results));
    --depth_;
    line("}");
  }
  void step(const Step& step) {
    std::string words = list(step.targets);
    const std::string what =
        std::visit([&](const auto& action) { return told(action); }, step.action);
    words += (words.empty() ? "" : " = ") + what;
    if (!step.uses.empty()) words += " (" + list(step.uses) + ")";
    if (!step.releases.empty()) words += " releases " + list(step.releases, array);
    line(words);
    ++depth_;
    for (std::size_t i = 0; i < step.blocks.size(); ++i)
      block(step.blocks[i], "block " + std::to_string(i));
    --depth_;
  }

  std::string told(const Apply& apply) {
    return scalar(apply.result) + " = apply " + list(std::span(apply.arguments), scalar);
  }
  std::string told(const Choose& choose) {
    return scalar(choose.result) + " = select " + scalar(choose.condition) + " " +
           scalar(choose.then_value) + " " + scalar(choose.else_value);
  }
  std::string told(const CheckCondition& check) {
    return "check " + scalar(check.condition) + ", site " + std::to_string(check.site);
  }
  std::string told(const Branch& branch) { return "if " + scalar(branch.condition); }
  std::string told(const CountedLoop& loop) {
    return "for " + scalar(loop.bound) + (loop.repeated ? ", a repeated launch" : "");
  }
  std::string told(const ConditionLoop&) { return "while"; }
  std::string told(const StreamLoop& loop) {
    return "pieces of " + scalar(loop.extent) + " by " + std::to_string(loop.unit);
  }
  std::string told(const Launch& launch) {
    const auto found = std::ranges::find(plan_.kernels, launch.kernel,
                                         [](const auto& kernel) { return kernel.get(); });
    return "launch kernel " + std::to_string(found - plan_.kernels.begin());
  }
  std::string told(const WalkSoac& soac) {
    return "walk " + scalar(soac.extent) + " " +
           list(soac.groups,
                [](const WalkSoac::Group& group) { return std::string(ir::name(group.kind)); });
  }
  std::string told(const Load& load) {
    return scalar(load.result) + " = load " + index(load.indices);
  }
  std::string told(const IndexView& view) { return "index " + index(view.indices); }
  std::string told(const SliceView& view) {
    return "slice " + index(view.dimensions) + ": " + text(view.shape);
  }
  std::string told(const TransposeView& view) {
    return "transpose " + list(view.permutation, [](std::uint32_t d) { return std::to_string(d); });
  }
  std::string told(const Reshaped& reshaped) { return "reshape " + text(reshaped.shape); }
  std::string told(const Store& store) { return "store " + index(store.indices); }
  std::string told(const StoreSlice& store) { return "store_slice " + index(store.dimensions); }
  std::string told(const Joined& joined) { return "concat " + text(joined.shape); }
  std::string told(const Literal& literal) { return "array " + text(literal.shape); }
  std::string told(const Copied&) { return "copy"; }
  std::string told(const Filled& filled) { return "fill " + text(filled.shape); }

  const Plan& plan_;
  std::string out_;
  std::size_t depth_ = 0;
};

} // namespace

std::string print(const Plan& plan) {
  return PlanPrinter(plan).run();
}

void dump(const Plan& plan) {
  std::cerr << print(plan);
}

} // namespace sinter::jit
