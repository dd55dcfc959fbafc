#include "jit/passes/streams.h"

#include "jit/ir/groups.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/passes/dead_code.h"
#include "jit/passes/short_rounds.h"
#include "jit/passes/statement_writer.h"
#include "jit/passes/stream_group.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

using primitives::Operation;

/// Writes a group's work as a stream.
class StreamWriter : private StatementWriter {
public:
  StreamWriter(Function& function, const StreamGroup& group, Span span)
      : StatementWriter(function, span), group_(group), begin_(new_number()), count_(new_number()) {
  }

  /// The stream, whose results are those that others need.
  Body run(std::span<const Statement> members, const std::vector<ValueId>& results) {
    for (ValueId input : group_.inputs)
      pieces_.emplace(input, piece_of(input));
    for (const Statement& member : members)
      add(member);
    Stream stream{group_.extent, unit_, element_bytes(), {}, {}};
    stream.body.parameters = {begin_, count_};
    stream.body.statements = std::move(statements_);
    Statement whole{{}, {}, span_};
    std::map<ValueId, ValueId> last; // by result of the members
    for (const State& state : states_) {
      stream.initial.push_back(state.initial);
      stream.body.parameters.push_back(state.parameter);
      stream.body.results.push_back(state.next);
      whole.results.push_back(value(function_.type(state.parameter)));
      if (state.result) last.emplace(*state.result, whole.results.back());
    }
    whole.operation = std::move(stream);
    Body body{{}, {std::move(whole)}, {}};
    for (ValueId result : results)
      body.results.emplace_back(last.at(result));
    return body;
  }

private:
  /// What a piece hands on to the next one.
  struct State {
    ValueId parameter;
    Operand initial, next;
    std::optional<ValueId> result; ///< of a member, that the last state is
  };

  ValueId new_number() { return value({ElementType::I64, {}}); }

  /// `next` is set when the piece's part is known.
  State& new_state(const Operand& initial, std::optional<ValueId> result) {
    states_.push_back({value(function_.type(initial)), initial, initial, result});
    return states_.back();
  }

  std::uint32_t element_bytes() const {
    std::size_t bytes = 0;
    for (const std::vector<ValueId>* arrays : {&group_.inputs, &group_.inside})
      for (ValueId array : *arrays)
        bytes += byte_size(function_.type(array).element);
    return static_cast<std::uint32_t>(bytes);
  }

  /// What a fold whose order shows goes on from: what the pieces before have come to, in order.
  std::vector<Before> after(const std::vector<Operand>& values) {
    unit_ = primitives::block_length;
    if (!are_pieces_before_)
      are_pieces_before_ =
          scalar(row(Operation::Less, ElementType::I64), {Operand::i64(0), begin_}, statements_)
              .value();
    return {{*are_pieces_before_, values}};
  }

  ValueId piece_of(ValueId array) {
    const ValueId piece = value({function_.type(array).element, {count_}});
    statements_.push_back({{piece}, Slice{array, {{begin_, Operand::i64(1)}}}, span_});
    return piece;
  }

  /// The operator's results on these operands.
  std::vector<Operand> combined(const Body& combine, const std::vector<Operand>& left,
                                const std::vector<Operand>& right, Statements& out) {
    Body inside = combine;
    const std::vector<ValueId> parameters = std::exchange(inside.parameters, {});
    std::vector<Replacement> replacements;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      replacements.emplace_back(parameters[i], i < left.size() ? left[i] : right[i - left.size()]);
    inside = clone(function_, inside, std::move(replacements));
    std::ranges::move(inside.statements, std::back_inserter(out));
    return std::move(inside.results);
  }

  /// Index `parameter` of a piece's body counts from its first one: makes it one of all.
  void shift(Body& body, std::size_t parameter, const Operand& first) {
    const ValueId here = new_number();
    const ValueId index = std::exchange(body.parameters[parameter], here);
    const Statement sum{
        {index}, Primitive{&row(Operation::Add, ElementType::I64), {first, here}}, span_};
    body.statements.insert(body.statements.begin(), sum);
  }

  void add(const Statement& member) {
    const bool is_over_all = std::get<Soac>(member.operation).extent == group_.extent;
    const Operand first = is_over_all ? Operand(begin_) : kept_before(member);
    Statement statement = clone(function_, member, made_);
    Soac& soac = std::get<Soac>(statement.operation);
    if (is_over_all) soac.extent = count_;
    for (ValueId& input : soac.inputs)
      if (const auto piece = pieces_.find(input); piece != pieces_.end()) input = piece->second;
    shift(soac.body, 0, first);

    std::vector<Group> folds; // totals of scans, beside them
    std::vector<Operand> folded;
    std::vector<ValueId> totals;
    std::vector<Carry> carries;
    Statements behind;
    for_each_group(soac, [&](Group& group, std::size_t from, std::size_t to) {
      const std::span<const ValueId> given = std::span(statement.results).subspan(to);
      const std::span<const ValueId> results = std::span(member.results).subspan(to);
      if (is_over_all && !std::holds_alternative<FilterGroup>(group))
        shorten(given.first(arity(group).results), group);
      if (auto* scan = std::get_if<ScanGroup>(&group)) {
        const std::span<const Operand> scanned =
            std::span(soac.body.results).subspan(from, scan->neutral.size());
        const Carry& carry = carries.emplace_back(carry_of(*scan, totals));
        folded.insert(folded.end(), scanned.begin(), scanned.end());
        ReduceGroup fold{scan->neutral, clone(function_, scan->combine)};
        if (carry.keeps_order) {
          scan->before = fold.before = after(carry.before);
          for (Post& post : scan->post)
            shift(post.body, 0, first);
        } else {
          write_post(*scan, carry, first);
        }
        folds.emplace_back(std::move(fold));
        if (scan->post.empty()) return;
        for_each_group(scan->post[0], [&](Group& of_post, std::size_t, std::size_t at) {
          carry_on(of_post, given.subspan(at), results.subspan(at), behind);
        });
      } else {
        carry_on(group, given, results, behind);
      }
    });
    std::ranges::move(folds, std::back_inserter(soac.groups));
    soac.body.results.insert(soac.body.results.end(), folded.begin(), folded.end());
    statement.results.insert(statement.results.end(), totals.begin(), totals.end());
    for (const Carry& carry : carries)
      set_next(carry.first_state,
               carry.keeps_order ? carry.totals
                                 : combined(carry.combine, carry.before, carry.totals, behind));
    statements_.push_back(std::move(statement));
    std::ranges::move(behind, std::back_inserter(statements_));
  }

  /// What a scan has come to in the pieces before.
  struct Carry {
    std::size_t first_state = 0;
    /// Of the pieces before; of this one, with those before it where the order is kept.
    std::vector<Operand> before, totals;
    Body combine;
    bool keeps_order = false;
  };
  Carry carry_of(const ScanGroup& scan, std::vector<ValueId>& totals) {
    Carry carry{states_.size(), {}, {}, scan.combine, order_shows(scan)};
    for (const Operand& neutral : scan.neutral) {
      carry.before.emplace_back(new_state(neutral, std::nullopt).parameter);
      totals.push_back(value(function_.type(neutral)));
      carry.totals.emplace_back(totals.back());
    }
    return carry;
  }

  void set_next(std::size_t first_state, const std::vector<Operand>& next) {
    for (std::size_t i = 0; i < next.size(); ++i)
      states_[first_state + i].next = next[i];
  }

  /// Prefixes of the piece become those of all in a post.
  void write_post(ScanGroup& scan, const Carry& carry, const Operand& first) {
    if (scan.post.empty()) {
      Post stored;
      stored.body.parameters = {new_number()};
      for (const Operand& neutral : scan.neutral) {
        stored.body.parameters.push_back(value(function_.type(neutral)));
        stored.body.results.emplace_back(stored.body.parameters.back());
        stored.groups.emplace_back(MapGroup{});
      }
      scan.post.push_back(std::move(stored));
    }
    Body& body = scan.post[0].body;
    std::vector<Operand> here;
    std::vector<ValueId> whole(body.parameters.begin() + 1,
                               body.parameters.begin() + 1 +
                                   static_cast<std::ptrdiff_t>(scan.neutral.size()));
    for (std::size_t i = 0; i < whole.size(); ++i) {
      body.parameters[1 + i] = value(function_.type(whole[i]));
      here.emplace_back(body.parameters[1 + i]);
    }
    Statements before;
    const std::vector<Operand> prefixes = combined(scan.combine, carry.before, here, before);
    std::vector<Replacement> replacements;
    for (std::size_t i = 0; i < whole.size(); ++i)
      replacements.emplace_back(whole[i], prefixes[i]);
    replace_uses(function_, body, replacements);
    body.statements.insert(body.statements.begin(), before.begin(), before.end());
    shift(body, 0, first);
  }

  /// What follows from a piece's part of a group for the next one.
  void carry_on(Group& group, std::span<const ValueId> given, std::span<const ValueId> results,
                Statements& behind) {
    if (auto* reduce = std::get_if<ReduceGroup>(&group)) {
      const std::size_t first_state = states_.size();
      std::vector<Operand> before, here;
      for (std::size_t i = 0; i < reduce->neutral.size(); ++i) {
        before.emplace_back(new_state(reduce->neutral[i], results[i]).parameter);
        here.emplace_back(given[i]);
      }
      const bool keeps_order = order_shows(*reduce);
      if (keeps_order) reduce->before = after(before);
      set_next(first_state, keeps_order ? here : combined(reduce->combine, before, here, behind));
    } else if (std::holds_alternative<FilterGroup>(group)) {
      State& state = new_state(Operand::i64(0), results[0]);
      state.next = scalar(Operation::Add, state.parameter, given[0], behind);
      kept_.emplace(results[0], state.parameter);
    } else {
      std::size_t i = 0;
      for (Operand& destination : destinations(group)) {
        State& state = new_state(destination, results[i]);
        destination = state.parameter;
        state.next = given[i++];
      }
    }
  }

  /// Arrays over a piece's indices have as many elements.
  void shorten(std::span<const ValueId> results, const Group& group) {
    if (!destinations(group).empty()) return;
    for (ValueId result : results)
      if (std::vector<Operand>& extents = function_.values[result.index].type.extents;
          !extents.empty())
        extents[0] = count_;
  }

  /// How many elements the pieces before have kept of what the member goes through.
  Operand kept_before(const Statement& member) const {
    return kept_.at(std::get<Soac>(member.operation).extent.value());
  }

  const StreamGroup& group_;
  const ValueId begin_, count_;       ///< of a piece
  std::map<ValueId, ValueId> pieces_; ///< of inputs
  std::map<ValueId, ValueId> kept_;   ///< states, by what a filter counts
  std::vector<Replacement> made_;     ///< for members' results, a piece's
  std::vector<State> states_;
  Statements statements_;
  std::uint32_t unit_ = 1;                   ///< that pieces have multiples of
  std::optional<ValueId> are_pieces_before_; ///< a bool
};

class GroupStreamer {
public:
  explicit GroupStreamer(Function& function) : function_(function) {}

  void run() {
    body(function_.body);
    // (Such as positions that nobody looks at.)
    if (has_written_) remove_dead_code(function_);
  }

private:
  void body(Body& body) {
    for (Statement& statement : body.statements)
      if (!std::holds_alternative<Soac>(statement.operation) &&
          !std::holds_alternative<Stream>(statement.operation) &&
          !is_whole_loop(statement.operation))
        for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
    const std::set<ValueId> read = read_by_soacs(body);
    std::optional<AliasClasses> aliases;
    for (std::size_t first = 0; first < body.statements.size(); ++first) {
      const Statement& statement = body.statements[first];
      const auto is_read = [&](ValueId result) { return read.contains(result); };
      if (!std::holds_alternative<Soac>(statement.operation) ||
          std::ranges::none_of(statement.results, is_read))
        continue;
      if (!aliases) aliases.emplace(function_);
      const std::optional<StreamGroup> group = stream_group(function_, *aliases, body, first);
      if (!group || !least_extent(*group)) continue;
      first = write(body, *group);
      has_written_ = true;
      aliases.reset();
    }
  }

  /// What SOACs of the body read elementwise.
  static std::set<ValueId> read_by_soacs(const Body& body) {
    std::set<ValueId> read;
    for (const Statement& statement : body.statements)
      if (const auto* soac = std::get_if<Soac>(&statement.operation))
        read.insert(soac->inputs.begin(), soac->inputs.end());
    return read;
  }

  /// From which extent on an array that members make for each other is large; nothing if the extent
  /// is known to be less.
  std::optional<std::int64_t> least_extent(const StreamGroup& group) const {
    std::size_t largest = 1;
    for (ValueId array : group.inside)
      largest = std::max(largest, byte_size(function_.type(array).element));
    const auto least = least_streamed_bytes / static_cast<std::int64_t>(largest);
    if (group.extent.is_constant() && group.extent.scalar().as<std::int64_t>() < least)
      return std::nullopt;
    return least;
  }

  /// Puts the choice in the place of the last member; where that is then.
  std::size_t write(Body& body, const StreamGroup& group) {
    std::vector<Statement> members, late, statements;
    std::size_t choice_at = 0;
    const std::vector<ValueId> results = results_for_others(body, group);
    const Span span = body.statements[group.members.back()].span;
    for (std::size_t at = 0; at < body.statements.size(); ++at) {
      Statement& statement = body.statements[at];
      if (std::ranges::find(group.late, at) != group.late.end()) {
        late.push_back(std::move(statement));
      } else if (std::ranges::find(group.members, at) != group.members.end()) {
        members.push_back(std::move(statement));
        if (at != group.members.back()) continue;
        const ValueId is_large = function_.add_value({ElementType::Bool, {}});
        statements.push_back({{is_large},
                              Primitive{&row(Operation::LessEqual, ElementType::I64),
                                        {Operand::i64(*least_extent(group)), group.extent}},
                              span});
        Body by_pieces = StreamWriter(function_, group, span).run(members, results);
        Body whole{{}, std::move(members), {results.begin(), results.end()}};
        whole = clone(function_, whole);
        statements.push_back(
            {results, If{is_large, std::move(by_pieces), std::move(whole), true}, span});
        choice_at = statements.size() - 1;
        std::ranges::move(late, std::back_inserter(statements));
        late.clear();
      } else {
        statements.push_back(std::move(statement));
      }
    }
    assert(late.empty());
    body.statements = std::move(statements);
    return choice_at;
  }

  /// Results of members that others use, in order.
  std::vector<ValueId> results_for_others(const Body& body, const StreamGroup& group) const {
    std::vector<ValueId> results;
    std::vector<bool> is_used(function_.values.size());
    const auto use = [&](const Operand& operand) {
      if (operand.is_value()) is_used[operand.value().index] = true;
    };
    for (std::size_t at = 0; at < body.statements.size(); ++at)
      if (std::ranges::find(group.members, at) == group.members.end())
        for (ValueId value : free_values(function_, body.statements[at]))
          use(value);
    for (const Operand& result : body.results)
      use(result);
    for (std::size_t member : group.members)
      for (ValueId result : body.statements[member].results)
        if (is_used[result.index]) results.push_back(result);
    return results;
  }

  Function& function_;
  bool has_written_ = false;
};

} // namespace

void write_streams(Function& function) {
  GroupStreamer(function).run();
}

} // namespace sinter::jit
