#include "jit/ir/print.h"

#include "jit/ir/failure_words.h"
#include "jit/ir/names.h"
#include "jit/ir/scalar_text.h"

#include <algorithm>
#include <string_view>

namespace sinter::ir {
namespace {

class Printer {
public:
  explicit Printer(const Function& function) : function_(function), names_(function) {}

  void function() {
    const bool is_plain =
        !function_.name.empty() &&
        std::all_of(function_.name.begin(), function_.name.end(), is_name_character);
    out_ += "fn " + (is_plain ? function_.name : quoted(function_.name)) + "(";
    parameters(function_.body.parameters);
    out_ += ") -> ";
    const bool is_one = function_.body.results.size() == 1;
    if (!is_one) out_ += "(";
    list(function_.body.results, [&](const Operand& result) { type(function_.type(result)); });
    if (!is_one) out_ += ")";
    out_ += " {\n";
    rest_of_body(function_.body, "ret");
    out_ += "\n";
  }

  void statement(const Statement& statement) {
    if (!statement.results.empty()) {
      list(statement.results, [&](ValueId result) { definition(result); });
      out_ += " = ";
    }
    std::visit([&](const auto& operation) { write(operation); }, statement.operation);
  }

  std::string take() { return std::move(out_); }

private:
  // ---- pieces

  template <typename Items, typename Write>
  void list(const Items& items, Write&& write) {
    bool is_first = true;
    for (const auto& item : items) {
      if (!is_first) out_ += ", ";
      is_first = false;
      write(item);
    }
  }
  template <typename Items>
  void operands(const Items& items) {
    list(items, [&](const auto& item) { operand(item); });
  }
  void operand(const Operand& operand) {
    if (operand.is_constant())
      out_ += scalar_text(operand.element(), operand.scalar());
    else if (operand.value().index < function_.values.size())
      out_ += names_[operand.value()];
    else
      out_ += "<no value " + std::to_string(operand.value().index) + ">";
  }
  void type(const Type& type) {
    for (const Operand& extent : type.extents) {
      out_ += "[";
      if (extent.is_constant() && extent.element() == ElementType::I64)
        out_ += std::to_string(extent.scalar().as<std::int64_t>());
      else
        operand(extent);
      out_ += "]";
    }
    out_ += name(type.element);
  }
  void definition(ValueId value) {
    operand(value);
    if (value.index >= function_.values.size()) return;
    out_ += ": ";
    type(function_.type(value));
  }
  void parameters(const std::vector<ValueId>& parameters) {
    list(parameters, [&](ValueId parameter) { definition(parameter); });
  }
  void new_line() {
    out_ += "\n";
    out_.append(2 * depth_, ' ');
  }
  void body(const Body& body) {
    out_ += "{";
    if (!body.parameters.empty()) {
      out_ += " (";
      parameters(body.parameters);
      out_ += ")";
    }
    out_ += "\n";
    rest_of_body(body, "yield");
  }
  /// Statements, results and the closing brace; begins at a line's start.
  void rest_of_body(const Body& body, std::string_view result_word) {
    ++depth_;
    for (const Statement& inner : body.statements) {
      out_.append(2 * depth_, ' ');
      statement(inner);
      out_ += "\n";
    }
    out_.append(2 * depth_, ' ');
    out_ += result_word;
    if (!body.results.empty()) out_ += " ";
    operands(body.results);
    --depth_;
    new_line();
    out_ += "}";
  }
  void indices(const std::vector<Operand>& indices) {
    out_ += "[";
    operands(indices);
    out_ += "]";
  }
  void dimensions(const std::vector<Slice::Dimension>& dimensions) {
    out_ += "[";
    list(dimensions, [&](const Slice::Dimension& dimension) {
      operand(dimension.begin);
      out_ += ":";
      operand(dimension.stride);
    });
    out_ += "]";
  }
  template <typename Items>
  void in_parentheses(const Items& items) {
    out_ += "(";
    operands(items);
    out_ += ")";
  }

  // ---- operations

  void write(const Primitive& o) {
    out_ += o.primitive->name;
    for (const Operand& argument : o.arguments) {
      out_ += " ";
      operand(argument);
    }
  }
  void write(const Select& o) {
    out_ += "select ";
    operand(o.condition);
    out_ += " ";
    operand(o.then_value);
    out_ += " ";
    operand(o.else_value);
  }
  void write(const If& o) {
    out_ += "if ";
    operand(o.condition);
    out_ += " ";
    body(o.then_body);
    out_ += " else ";
    body(o.else_body);
  }
  void write(const For& o) {
    out_ += "for ";
    operand(o.bound);
    out_ += " ";
    in_parentheses(o.initial);
    out_ += " ";
    body(o.body);
  }
  void write(const While& o) {
    out_ += "while ";
    in_parentheses(o.initial);
    out_ += " ";
    body(o.condition);
    out_ += " do ";
    body(o.body);
  }
  void write(const Soac& o) {
    out_ += "soac ";
    operand(o.extent);
    out_ += " ";
    in_parentheses(o.inputs);
    out_ += " ";
    body(o.body);
    for (const Group& group : o.groups) {
      out_ += " ";
      std::visit([&](const auto& g) { write(g); }, group);
    }
  }
  void write(const MapGroup&) { out_ += "map"; }
  void write(const ReduceGroup& g) {
    out_ += g.is_commutative ? "reduce commutative " : "reduce ";
    in_parentheses(g.neutral);
    out_ += " ";
    body(g.combine);
  }
  void write(const ScanGroup& g) {
    out_ += "scan ";
    in_parentheses(g.neutral);
    out_ += " ";
    body(g.combine);
  }
  void write(const ScatterGroup& g) {
    out_ += "scatter " + std::to_string(g.index_count) + " ";
    operand(g.destination);
  }
  void write(const HistogramGroup& g) {
    out_ += "histogram " + std::to_string(g.index_count) + " ";
    in_parentheses(g.destinations);
    out_ += " ";
    in_parentheses(g.neutral);
    out_ += " ";
    body(g.combine);
  }
  void write(const FilterGroup& g) { out_ += "filter " + std::to_string(g.value_count); }
  void write(const Index& o) {
    out_ += "index ";
    operand(o.array);
    indices(o.indices);
  }
  void write(const Slice& o) {
    out_ += "slice ";
    operand(o.array);
    dimensions(o.dimensions);
  }
  void write(const Transpose& o) {
    out_ += "transpose ";
    operand(o.array);
    out_ += " (";
    list(o.permutation, [&](std::uint32_t dimension) { out_ += std::to_string(dimension); });
    out_ += ")";
  }
  void write(const Reshape& o) {
    out_ += "reshape ";
    operand(o.array);
  }
  void write(const Update& o) {
    out_ += "update ";
    operand(o.array);
    indices(o.indices);
    out_ += " = ";
    operand(o.value);
  }
  void write(const UpdateSlice& o) {
    out_ += "update_slice ";
    operand(o.array);
    dimensions(o.dimensions);
    out_ += " = ";
    operand(o.value);
  }
  void write(const Concat& o) {
    out_ += "concat ";
    in_parentheses(o.arrays);
  }
  void write(const ArrayLiteral& o) {
    out_ += "array ";
    in_parentheses(o.elements);
  }
  void write(const Copy& o) {
    out_ += "copy ";
    operand(o.array);
  }
  void write(const Check& o) {
    out_ += "check ";
    operand(o.condition);
    out_ += ", ";
    if (o.site >= function_.failures.size()) {
      out_ += "<no site " + std::to_string(o.site) + ">";
      return;
    }
    const FailureSite& site = function_.failures[o.site];
    if (site.kind != FailureKind::Program) {
      out_ += failure_word(site.kind);
      out_ += " ";
    }
    out_ += quoted(site.message);
  }

  const Function& function_;
  Names names_;
  std::string out_;
  std::size_t depth_ = 0;
};

} // namespace

std::string print(const Function& function) {
  Printer printer(function);
  printer.function();
  return printer.take();
}

std::string print(const Function& function, const Statement& statement) {
  Printer printer(function);
  printer.statement(statement);
  return printer.take();
}

} // namespace sinter::ir
