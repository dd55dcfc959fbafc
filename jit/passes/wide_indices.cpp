#include "jit/passes/wide_indices.h"

#include "jit/ir/walk.h"
#include "jit/passes/linear_form.h"
#include "jit/passes/rewrite.h"
#include "jit/passes/simplify.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;
using Statements = std::vector<Statement>;

namespace {

constexpr std::int64_t least_short = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t greatest_short = std::numeric_limits<std::int32_t>::max();

/// Values that are places in arrays or numbers of elements, or that such are sums and products of.
/// (What is divided may be meant to wrap around before, as hashes are.)
class PlaceValues {
public:
  explicit PlaceValues(const Function& function) { visit(function.body); }
  bool contains(ValueId value) const { return places_.contains(value.index); }

private:
  void note(const Operand& operand) {
    if (operand.is_value()) places_.insert(operand.value().index);
  }
  void note(const std::vector<Operand>& operands) {
    for (const Operand& operand : operands)
      note(operand);
  }
  void note(const std::vector<Slice::Dimension>& dimensions) {
    for (const Slice::Dimension& each : dimensions)
      note(each.begin);
  }
  /// From the last statement to the first one: what uses a value comes before what defines it.
  void visit(const Body& body) {
    for (auto at = body.statements.rbegin(); at != body.statements.rend(); ++at) {
      const ir::Operation& operation = at->operation;
      for_each_body(operation, [&](const Body& inner) { visit(inner); });
      if (const auto* index = std::get_if<Index>(&operation)) note(index->indices);
      if (const auto* update = std::get_if<Update>(&operation)) note(update->indices);
      if (const auto* slice = std::get_if<Slice>(&operation)) note(slice->dimensions);
      if (const auto* slice = std::get_if<UpdateSlice>(&operation)) note(slice->dimensions);
      if (const auto* soac = std::get_if<Soac>(&operation)) note(soac->extent);
      if (const auto* loop = std::get_if<For>(&operation)) note(loop->bound);
      const auto* primitive = std::get_if<Primitive>(&operation);
      if (primitive && is_arithmetic(*primitive->primitive) && contains(at->results[0]))
        note(primitive->arguments);
    }
  }

  static bool is_arithmetic(const primitives::Primitive& primitive) {
    return primitive.result == ElementType::I64 && primitive.operand == ElementType::I64 &&
           (primitive.operation == ScalarOperation::Add ||
            primitive.operation == ScalarOperation::Subtract ||
            primitive.operation == ScalarOperation::Multiply ||
            primitive.operation == ScalarOperation::Minimum ||
            primitive.operation == ScalarOperation::Maximum);
  }

  std::unordered_set<std::uint32_t> places_;
};

/// A number of 32 bits as one of 64, and its bounds: sums of numbers of i64.
struct Wide {
  Operand value; ///< i64
  std::optional<LinearForm> least, greatest;
};

class Widening {
public:
  explicit Widening(Function& function) : function_(function), places_(function) {}

  /// Whether anything is wider.
  bool run() {
    for (const ValueId parameter : function_.body.parameters)
      if (function_.type(parameter) == Type{ElementType::I64, {}}) outside_.insert(parameter.index);
    whole_body();
    // Of what is now known to fit, comparisons too.
    asks_for_checks_ = false;
    whole_body();
    return !known_.empty() || numbers_loops_;
  }

private:
  // ---- the walk

  void whole_body() {
    for (const ValueId parameter : function_.body.parameters)
      note_extents(parameter);
    body(function_.body);
    forget_extents(0);
  }
  void body(Body& body) {
    Statements before = std::move(body.statements), out;
    const std::size_t checked = checked_.size(), extents = extents_here_.size();
    for (Statement& statement : before) {
      known_.apply_to_head(function_, statement);
      if (auto* loop = std::get_if<For>(&statement.operation)) {
        number_in_64_bits(statement, *loop, out);
        put_guards(out); // before those of its rounds
      }
      if (const auto* check = std::get_if<Check>(&statement.operation))
        if (const auto known = forms_.find(check->site.index); known != forms_.end())
          checked_.push_back(known->second);
      inside(statement);
      compare(statement, out);
      const bool stays = define(statement, out);
      put_guards(out);
      if (soacs_around_ == 0)
        for (const ValueId result : statement.results)
          if (function_.type(result) == Type{ElementType::I64, {}}) outside_.insert(result.index);
      for (const ValueId result : statement.results)
        note_extents(result);
      if (stays) out.push_back(std::move(statement));
    }
    for (Operand& result : body.results)
      result = known_.resolve(result);
    body.statements = std::move(out);
    checked_.resize(checked);
    forget_extents(extents);
  }
  /// Of an array that there is: they are not negative.
  void note_extents(ValueId array) {
    for (const Operand& extent : function_.type(array).extents)
      note_extent(extent);
  }
  void note_extent(const Operand& extent) {
    if (!extent.is_value()) return;
    ++extents_[extent.value().index];
    extents_here_.push_back(extent.value().index);
  }
  void forget_extents(std::size_t count) {
    for (; extents_here_.size() > count; extents_here_.pop_back())
      if (--extents_[extents_here_.back()] == 0) extents_.erase(extents_here_.back());
  }
  void put_guards(Statements& out) {
    if (soacs_around_ > 0) return;
    std::ranges::move(guards_, std::back_inserter(out));
    guards_.clear();
  }
  void inside(Statement& statement) {
    auto* const soac = std::get_if<Soac>(&statement.operation);
    const auto* const loop = std::get_if<For>(&statement.operation);
    const std::size_t extents = extents_here_.size();
    if (soac) {
      ++soacs_around_;
      note_extent(soac->extent);
      bounds_of_index(soac->body.parameters[0], soac->extent);
      indices_.insert(soac->body.parameters[0].index);
    }
    if (loop && loop->index_type == ElementType::I64)
      bounds_of_index(loop->body.parameters[0], loop->bound);
    for_each_body(statement.operation, [&](Body& inner) {
      for (const ValueId parameter : inner.parameters) {
        known_.apply_to_type(function_, parameter);
        note_extents(parameter);
        // (A state of a loop outside.)
        if (soacs_around_ == 0 && function_.type(parameter) == Type{ElementType::I64, {}})
          outside_.insert(parameter.index);
      }
      body(inner);
    });
    if (soac) --soacs_around_;
    forget_extents(extents);
  }
  void bounds_of_index(ValueId index, const Operand& extent) {
    const std::optional<LinearForm> most = sum_of(extent).greatest;
    wide_.insert_or_assign(
        index.index,
        Wide{index, LinearForm{}, most ? combine(*most, LinearForm{1, {}}, -1) : std::nullopt});
  }
  /// The rounds of a loop that has them in i32.
  void number_in_64_bits(Statement& statement, For& loop, Statements& out) {
    if (loop.index_type != ElementType::I32) return;
    numbers_loops_ = true;
    StatementWriter writer(function_, statement.span);
    const std::optional<Wide> bound = fitting(loop.bound, out, statement.span);
    const ValueId before = loop.body.parameters[0];
    const ValueId index = writer.value({ElementType::I64, {}});
    const auto convert = [&](ElementType from, ElementType to, const Operand& number,
                             Statements& to_list) {
      return writer.scalar(*primitives::conversion(from, to), {number}, to_list);
    };
    loop.bound =
        bound ? bound->value : convert(ElementType::I32, ElementType::I64, loop.bound, out);
    if (!bound && loop.bound.is_value()) {
      if (soacs_around_ == 0) outside_.insert(loop.bound.value().index);
      short_.insert(loop.bound.value().index);
    }
    loop.index_type = ElementType::I64;
    loop.body.parameters[0] = index;
    function_.values[index.index].name = function_.values[before.index].name;
    loop.body.statements.insert(
        loop.body.statements.begin(),
        Statement{{before},
                  Primitive{primitives::conversion(ElementType::I64, ElementType::I32), {index}},
                  statement.span});
  }

  // ---- numbers

  /// Notes what a statement's result is; false if something stands for it.
  bool define(const Statement& statement, Statements& out) {
    const auto* const primitive = std::get_if<Primitive>(&statement.operation);
    const auto* const choice = std::get_if<Select>(&statement.operation);
    if (!primitive && !choice) return true;
    const ValueId result = statement.results[0];
    definitions_.insert_or_assign(result.index, statement.operation);
    if (primitive && (primitive->primitive == &row(ScalarOperation::Add, ElementType::I64) ||
                      primitive->primitive == &row(ScalarOperation::Subtract, ElementType::I64)))
      if (std::optional<Wide> sum =
              bounds_of(primitive->primitive->operation, sum_of(primitive->arguments[0]),
                        sum_of(primitive->arguments[1]))) {
        sum->value = result;
        wide_.insert_or_assign(result.index, std::move(*sum));
      }
    if (!primitive ||
        primitive->primitive != primitives::conversion(ElementType::I32, ElementType::I64))
      return true;
    short_.insert(result.index);
    if (!places_.contains(result)) return true;
    const std::optional<Wide> wide = fitting(primitive->arguments[0], out, statement.span);
    if (!wide) return true;
    known_.set(result, wide->value);
    wide_.insert_or_assign(result.index, *wide);
    return false;
  }
  /// Compares in 64 bits, if it is a comparison of i32.
  void compare(Statement& statement, Statements& out) {
    auto* const primitive = std::get_if<Primitive>(&statement.operation);
    if (asks_for_checks_ || !primitive || primitive->primitive->operand != ElementType::I32 ||
        primitive->primitive->result != ElementType::Bool || primitive->arguments.size() != 2)
      return;
    const std::size_t written = out.size();
    // (Else numbers of rows and columns would be divided for once more.)
    asks_for_checks_ = std::ranges::any_of(
        primitive->arguments, [&](const Operand& operand) { return is_part_of_index(operand); });
    const auto a = fitting(primitive->arguments[0], out, statement.span);
    const auto b = a ? fitting(primitive->arguments[1], out, statement.span) : std::nullopt;
    if (b)
      statement.operation =
          Primitive{&row(primitive->primitive->operation, ElementType::I64), {a->value, b->value}};
    else
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(written), out.end());
    asks_for_checks_ = false;
  }
  /// Whether it is a quotient or a remainder of a SOAC's index by a number from outside.
  bool is_part_of_index(const Operand& operand) const {
    const auto converted = [&](const Operand& number) -> std::optional<Operand> {
      const ir::Operation* const made = definition(number);
      const auto* const primitive = made ? std::get_if<Primitive>(made) : nullptr;
      if (!primitive ||
          primitive->primitive != primitives::conversion(ElementType::I64, ElementType::I32))
        return std::nullopt;
      return primitive->arguments[0];
    };
    const ir::Operation* const made = definition(operand);
    const auto* const primitive = made ? std::get_if<Primitive>(made) : nullptr;
    if (!primitive || primitive->primitive->operand != ElementType::I32) return false;
    switch (primitive->primitive->operation) {
    case ScalarOperation::Divide:
    case ScalarOperation::Quotient:
    case ScalarOperation::Modulo:
    case ScalarOperation::Remainder:
      break;
    default:
      return false;
    }
    const std::optional<Operand> index = converted(primitive->arguments[0]),
                                 by = converted(primitive->arguments[1]);
    return index && index->is_value() && indices_.contains(index->value().index) && by &&
           by->is_value() && outside_.contains(by->value().index);
  }
  const ir::Operation* definition(const Operand& operand) const {
    const auto found =
        operand.is_value() ? definitions_.find(operand.value().index) : definitions_.end();
    return found == definitions_.end() ? nullptr : &found->second;
  }
  /// A number of i32 as one of i64, where that fits; else nothing is written or checked.
  std::optional<Wide> fitting(const Operand& number, Statements& out, Span span) {
    const std::size_t written = out.size(), guards = guards_.size(), checked = checked_.size();
    std::optional<Wide> wide = widened(number, out, span);
    if (wide && fits(*wide)) return wide;
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(written), out.end());
    guards_.erase(guards_.begin() + static_cast<std::ptrdiff_t>(guards), guards_.end());
    checked_.resize(checked);
    return std::nullopt;
  }
  /// Of a number of i32; writes what computes it.  Nothing if it is not known to be as wide.
  std::optional<Wide> widened(const Operand& number, Statements& out, Span span) {
    if (number.is_constant()) {
      const auto constant = number.scalar().as<std::int64_t>();
      return Wide{Operand::i64(constant), LinearForm{constant, {}}, LinearForm{constant, {}}};
    }
    const auto found = definitions_.find(number.value().index);
    if (found == definitions_.end()) return std::nullopt;
    const ir::Operation operation = found->second;
    StatementWriter writer(function_, span);
    if (const auto* choice = std::get_if<Select>(&operation)) {
      const auto a = widened(choice->then_value, out, span),
                 b = widened(choice->else_value, out, span);
      if (!a || !b || !fits(*a) || !fits(*b)) return std::nullopt;
      const ValueId result = writer.value({ElementType::I64, {}});
      out.push_back({{result}, Select{choice->condition, a->value, b->value}, span});
      return Wide{result, least_of(*a, *b), greatest_of(*a, *b)};
    }
    const auto& primitive = std::get<Primitive>(operation);
    if (primitive.primitive == primitives::conversion(ElementType::I64, ElementType::I32))
      return sum_of(primitive.arguments[0]);
    if (primitive.primitive->operand != ElementType::I32 || primitive.arguments.size() != 2)
      return std::nullopt;
    const auto a = widened(primitive.arguments[0], out, span);
    const auto b = a ? widened(primitive.arguments[1], out, span) : std::nullopt;
    if (!a || !b || !fits(*a) || !fits(*b)) return std::nullopt;
    const ScalarOperation kind = primitive.primitive->operation;
    std::optional<Wide> result = bounds_of(kind, *a, *b);
    if (!result) return std::nullopt;
    result->value = writer.scalar(kind, a->value, b->value, out);
    return result;
  }
  /// A number of i64.
  Wide sum_of(const Operand& number) const {
    if (number.is_constant()) {
      const LinearForm form{number.scalar().as<std::int64_t>(), {}};
      return {number, form, form};
    }
    const auto known = wide_.find(number.value().index);
    if (known != wide_.end()) return known->second;
    const LinearForm form{0, {{number.value().index, 1}}};
    return {number, form, form};
  }

  // ---- bounds

  /// What a form is at least: where atoms are not negative, and there are as many as are added.
  std::optional<std::int64_t> least_number(const LinearForm& form) const {
    for (const auto& [atom, factor] : form.terms)
      if (factor < 0 || !extents_.contains(atom)) return std::nullopt;
    return form.constant;
  }
  std::optional<LinearForm> least_of(const Wide& a, const Wide& b) const {
    if (!a.least || !b.least) return std::nullopt;
    if (*a.least == *b.least) return a.least;
    const auto first = least_number(*a.least), second = least_number(*b.least);
    if (!first || !second) return std::nullopt;
    return LinearForm{std::min(*first, *second), {}};
  }
  /// A number that is not less than either: the sum of the one and of what the other is more.
  std::optional<LinearForm> greatest_of(const Wide& a, const Wide& b) const {
    if (!a.greatest || !b.greatest) return std::nullopt;
    if (a.greatest->terms == b.greatest->terms)
      return a.greatest->constant < b.greatest->constant ? b.greatest : a.greatest;
    const bool is_first = a.greatest->terms.empty();
    const LinearForm &number = is_first ? *a.greatest : *b.greatest,
                     &sum = is_first ? *b.greatest : *a.greatest;
    const std::optional<std::int64_t> least = least_number(sum);
    if (!number.terms.empty() || !least) return std::nullopt;
    return combine(sum, LinearForm{std::max<std::int64_t>(number.constant - *least, 0), {}}, 1);
  }
  /// Of an operation on two such numbers; nothing if its results need not be the same in 64 bits.
  std::optional<Wide> bounds_of(ScalarOperation kind, const Wide& a, const Wide& b) const {
    const auto combined = [](const std::optional<LinearForm>& one,
                             const std::optional<LinearForm>& other,
                             std::int64_t factor) -> std::optional<LinearForm> {
      return one && other ? combine(*one, *other, factor) : std::nullopt;
    };
    switch (kind) {
    case ScalarOperation::Add:
      return Wide{{}, combined(a.least, b.least, 1), combined(a.greatest, b.greatest, 1)};
    case ScalarOperation::Subtract:
      return Wide{{}, combined(a.least, b.greatest, -1), combined(a.greatest, b.least, -1)};
    case ScalarOperation::Multiply: {
      const std::optional<std::int64_t> factor = number_of(a) ? number_of(a) : number_of(b);
      if (!factor || *factor < 0) return std::nullopt;
      const Wide& other = number_of(a) ? b : a;
      return Wide{{},
                  combined(LinearForm{}, other.least, *factor),
                  combined(LinearForm{}, other.greatest, *factor)};
    }
    case ScalarOperation::Minimum:
      return Wide{{}, least_of(a, b), a.greatest ? a.greatest : b.greatest};
    case ScalarOperation::Maximum:
      return Wide{{}, a.least ? a.least : b.least, greatest_of(a, b)};
    case ScalarOperation::Divide:
    case ScalarOperation::Quotient:
      if (!are_not_negative(a, b)) return std::nullopt;
      return Wide{{}, LinearForm{}, a.greatest};
    case ScalarOperation::Modulo:
    case ScalarOperation::Remainder:
      if (!are_not_negative(a, b)) return std::nullopt;
      return Wide{{}, LinearForm{}, combined(b.greatest, LinearForm{1, {}}, -1)};
    default:
      return std::nullopt;
    }
  }
  static std::optional<std::int64_t> number_of(const Wide& wide) {
    if (!wide.value.is_constant()) return std::nullopt;
    return wide.value.scalar().as<std::int64_t>();
  }
  /// (That nothing is divided by 0 is checked before, as it was.)
  bool are_not_negative(const Wide& a, const Wide& b) const {
    const auto is_none = [&](const std::optional<LinearForm>& least) {
      const std::optional<std::int64_t> number = least ? least_number(*least) : std::nullopt;
      return number && *number >= 0;
    };
    return is_none(a.least) && is_none(b.least);
  }

  // ---- checks

  /// Whether a number has 32 bits, if need be because that is checked outside.
  bool fits(const Wide& wide) {
    if (!wide.least || !wide.greatest) return false;
    const auto room_above = combine(LinearForm{greatest_short, {}}, *wide.greatest, -1);
    const auto room_below = combine(*wide.least, LinearForm{least_short, {}}, -1);
    return room_above && room_below && is_not_negative(*room_above) && is_not_negative(*room_below);
  }
  bool is_not_negative(const LinearForm& form) {
    if (const auto least = least_number(form); least && *least >= 0) return true;
    if (form.terms.empty()) return false;
    // What comes of 32 bits has no more: `convert x - 1`, and no index below it, leaves them.
    if (form.terms.size() == 1 && short_.contains(form.terms[0].first)) {
      const std::int64_t factor = form.terms[0].second;
      if (factor == -1 && form.constant >= greatest_short) return true;
      if (factor == 1 && form.constant >= -least_short) return true;
    }
    const auto follows = [&](const LinearForm& known) {
      return known.terms == form.terms && known.constant <= form.constant;
    };
    if (std::ranges::any_of(checked_, follows)) return true;
    const bool is_outside = std::ranges::all_of(
        form.terms, [&](const auto& term) { return outside_.contains(term.first); });
    if (!asks_for_checks_ || !is_outside) return false;
    // (So that the sum itself, of numbers that may be any, does not wrap around.)
    for (const auto& [atom, factor] : form.terms)
      if (form.terms.size() > 1 && !extents_.contains(atom) &&
          (!is_not_negative({-least_short, {{atom, 1}}}) ||
           !is_not_negative({greatest_short, {{atom, -1}}})))
        return false;
    check(form);
    checked_.push_back(form);
    return true;
  }
  void check(const LinearForm& form) {
    StatementWriter writer(function_, Span{});
    const Operand sum = writer.sum(form, guards_);
    const Operand fits = writer.scalar(ScalarOperation::LessEqual, Operand::i64(0), sum, guards_);
    const FailureId site = writer.require(
        fits, "indices that wrap around in 32 bits, which compiled code does not have here",
        guards_);
    forms_.emplace(site.index, form);
  }

  Function& function_;
  PlaceValues places_;
  Substitution known_;
  unsigned soacs_around_ = 0;
  std::unordered_map<std::uint32_t, ir::Operation> definitions_; ///< primitives and selects
  std::unordered_map<std::uint32_t, Wide> wide_;                 ///< of values of i64
  std::unordered_set<std::uint32_t> indices_;                    ///< of SOACs
  std::unordered_set<std::uint32_t> outside_; ///< numbers of i64 that are known outside of SOACs
  std::unordered_set<std::uint32_t> short_;   ///< of those, what comes of 32 bits
  std::unordered_map<std::uint32_t, std::size_t> extents_; ///< of arrays that there are: how many
  std::vector<std::uint32_t> extents_here_;                ///< in the order in which they came
  std::vector<LinearForm> checked_;                        ///< not negative, here
  std::unordered_map<std::uint32_t, LinearForm> forms_;    ///< by failure site of their check
  Statements guards_;                                      ///< to come before the statement at hand
  bool asks_for_checks_ = true;
  bool numbers_loops_ = false;
};

} // namespace

void widen_indices(Function& function) {
  if (Widening(function).run()) simplify(function);
}

} // namespace sinter::jit
