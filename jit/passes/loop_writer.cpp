#include "jit/passes/loop_writer.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/carried_states.h"
#include "jit/passes/cost.h"
#include "jit/passes/round_count.h"
#include "jit/passes/round_needs.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;
using Statements = std::vector<Statement>;

namespace {

/// A margin that is computed with what it surrounds, rather than left as it is.
constexpr std::int64_t widest_margin = 16;
/// What may be computed for each element instead of for each row, in additions (ir/costs.h).
constexpr unsigned most_for_each = 16;

/// Writes a loop's SOACs.
class LoopWriter : StatementWriter {
public:
  LoopWriter(Function& function, const Statement& statement, Facts& facts, LoopPlace place,
             const std::unordered_set<std::uint32_t>& prefixes)
      : StatementWriter(function, statement.span), statement_(statement),
        loop_(std::get<For>(statement.operation)), states_(function, loop_, &facts), facts_(facts),
        place_(place), prefixes_(prefixes) {}

  WrittenLoop write() {
    if (has_few_rounds()) return {};
    std::optional<std::vector<StateChange>> changes = states_.changes();
    if (!changes || changes->empty()) return {};
    changes_ = std::move(*changes);
    // (Such bounds are no extents.)
    if (loop_.index_type == ElementType::U64)
      return {{}, "its iterations are numbered in 64 bits without a sign"};
    if (!has_fixed_rows()) return {{}, "what an iteration writes has a size of its own"};
    if (had_better_stay(function_, loop_, place_)) return {};
    const Facts::Mark mark = facts_.mark();
    write_extent();
    if (!widen_windows()) {
      facts_.back_to(mark); // what is written so far is not put anywhere
      return {};
    }
    body_ = clone_of_round();
    lift_checks();
    if (changes_.size() != 1 || !write_with_margin()) write_soac();
    return {std::move(out_), {}};
  }

private:
  bool has_few_rounds() const {
    return !place_.is_in_marked_loop && loop_.bound.is_constant() &&
           loop_.bound.scalar().as<std::int64_t>() <= few_rounds &&
           std::ranges::none_of(loop_.body.statements, [](const Statement& each) {
             bool has_bodies = false;
             for_each_body(each.operation, [&](const Body&) { has_bodies = true; });
             return has_bodies;
           });
  }
  /// Whether what a round writes is as large in each round.
  bool has_fixed_rows() const {
    return std::ranges::all_of(changes_, [&](const StateChange& change) {
      const std::optional<Operand> written = written_value(change);
      if (!written) return true;
      const std::vector<Operand> extents = function_.type(*written).extents;
      return std::ranges::none_of(extents,
                                  [&](const Operand& extent) { return states_.is_inside(extent); });
    });
  }
  static std::optional<Operand> written_value(const StateChange& change) {
    if (const auto* own = std::get_if<OwnChange>(&change)) return written_by(*own->update);
    if (const auto* window = std::get_if<WindowChange>(&change))
      return written_by(*window->updates[0]);
    if (const auto* scatter = std::get_if<ScatterChange>(&change))
      return written_by(*scatter->update);
    return std::nullopt;
  }
  // ---- before the SOAC

  Operand put(ScalarOperation operation, const Operand& a, const Operand& b,
              ElementType type = ElementType::I64) {
    const Operand result = scalar(row(operation, type), {a, b}, out_);
    facts_.define(out_.back());
    return result;
  }
  void write_extent() {
    bound_ = loop_.bound;
    if (loop_.index_type != ElementType::I64) {
      bound_ = scalar(*primitives::conversion(loop_.index_type, ElementType::I64), {bound_}, out_);
      facts_.define(out_.back());
    }
    extent_ = extent_of_rounds(function_, bound_, span_, facts_, out_);
  }

  /// Widens windows to all that lies between them, which is written, too, as it is; whether that
  /// is there, before the first one or behind the last one.  (If not, a marked loop's places are
  /// slices, each for itself.)
  bool widen_windows() {
    for (std::size_t state = 0; state < changes_.size(); ++state) {
      auto* window = std::get_if<WindowChange>(&changes_[state]);
      if (!window) continue;
      const Operand length = type_of_state(state).extents[window->across];
      if (window->across != window->dimension) {
        if (!widen_in_row(*window, length)) return false;
        continue;
      }
      const std::int64_t between = window->at.step - window->width;
      const auto first = window->first;
      bool is_there = between == 0;
      for (std::int64_t before = 0; before <= between && !is_there; ++before) {
        window->first = first - before;
        const Operand begin = begin_of(*window);
        const Operand rounds =
            put(ScalarOperation::Multiply, extent_, Operand::i64(window->at.step));
        const Operand end = put(ScalarOperation::Add, begin, rounds);
        // (Where the last window itself ends, it has been looked.)
        is_there = facts_.is_at_most(Operand::i64(0), begin) &&
                   (before == between || facts_.is_at_most(end, length));
      }
      if (!is_there && loop_.is_parallel) {
        window->first = first;
        continue;
      }
      if (!is_there) return false;
      const auto before = static_cast<std::size_t>(first - window->first);
      window->by_place.insert(window->by_place.begin(), before, nullptr);
      window->by_place.resize(static_cast<std::size_t>(window->at.step));
      window->width = window->at.step;
    }
    return true;
  }
  /// The same of windows that are in rows, to all of the row if that is short.
  bool widen_in_row(WindowChange& window, const Operand& length) const {
    if (!length.is_constant()) return loop_.is_parallel;
    const auto most = length.scalar().as<std::int64_t>();
    if (window.first < 0 || window.first + window.width > most) return false; // no round succeeds
    if (most > widest_window) return loop_.is_parallel;
    window.by_place.insert(window.by_place.begin(), static_cast<std::size_t>(window.first),
                           nullptr);
    window.by_place.resize(static_cast<std::size_t>(most));
    window.first = 0;
    window.width = most;
    return true;
  }
  /// Of the first round's window, along the rounds' dimension.
  Operand begin_of(const WindowChange& window) {
    const Operand begin = offset(window.at);
    const std::int64_t first = window.across == window.dimension ? window.first : 0;
    if (first == 0) return begin;
    if (begin.is_constant()) return Operand::i64(begin.scalar().as<std::int64_t>() + first);
    return put(ScalarOperation::Add, begin, Operand::i64(first));
  }

  /// The round as a SOAC's body: reads of the state are reads of what the loop begins with, and
  /// nothing overwrites it.
  Body clone_of_round() {
    Body round = round_of_needs(function_, loop_, changes_);
    round.parameters.resize(1);
    std::vector<Replacement> replacements;
    for (std::size_t i = 0; i < loop_.initial.size(); ++i)
      replacements.emplace_back(loop_.body.parameters[i + 1], loop_.initial[i]);
    round = clone(function_, round, std::move(replacements));
    index_ = round.parameters[0];
    if (loop_.index_type == ElementType::I64) return round;
    index_ = value({ElementType::I64, {}});
    const auto* const narrow = primitives::conversion(ElementType::I64, loop_.index_type);
    round.statements.insert(round.statements.begin(),
                            {{round.parameters[0]}, ir::Primitive{narrow, {index_}}, span_});
    round.parameters = {index_};
    return round;
  }

  /// A check that is the same in all rounds, and the first that they come to, fails in the first
  /// round, if there is one.
  void lift_checks() {
    for (auto each = body_.statements.begin(); each != body_.statements.end();) {
      const auto* check = std::get_if<Check>(&each->operation);
      if (!check) {
        if (may_fail(each->operation)) return;
        ++each;
        continue;
      }
      if (is_defined_in(body_, check->condition)) return;
      const Operand none = put(ScalarOperation::LessEqual, bound_, Operand::i64(0));
      const Operand holds = put(ScalarOperation::Or, none, check->condition, ElementType::Bool);
      out_.push_back({{}, Check{holds, check->site}, each->span});
      facts_.assume(holds, true);
      each = body_.statements.erase(each);
    }
  }
  /// What is added to the index, or what that is taken from.
  Operand offset(const RoundIndex& at) {
    Statements made;
    const Operand result = sum(at.offset, made);
    for (Statement& each : made) {
      facts_.define(each);
      out_.push_back(std::move(each));
    }
    return result;
  }

  // ---- all but a margin

  /// Of an array whose last written dimension the rounds go along: what a round gives there, and
  /// what was there before elsewhere.
  bool write_with_margin() {
    const auto* own = std::get_if<OwnChange>(&changes_[0]);
    const auto* update = own ? std::get_if<Update>(&own->update->operation) : nullptr;
    if (!update || own->at.step != 1 || own->dimension + 1 != update->indices.size()) return false;
    const Operand length = type_of_state(0).extents[own->dimension];
    if (is_whole(*own, length)) return false; // a map, and no more
    // (To be asked of, and never computed.)
    const Operand most = scalar(row(ScalarOperation::Add, ElementType::I64),
                                {extent_, Operand::i64(widest_margin)}, unused_);
    facts_.define(unused_.back());
    if (!facts_.is_at_most(length, most)) return false;
    if (!may_go_in(body_, function_.type(body_.results[0]).rank())) return false;

    const Operand begin = offset(own->at);
    const Operand end =
        begin == Operand::i64(0) ? extent_ : put(ScalarOperation::Add, extent_, begin);
    std::vector<Operand> place(update->indices.begin(), update->indices.end() - 1);
    const ValueId index = value({ElementType::I64, {}});
    Soac soac{length, {}, {{index}, {}, {}}, {MapGroup{}}};
    Statements& inside = soac.body.statements;
    const Operand is_behind =
        scalar(row(ScalarOperation::LessEqual, ElementType::I64), {begin, index}, inside);
    const Operand is_before =
        scalar(row(ScalarOperation::Less, ElementType::I64), {index, end}, inside);
    const Operand is_written =
        scalar(row(ScalarOperation::And, ElementType::Bool), {is_behind, is_before}, inside);
    Body round;
    scalar(row(ScalarOperation::Subtract, ElementType::I64), {index, begin}, round.statements);
    replace_uses(function_, body_,
                 std::vector<Replacement>{{index_, round.statements.back().results[0]}});
    std::ranges::move(body_.statements, std::back_inserter(round.statements));
    place.emplace_back(index);
    soac.body.results = {write_inside(is_written, std::move(place), std::move(round.statements),
                                      body_.results[0], inside)};
    finish_own(0, *own, std::move(soac), length);
    return true;
  }
  /// Whether what a round computes may be computed inside of the maps that give its rows.
  bool may_go_in(const Body& body, std::size_t rank) const {
    if (rank == 0) return true;
    const Statement* const rows = rows_of(body.statements, body.results[0]);
    if (!rows) return false;
    const auto& soac = std::get<Soac>(rows->operation);
    unsigned besides = 0;
    for (const Statement& each : body.statements) {
      if (&each == rows) continue;
      if (may_fail(each.operation) || is_defined_in({{}, {each}, {}}, soac.extent)) return false;
      besides += cost(each);
    }
    return besides <= most_for_each && may_go_in(soac.body, rank - 1);
  }
  /// The map among the statements that gives the value, of nothing else.
  static const Statement* rows_of(const Statements& statements, const Operand& value) {
    for (const Statement& each : statements) {
      const auto* soac = std::get_if<Soac>(&each.operation);
      if (soac && each.results.size() == 1 && Operand(each.results[0]) == value &&
          std::holds_alternative<MapGroup>(soac->groups[0]))
        return &each;
    }
    return nullptr;
  }
  /// The element, or the array of them, at a place of the state: `statements` give it where it is
  /// written.
  Operand write_inside(const Operand& is_written, std::vector<Operand> place, Statements statements,
                       const Operand& written, Statements& out) {
    const Type type = function_.type(written);
    const ValueId state = loop_.initial[0].value();
    if (type.is_scalar()) {
      If choice{is_written, {{}, std::move(statements), {written}}, {}};
      choice.else_body.results = {element(state, std::move(place), choice.else_body.statements)};
      const ValueId result = value(type);
      out.push_back({{result}, std::move(choice), span_});
      return result;
    }
    const Statement* const found = rows_of(statements, written);
    Soac soac = std::get<Soac>(found->operation);
    statements.erase(statements.begin() + (found - statements.data()));
    for (std::size_t i = 0; i < soac.inputs.size(); ++i) {
      Type element_type = function_.type(soac.inputs[i]);
      element_type.extents.erase(element_type.extents.begin());
      statements.push_back({{soac.body.parameters[i + 1]},
                            ir::Index{soac.inputs[i], {soac.body.parameters[0]}},
                            span_});
    }
    std::ranges::move(soac.body.statements, std::back_inserter(statements));
    soac.inputs.clear();
    soac.body.parameters.resize(1);
    soac.body.statements.clear();
    place.emplace_back(soac.body.parameters[0]);
    soac.body.results = {write_inside(is_written, std::move(place), std::move(statements),
                                      soac.body.results[0], soac.body.statements)};
    const ValueId result = value(type);
    out.push_back({{result}, std::move(soac), span_});
    return result;
  }

  // ---- the SOAC

  const Type& type_of_state(std::size_t state) const {
    return function_.type(loop_.body.parameters[state + 1]);
  }
  /// Whether the rounds write all of the dimension, in its order.
  bool is_whole(const OwnChange& own, const Operand& length) const {
    return own.at == RoundIndex{} && facts_.sizes().are_equal(extent_, length);
  }

  void write_soac() {
    Soac soac{extent_, {}, {{index_}, std::move(body_.statements), {}}, {}};
    std::vector<ValueId> results;
    Statements after;
    auto next = body_.results.begin();
    for (std::size_t state = 0; state < changes_.size(); ++state)
      std::visit([&](const auto& change) { write(state, change, next, soac, results, after); },
                 changes_[state]);
    take_prefixes(soac);
    out_.push_back({std::move(results), std::move(soac), span_});
    std::ranges::move(after, std::back_inserter(out_));
  }
  /// What reads a scan at its own index may go into it (post.h).
  void take_prefixes(Soac& soac) {
    std::erase_if(soac.body.statements, [&](const Statement& each) {
      const auto* read = std::get_if<ir::Index>(&each.operation);
      if (!read || !prefixes_.contains(read->array.index) ||
          read->indices != std::vector<Operand>{index_} ||
          !facts_.sizes().are_equal(extent_, function_.type(read->array).extents[0]))
        return false;
      soac.inputs.push_back(read->array);
      soac.body.parameters.push_back(each.results[0]);
      return true;
    });
  }

  using Next = std::vector<Operand>::iterator;

  Operand combined(const primitives::Primitive& primitive, std::size_t terms, bool subtracts,
                   Next& next, Statements& out) {
    Operand sum = *next++;
    for (std::size_t i = 1; i < terms; ++i)
      sum = scalar(primitive, {sum, *next++}, out);
    if (!subtracts) return sum;
    const ElementType type = primitive.result;
    return scalar(row(ScalarOperation::Subtract, type), {Operand::constant(type, {}), sum}, out);
  }
  void write(std::size_t state, const FoldChange& fold, Next& next, Soac& soac,
             std::vector<ValueId>& results, Statements& after) {
    const primitives::Primitive& primitive = *fold.primitive;
    const Operand neutral = Operand::constant(primitive.result, fold.neutral);
    const std::optional<Operand> condition = fold.guard ? std::optional(*next++) : std::nullopt;
    Operand sum =
        combined(primitive, fold.terms.size(), fold.subtracts, next, soac.body.statements);
    if (condition) {
      const ValueId chosen = value({primitive.result, {}});
      soac.body.statements.push_back(
          {{chosen},
           fold.guard->truth ? Select{*condition, sum, neutral} : Select{*condition, neutral, sum},
           span_});
      sum = chosen;
    }
    soac.body.results.push_back(sum);
    soac.groups.emplace_back(ReduceGroup{{neutral}, combine_by(primitive), true});
    const ValueId result = statement_.results[state];
    if (loop_.initial[state] == neutral) {
      results.push_back(result);
      return;
    }
    results.push_back(value({primitive.result, {}}));
    after.push_back(
        {{result}, ir::Primitive{&primitive, {loop_.initial[state], results.back()}}, span_});
  }

  void write(std::size_t state, const ScatterChange& scatter, Next& next, Soac& soac,
             std::vector<ValueId>& results, Statements& after) {
    const auto& update = std::get<Update>(scatter.update->operation);
    if (scatter.reads) return write_afterwards(state, update, next, soac, results, after);
    for (std::size_t i = 0; i <= update.indices.size(); ++i)
      soac.body.results.push_back(*next++);
    soac.groups.emplace_back(
        ScatterGroup{loop_.initial[state], static_cast<std::uint32_t>(update.indices.size())});
    results.push_back(statement_.results[state]);
  }
  /// The rounds give places and values, which are written after them.
  void write_afterwards(std::size_t state, const Update& update, Next& next, Soac& soac,
                        std::vector<ValueId>& results, Statements& after) {
    Soac scatter{soac.extent, {}, {{value({ElementType::I64, {}})}, {}, {}}, {}};
    for (std::size_t i = 0; i <= update.indices.size(); ++i) {
      const Operand given = *next++;
      const Type type = function_.type(given);
      soac.body.results.push_back(given);
      soac.groups.emplace_back(MapGroup{});
      results.push_back(value(array_type(soac.extent, type)));
      scatter.inputs.push_back(results.back());
      scatter.body.parameters.push_back(value(type));
      scatter.body.results.emplace_back(scatter.body.parameters.back());
    }
    scatter.groups.emplace_back(
        ScatterGroup{loop_.initial[state], static_cast<std::uint32_t>(update.indices.size())});
    after.push_back({{statement_.results[state]}, std::move(scatter), span_});
  }

  void write(std::size_t state, const BinChange& bin, Next& next, Soac& soac,
             std::vector<ValueId>& results, Statements&) {
    const auto& update = std::get<Update>(bin.update->operation);
    for (std::size_t i = 0; i < update.indices.size(); ++i)
      soac.body.results.push_back(*next++);
    soac.body.results.push_back(
        combined(*bin.primitive, bin.terms.size(), bin.subtracts, next, soac.body.statements));
    soac.groups.emplace_back(HistogramGroup{{loop_.initial[state]},
                                            {Operand::constant(bin.primitive->result, bin.neutral)},
                                            combine_by(*bin.primitive),
                                            static_cast<std::uint32_t>(update.indices.size())});
    results.push_back(statement_.results[state]);
  }

  void write(std::size_t state, const OwnChange& own, Next& next, Soac& soac,
             std::vector<ValueId>& results, Statements& after) {
    const Operand written = *next++;
    soac.body.results.push_back(written);
    soac.groups.emplace_back(MapGroup{});
    const Operand length = type_of_state(state).extents[own.dimension];
    const Type rows = array_type(soac.extent, function_.type(written));
    const auto* update = std::get_if<Update>(&own.update->operation);
    const bool is_last = update && own.dimension + 1 == update->indices.size();
    if (!is_last || !is_whole(own, length)) {
      results.push_back(value(rows));
      write_slice(state, own, results.back(), after);
    } else if (own.dimension == 0) { // the new state itself
      results.push_back(statement_.results[state]);
    } else {
      results.push_back(value(rows));
      write_row(state, *update, results.back(), after);
    }
  }
  /// Rounds give their windows.
  void write(std::size_t state, const WindowChange& window, Next& next, Soac& soac,
             std::vector<ValueId>& results, Statements& after) {
    const auto& first = std::get<Update>(window.updates[0]->operation);
    const ValueId array = loop_.initial[state].value();
    const bool is_along = window.across == window.dimension;
    if (is_along && window.width < window.at.step)
      return write_apart(state, window, next, soac, results, after);
    const Operand begin = begin_of(window);
    ArrayLiteral cells;
    for (std::int64_t place = 0; place < window.width; ++place) {
      if (window.by_place[static_cast<std::size_t>(place)]) {
        cells.elements.push_back(*next++);
        continue;
      }
      Statements& out = soac.body.statements;
      std::vector<Operand> indices = first.indices;
      indices[window.dimension] = scalar(
          ScalarOperation::Add,
          scalar(ScalarOperation::Multiply, index_, Operand::i64(window.at.step), out), begin, out);
      indices[window.across] = is_along ? scalar(ScalarOperation::Add, indices[window.dimension],
                                                 Operand::i64(place), out)
                                        : Operand::i64(window.first + place);
      const ValueId old = value(function_.type(first.value));
      out.push_back({{old}, ir::Index{array, std::move(indices)}, span_});
      cells.elements.emplace_back(old);
    }
    const Type cell = function_.type(cells.elements[0]);
    const ValueId row = value(array_type(Operand::i64(window.width), cell));
    soac.body.statements.push_back({{row}, std::move(cells), span_});
    soac.body.results.emplace_back(row);
    soac.groups.emplace_back(MapGroup{});
    results.push_back(value(array_type(extent_, function_.type(row))));
    put_windows(state, window, begin, results.back(), after);
  }
  /// Rounds give each of their places for itself.
  void write_apart(std::size_t state, const WindowChange& window, Next& next, Soac& soac,
                   std::vector<ValueId>& results, Statements& after) {
    const auto& first = std::get<Update>(window.updates[0]->operation);
    const auto count = std::ranges::count_if(window.by_place, [](auto* by) { return by; });
    const Type whole = type_of_state(state);
    ValueId array = loop_.initial[state].value();
    for (std::int64_t place = 0, written = 0; place < window.width; ++place) {
      if (!window.by_place[static_cast<std::size_t>(place)]) continue;
      const Operand cell = *next++;
      soac.body.results.push_back(cell);
      soac.groups.emplace_back(MapGroup{});
      results.push_back(value(array_type(extent_, function_.type(cell))));
      Type part = whole;
      std::vector<Slice::Dimension> dimensions;
      for (std::size_t i = 0; i < whole.rank(); ++i) {
        dimensions.push_back({Operand::i64(0), Operand::i64(1)});
        if (i >= first.indices.size()) continue;
        dimensions[i].begin = first.indices[i];
        part.extents[i] = Operand::i64(1);
      }
      const Operand begin = offset(window.at);
      dimensions[window.dimension] = {
          put(ScalarOperation::Add, begin, Operand::i64(window.first + place)),
          Operand::i64(window.at.step)};
      part.extents[window.dimension] = extent_;
      const ValueId reshaped = value(part);
      after.push_back({{reshaped}, Reshape{results.back()}, span_});
      const ValueId changed = ++written == count ? statement_.results[state] : value(whole);
      after.push_back({{changed}, UpdateSlice{array, std::move(dimensions), reshaped}, span_});
      array = changed;
    }
  }
  void put_windows(std::size_t state, const WindowChange& window, const Operand& begin,
                   ValueId rows, Statements& after) {
    const auto& first = std::get<Update>(window.updates[0]->operation);
    const Type whole = type_of_state(state);
    const bool is_along = window.across == window.dimension;
    Type part = whole;
    std::vector<Slice::Dimension> dimensions;
    bool is_all = begin == Operand::i64(0) && (is_along || window.at.step == 1);
    for (std::size_t i = 0; i < whole.rank(); ++i) {
      dimensions.push_back({Operand::i64(0), Operand::i64(1)});
      if (i == window.dimension) {
        dimensions[i] = {begin, Operand::i64(is_along ? 1 : window.at.step)};
        part.extents[i] = !is_along || window.width == 1
                              ? extent_
                              : put(ScalarOperation::Multiply, extent_, Operand::i64(window.width));
      } else if (i == window.across) {
        dimensions[i].begin = Operand::i64(window.first);
        part.extents[i] = Operand::i64(window.width);
        is_all = is_all && window.first == 0;
      } else if (i < first.indices.size()) {
        dimensions[i].begin = first.indices[i];
        part.extents[i] = Operand::i64(1);
        is_all = false;
      }
      is_all = is_all && are_same(part.extents[i], whole.extents[i]);
    }
    put_part(state, rows, part, std::move(dimensions), is_all, after);
  }
  /// Gives rows the shape of the part of the state that they are, and puts that into its place.
  void put_part(std::size_t state, ValueId rows, const Type& part,
                std::vector<Slice::Dimension> dimensions, bool is_all, Statements& after) {
    const ValueId reshaped = is_all ? statement_.results[state] : value(part);
    after.push_back({{reshaped}, Reshape{rows}, span_});
    if (is_all) return;
    after.push_back({{statement_.results[state]},
                     UpdateSlice{loop_.initial[state].value(), std::move(dimensions), reshaped},
                     span_});
  }
  bool are_same(const Operand& a, const Operand& b) {
    return facts_.sizes().are_equal(a, b) || (facts_.is_at_most(a, b) && facts_.is_at_most(b, a));
  }

  /// Puts a row of the state into its place.
  void write_row(std::size_t state, const Update& update, ValueId row, Statements& after) {
    after.push_back({{statement_.results[state]},
                     Update{loop_.initial[state].value(),
                            {update.indices.begin(), update.indices.end() - 1},
                            row},
                     span_});
  }
  /// Whether a slice that a round writes has all of the array but for the rounds' own dimension.
  bool fills(std::size_t state, const OwnChange& own) const {
    const auto* slice = std::get_if<UpdateSlice>(&own.update->operation);
    if (!slice) return false;
    const Type& whole = type_of_state(state);
    const Type part = function_.type(slice->value);
    for (std::size_t i = 0; i < whole.rank(); ++i) {
      if (i == own.dimension) continue;
      if (slice->dimensions[i].begin != Operand::i64(0) ||
          slice->dimensions[i].stride != Operand::i64(1) ||
          !facts_.sizes().are_equal(part.extents[i], whole.extents[i]))
        return false;
    }
    return true;
  }

  /// Of a map over an array's last written dimension: the new state, or its row.
  void finish_own(std::size_t state, const OwnChange& own, Soac soac, const Operand& length) {
    const ValueId result = statement_.results[state];
    if (own.dimension == 0) {
      out_.push_back({{result}, std::move(soac), span_});
      return;
    }
    const ValueId row = value(array_type(length, function_.type(soac.body.results[0])));
    out_.push_back({{row}, std::move(soac), span_});
    write_row(state, std::get<Update>(own.update->operation), row, out_);
  }

  /// Puts what the rounds have given into its place.
  void write_slice(std::size_t state, const OwnChange& own, ValueId rows, Statements& after) {
    const Type whole = type_of_state(state);
    std::vector<Slice::Dimension> dimensions;
    Type part{whole.element, {}};
    if (const auto* update = std::get_if<Update>(&own.update->operation)) {
      for (const Operand& index : update->indices) {
        dimensions.push_back({index, Operand::i64(1)});
        part.extents.push_back(Operand::i64(1));
      }
      for (std::size_t i = dimensions.size(); i < whole.rank(); ++i) {
        dimensions.push_back({Operand::i64(0), Operand::i64(1)});
        part.extents.push_back(function_.type(rows).extents[i - update->indices.size() + 1]);
      }
    } else {
      const auto& slice = std::get<UpdateSlice>(own.update->operation);
      dimensions = slice.dimensions;
      part.extents = function_.type(slice.value).extents;
    }
    dimensions[own.dimension] = {offset(own.at), Operand::i64(own.at.step)};
    part.extents[own.dimension] = extent_;
    const bool is_first = std::all_of(
        part.extents.begin(), part.extents.begin() + static_cast<std::ptrdiff_t>(own.dimension),
        [](const Operand& extent) { return extent == Operand::i64(1); });
    if (!is_first) rows = with_rounds_at(own.dimension, rows, part, after);
    const bool is_all = fills(state, own) && is_whole(own, whole.extents[own.dimension]);
    put_part(state, rows, part, std::move(dimensions), is_all, after);
  }
  /// The rounds' dimension, which is the first one, goes to its place.
  ValueId with_rounds_at(std::size_t dimension, ValueId rows, const Type& part, Statements& after) {
    Type flat = part;
    std::rotate(flat.extents.begin(), flat.extents.begin() + static_cast<std::ptrdiff_t>(dimension),
                flat.extents.begin() + static_cast<std::ptrdiff_t>(dimension) + 1);
    const ValueId reshaped = value(flat);
    after.push_back({{reshaped}, Reshape{rows}, span_});
    std::vector<std::uint32_t> permutation;
    for (std::size_t i = 0; i < part.rank(); ++i)
      permutation.push_back(static_cast<std::uint32_t>(i < dimension    ? i + 1
                                                       : i == dimension ? 0
                                                                        : i));
    const ValueId result = value(part);
    after.push_back({{result}, Transpose{reshaped, std::move(permutation)}, span_});
    return result;
  }

  const Statement& statement_;
  const For& loop_;
  CarriedStates states_;
  Facts& facts_;
  LoopPlace place_;
  const std::unordered_set<std::uint32_t>& prefixes_; ///< values
  std::vector<StateChange> changes_;
  Operand bound_, extent_; ///< of i64; extents are not negative
  Body body_;              ///< the round's copy; its results are what the changes need
  ValueId index_;          ///< of the copy
  Statements out_, unused_;
};

} // namespace

bool had_better_stay(const Function& function, const For& loop, const LoopPlace& place) {
  if (!place.is_in_soac || place.is_in_marked_loop || loop.is_parallel) return false;
  const std::optional<std::vector<StateChange>> changes = CarriedStates(function, loop).changes();
  return changes && std::ranges::any_of(*changes, [](const StateChange& change) {
           return std::holds_alternative<ScatterChange>(change) ||
                  std::holds_alternative<BinChange>(change);
         });
}

WrittenLoop write_loop(Function& function, const Statement& statement, Facts& facts,
                       LoopPlace place, const std::unordered_set<std::uint32_t>& prefixes) {
  return LoopWriter(function, statement, facts, place, prefixes).write();
}

} // namespace sinter::jit
