#include "jit/passes/post.h"

#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/dependencies.h"
#include "jit/passes/fusion_rules.h"
#include "jit/passes/rewrite.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

/// Statements of a SOAC's body and posts: beyond this, values no longer stay in registers.
constexpr std::size_t body_limit = 200;
/// Of a scan's operator: longer ones may not go in lanes, where the consumer does.
constexpr std::size_t operator_limit = 16;

using Node = DependencyGraph::Node;

/// A group with what it takes and gives.
struct Piece {
  Group group;
  std::vector<Operand> taken;   ///< of the body's results
  std::vector<ValueId> results; ///< of the statement's
};

std::vector<Piece> pieces_of(Statement&& statement) {
  Soac& soac = std::get<Soac>(statement.operation);
  std::vector<Piece> pieces;
  for_each_group(soac, [&](Group& group, std::size_t from, std::size_t to) {
    const GroupArity size = arity(group);
    const auto taken = std::span(soac.body.results).subspan(from, size.body_results);
    const auto results = std::span(statement.results).subspan(to, size.results);
    pieces.push_back(
        {std::move(group), {taken.begin(), taken.end()}, {results.begin(), results.end()}});
  });
  return pieces;
}

/// Scalar code that does nothing but compute and read.
bool is_scalar_code(const Function& function, const Body& body) {
  return std::ranges::all_of(body.statements, [&](const Statement& statement) {
    if (!std::ranges::all_of(statement.results,
                             [&](ValueId result) { return function.type(result).is_scalar(); }))
      return false;
    if (const auto* branch = std::get_if<If>(&statement.operation))
      return is_scalar_code(function, branch->then_body) &&
             is_scalar_code(function, branch->else_body);
    return is_scalar_operation(statement.operation) ||
           std::holds_alternative<Index>(statement.operation);
  });
}

bool are_scalars(const Function& function, const std::vector<Operand>& operands) {
  return std::ranges::all_of(
      operands, [&](const Operand& operand) { return function.type(operand).is_scalar(); });
}

/// A scan whose prefixes go on to a post, in the making.
class PostWriter {
public:
  PostWriter(Function& function, Body& body) : function_(function), body_(body) {}

  ValueId index() const { return post_.body.parameters[0]; }
  /// Takes the scan in, with its post, or with one that stores its prefixes.
  void add(Piece&& piece) {
    auto& scan = std::get<ScanGroup>(piece.group);
    const std::size_t count = scan.neutral.size();
    const std::span<const Operand> scanned = std::span(piece.taken).first(count);
    scanned_.insert(scanned_.end(), scanned.begin(), scanned.end());
    neutral_.insert(neutral_.end(), scan.neutral.begin(), scan.neutral.end());
    add_operator(std::move(scan.combine), count);
    if (scan.post.empty()) {
      for (std::size_t i = 0; i < count; ++i) {
        const ValueId prefix = function_.add_value(function_.type(scanned[i]));
        prefixes_.push_back(prefix);
        post_.body.results.emplace_back(prefix);
        post_.groups.emplace_back(MapGroup{});
      }
    } else {
      add(std::move(scan.post[0]), std::span(piece.taken).subspan(count), count);
    }
    results_.insert(results_.end(), piece.results.begin(), piece.results.end());
  }
  /// What the post may use of a value of the SOAC's body.
  Operand passed(const Operand& value) {
    if (value.is_constant()) return value;
    if (is_outside(value)) return value;
    if (value == Operand(body_.parameters[0])) return index();
    const auto known = std::ranges::find(passed_, value);
    const auto at = static_cast<std::size_t>(known - passed_.begin());
    if (known == passed_.end()) {
      passed_.push_back(value);
      passed_parameters_.push_back(function_.add_value(function_.type(value)));
    }
    return passed_parameters_[at];
  }
  /// The post's results, by those of the statement that are maps.
  std::unordered_map<std::uint32_t, Operand> elements() const {
    std::unordered_map<std::uint32_t, Operand> elements;
    for_each_group(post_, [&](const Group& group, std::size_t from, std::size_t to) {
      if (std::holds_alternative<MapGroup>(group))
        elements[results_[to].index] = post_.body.results[from];
    });
    return elements;
  }
  /// Adds a consumer's body, whose parameters have been given meanings, and its groups.
  void append(Soac&& consumer, const std::vector<ValueId>& results) {
    std::ranges::move(consumer.body.statements, std::back_inserter(post_.body.statements));
    std::ranges::copy(consumer.body.results, std::back_inserter(post_.body.results));
    std::ranges::move(consumer.groups, std::back_inserter(post_.groups));
    results_.insert(results_.end(), results.begin(), results.end());
  }
  /// Without the maps whose arrays nobody needs.
  template <typename IsNeeded>
  Piece finish(IsNeeded&& is_needed, Substitution& substitution) {
    Piece piece{ScanGroup{std::move(neutral_), finished_operator(), {}}, scanned_, {}};
    Post post;
    post.value_count = static_cast<std::uint32_t>(passed_.size());
    post.body.parameters = {index()};
    post.body.parameters.insert(post.body.parameters.end(), prefixes_.begin(), prefixes_.end());
    post.body.parameters.insert(post.body.parameters.end(), passed_parameters_.begin(),
                                passed_parameters_.end());
    post.body.statements = std::move(post_.body.statements);
    for_each_group(post_, [&](Group& group, std::size_t from, std::size_t to) {
      if (std::holds_alternative<MapGroup>(group) && !is_needed(results_[to])) return;
      const GroupArity size = arity(group);
      for (std::size_t i = 0; i < size.body_results; ++i)
        post.body.results.push_back(post_.body.results[from + i]);
      for (std::size_t i = 0; i < size.results; ++i)
        piece.results.push_back(results_[to + i]);
      post.groups.push_back(std::move(group));
    });
    substitution.apply(function_, post.body);
    for (Group& group : post.groups)
      for_each_body(group, [&](Body& combine) { substitution.apply(function_, combine); });
    piece.taken.insert(piece.taken.end(), passed_.begin(), passed_.end());
    std::get<ScanGroup>(piece.group).post.push_back(std::move(post));
    return piece;
  }
  void begin() { post_.body.parameters = {function_.add_value({ElementType::I64, {}})}; }
  Substitution& own_substitution() { return own_; }

private:
  /// Whether the value is defined outside of the SOAC.
  bool is_outside(const Operand& value) const {
    const auto defines = [&](const std::vector<ValueId>& values) {
      return std::ranges::find(values, value.value()) != values.end();
    };
    return !defines(body_.parameters) &&
           std::ranges::none_of(body_.statements, [&](const Statement& statement) {
             return defines(statement.results);
           });
  }
  void add_operator(Body&& combine, std::size_t count) {
    const auto middle = combine.parameters.begin() + static_cast<std::ptrdiff_t>(count);
    left_.insert(left_.end(), combine.parameters.begin(), middle);
    right_.insert(right_.end(), middle, combine.parameters.end());
    std::ranges::move(combine.statements, std::back_inserter(combine_.statements));
    std::ranges::copy(combine.results, std::back_inserter(combine_.results));
  }
  Body finished_operator() {
    combine_.parameters = left_;
    combine_.parameters.insert(combine_.parameters.end(), right_.begin(), right_.end());
    return std::move(combine_);
  }
  /// A post's body, whose parameters stand for this one's.
  void add(Post&& post, std::span<const Operand> passed_values, std::size_t count) {
    const std::vector<ValueId>& parameters = post.body.parameters;
    own_.set(parameters[0], index());
    for (std::size_t i = 0; i < count; ++i)
      prefixes_.push_back(parameters[1 + i]);
    for (std::size_t i = 0; i < passed_values.size(); ++i)
      own_.set(parameters[1 + count + i], passed(passed_values[i]));
    own_.apply(function_, post.body);
    std::ranges::move(post.body.statements, std::back_inserter(post_.body.statements));
    std::ranges::copy(post.body.results, std::back_inserter(post_.body.results));
    std::ranges::move(post.groups, std::back_inserter(post_.groups));
  }

  Function& function_;
  Body& body_; ///< of the SOAC
  std::vector<Operand> neutral_, scanned_, passed_;
  std::vector<ValueId> left_, right_, prefixes_, passed_parameters_, results_;
  Body combine_;
  Post post_;
  Substitution own_;
};

/// Fuses the statements of one body.
class PostFuser {
public:
  PostFuser(Function& function, const AliasClasses& aliases, Body& body)
      : function_(function), body_(body), aliases_(aliases),
        graph_(function, aliases, std::move(body.statements), body.results) {}

  void run() {
    for (Node node = 0; node < graph_.size(); ++node)
      if (graph_.is_alive(node) && graph_.soac(node)) fuse_with_a_scan(node);
    body_.statements = graph_.take_statements();
  }

private:
  void fuse_with_a_scan(Node consumer) {
    if (!may_be_post(*graph_.soac(consumer))) return;
    for (ValueId input : graph_.soac(consumer)->inputs) {
      const std::optional<Node> producer = graph_.definition(input);
      if (!producer || *producer == consumer || !graph_.soac(*producer)) continue;
      if (!has_group<ScanGroup>(*graph_.soac(*producer)) || !may_fuse(*producer, consumer))
        continue;
      fuse(*producer, consumer);
      return;
    }
  }

  /// Whether the consumer does what a post may do.
  bool may_be_post(const Soac& soac) const {
    const auto is_row = [&](ValueId input) { return function_.type(input).rank() == 1; };
    return std::ranges::all_of(soac.inputs, is_row) && is_scalar_code(function_, soac.body) &&
           are_scalars(function_, soac.body.results) && !soac.groups.empty() &&
           std::ranges::all_of(soac.groups, [](const Group& group) {
             return std::holds_alternative<MapGroup>(group) ||
                    std::holds_alternative<ReduceGroup>(group);
           });
  }

  /// Whether a scan's prefixes are scalars by a short operator.
  bool may_have_post(const ScanGroup& scan) const {
    return scan.before.empty() && are_scalars(function_, scan.neutral) &&
           is_scalar_code(function_, scan.combine) &&
           scan.combine.statements.size() <= operator_limit;
  }

  bool may_fuse(Node producer, Node consumer) const {
    const Statement& from = graph_.statement(producer);
    const Soac &scans = *graph_.soac(producer), &reader = *graph_.soac(consumer);
    if (scans.extent != reader.extent || statements_of(scans) + statements_of(reader) > body_limit)
      return false;
    if (graph_.interfere(producer, consumer) || graph_.has_indirect_path(producer, consumer) ||
        rules_.is_read_elsewhere(producer, consumer))
      return false;
    bool reads_prefixes = false, is_possible = true;
    for_each_group(scans, [&](const Group& group, std::size_t from_body, std::size_t to) {
      const auto results = std::span(from.results).subspan(to, arity(group).results);
      const bool is_read = std::ranges::any_of(results, [&](ValueId result) {
        return std::ranges::find(reader.inputs, result) != reader.inputs.end();
      });
      if (!is_read) return;
      if (const auto* scan = std::get_if<ScanGroup>(&group)) {
        reads_prefixes = true;
        is_possible = is_possible && may_have_post(*scan);
      } else {
        is_possible = is_possible && std::holds_alternative<MapGroup>(group) &&
                      function_.type(scans.body.results[from_body]).is_scalar();
      }
    });
    return reads_prefixes && is_possible;
  }

  static std::size_t statements_of(const Soac& soac) {
    std::size_t count = 0;
    for_each_body(soac, [&](const Body& body) { count += body.statements.size(); });
    return count;
  }

  void fuse(Node producer, Node consumer) {
    Statement from = std::move(graph_.statement(producer));
    Statement to = std::move(graph_.statement(consumer));
    Soac reader = std::move(std::get<Soac>(to.operation));
    Statement result{{}, Soac{}, to.span};
    Soac fused;
    fused.extent = reader.extent;
    fused.inputs = std::move(std::get<Soac>(from.operation).inputs);
    std::vector<Piece> pieces = pieces_of(std::move(from));
    fused.body = std::move(std::get<Soac>(from.operation).body);
    fused.body.results.clear();

    // The scans whose prefixes are read become one.
    const auto is_read = [&](const Piece& piece) {
      return std::holds_alternative<ScanGroup>(piece.group) &&
             std::ranges::any_of(piece.results, [&](ValueId value) {
               return std::ranges::find(reader.inputs, value) != reader.inputs.end();
             });
    };
    PostWriter post(function_, fused.body);
    post.begin();
    std::unordered_map<std::uint32_t, Operand> beside; // elements of maps beside the scans
    for (Piece& piece : pieces) {
      if (std::holds_alternative<MapGroup>(piece.group))
        beside[piece.results[0].index] = piece.taken[0];
      else if (is_read(piece))
        post.add(Piece(piece));
    }
    const std::unordered_map<std::uint32_t, Operand> prefixes = post.elements();
    Substitution substitution = post.own_substitution();
    substitution.set(reader.body.parameters[0], post.index());
    for (std::size_t i = 0; i < reader.inputs.size(); ++i) {
      const ValueId input = reader.inputs[i], parameter = reader.body.parameters[i + 1];
      if (const auto prefix = prefixes.find(input.index); prefix != prefixes.end()) {
        substitution.set(parameter, prefix->second);
      } else if (const auto made = beside.find(input.index); made != beside.end()) {
        substitution.set(parameter, post.passed(made->second));
      } else {
        substitution.set(parameter, post.passed(element_of(input, parameter, fused)));
      }
    }
    post.append(std::move(reader), to.results);
    const auto is_needed = [&](ValueId value) {
      return std::ranges::find(to.results, value) != to.results.end() ||
             graph_.is_needed_elsewhere(value, consumer);
    };

    const auto add = [&](Piece&& piece) {
      std::ranges::copy(piece.taken, std::back_inserter(fused.body.results));
      std::ranges::copy(piece.results, std::back_inserter(result.results));
      fused.groups.push_back(std::move(piece.group));
    };
    bool is_written = false;
    for (Piece& piece : pieces) {
      if (is_read(piece)) {
        if (!std::exchange(is_written, true)) add(post.finish(is_needed, substitution));
      } else if (!std::holds_alternative<MapGroup>(piece.group) || is_needed(piece.results[0])) {
        add(std::move(piece));
      }
    }
    result.operation = std::move(fused);
    graph_.merge(producer, consumer, std::move(result));
  }

  /// An input's element in the SOAC's body.
  Operand element_of(ValueId input, ValueId parameter, Soac& soac) {
    const auto known = std::ranges::find(soac.inputs, input);
    if (known != soac.inputs.end())
      return soac.body.parameters[static_cast<std::size_t>(known - soac.inputs.begin()) + 1];
    const ValueId element = function_.add_value(function_.type(parameter));
    soac.inputs.push_back(input);
    soac.body.parameters.push_back(element);
    return element;
  }

  Function& function_;
  Body& body_;
  const AliasClasses& aliases_;
  DependencyGraph graph_;
  const FusionRules rules_{function_, aliases_, graph_};
};

void fuse_in(Function& function, const AliasClasses& aliases, Body& body) {
  for (Statement& statement : body.statements)
    for_each_body(statement.operation, [&](Body& inner) { fuse_in(function, aliases, inner); });
  std::size_t soacs = 0, scans = 0;
  for (const Statement& statement : body.statements)
    if (const auto* soac = std::get_if<Soac>(&statement.operation)) {
      ++soacs;
      if (has_group<ScanGroup>(*soac)) ++scans;
    }
  if (scans > 0 && soacs > 1) PostFuser(function, aliases, body).run();
}

} // namespace

void fuse_posts(Function& function) {
  const AliasClasses aliases(function);
  fuse_in(function, aliases, function.body);
}

} // namespace sinter::jit
