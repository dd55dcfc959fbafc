// Patterns, type expressions and the parameters and sizes that belong to them.
#include "lang/syntax/printer.h"

namespace sinter::syntax {

void Printer::type_parameters(const std::vector<TypeParameter>& parameters) {
  for (const TypeParameter& parameter : parameters) {
    space();
    std::string_view mark = "'";
    switch (parameter.kind) {
    case TypeParameter::Kind::Size:
      put("[");
      put(parameter.name);
      put("]");
      continue;
    case TypeParameter::Kind::Type:
      break;
    case TypeParameter::Kind::SizeLifted:
      mark = "'~";
      break;
    case TypeParameter::Kind::FullyLifted:
      mark = "'^";
      break;
    }
    put(mark);
    // `'a'` would be a character.
    if (parameter.name.size() > 1 && parameter.name[1] == '\'') space();
    put_closely(parameter.name);
  }
}

void Printer::sizes(const std::vector<SizeBinder>& sizes) {
  for (const SizeBinder& size : sizes) {
    put("[");
    put(size.name);
    put("]");
  }
}

void Printer::pattern(const Pattern& pattern) {
  std::visit([&](const auto& n) { node(n); }, pattern.node);
}

void Printer::node(const NamePattern& n) {
  prefix_name(n.name);
}
void Printer::node(const WildcardPattern&) {
  put("_");
}
void Printer::node(const LiteralPattern& n) {
  if (n.negative) put("-");
  expression(*n.literal);
}
void Printer::node(const TuplePattern& n) {
  list("(", n.elements, ")", [&](const Pattern* p) { pattern(*p); });
}
void Printer::node(const RecordPattern& n) {
  list("{", n.fields, "}", [&](const FieldPattern& field) {
    put(field.name);
    if (field.pattern == nullptr) return;
    put(" = ");
    pattern(*field.pattern);
  });
}
void Printer::node(const ConstructorPattern& n) {
  put("#");
  put_closely(n.name);
  for (const Pattern* argument : n.arguments) {
    space();
    pattern(*argument);
  }
}
void Printer::node(const AscribePattern& n) {
  pattern(*n.pattern);
  put_closely(":");
  space();
  type(*n.type);
}
void Printer::node(const ParenthesizedPattern& n) {
  put("(");
  pattern(*n.inner);
  put(")");
}
void Printer::node(const AttributedPattern& n) {
  attribute(n.attribute);
  space();
  pattern(*n.pattern);
}

void Printer::type(const TypeExpr& type) {
  std::visit([&](const auto& n) { node(n); }, type.node);
}

void Printer::node(const NamedType& n) {
  qualified_name(n.name);
}
void Printer::node(const TypeApplication& n) {
  qualified_name(n.name);
  for (const TypeArgument& argument : n.arguments) {
    space();
    if (!argument.is_size) {
      type(*argument.type);
      continue;
    }
    put("[");
    if (argument.size != nullptr) expression(*argument.size);
    put("]");
  }
}
void Printer::node(const ArrayType& n) {
  put("[");
  if (n.size != nullptr) expression(*n.size);
  put("]");
  type(*n.element);
}
void Printer::node(const UniqueType& n) {
  put("*");
  type(*n.inner);
}
void Printer::node(const TupleType& n) {
  list("(", n.elements, ")", [&](const TypeExpr* t) { type(*t); });
}
void Printer::node(const RecordType& n) {
  list("{", n.fields, "}", [&](const FieldType& field) {
    put(field.name);
    put_closely(":");
    space();
    type(*field.type);
  });
}
void Printer::node(const SumType& n) {
  open();
  bool first = true;
  for (const ConstructorType& part : n.constructors) {
    if (!first) {
      line();
      put("| ");
    }
    first = false;
    put("#");
    put_closely(part.name);
    for (const TypeExpr* payload : part.payload) {
      space();
      type(*payload);
    }
  }
  close();
}
void Printer::node(const FunctionType& n) {
  if (n.parameter_name.empty()) {
    type(*n.parameter);
  } else {
    put("(");
    put(n.parameter_name);
    put_closely(":");
    space();
    type(*n.parameter);
    put(")");
  }
  fill();
  put("-> ");
  type(*n.result);
}
void Printer::node(const ExistentialType& n) {
  put("?");
  sizes(n.sizes);
  put_closely(".");
  type(*n.body);
}
void Printer::node(const ParenthesizedType& n) {
  put("(");
  open();
  type(*n.inner);
  close();
  put(")");
}
void Printer::node(const ErrorType&) {
  put("<error>");
}

} // namespace sinter::syntax
