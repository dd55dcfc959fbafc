#include "gpu/skeletons/scratch_sizes.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <vector>

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

using Kind = SizeStep::Kind;
using llvm::Value;

namespace {

/// What is looked at for one amount; more is not worth the time.
constexpr std::size_t most_visits = 4096;

unsigned bits_of(const Value* value) {
  const auto* const type = llvm::dyn_cast<llvm::IntegerType>(value->getType());
  return type ? type->getBitWidth() : 0;
}

/// Steps from the values of a function.
class SizeReader {
public:
  explicit SizeReader(std::vector<SizeStep>& steps) : steps_(steps) {}

  /// At least the value, whenever it is computed; nothing: who knows.
  std::optional<std::size_t> bound(const Value* value) {
    visits_ = 0;
    const Bound found = bound_of(value);
    return found.step;
  }

  /// Of a value that has no bound, in words: what it follows from.
  static std::string_view reason(const Value* value) {
    std::vector<const Value*> open = {value};
    std::set<const Value*> seen = {value};
    bool goes_round = false;
    for (std::size_t visits = 0; !open.empty(); ++visits) {
      if (visits == most_visits) return "a computation that is too long";
      const Value* const one = open.back();
      open.pop_back();
      if (llvm::isa<llvm::LoadInst>(one)) return "elements of arrays";
      goes_round = goes_round || llvm::isa<llvm::PHINode>(one);
      const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(one);
      if (!instruction) continue;
      for (const Value* operand : instruction->operands())
        if (seen.insert(operand).second) open.push_back(operand);
    }
    return goes_round ? "numbers that a loop changes" : "other than sums and products of sizes";
  }

private:
  static constexpr std::size_t nowhere = SIZE_MAX;

  /// Values of loops lead back to phis that are being looked at, the outermost of which has the
  /// number `back` among them: the step is of all else that the value may be, and there is none if
  /// there is nothing else.
  struct Bound {
    std::optional<std::size_t> step;
    std::size_t back = nowhere;
    bool is_known() const { return step || back != nowhere; }
  };

  std::size_t add(SizeStep step) {
    steps_.push_back(step);
    return steps_.size() - 1;
  }
  std::size_t add(Kind kind, unsigned bits, std::size_t a, std::size_t b) {
    return add(SizeStep{.kind = kind, .bits = bits, .a = a, .b = b});
  }

  // ---- the value itself

  std::optional<std::size_t> exact(const Value* value) {
    const auto known = exact_.find(value);
    if (known != exact_.end()) return known->second;
    const unsigned bits = bits_of(value);
    std::optional<std::size_t> step;
    if (bits > 0 && bits <= 64 && ++visits_ <= most_visits) step = exact_step(value, bits);
    return exact_[value] = step;
  }

  std::optional<std::size_t> exact_step(const Value* value, unsigned bits) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value))
      return add({.kind = Kind::Constant, .bits = bits, .number = constant->getZExtValue()});
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value))
      return add({.kind = Kind::Word, .bits = bits, .number = argument->getArgNo()});
    if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value))
      return of_both(kind_of_operation(operation->getOpcode()), bits, operation);
    if (const auto* minimum = llvm::dyn_cast<llvm::MinMaxIntrinsic>(value))
      return of_both(kind_of_minimum(minimum->getIntrinsicID()), bits, minimum);
    if (const auto* compared = llvm::dyn_cast<llvm::ICmpInst>(value)) return comparison(*compared);
    if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) return conversion(*cast, bits);
    if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(value)) {
      const auto condition = exact(select->getCondition()), yes = exact(select->getTrueValue()),
                 no = exact(select->getFalseValue());
      if (!condition || !yes || !no) return std::nullopt;
      return add({.kind = Kind::Either, .bits = bits, .a = *condition, .b = *no, .c = *yes});
    }
    if (const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(value)) {
      if (const auto* product = product_of(*part))
        return of_both(part->getIndices()[0] == 0 ? Kind::Multiply : Kind::Overflows, bits,
                       product);
      if (const Value* inserted = inserted_at(*part)) return exact(inserted);
    }
    return std::nullopt;
  }

  std::optional<std::size_t> of_both(std::optional<Kind> kind, unsigned bits,
                                     const llvm::User* operation) {
    if (!kind) return std::nullopt;
    const auto a = exact(operation->getOperand(0)), b = exact(operation->getOperand(1));
    if (!a || !b) return std::nullopt;
    return add(*kind, bits, *a, *b);
  }

  static std::optional<Kind> kind_of_operation(unsigned opcode) {
    switch (opcode) {
    case llvm::Instruction::Add:
      return Kind::Add;
    case llvm::Instruction::Sub:
      return Kind::Subtract;
    case llvm::Instruction::Mul:
      return Kind::Multiply;
    case llvm::Instruction::And:
      return Kind::And;
    case llvm::Instruction::Or:
      return Kind::Or;
    case llvm::Instruction::Xor:
      return Kind::Xor;
    case llvm::Instruction::Shl:
      return Kind::ShiftLeft;
    case llvm::Instruction::LShr:
      return Kind::ShiftRight;
    default:
      return std::nullopt;
    }
  }
  static std::optional<Kind> kind_of_minimum(llvm::Intrinsic::ID id) {
    switch (id) {
    case llvm::Intrinsic::umin:
      return Kind::Lesser;
    case llvm::Intrinsic::umax:
      return Kind::Greater;
    case llvm::Intrinsic::smin:
      return Kind::SignedLesser;
    case llvm::Intrinsic::smax:
      return Kind::SignedGreater;
    default:
      return std::nullopt;
    }
  }

  /// By "equal", "less" and their opposites.
  std::optional<std::size_t> comparison(const llvm::ICmpInst& compared) {
    if (bits_of(compared.getOperand(0)) == 0) return std::nullopt;
    const auto a = exact(compared.getOperand(0)), b = exact(compared.getOperand(1));
    if (!a || !b) return std::nullopt;
    const auto negated = [&](std::size_t step) {
      return add(Kind::IsEqual, 1, step, add({.kind = Kind::Constant, .bits = 1}));
    };
    // (Signs are looked at as numbers of 64 bits.)
    const unsigned width = bits_of(compared.getOperand(0));
    const auto wide = [&](std::size_t step) {
      return add({.kind = Kind::Extended, .number = width, .a = step});
    };
    using Predicate = llvm::CmpInst::Predicate;
    switch (compared.getPredicate()) {
    case Predicate::ICMP_EQ:
      return add(Kind::IsEqual, 1, *a, *b);
    case Predicate::ICMP_NE:
      return negated(add(Kind::IsEqual, 1, *a, *b));
    case Predicate::ICMP_ULT:
      return add(Kind::IsLess, 1, *a, *b);
    case Predicate::ICMP_UGT:
      return add(Kind::IsLess, 1, *b, *a);
    case Predicate::ICMP_UGE:
      return negated(add(Kind::IsLess, 1, *a, *b));
    case Predicate::ICMP_ULE:
      return negated(add(Kind::IsLess, 1, *b, *a));
    case Predicate::ICMP_SLT:
      return add(Kind::IsSignedLess, 1, wide(*a), wide(*b));
    case Predicate::ICMP_SGT:
      return add(Kind::IsSignedLess, 1, wide(*b), wide(*a));
    case Predicate::ICMP_SGE:
      return negated(add(Kind::IsSignedLess, 1, wide(*a), wide(*b)));
    case Predicate::ICMP_SLE:
      return negated(add(Kind::IsSignedLess, 1, wide(*b), wide(*a)));
    default:
      return std::nullopt;
    }
  }

  std::optional<std::size_t> conversion(const llvm::CastInst& cast, unsigned bits) {
    const unsigned from = bits_of(cast.getOperand(0));
    if (from == 0) return std::nullopt; // an address
    const auto operand = exact(cast.getOperand(0));
    if (!operand) return std::nullopt;
    const bool has_sign = cast.getOpcode() == llvm::Instruction::SExt;
    return add(
        {.kind = Kind::Extended, .bits = bits, .number = has_sign ? from : 64, .a = *operand});
  }

  /// Of what a part may be the product, or whether that is too much.
  static const llvm::IntrinsicInst* product_of(const llvm::ExtractValueInst& part) {
    const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(part.getAggregateOperand());
    return call && call->getIntrinsicID() == llvm::Intrinsic::umul_with_overflow ? call : nullptr;
  }

  /// What was put where it is taken from, if that is seen.
  static const Value* inserted_at(const llvm::ExtractValueInst& part) {
    const Value* all = part.getAggregateOperand();
    while (const auto* insertion = llvm::dyn_cast<llvm::InsertValueInst>(all)) {
      if (insertion->getIndices() == part.getIndices()) return insertion->getInsertedValueOperand();
      all = insertion->getAggregateOperand();
    }
    return nullptr;
  }

  // ---- at least the value

  Bound bound_of(const Value* value) {
    if (++visits_ > most_visits) return {};
    if (const auto step = exact(value)) return {step};
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(value)) return bound_of_phi(*phi);
    if (const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(value)) {
      const Value* const inserted = inserted_at(*part);
      return inserted ? bound_of(inserted) : Bound{};
    }
    if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(value))
      return greater(bound_of(select->getTrueValue()), bound_of(select->getFalseValue()));
    const auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (!operation || bits_of(value) != 64) return {};
    const bool is_sum = operation->getOpcode() == llvm::Instruction::Add;
    if (!is_sum && operation->getOpcode() != llvm::Instruction::Mul) return {};
    const Bound a = bound_of(operation->getOperand(0)), b = bound_of(operation->getOperand(1));
    // (What leads back from here grows with each iteration.)
    if (!a.step || !b.step || a.back != nowhere || b.back != nowhere) return {};
    return {add(is_sum ? Kind::CappedSum : Kind::CappedProduct, 64, *a.step, *b.step)};
  }

  Bound bound_of_phi(const llvm::PHINode& phi) {
    if (bits_of(&phi) == 0) return {};
    const auto [open, is_new] = open_.try_emplace(&phi, open_.size());
    if (!is_new) return {.back = open->second};
    const std::size_t number = open->second;
    Bound all{.back = number};
    for (const Value* incoming : phi.incoming_values()) {
      all = greater(all, bound_of(incoming));
      if (!all.is_known()) break;
    }
    open_.erase(&phi);
    // What leads back to here and no further out is all there is.
    if (all.back >= number) all.back = nowhere;
    return all;
  }

  Bound greater(const Bound& a, const Bound& b) {
    if (!a.is_known() || !b.is_known()) return {};
    const std::size_t back = std::min(a.back, b.back);
    if (!a.step || !b.step) return {a.step ? a.step : b.step, back};
    return {add(Kind::Greater, 64, *a.step, *b.step), back};
  }

  std::vector<SizeStep>& steps_;
  std::map<const Value*, std::optional<std::size_t>> exact_;
  std::map<const llvm::PHINode*, std::size_t> open_; ///< and their numbers, outermost first
  std::size_t visits_ = 0;
};

// ---- computing ---------------------------------------------------------------------------------

std::uint64_t cut(std::uint64_t number, unsigned bits) {
  return bits >= 64 ? number : number & ((std::uint64_t{1} << bits) - 1);
}

std::int64_t with_sign(std::uint64_t number, unsigned bits) {
  const unsigned above = 64 - bits;
  return static_cast<std::int64_t>(number << above) >> above;
}

std::uint64_t computed(const SizeStep& step, std::span<const std::uint64_t> words,
                       const std::vector<std::uint64_t>& before) {
  const auto of = [&](std::size_t which) { return before.empty() ? 0 : before[which]; };
  const std::uint64_t a = of(step.a), b = of(step.b);
  const std::int64_t x = with_sign(a, step.bits), y = with_sign(b, step.bits);
  std::uint64_t result = 0;
  switch (step.kind) {
  case Kind::Constant:
    return step.number;
  case Kind::Word:
    return words[step.number];
  case Kind::Add:
    return a + b;
  case Kind::Subtract:
    return a - b;
  case Kind::Multiply:
    return a * b;
  case Kind::And:
    return a & b;
  case Kind::Or:
    return a | b;
  case Kind::Xor:
    return a ^ b;
  case Kind::ShiftLeft:
    return b < 64 ? a << b : 0;
  case Kind::ShiftRight:
    return b < 64 ? a >> b : 0;
  case Kind::Lesser:
    return std::min(a, b);
  case Kind::Greater:
    return std::max(a, b);
  case Kind::SignedLesser:
    return x < y ? a : b;
  case Kind::SignedGreater:
    return x > y ? a : b;
  case Kind::IsEqual:
    return a == b ? 1 : 0;
  case Kind::IsLess:
    return a < b ? 1 : 0;
  case Kind::IsSignedLess:
    return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) ? 1 : 0;
  case Kind::Overflows:
    return __builtin_mul_overflow(a, b, &result) ? 1 : 0;
  case Kind::Either:
    return a != 0 ? of(step.c) : b;
  case Kind::Extended:
    return static_cast<std::uint64_t>(with_sign(a, static_cast<unsigned>(step.number)));
  case Kind::CappedSum:
    return __builtin_add_overflow(a, b, &result) ? UINT64_MAX : result;
  case Kind::CappedProduct:
    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
  }
  __builtin_unreachable();
}

} // namespace

ScratchSizes ScratchSizes::of(const GpuModule& module) {
  ScratchSizes result;
  for (const EntryPoint& point : module.entries) {
    const llvm::Function* const function = module.module->getFunction(point.name);
    SizeReader reader(result.steps_);
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const llvm::MDNode* const region = instruction.getMetadata(scratch_end_name);
      if (!region) continue;
      Need& need = result.needs_[llvm::mdconst::extract<llvm::ConstantInt>(region->getOperand(0))
                                     ->getZExtValue()];
      const auto& note = llvm::cast<llvm::AtomicRMWInst>(instruction);
      if (const auto step = reader.bound(note.getValOperand()))
        need.most_of.push_back(*step);
      else if (need.is_known())
        need.reason = SizeReader::reason(note.getValOperand());
    }
  }
  return result;
}

bool ScratchSizes::are_known() const {
  return std::ranges::all_of(needs_, &Need::is_known);
}

std::string_view ScratchSizes::reason() const {
  const auto unknown = std::ranges::find_if_not(needs_, &Need::is_known);
  return unknown == needs_.end() ? std::string_view() : unknown->reason;
}

std::vector<unsigned> ScratchSizes::words() const {
  std::vector<unsigned> result;
  for (const SizeStep& step : steps_)
    if (step.kind == Kind::Word) result.push_back(static_cast<unsigned>(step.number));
  return result;
}

std::array<std::optional<std::uint64_t>, scratch_regions>
ScratchSizes::at(std::span<const std::uint64_t> words) const {
  std::vector<std::uint64_t> values;
  values.reserve(steps_.size());
  for (const SizeStep& step : steps_)
    values.push_back(cut(computed(step, words, values), step.bits));
  std::array<std::optional<std::uint64_t>, scratch_regions> result;
  for (std::size_t region = 0; region < scratch_regions; ++region) {
    if (!needs_[region].is_known()) continue;
    std::uint64_t most = 0;
    for (const std::size_t step : needs_[region].most_of)
      most = std::max(most, values[step]);
    most = std::min(most, most_scratch_bytes);
    result[region] = (most + 7) / 8 * 8;
  }
  return result;
}

} // namespace sinter::gpu
