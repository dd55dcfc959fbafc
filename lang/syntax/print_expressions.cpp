#include "lang/syntax/printer.h"

#include "lang/syntax/token.h"

namespace sinter::syntax {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '\'';
}
bool is_part_of_operator(char c) {
  return c == '?' || c == ':' || is_operator_name(std::string_view(&c, 1));
}
bool is_number(const Expr& expr) {
  return std::holds_alternative<IntegerLiteral>(expr.node) ||
         std::holds_alternative<FloatLiteral>(expr.node);
}

/// One character of a string or character literal.
std::string escaped(unsigned char c, char quote) {
  switch (c) {
  case '\n':
    return "\\n";
  case '\t':
    return "\\t";
  case '\r':
    return "\\r";
  case '\\':
    return "\\\\";
  default:
    if (c == static_cast<unsigned char>(quote)) return {'\\', quote};
    if (c < 0x20 || c == 0x7F) return "\\" + std::to_string(c);
    return {static_cast<char>(c)};
  }
}

} // namespace

void Printer::put(std::string_view token) {
  if (token.empty()) return;
  char first = token[0];
  if ((is_word(last_) && is_word(first)) ||
      (is_part_of_operator(last_) && is_part_of_operator(first)))
    space();
  put_closely(token);
}

void Printer::put_closely(std::string_view token) {
  layout_.text(token);
  if (!token.empty()) last_ = token.back();
}

void Printer::qualified_name(const QualifiedName& name) {
  std::string text;
  for (Name qualifier : name.qualifiers) {
    text += qualifier;
    text += '.';
  }
  text += name.name;
  put(text);
}

void Printer::prefix_name(Name name) {
  if (!is_operator_name(name)) return put(name);
  put("(");
  put(name);
  put(")");
}

void Printer::infix_operator(const QualifiedName& op) {
  if (op.backquoted) put("`");
  qualified_name(op);
  if (op.backquoted) put("`");
}

void Printer::attribute(const Attribute& attribute) {
  put("#[");
  attribute_body(attribute);
  put("]");
}

void Printer::attribute_body(const Attribute& attribute) {
  if (attribute.number) {
    // Beyond 63 bits the number is kept modulo 2^64.
    put(std::to_string(static_cast<std::uint64_t>(*attribute.number)));
  } else if (attribute.string) {
    string(*attribute.string);
  } else {
    put(attribute.name);
    if (attribute.has_arguments)
      list("(", attribute.arguments, ")", [&](const Attribute& a) { attribute_body(a); });
  }
}

void Printer::string(std::string_view bytes) {
  std::string text = "\"";
  bool numeric = false;
  for (char c : bytes) {
    if (numeric && c >= '0' && c <= '9') text += "\\&";
    std::string part = escaped(static_cast<unsigned char>(c), '"');
    numeric = part.size() > 1 && part[1] >= '0' && part[1] <= '9';
    text += part;
  }
  put(text + "\"");
}

void Printer::index_list(const std::vector<IndexPart>& indices) {
  put_closely("[");
  open();
  bool first = true;
  for (const IndexPart& part : indices) {
    if (!first) {
      put_closely(",");
      line();
    }
    first = false;
    if (!part.is_slice()) {
      expression(*part.index);
      continue;
    }
    if (part.begin != nullptr) expression(*part.begin);
    put_closely(":");
    last_ = ' '; // a second colon may follow directly
    if (part.end != nullptr) expression(*part.end);
    if (part.stride != nullptr) {
      put_closely(":");
      last_ = ' ';
      expression(*part.stride);
    }
  }
  close();
  put_closely("]");
}

void Printer::path(const std::vector<PathStep>& steps, bool first_dot) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].is_field()) {
      index_list(steps[i].indices);
      continue;
    }
    if (i > 0 || first_dot) put_closely(".");
    put_closely(steps[i].field);
  }
}

void Printer::expression(const Expr& expr) {
  std::visit([&](const auto& n) { node(n); }, expr.node);
}

void Printer::node(const IntegerLiteral& n) {
  std::string text = n.digits_value;
  if (n.suffix) text += name(*n.suffix);
  put(text);
}
void Printer::node(const FloatLiteral& n) {
  std::string text = n.text;
  if (n.suffix) text += name(*n.suffix);
  put(text);
}
void Printer::node(const BoolLiteral& n) {
  put(n.value ? "true" : "false");
}
void Printer::node(const CharLiteral& n) {
  if (last_ == '\'') space();
  if (n.code_point < 0x80)
    put("'" + escaped(static_cast<unsigned char>(n.code_point), '\'') + "'");
  else
    put("'\\" + std::to_string(n.code_point) + "'");
}
void Printer::node(const StringLiteral& n) {
  string(n.bytes);
}
void Printer::node(const Hole&) {
  put("???");
}
void Printer::node(const VariableExpr& n) {
  bool is_operator = n.name.backquoted || is_operator_name(n.name.name);
  if (is_operator) put("(");
  infix_operator(n.name);
  if (is_operator) put(")");
}
void Printer::node(const Parenthesized& n) {
  put("(");
  open();
  expression(*n.inner);
  close();
  put_closely(")");
}
void Printer::node(const LocalOpen& n) {
  qualified_name(n.module);
  put_closely(".(");
  open();
  expression(*n.body);
  close();
  put_closely(")");
}
void Printer::node(const TupleExpr& n) {
  list("(", n.elements, ")", [&](const Expr* e) { expression(*e); });
}
void Printer::node(const RecordExpr& n) {
  list("{", n.fields, "}", [&](const FieldExpr& field) {
    put(field.name);
    if (field.value == nullptr) return;
    open();
    put_closely(" =");
    line();
    expression(*field.value);
    close();
  });
}
void Printer::node(const ArrayExpr& n) {
  // Only the printed form of an index may follow a name or bracket directly.
  if (is_word(last_) || last_ == ')' || last_ == ']') space();
  list("[", n.elements, "]", [&](const Expr* e) { expression(*e); });
}
void Printer::node(const ProjectExpr& n) {
  expression(*n.record);
  if (is_number(*n.record)) space(); // `1.0` would be one number
  put_closely(".");
  put_closely(n.field);
}
void Printer::node(const IndexExpr& n) {
  expression(*n.array);
  index_list(n.indices);
}
void Printer::node(const LeftSection& n) {
  put("(");
  open();
  expression(*n.left);
  space();
  infix_operator(n.op);
  close();
  put(")");
}
void Printer::node(const RightSection& n) {
  put("(");
  open();
  infix_operator(n.op);
  space();
  expression(*n.right);
  close();
  put(")");
}
void Printer::node(const PathSection& n) {
  put("(");
  if (!n.steps.front().is_field()) put_closely(".");
  path(n.steps, true);
  put(")");
}
void Printer::node(const ApplyExpr& n) {
  open();
  expression(*n.function);
  for (const Expr* argument : n.arguments) {
    fill();
    expression(*argument);
  }
  close();
}

void Printer::node(const BinaryExpr& n) {
  // The left spine of a chain can be long: it becomes one group, without recursion.
  std::vector<const BinaryExpr*> spine = {&n};
  while (const auto* left = std::get_if<BinaryExpr>(&spine.back()->left->node))
    spine.push_back(left);
  open();
  expression(*spine.back()->left);
  for (auto part = spine.rbegin(); part != spine.rend(); ++part) {
    line();
    infix_operator((*part)->op);
    space();
    expression(*(*part)->right);
  }
  close();
}
void Printer::node(const UnaryExpr& n) {
  put(n.op == UnaryOperator::Negate ? "-" : "!");
  expression(*n.operand);
}
void Printer::node(const ConstructorExpr& n) {
  open();
  put("#");
  put_closely(n.name);
  for (const Expr* argument : n.arguments) {
    fill();
    expression(*argument);
  }
  close();
}
void Printer::node(const AscribeExpr& n) {
  expression(*n.value);
  put(" : ");
  type(*n.type);
}
void Printer::node(const CoerceExpr& n) {
  expression(*n.value);
  put(" :> ");
  type(*n.type);
}
void Printer::node(const RangeExpr& n) {
  expression(*n.first);
  if (n.second != nullptr) {
    put_closely("..");
    expression(*n.second);
  }
  switch (n.kind) {
  case RangeEnd::Inclusive:
    put_closely("...");
    break;
  case RangeEnd::UpTo:
    put_closely("..<");
    break;
  case RangeEnd::DownTo:
    put_closely("..>");
    break;
  }
  expression(*n.end);
}

void Printer::node(const IfExpr& n) {
  open(0);
  const IfExpr* branch = &n;
  for (;;) {
    put("if ");
    expression(*branch->condition);
    line();
    put("then ");
    open();
    expression(*branch->then_branch);
    close();
    line();
    put("else ");
    const auto* next = std::get_if<IfExpr>(&branch->else_branch->node);
    if (next == nullptr) break;
    branch = next;
  }
  open();
  expression(*branch->else_branch);
  close();
  close();
}

/// ` = value`, on a line of its own if need be
void Printer::let_value(const Expr& value) {
  put(" =");
  open();
  line();
  expression(value);
  close();
}
void Printer::let_body(const Expr& body, bool explicit_in) {
  hard();
  bool is_let = std::holds_alternative<LetPatternExpr>(body.node) ||
                std::holds_alternative<LetFunctionExpr>(body.node) ||
                std::holds_alternative<LetWithExpr>(body.node);
  // Lines below `in` are indented to what follows it, but a chain of `let`s stays flat.
  open(explicit_in && !is_let ? 3 : 0);
  if (explicit_in) put("in ");
  expression(body);
  close();
}
void Printer::node(const LetPatternExpr& n) {
  put("let ");
  sizes(n.sizes);
  if (!n.sizes.empty()) space();
  pattern(*n.pattern);
  let_value(*n.value);
  let_body(*n.body, n.explicit_in);
}
void Printer::node(const LetFunctionExpr& n) {
  put("let ");
  put(n.name);
  type_parameters(n.type_parameters);
  for (const Pattern* parameter : n.parameters) {
    space();
    pattern(*parameter);
  }
  if (n.result_type != nullptr) {
    put(" : ");
    type(*n.result_type);
  }
  let_value(*n.value);
  let_body(*n.body, n.explicit_in);
}
void Printer::node(const LetWithExpr& n) {
  put("let ");
  put(n.name);
  path(n.path, true);
  let_value(*n.value);
  let_body(*n.body, n.explicit_in);
}
void Printer::node(const LambdaExpr& n) {
  open();
  put("\\");
  bool first = true;
  for (const Pattern* parameter : n.parameters) {
    if (!first) space();
    first = false;
    pattern(*parameter);
  }
  if (n.result_type != nullptr) {
    put(" : ");
    type(*n.result_type);
  }
  put(" ->");
  line();
  expression(*n.body);
  close();
}

void Printer::node(const LoopExpr& n) {
  open();
  put("loop ");
  sizes(n.sizes);
  if (!n.sizes.empty()) space();
  pattern(*n.pattern);
  if (n.initial != nullptr) {
    put(" = ");
    expression(*n.initial);
  }
  space();
  if (const auto* form = std::get_if<ForLess>(&n.form)) {
    put("for ");
    put(form->name);
    put(" < ");
    expression(*form->bound);
  } else if (const auto* form = std::get_if<ForIn>(&n.form)) {
    put("for ");
    pattern(*form->pattern);
    put(" in ");
    expression(*form->array);
  } else {
    put("while ");
    expression(*std::get<While>(n.form).condition);
  }
  put(" do");
  line();
  expression(*n.body);
  close();
}
void Printer::node(const AttributedExpr& n) {
  open(0);
  attribute(n.attribute);
  line();
  expression(*n.body);
  close();
}
void Printer::node(const AssertExpr& n) {
  open(0);
  put("assert ");
  expression(*n.condition);
  line();
  expression(*n.body);
  close();
}
void Printer::node(const WithExpr& n) {
  open();
  expression(*n.value);
  line();
  put("with ");
  path(n.path, false);
  put(" = ");
  expression(*n.replacement);
  close();
}
void Printer::node(const MatchExpr& n) {
  put("match ");
  expression(*n.scrutinee);
  for (const MatchCase& part : n.cases) {
    hard();
    open();
    put("case ");
    pattern(*part.pattern);
    put(" ->");
    line();
    expression(*part.body);
    close();
  }
}
void Printer::node(const ErrorExpr&) {
  put("<error>");
}

} // namespace sinter::syntax
