#include "jit/ir/print.h"

#include "jit/ir/failure_words.h"
#include "jit/ir/groups.h"
#include "jit/ir/names.h"
#include "jit/ir/operations.h"
#include "jit/ir/row_text.h"
#include "jit/ir/scalar_text.h"

#include <algorithm>
#include <concepts>
#include <iostream>
#include <string_view>
#include <tuple>

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
    const std::string_view text = row_of(statement.operation).text;
    std::visit([&](const auto& operation) { write(operation, text); }, statement.operation);
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
  // ---- operations

  void write(const Primitive& o, std::string_view) {
    out_ += o.primitive->name;
    for (const Operand& argument : o.arguments) {
      out_ += " ";
      operand(argument);
    }
  }
  /// Any other operation, and any group, is written as its row says.
  template <typename Node>
  void write(const Node& node, std::string_view row_text) {
    RowText text(row_text);
    const auto write_next = [&](const auto& part) {
      const RowText::Part place = text.next();
      out_ += place.before;
      if constexpr (std::same_as<decltype(part), const bool&>) {
        if (part) out_ += std::string(place.flag) + " ";
      } else {
        write_part(part);
      }
    };
    std::apply([&](const auto&... each) { (write_next(each), ...); }, parts::of(node));
    out_ += text.rest();
  }
  void write_part(const Operand& part) { operand(part); }
  void write_part(ValueId part) { operand(part); }
  void write_part(const Body& part) { body(part); }
  void write_part(std::uint32_t part) { out_ += std::to_string(part); }
  void write_part(const Slice::Dimension& part) {
    operand(part.begin);
    out_ += ":";
    operand(part.stride);
  }
  void write_part(const std::vector<Group>& groups) {
    for (const Group& group : groups) {
      out_ += " ";
      std::visit([&](const auto& g) { write(g, text_of(kind_of(group))); }, group);
    }
  }
  void write_part(const std::vector<Before>& before) {
    for (const Before& part : before)
      write(part, before_text);
  }
  void write_part(const Post& part) { write(part, post_text); }
  template <typename Item>
  void write_part(const std::vector<Item>& items) {
    list(items, [&](const Item& item) { write_part(item); });
  }
  void write_part(FailureId id) {
    if (id.index >= function_.failures.size()) {
      out_ += "<no site " + std::to_string(id.index) + ">";
      return;
    }
    const FailureSite& site = function_.failures[id.index];
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

void dump(const Function& function) {
  std::cerr << print(function) << '\n';
}
void dump(const Function& function, const Statement& statement) {
  std::cerr << print(function, statement) << '\n';
}

} // namespace sinter::ir
