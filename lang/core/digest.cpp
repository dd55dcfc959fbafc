#include "lang/core/digest.h"

#include "lang/core/children.h"

#include <string_view>
#include <unordered_map>

namespace sinter::core {

namespace {

/// Goes through a program without recursion, as it may be nested deeply.
class Digester {
public:
  void later(const Expr& expr) { exprs_.push_back(&expr); }
  /// A function or a global counts by its number; what is in it, once.
  void mention(const Function& function) {
    if (!number(&function)) return;
    if (function.primitive) return primitive(*function.primitive);
    add(function.parameters.size());
    for (const Pattern* parameter : function.parameters)
      patterns_.push_back(parameter);
    for (const Function::Check& check : function.checks)
      later(*check.check.expected);
    if (function.body) later(*function.body);
  }
  void mention(const Global& global) {
    if (number(&global) && global.body) later(*global.body);
  }
  std::uint64_t sum() {
    while (!exprs_.empty() || !patterns_.empty()) {
      if (!patterns_.empty()) {
        const Pattern& next = *patterns_.back();
        patterns_.pop_back();
        pattern(next);
        continue;
      }
      const Expr& next = *exprs_.back();
      exprs_.pop_back();
      add(next.node.index());
      std::visit(*this, next.node);
      const std::size_t before = exprs_.size();
      for_each_child(next, [&](const Expr& child) { later(child); });
      add(exprs_.size() - before);
    }
    return sum_;
  }

  // What a node says beside its children.
  void operator()(const Constant& node) { add(node.value.bits); }
  void operator()(const Bytes& node) { add(node.bytes); }
  void operator()(const Local& node) { add(node.slot); }
  void operator()(const Captured& node) { add(node.index); }
  void operator()(const GlobalValue& node) { mention(*node.global); }
  void operator()(const FunctionValue& node) { mention(*node.function); }
  void operator()(const Closure& node) { mention(*node.function); }
  void operator()(const Let& node) { patterns_.push_back(node.pattern); }
  void operator()(const PrimitiveCall& node) { primitive(*node.primitive); }
  void operator()(const ArrayCall& node) { add(static_cast<std::uint64_t>(node.operation)); }
  void operator()(const Match& node) {
    for (const Case& branch : node.cases)
      patterns_.push_back(branch.pattern);
  }
  void operator()(const Loop& node) {
    add(node.form.index() + (node.parallel ? 3u : 0u));
    patterns_.push_back(node.pattern);
    if (const auto* form = std::get_if<ForIn>(&node.form)) patterns_.push_back(form->pattern);
  }
  void operator()(const Project& node) { add(node.field); }
  void operator()(const Sum& node) { add(node.tag); }
  void operator()(const Index& node) { parts(node.parts); }
  void operator()(const Update& node) {
    for (const auto& step : node.path)
      if (const auto* field = std::get_if<FieldStep>(&step))
        add(field->field);
      else
        parts(std::get<IndexStep>(step).parts);
  }
  void operator()(const Range& node) {
    add(static_cast<std::uint64_t>(node.type));
    add(static_cast<std::uint64_t>(node.kind));
  }
  void operator()(const Attributed& node) {
    add(node.attribute == Attribute::Accelerate ? syntax::text(node.mark)
                                                : std::string(text(node.attribute)));
  }
  template <typename Other>
  void operator()(const Other&) {}

private:
  void add(std::uint64_t number) { sum_ = mixed(sum_ ^ number) + 1; }
  void add(std::string_view text) {
    for (const char c : text)
      sum_ = (sum_ ^ static_cast<unsigned char>(c)) * 0x100000001b3; // FNV-1a
    add(text.size());
  }
  void primitive(const primitives::Primitive& primitive) {
    add(static_cast<std::uint64_t>(primitive.operand));
    add(primitive.name);
  }
  void parts(const std::vector<IndexPart>& list) {
    for (const IndexPart& part : list)
      add((part.index ? 1u : 0u) + (part.begin ? 2u : 0u) + (part.end ? 4u : 0u) +
          (part.stride ? 8u : 0u));
  }
  void pattern(const Pattern& pattern) {
    add(pattern.node.index());
    if (const auto* slot = std::get_if<SlotPattern>(&pattern.node)) {
      add(slot->slot);
    } else if (const auto* literal = std::get_if<LiteralPattern>(&pattern.node)) {
      add(literal->value.bits);
    } else if (const auto* record = std::get_if<RecordPattern>(&pattern.node)) {
      patterns_.insert(patterns_.end(), record->fields.begin(), record->fields.end());
    } else if (const auto* sum = std::get_if<SumPattern>(&pattern.node)) {
      add(sum->tag);
      patterns_.insert(patterns_.end(), sum->payload.begin(), sum->payload.end());
    }
  }
  /// Whether it is met for the first time.
  bool number(const void* place) {
    const auto [at, is_new] = numbers_.try_emplace(place, numbers_.size());
    add(at->second);
    return is_new;
  }

  std::uint64_t sum_ = 0;
  std::vector<const Expr*> exprs_;
  std::vector<const Pattern*> patterns_;
  std::unordered_map<const void*, std::size_t> numbers_;
};

} // namespace

std::uint64_t digest(const Expr& expr) {
  Digester digester;
  digester.later(expr);
  return digester.sum();
}

std::uint64_t digest(const Function& function) {
  Digester digester;
  digester.mention(function);
  return digester.sum();
}

} // namespace sinter::core
