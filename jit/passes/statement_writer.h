// Writing statements in a pass: what each needs to define its results, and maps over indices.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/algebra.h"
#include "jit/passes/linear_form.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sinter::jit {

/// Appends statements that stand for a source expression to lists of them.
class StatementWriter {
public:
  using Statements = std::vector<ir::Statement>;

  StatementWriter(ir::Function& function, Span span) : function_(function), span_(span) {}

  Span span() const { return span_; }
  ir::ValueId value(ir::Type type) { return function_.add_value(std::move(type)); }
  ir::Operand scalar(const primitives::Primitive& primitive, std::vector<ir::Operand> arguments,
                     Statements& out) {
    const ir::ValueId result = value({primitive.result, {}});
    out.push_back({{result}, ir::Primitive{&primitive, std::move(arguments)}, span_});
    return result;
  }
  /// Of i64.
  ir::Operand scalar(primitives::Operation operation, ir::Operand a, ir::Operand b,
                     Statements& out) {
    return scalar(row(operation, ElementType::I64), {a, b}, out);
  }
  /// Checks what compiled code alone needs: where that does not hold, the interpreter goes on.
  ir::FailureId require(const ir::Operand& condition, std::string words, Statements& out) {
    function_.failures.push_back({FailureKind::OutOfMemory, std::move(words), span_, {}, {}});
    const ir::FailureId site{static_cast<std::uint32_t>(function_.failures.size() - 1)};
    out.push_back({{}, ir::Check{condition, site}, span_});
    return site;
  }
  /// Of values of i64.
  ir::Operand sum(const LinearForm& form, Statements& out) {
    using primitives::Operation;
    ir::Operand sum = ir::Operand::i64(form.constant);
    for (const auto& [atom, factor] : form.terms) {
      const ir::Operand value = ir::ValueId{atom};
      if (factor == -1) {
        sum = scalar(Operation::Subtract, sum, value, out);
        continue;
      }
      const ir::Operand term =
          factor == 1 ? value : scalar(Operation::Multiply, value, ir::Operand::i64(factor), out);
      sum = sum == ir::Operand::i64(0) ? term : scalar(Operation::Add, term, sum, out);
    }
    return sum;
  }
  /// `ceil(extent / size)`; `size` is positive.
  ir::Operand rounded_up_quotient(const ir::Operand& extent, const ir::Operand& size,
                                  Statements& out) {
    using primitives::Operation;
    const ir::Operand less = scalar(Operation::Subtract, size, ir::Operand::i64(1), out);
    const ir::Operand up = scalar(Operation::Add, extent, less, out);
    return scalar(Operation::Quotient, up, size, out);
  }
  ir::Operand rounded_up_quotient(const ir::Operand& extent, std::int64_t size, Statements& out) {
    using primitives::Operation;
    const ir::Operand up = scalar(Operation::Add, extent, ir::Operand::i64(size - 1), out);
    return scalar(Operation::Quotient, up, ir::Operand::i64(size), out);
  }
  /// A scalar: there are as many indices as dimensions.
  ir::ValueId element(ir::ValueId array, std::vector<ir::Operand> indices, Statements& out) {
    const ir::ValueId result = value({function_.type(array).element, {}});
    out.push_back({{result}, ir::Index{array, std::move(indices)}, span_});
    return result;
  }

  /// The operator that combines two values by the primitive.
  ir::Body combine_by(const primitives::Primitive& primitive) {
    const ir::Type type{primitive.result, {}};
    ir::Body combine{{value(type), value(type)}, {}, {}};
    combine.results = {
        scalar(primitive, {combine.parameters[0], combine.parameters[1]}, combine.statements)};
    return combine;
  }

  /// A map over an index alone: `write(index, statements)` gives the elements.
  template <typename Write>
  std::vector<ir::ValueId> map(const ir::Operand& extent, Statements& out, Write&& write) {
    ir::Soac soac;
    soac.extent = extent;
    const ir::ValueId index = value({ElementType::I64, {}});
    soac.body.parameters = {index};
    soac.body.results = write(index, soac.body.statements);
    soac.groups.assign(soac.body.results.size(), ir::MapGroup{});
    std::vector<ir::ValueId> results;
    for (const ir::Operand& result : soac.body.results)
      results.push_back(value(array_type(extent, function_.type(result))));
    out.push_back({results, std::move(soac), span_});
    return results;
  }

  /// An array of these extents, by maps over indices alone, one in the other:
  /// `write(indices, statements)` gives an element.
  template <typename Write>
  ir::ValueId tabulate(std::initializer_list<ir::Operand> extents, Statements& out, Write&& write) {
    return tabulate_rest({extents.begin(), extents.size()}, {}, out, write).value();
  }
  template <typename Write>
  ir::ValueId tabulate(std::span<const ir::Operand> extents, Statements& out, Write&& write) {
    return tabulate_rest(extents, {}, out, write).value();
  }

protected:
  /// The type of an array of so many.
  static ir::Type array_type(const ir::Operand& extent, ir::Type type) {
    type.extents.insert(type.extents.begin(), extent);
    return type;
  }

  ir::Function& function_;
  Span span_;

private:
  template <typename Write>
  ir::Operand tabulate_rest(std::span<const ir::Operand> extents,
                            const std::vector<ir::ValueId>& outer, Statements& out, Write&& write) {
    if (extents.empty()) return write(outer, out);
    const auto inner = [&](ir::ValueId index, Statements& inside) {
      std::vector<ir::ValueId> indices = outer;
      indices.push_back(index);
      return std::vector<ir::Operand>{tabulate_rest(extents.subspan(1), indices, inside, write)};
    };
    return map(extents[0], out, inner)[0];
  }
};

} // namespace sinter::jit
