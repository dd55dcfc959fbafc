#include "jit/passes/hoist.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/facts.h"
#include "jit/passes/rewrite.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

class Hoister {
public:
  explicit Hoister(Function& function)
      : function_(function), aliases_(function), facts_(function),
        level_(function.values.size(), 0) {}

  void run() {
    for (ValueId parameter : function_.body.parameters)
      facts_.note_type(function_.type(parameter));
    body(function_.body, 0);
  }

private:
  /// Rewrites a body of the given nesting level, whose parameters have been introduced.  What
  /// bodies inside hand out comes before the statement that they belong to, and may go further out
  /// from here.
  void body(Body& body, unsigned level) {
    for (ValueId parameter : body.parameters)
      level_[parameter.index] = level;
    std::vector<Statement> before = std::move(body.statements);
    body.statements.clear();
    for (Statement& statement : before) {
      for (ValueId result : statement.results)
        level_[result.index] = level;
      std::vector<Statement> handed_out;
      inside(statement, level, handed_out);
      for (Statement& each : handed_out)
        place(std::move(each), level, body);
      place(std::move(statement), level, body);
    }
  }

  void place(Statement statement, unsigned level, Body& body) {
    for (ValueId result : statement.results)
      level_[result.index] = level;
    facts_.define(statement);
    if (const auto* check = std::get_if<Check>(&statement.operation))
      facts_.assume(check->condition, true);
    body.statements.push_back(std::move(statement));
  }

  /// The bodies of a statement; `out` gets what leaves them.
  void inside(Statement& statement, unsigned level, std::vector<Statement>& out) {
    if (auto* choice = std::get_if<If>(&statement.operation)) {
      // Code of a branch stays: it may be needed rarely.
      scope([&] {
        facts_.assume(choice->condition, true);
        body(choice->then_body, level + 1);
      });
      scope([&] {
        facts_.assume(choice->condition, false);
        body(choice->else_body, level + 1);
      });
    } else if (auto* loop = std::get_if<For>(&statement.operation)) {
      scope([&] {
        if (is_signed(loop->index_type)) facts_.index_below(loop->body.parameters[0], loop->bound);
        body(loop->body, level + 1);
      });
      collect(loop->body, level, out);
      collect_checks(loop->body, loop->bound, loop->index_type, statement.span, level, out);
    } else if (auto* stream = std::get_if<Stream>(&statement.operation)) {
      scope([&] { body(stream->body, level + 1); });
      collect(stream->body, level, out);
    } else if (auto* soac = std::get_if<Soac>(&statement.operation)) {
      const std::optional<unsigned> around =
          std::exchange(host_level_, host_level_ ? host_level_ : std::optional(level));
      scope([&] {
        facts_.index_below(soac->body.parameters[0], soac->extent);
        body(soac->body, level + 1);
      });
      collect(soac->body, level, out);
      collect_checks(soac->body, soac->extent, ElementType::I64, statement.span, level, out);
      for (Group& group : soac->groups)
        for_each_body(group, [&](Body& combine) {
          scope([&] { body(combine, level + 1); });
          collect(combine, level, out);
        });
      host_level_ = around;
    } else if (auto* loop = std::get_if<While>(&statement.operation)) {
      for (Body* each : {&loop->condition, &loop->body}) {
        scope([&] { body(*each, level + 1); });
        collect(*each, level, out);
      }
    }
  }

  template <typename Action>
  void scope(Action&& action) {
    const Facts::Mark mark = facts_.mark();
    action();
    facts_.back_to(mark);
  }

  /// Takes what depends on nothing inside from a body whose statements have level + 1.
  void collect(Body& inner, unsigned level, std::vector<Statement>& out) {
    std::vector<Statement> stay;
    stay.reserve(inner.statements.size());
    for (Statement& statement : inner.statements) {
      if (may_move(statement, level)) {
        for (ValueId result : statement.results)
          level_[result.index] = level;
        out.push_back(std::move(statement));
      } else {
        stay.push_back(std::move(statement));
      }
    }
    inner.statements = std::move(stay);
  }

  /// Takes checks from the body of what goes on `count` times: where that is at least once, they
  /// would fail in the first round, if not later ones before them.  Only on the way out of all
  /// SOACs: between two of them a check keeps lanes from going along the inner one.  And only those
  /// that compiled code has for itself, of sizes and indices: a program's own stay where they fail.
  void collect_checks(Body& inner, const Operand& count, ElementType type, Span span,
                      unsigned level, std::vector<Statement>& out) {
    StatementWriter writer(function_, span);
    std::vector<Statement> stay;
    stay.reserve(inner.statements.size());
    for (Statement& statement : inner.statements) {
      const auto* const check = std::get_if<Check>(&statement.operation);
      const bool is_same = check &&
                           function_.failures[check->site.index].kind == FailureKind::OutOfMemory &&
                           is_defined_by(check->condition, level) &&
                           is_known_outside(count, host_level_.value_or(level)) &&
                           is_known_outside(check->condition, host_level_.value_or(level));
      if (!is_same) {
        stay.push_back(std::move(statement));
        continue;
      }
      const Operand none = Operand::constant(type, Scalar::of<std::int64_t>(0));
      const Operand is_empty =
          writer.scalar(row(primitives::Operation::LessEqual, type), {count, none}, out);
      const Operand holds = writer.scalar(row(primitives::Operation::Or, ElementType::Bool),
                                          {is_empty, check->condition}, out);
      level_.resize(function_.values.size(), level);
      out.push_back({{}, Check{holds, check->site}, statement.span});
    }
    inner.statements = std::move(stay);
  }

  bool is_defined_by(const Operand& operand, unsigned level) const {
    return operand.is_constant() || level_[operand.value().index] <= level;
  }
  /// Whether it is defined at that level, or computed of what is.
  bool is_known_outside(const Operand& operand, unsigned level) const {
    if (is_defined_by(operand, level)) return true;
    const ir::Primitive* const primitive = facts_.primitive(operand);
    return primitive && std::ranges::all_of(primitive->arguments, [&](const Operand& argument) {
             return is_known_outside(argument, level);
           });
  }

  bool may_move(const Statement& statement, unsigned level) {
    for (ValueId value : free_values(function_, statement))
      if (level_[value.index] > level) return false;
    for (ValueId result : statement.results)
      if (!function_.type(result).is_scalar() && aliases_.is_consumed(result)) return false;
    return is_total(statement);
  }

  /// Whether it gives a value always, wherever it stands; asked with the facts of the outer body.
  bool is_total(const Statement& statement) {
    const ir::Operation& operation = statement.operation;
    if (row_of(operation).has(laws::Total)) return true;
    if (const auto* index = std::get_if<ir::Index>(&operation)) {
      const Type& type = function_.type(index->array);
      for (std::size_t i = 0; i < index->indices.size(); ++i)
        if (!facts_.is_within(index->indices[i], type.extents[i])) return false;
      return true;
    }
    if (const auto* soac = std::get_if<Soac>(&operation)) {
      // Only what reads its inputs elementwise and computes: no checks, no free element reads.
      for (ValueId input : soac->inputs)
        if (function_.type(input).extents[0] != soac->extent) return false; // by a check
      bool result = true;
      for_each_body(operation, [&](const Body& body) {
        for (const Statement& inner : body.statements)
          result = result && is_scalar_operation(inner.operation);
      });
      return result && !soac->inputs.empty();
    }
    return false;
  }

  Function& function_;
  AliasClasses aliases_;
  Facts facts_;
  std::vector<unsigned> level_;        ///< nesting of the body that defines the value
  std::optional<unsigned> host_level_; ///< of the outermost SOAC around
};

} // namespace

void hoist(Function& function) {
  Hoister(function).run();
}

} // namespace sinter::jit
