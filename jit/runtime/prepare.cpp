#include "jit/runtime/prepare.h"

#include "jit/ir/verify.h"
#include "jit/ir/walk.h"
#include "jit/passes/short_rounds.h"
#include "jit/runtime/extract.h"

#include <cassert>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace sinter::jit {

using namespace ir;

namespace {

/// Copies the statements of a kernel to where it was cut out.
class Insertion {
public:
  Insertion(Function& target, const Function& kernel) : target_(target), kernel_(kernel) {}

  /// Statements that stand for `original`; none if a result is not a value that they define, each
  /// another one: then the target is as it was.
  std::optional<std::vector<Statement>> run(const Statement& original,
                                            const std::vector<ValueId>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i)
      renamed_.emplace(kernel_.body.parameters[i].index, arguments[i]);
    for (std::size_t i = 0; i < original.results.size(); ++i) {
      const Operand& result = kernel_.body.results[i];
      if (result.is_constant() ||
          !renamed_.try_emplace(result.value().index, original.results[i]).second)
        return std::nullopt;
    }
    std::vector<Statement> statements = kernel_.body.statements;
    for (Statement& statement : statements)
      rename(statement);
    // Extents may be named before their definition is seen: types come last.
    for (const auto& [fresh, origin] : fresh_) {
      Type type = kernel_.type(origin);
      for (Operand& extent : type.extents)
        rename(extent);
      target_.values[fresh.index].type = std::move(type);
    }
    return statements;
  }

private:
  ValueId define(ValueId value) {
    const auto [found, is_new] = renamed_.try_emplace(value.index);
    if (is_new) {
      found->second = target_.add_value({}, kernel_.values[value.index].name);
      fresh_.emplace_back(found->second, value);
    }
    return found->second;
  }
  void rename(Operand& operand) {
    if (operand.is_value()) operand = Operand(renamed_.at(operand.value().index));
  }
  void rename(Body& body) {
    for (ValueId& parameter : body.parameters)
      parameter = define(parameter);
    for (Statement& statement : body.statements)
      rename(statement);
    for (Operand& result : body.results)
      rename(result);
  }
  void rename(Statement& statement) {
    for_each_operand(statement.operation, [&](Operand& operand) { rename(operand); });
    for_each_body(statement.operation, [&](Body& body) { rename(body); });
    for (ValueId& result : statement.results)
      result = define(result);
  }

  Function& target_;
  const Function& kernel_;
  std::unordered_map<std::uint32_t, ValueId> renamed_;
  std::vector<std::pair<ValueId, ValueId>> fresh_; ///< of the target, by values of the kernel
};

class Preparation {
public:
  Preparation(Function& function, const Backend& place, const CompileOptions& options)
      : function_(function), place_(place), options_(options) {}

  std::vector<PassRecord> run() {
    prepare(function_.body);
    return std::move(records_);
  }

private:
  void prepare(Body& body) {
    std::vector<Statement> before = std::move(body.statements);
    body.statements.clear();
    const std::size_t entered = sizes_.enter();
    for (Statement& statement : before) {
      if (is_worth_kernel(statement.operation)) {
        if (std::optional<std::vector<Statement>> made = prepared(statement)) {
          std::move(made->begin(), made->end(), std::back_inserter(body.statements));
          continue;
        }
      } else {
        for_each_body(statement.operation, [&](Body& inner) { prepare(inner); });
      }
      sizes_.note(statement);
      body.statements.push_back(std::move(statement));
    }
    sizes_.leave(entered);
  }

  /// Nothing if the place leaves it as it is.
  std::optional<std::vector<Statement>> prepared(const Statement& statement) {
    ExtractedKernel kernel = extract_kernel(function_, statement, sizes_);
    PreparedKernel prepared = place_.prepare(std::move(kernel.function), options_);
    std::move(prepared.passes.begin(), prepared.passes.end(), std::back_inserter(records_));
    if (!prepared.is_changed) return std::nullopt;
    assert(prepared.function.failures.size() == function_.failures.size());
    return Insertion(function_, prepared.function).run(statement, kernel.arguments);
  }

  Function& function_;
  const Backend& place_;
  const CompileOptions& options_;
  SizesBefore sizes_;
  std::vector<PassRecord> records_;
};

} // namespace

bool is_worth_kernel(const Operation& operation) {
  if (std::holds_alternative<Soac>(operation)) return true;
  if (!std::holds_alternative<For>(operation) && !std::holds_alternative<While>(operation))
    return false;
  return is_whole_loop(operation) || !holds_launches(operation);
}

std::vector<PassRecord> prepare_function(Function& function, const Backend& place,
                                         const CompileOptions& options) {
  std::vector<PassRecord> records = Preparation(function, place, options).run();
  if (options.passes.verify)
    if (const std::optional<std::string> violation = verify(function))
      throw std::logic_error("the code that " + place.name() + " prepared is wrong: " + *violation);
  return records;
}

PreparedKernel prepared_by(std::vector<PassRecord> (*passes)(Function&, const PassOptions&),
                           Function kernel, const CompileOptions& options) {
  const std::size_t values = kernel.values.size();
  PassOptions pass_options = options.passes;
  // A kernel alone does not know which sizes its function has found equal: where its types need
  // that, it is checked when it is back in there.
  if (pass_options.verify && verify(kernel)) pass_options.verify = false;
  std::vector<PassRecord> records = passes(kernel, pass_options);
  const bool is_changed = kernel.values.size() != values;
  return {std::move(kernel), std::move(records), is_changed};
}

} // namespace sinter::jit
