// Types as text, the way the user would write them.
#include "lang/types/facts.h"
#include "lang/types/rewrite.h"

#include <algorithm>
#include <iostream>
#include <map>

namespace sinter::types {
namespace {

/// Where a type stands, loosest first: decides on parentheses.
enum class Place { Any, Parameter, Payload, Element };

class Printer {
public:
  explicit Printer(NumberedNames& names) : names_(names) {}

  std::string type(const Type* type, Place place) {
    type = resolve(type);
    if (!type) return "?";
    // Nobody reads so much, and a type may have any number of parts.
    if (++parts_ > most_parts) return "…";
    return std::visit([&](const auto& node) { return print(node, place); }, type->node);
  }

  std::string size(const Size* size, int strength = 0) {
    if (!size) return "";
    return std::visit([&](const auto& node) { return print(node, strength); }, size->node);
  }

  /// Unknown sizes without a name of the user's are numbered in order of appearance.
  std::string name(const Variable* variable) {
    if (!variable->name.empty()) return std::string(variable->name);
    return "d" + subscript(number(names_.variables, variable));
  }
  std::string quantifier(const std::vector<const Variable*>& existentials) {
    if (existentials.empty()) return "";
    std::string text = "?";
    for (const Variable* variable : existentials)
      text += "[" + name(variable) + "]";
    return text + ".";
  }

private:
  std::string print(const PrimitiveType& node, Place) {
    return std::string(sinter::name(node.element));
  }
  std::string print(const NamedType& node, Place place) {
    std::string text = node.name->display;
    for (const TypeArgument& argument : node.arguments) {
      if (argument.type)
        text += " " + type(argument.type, Place::Payload);
      else
        text += " [" + size(argument.size) + "]";
    }
    return parenthesise(text, !node.arguments.empty() && place >= Place::Payload);
  }
  std::string print(const ArrayType& node, Place place) {
    return parenthesise("[" + size(node.size) + "]" + type(node.element, Place::Element),
                        place == Place::Payload);
  }
  std::string print(const RecordType& node, Place) {
    bool tuple = is_tuple(node);
    std::string text = tuple ? "(" : "{";
    for (std::size_t i = 0; i < node.fields.size(); ++i) {
      const Field& field =
          node.fields[node.shown.empty() || names_.is_canonical ? i : node.shown[i]];
      if (i) text += ", ";
      if (!tuple) text += std::string(field.name) + ": ";
      text += type(field.type, Place::Any);
    }
    return text + (tuple ? ")" : "}");
  }
  std::string print(const SumType& node, Place place) {
    return parenthesise(constructors(node.constructors), place >= Place::Parameter);
  }
  std::string print(const FunctionType& node, Place place) {
    std::string text;
    if (node.parameter_variable && !node.parameter_variable->name.empty() &&
        occurs(node.parameter_variable, node.result))
      text = "(" + std::string(node.parameter_variable->name) + ": " +
             type(node.parameter, Place::Any) + ")";
    else
      text = type(node.parameter, Place::Parameter);
    text += " -> " + quantifier(node.existentials) + type(node.result, Place::Any);
    return parenthesise(text, place >= Place::Parameter);
  }
  std::string print(const UniqueType& node, Place place) {
    return parenthesise("*" + type(node.inner, Place::Element), place == Place::Payload);
  }
  std::string print(const MetaType& node, Place place) {
    if (!node.fields.empty()) {
      std::string text = "{";
      for (const Field& field : node.fields)
        text += std::string(field.name) + ": " + type(field.type, Place::Any) + ", ";
      return text + "…}";
    }
    if (!node.constructors.empty())
      return parenthesise(constructors(node.constructors) + " | …", place >= Place::Parameter);
    if (node.elements != 0) return elements(node.elements);
    return "t" + subscript(number(names_.metas, node.id));
  }
  std::string print(const ErrorType&, Place) { return "?"; }

  std::string constructors(const std::vector<Constructor>& list) {
    std::string text;
    for (const Constructor& constructor : list) {
      if (!text.empty()) text += " | ";
      text += "#" + std::string(constructor.name);
      for (const Type* payload : constructor.payload)
        text += " " + type(payload, Place::Payload);
    }
    return text;
  }
  /// A set of primitive types in words where there is one, else listed.
  std::string elements(std::uint16_t set) {
    std::string text;
    int count = 0;
    bool integers = true, floats = true;
    for (ElementType element : all_element_types) {
      bool in = (set >> static_cast<unsigned>(element) & 1U) != 0;
      if (in) {
        text += (count++ ? "|" : "") + std::string(sinter::name(element));
      } else {
        integers = integers && !is_integer(element);
        floats = floats && !is_float(element);
      }
    }
    if (integers && floats) return "number";
    if (integers) return "integer";
    if (floats) return "float";
    return text;
  }

  std::string print(const ConstantSize& node, int) { return std::to_string(node.value); }
  std::string print(const VariableSize& node, int) { return name(node.variable); }
  std::string print(const OperationSize& node, int strength) {
    bool additive = node.op == SizeOperator::Add || node.op == SizeOperator::Subtract;
    int own = additive ? 1 : 2;
    const char* symbol = "";
    switch (node.op) {
    case SizeOperator::Add:
      symbol = " + ";
      break;
    case SizeOperator::Subtract:
      symbol = " - ";
      break;
    case SizeOperator::Multiply:
      symbol = " * ";
      break;
    case SizeOperator::Divide:
      symbol = " / ";
      break;
    case SizeOperator::Remainder:
      symbol = " % ";
      break;
    }
    return parenthesise(size(node.left, own) + symbol + size(node.right, own + 1), strength > own);
  }
  std::string print(const ExpressionSize& node, int) {
    // The checker names expressions by their text where it can; here only what they depend on is
    // known.
    std::string text = "f(";
    const char* separator = "";
    for (const auto& [variable, stands_for] : node.substitution) {
      if (variable->scheme.type &&
          std::holds_alternative<FunctionType>(resolve(variable->scheme.type)->node))
        continue;
      text += separator + size(stands_for);
      separator = ", ";
    }
    return text + ")";
  }
  std::string print(const TermSize& node, int strength) {
    const std::vector<const Size*>& parts = node.arguments;
    constexpr int operand = 2, atom = 3;
    auto list = [&](const char* separator, std::size_t from, int inner) {
      std::string text;
      for (std::size_t i = from; i < parts.size(); ++i)
        text += (i > from ? separator : "") + size(parts[i], inner);
      return text;
    };
    switch (node.kind) {
    case TermSize::Kind::Apply:
      return parenthesise(list(" ", 0, atom), strength >= atom);
    case TermSize::Kind::Infix:
      return parenthesise(size(parts[parts.size() - 2], operand) + " " + std::string(node.head) +
                              " " + size(parts.back(), operand),
                          strength > 0);
    case TermSize::Kind::Prefix:
      return parenthesise(std::string(node.head) + list("", 0, atom), strength >= atom);
    case TermSize::Kind::Project:
      return size(parts.front(), atom) + "." + std::string(node.head);
    case TermSize::Kind::Index:
      return size(parts.front(), atom) + "[" + list(", ", 1, 0) + "]";
    case TermSize::Kind::Tuple:
      return "(" + list(", ", 0, 0) + ")";
    case TermSize::Kind::Array:
      return "[" + list(", ", 0, 0) + "]";
    case TermSize::Kind::Constructor:
      return parenthesise("#" + std::string(node.head) + (parts.empty() ? "" : " ") +
                              list(" ", 0, atom),
                          strength >= atom && !parts.empty());
    case TermSize::Kind::Literal:
      return std::string(node.head);
    case TermSize::Kind::Opaque:
      return "f(" + list(", ", 0, 0) + ")";
    }
    return {};
  }
  std::string print(const AnonymousSize&, int) { return ""; }

  template <typename Key>
  std::size_t number(std::map<Key, std::size_t>& numbers, Key key) {
    return numbers.emplace(key, numbers.size()).first->second;
  }
  static std::string subscript(std::size_t number) {
    static constexpr const char* digits[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
    std::string text;
    for (char c : std::to_string(number))
      text += digits[c - '0'];
    return text;
  }
  static std::string parenthesise(std::string text, bool needed) {
    return needed ? "(" + text + ")" : text;
  }

  static constexpr std::size_t most_parts = 1000;
  std::size_t parts_ = 0;
  NumberedNames& names_;
};

} // namespace

std::string print(const Type* type, NumberedNames& names) {
  return Printer(names).type(type, Place::Any);
}
std::string print(const Size* size, NumberedNames& names) {
  return Printer(names).size(size);
}
std::string print(const Type* type) {
  NumberedNames names;
  return print(type, names);
}
std::string print(const Size* size) {
  NumberedNames names;
  return print(size, names);
}
std::string print(const Scheme& scheme) {
  NumberedNames names;
  Printer printer(names);
  std::string parameters;
  std::vector<const Variable*> existentials;
  for (const Variable* variable : scheme.size_parameters) {
    if (variable->kind == Variable::Kind::UnknownSize)
      existentials.push_back(variable);
    else
      parameters += "[" + printer.name(variable) + "] ";
  }
  for (const TypeName* name : scheme.type_parameters) {
    parameters += "'";
    if (name->lifting == Lifting::SizeLifted) parameters += "~";
    if (name->lifting == Lifting::FullyLifted) parameters += "^";
    parameters += name->display + " ";
  }
  if (!parameters.empty()) parameters.back() = '.';
  return (parameters.empty() ? "" : parameters + " ") + printer.quantifier(existentials) +
         printer.type(scheme.type, Place::Any);
}

void dump(const Type* type) {
  std::cerr << print(type) << '\n';
}
void dump(const Size* size) {
  std::cerr << print(size) << '\n';
}

} // namespace sinter::types
