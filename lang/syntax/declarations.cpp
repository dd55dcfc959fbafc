#include "lang/syntax/grammar.h"

namespace sinter::syntax {

File Grammar::file() {
  File file;
  file.id = file_;
  const auto& blocks = stream_.documentation;
  if (!blocks.empty() && blocks[0].token == 0) {
    bool another = blocks.size() > 1 && blocks[1].token == 0;
    if (blocks[0].blank_line_after || another || at_end()) {
      file.documentation = make_documentation(blocks[0]);
      next_documentation_ = 1;
    }
  }
  file.declarations = declarations(no_brace);
  file.marks = marks_;
  return file;
}

std::vector<Declaration*> Grammar::declarations(std::uint32_t open) {
  std::vector<Declaration*> list;
  while (!at_end()) {
    auto start = static_cast<std::uint32_t>(next_);
    std::uint32_t begin = peek().begin;
    if (at(TokenKind::RightBrace) && open != no_brace) break;
    try {
      list.push_back(declaration());
      list.insert(list.end(), parts_.begin(), parts_.end());
      parts_.clear();
    } catch (Failure&) {
      parts_.clear();
      synchronize(start, open);
      list.push_back(ast_.make<Declaration>(DeclarationNode{ErrorDeclaration{}}, span_from(begin)));
    }
  }
  return list;
}

ModuleTypeBody Grammar::specifications(std::uint32_t open) {
  ModuleTypeBody body;
  while (!at_end()) {
    auto start = static_cast<std::uint32_t>(next_);
    if (at(TokenKind::RightBrace) && open != no_brace) break;
    try {
      body.specifications.push_back(specification());
    } catch (Failure&) {
      synchronize(start, open);
      body.is_incomplete = true;
    }
  }
  return body;
}

/// After a failure in the declaration that began with token `start`, inside of the brace `open`:
/// goes to what is likely the start of the next one.
void Grammar::synchronize(std::uint32_t start, std::uint32_t open) {
  std::uint32_t column = sources_.position(file_, stream_.tokens[start].begin).column;
  // A `let` or an attribute may also belong to the broken expression.
  auto begins_line = [&] {
    std::size_t before = source_.find_last_not_of(" \t\r\f\v", peek().begin - 1);
    return peek().begin == 0 || before == std::string_view::npos || source_[before] == '\n';
  };
  auto at_outer_line = [&] {
    return begins_line() && sources_.position(file_, peek().begin).column <= column;
  };
  std::uint32_t body_end = open == no_brace ? 0 : stream_.closing[open];
  if (next_ == start) advance();
  for (; !at_end(); advance()) {
    switch (peek().kind) {
    case TokenKind::Def:
    case TokenKind::Entry:
    case TokenKind::Val:
    case TokenKind::Type:
    case TokenKind::Module:
    case TokenKind::Open:
    case TokenKind::Local:
    case TokenKind::Include:
      return;
    case TokenKind::Import:
      if (begins_line()) return;
      break;
    case TokenKind::Let:
    case TokenKind::AttributeBracket:
      if (at_outer_line()) return;
      break;
    case TokenKind::LeftBrace:
      if (stream_.closing[next_] != 0) next_ = stream_.closing[next_];
      break;
    case TokenKind::RightBrace:
      if (open != no_brace && (body_end == 0 || next_ == body_end)) return;
      break;
    default:
      break;
    }
  }
}

Documentation Grammar::make_documentation(const DocumentationBlock& block) const {
  Documentation result;
  result.span = {file_, block.begin, block.end};
  std::string_view rest = source_.substr(block.begin, block.end - block.begin);
  for (bool first = true; !rest.empty(); first = false) {
    std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    line.remove_prefix(line.find("--") + 2);
    if (first) line.remove_prefix(2); // the ` |`
    if (line.starts_with(' ')) line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t'))
      line.remove_suffix(1);
    if (!first) result.text += '\n';
    result.text += line;
  }
  return result;
}

/// The documentation that stands before the next token.
std::optional<Documentation> Grammar::documentation() {
  const auto& blocks = stream_.documentation;
  std::optional<Documentation> result;
  for (; next_documentation_ < blocks.size() && blocks[next_documentation_].token <= next_;
       ++next_documentation_) {
    bool is_last =
        next_documentation_ + 1 == blocks.size() || blocks[next_documentation_ + 1].token > next_;
    if (blocks[next_documentation_].token == next_ && is_last)
      result = make_documentation(blocks[next_documentation_]);
    else
      loose_documentation_.push_back(next_documentation_);
  }
  return result;
}

std::vector<Attribute> Grammar::attributes() {
  std::vector<Attribute> list;
  while (at(TokenKind::AttributeBracket))
    list.push_back(attribute());
  return list;
}

TokenKind Grammar::kind_after_attributes() const {
  std::size_t i = 0;
  while (stream_.tokens[i].kind == TokenKind::AttributeBracket && stream_.closing[i] != 0)
    i = stream_.closing[i] + 1;
  return stream_.tokens[i].kind;
}

Declaration* Grammar::declaration() {
  Nesting nesting(*this);
  std::optional<Documentation> doc = documentation();
  std::uint32_t begin = peek().begin;
  std::vector<Attribute> list = attributes();
  DeclarationNode node = declaration_node();
  Declaration* result = ast_.make<Declaration>(std::move(node), span_from(begin));
  result->documentation = std::move(doc);
  for (Attribute& attribute : list) {
    if (attribute.name == accelerate_name) {
      mark_definition(*result, std::move(attribute));
      continue;
    }
    if (attribute.name == parallel_name)
      diagnostics_.error("parallel-mark", attribute.span, "a definition is no loop").hint =
          "`#[parallel]` stands before `loop … for i < n do …` or `loop … for x in xs do …`";
    result->attributes.push_back(std::move(attribute));
  }
  return result;
}

void Grammar::mark_definition(Declaration& declaration, Attribute attribute) {
  Declaration* inner = &declaration;
  while (auto* local = std::get_if<LocalDeclaration>(&inner->node))
    inner = local->inner;
  auto* value = std::get_if<ValueDeclaration>(&inner->node);
  if (!value) {
    diagnostics_.error("accelerate-option", attribute.span, "this is nothing that can be marked")
        .hint = "`#[accelerate]` stands before a `def`, a `let`, an `entry` or an expression";
    return;
  }
  // Of a function that is written as a lambda the calls are meant, too.
  Expr** body = &value->body;
  while (*body)
    if (auto* lambda = std::get_if<LambdaExpr>(&(*body)->node))
      body = &lambda->body;
    else if (auto* parenthesized = std::get_if<Parenthesized>(&(*body)->node))
      body = &parenthesized->inner;
    else
      break;
  if (!*body) return;
  const AccelerateMark mark = accelerate_mark(attribute);
  *body = ast_.make<Expr>(AttributedExpr{std::move(attribute), mark, *body}, (*body)->span);
}

DeclarationNode Grammar::declaration_node() {
  switch (peek().kind) {
  case TokenKind::Def:
  case TokenKind::Let:
  case TokenKind::Entry:
    return value_declaration();
  case TokenKind::Type:
    return type_declaration();
  case TokenKind::Module:
    return module_declaration();
  case TokenKind::Open:
    advance();
    return OpenDeclaration{module()};
  case TokenKind::Import: {
    advance();
    Span path_span = span(peek());
    std::string path = string_literal();
    return ImportDeclaration{std::move(path), path_span};
  }
  case TokenKind::Local:
    advance();
    {
      Declaration* inner = declaration();
      for (Declaration*& part : parts_)
        part = ast_.make<Declaration>(DeclarationNode{LocalDeclaration{part}}, part->span);
      return LocalDeclaration{inner};
    }
  case TokenKind::Val:
    fail_expecting("a declaration", "`val` stands in module types; a value is defined with `def`");
  case TokenKind::RightParenthesis:
  case TokenKind::RightBracket:
  case TokenKind::RightBrace:
    fail("unexpected-token", span(peek()), describe(peek()) + " closes nothing");
  case TokenKind::Identifier:
    fail_expecting("a declaration",
                   peek(1).kind == TokenKind::Equals
                       ? "a definition is written `let " + std::string(text(peek())) + " = …`"
                       : "a definition starts with `def`");
  case TokenKind::In:
    fail_expecting("a declaration",
                   "the `let` that this belongs to has been read as a declaration");
  case TokenKind::If:
  case TokenKind::Loop:
  case TokenKind::Match:
  case TokenKind::Assert: {
    std::string keyword(text(peek()));
    fail_expecting("a declaration", (keyword == "if" || keyword == "assert" ? "an `" : "a `") +
                                        keyword + "` as an argument needs parentheses");
  }
  default:
    fail_expecting("a declaration");
  }
}

DeclarationNode Grammar::value_declaration() {
  ValueDeclaration node;
  switch (advance().kind) {
  case TokenKind::Let:
    node.keyword = ValueKeyword::Let;
    break;
  case TokenKind::Entry:
    node.keyword = ValueKeyword::Entry;
    break;
  default:
    node.keyword = ValueKeyword::Def;
    break;
  }
  auto is_infix_after = [&](std::size_t ahead) {
    switch (peek(ahead).kind) {
    case TokenKind::Operator:
    case TokenKind::Star:
    case TokenKind::Minus:
    case TokenKind::Less:
    case TokenKind::Hat:
    case TokenKind::Pipe:
    case TokenKind::Bang: // an error that deserves its own words
    case TokenKind::Backquote:
      return true;
    default:
      return false;
    }
  };
  if (at(TokenKind::Identifier) && !is_infix_after(1)) {
    node.name_span = span(peek());
    node.name = text(advance());
  } else if (at_parenthesized_operator()) {
    auto open = static_cast<std::uint32_t>(next_);
    advance();
    std::uint32_t begin = peek().begin;
    node.name = binding_operator();
    node.name_span = span_from(begin);
    close(TokenKind::RightParenthesis, open, "");
  } else if (starts_inner_pattern(false)) {
    std::uint32_t begin = peek().begin;
    const std::size_t pattern_begin = next_;
    Pattern* left = inner_pattern(false);
    if ((at(TokenKind::Equals) || at(TokenKind::Colon)) &&
        !std::holds_alternative<NamePattern>(left->node)) {
      if (node.keyword == ValueKeyword::Entry)
        fail("pattern-declaration", span_from(begin), "an entry point has one name, not a pattern",
             "define each name on its own");
      node.name_span = span_from(begin);
      node.pattern = left;
      return pattern_declaration(std::move(node), pattern_begin);
    }
    std::uint32_t operator_begin = peek().begin;
    node.infix = true;
    node.name = binding_operator();
    node.name_span = span_from(operator_begin);
    if (!starts_inner_pattern(false)) fail_expecting("a parameter");
    Pattern* right = inner_pattern(false);
    node.parameters = {left, right};
  } else {
    node.name = identifier("a name"); // fails
  }
  if (!node.infix) {
    node.type_parameters = type_parameters();
    node.parameters = parameters();
  }
  if (accept(TokenKind::Colon)) node.result_type = type();
  if (!at(TokenKind::Equals) && node.result_type == nullptr && at_type_parameter())
    fail_expecting("a parameter, `:` or `=`", "type and size parameters come before all others");
  expect(TokenKind::Equals, node.result_type != nullptr ? "`=`"
                            : node.infix                ? "`:` or `=`"
                                                        : "a parameter, `:` or `=`");
  node.body = expression();
  return node;
}

namespace {

struct PatternName {
  Name name;
  Span span;
};

void collect_names(const Pattern& pattern, std::vector<PatternName>& names) {
  const auto of = [&](const Pattern* inner) {
    if (inner) collect_names(*inner, names);
  };
  if (const auto* name = std::get_if<NamePattern>(&pattern.node)) {
    names.push_back({name->name, pattern.span});
  } else if (const auto* tuple = std::get_if<TuplePattern>(&pattern.node)) {
    for (const Pattern* element : tuple->elements)
      of(element);
  } else if (const auto* record = std::get_if<RecordPattern>(&pattern.node)) {
    for (const FieldPattern& field : record->fields)
      if (field.pattern)
        of(field.pattern);
      else
        names.push_back({field.name, field.name_span});
  } else if (const auto* constructor = std::get_if<ConstructorPattern>(&pattern.node)) {
    for (const Pattern* argument : constructor->arguments)
      of(argument);
  } else if (const auto* ascribed = std::get_if<AscribePattern>(&pattern.node)) {
    of(ascribed->pattern);
  } else if (const auto* parenthesized = std::get_if<ParenthesizedPattern>(&pattern.node)) {
    of(parenthesized->inner);
  } else if (const auto* attributed = std::get_if<AttributedPattern>(&pattern.node)) {
    of(attributed->pattern);
  }
}

} // namespace

/// `let (a, b) = e` is `let (a, b) = e in (a, b)` under a name of its own, then
/// `def a = let (a, b) = that name in a`, and so `b`.
DeclarationNode Grammar::pattern_declaration(ValueDeclaration whole, std::size_t pattern_begin) {
  const std::uint32_t begin = stream_.tokens[pattern_begin].begin;
  if (accept(TokenKind::Colon)) {
    TypeExpr* ascribed = type();
    whole.pattern = make_pattern(AscribePattern{whole.pattern, ascribed}, begin);
  }
  expect(TokenKind::Equals, "`=`");
  Expr* value = expression();
  std::vector<PatternName> names;
  collect_names(*whole.pattern, names);
  // A pattern without names is called by all of the declaration: there may be several `_`.
  const Token& keyword = stream_.tokens[pattern_begin - 1];
  whole.name = names.empty() ? source_.substr(keyword.begin, previous_end_ - keyword.begin)
                             : source_.substr(begin, whole.name_span.end - begin);
  const Span span = whole.name_span;
  auto variable = [&](const PatternName& name) {
    VariableExpr node;
    node.name.name = name.name;
    node.name.span = name.span;
    return ast_.make<Expr>(Expr{std::move(node), name.span, nullptr, {}});
  };
  auto let = [&](Pattern* pattern, Expr* bound, Expr* body) {
    LetPatternExpr node;
    node.pattern = pattern;
    node.value = bound;
    node.body = body;
    return ast_.make<Expr>(Expr{std::move(node), body->span, nullptr, {}});
  };
  TupleExpr all;
  for (const PatternName& one : names)
    all.elements.push_back(variable(one));
  whole.body = let(whole.pattern, value,
                   names.size() == 1 ? all.elements.front()
                                     : ast_.make<Expr>(Expr{std::move(all), span, nullptr, {}}));
  for (const PatternName& one : names) {
    TuplePattern taken;
    for (const PatternName& each : names)
      taken.elements.push_back(
          ast_.make<Pattern>(Pattern{NamePattern{each.name}, each.span, nullptr}));
    Pattern* pattern = names.size() == 1
                           ? taken.elements.front()
                           : ast_.make<Pattern>(Pattern{std::move(taken), span, nullptr});
    ValueDeclaration part;
    part.keyword = whole.keyword;
    part.name = one.name;
    part.name_span = one.span;
    part.is_part = true;
    part.body = let(pattern, variable({whole.name, one.span}), variable(one));
    parts_.push_back(ast_.make<Declaration>(DeclarationNode{std::move(part)}, one.span));
  }
  return whole;
}

types::Lifting Grammar::lifting() {
  if (accept(TokenKind::Tilde)) return Lifting::SizeLifted;
  if (accept(TokenKind::Hat)) return Lifting::FullyLifted;
  return Lifting::None;
}

DeclarationNode Grammar::type_declaration() {
  advance();
  TypeDeclaration node;
  node.lifting = lifting();
  node.name_span = span(peek());
  node.name = identifier("a type's name");
  node.parameters = type_parameters();
  expect(TokenKind::Equals, "`=` and a type");
  node.definition = type();
  return node;
}

DeclarationNode Grammar::module_declaration() {
  advance();
  if (accept(TokenKind::Type)) {
    ModuleTypeDeclaration node;
    node.name_span = span(peek());
    node.name = identifier("a module type's name");
    expect(TokenKind::Equals, "`=` and a module type");
    node.type = module_type();
    return node;
  }
  ModuleDeclaration node;
  node.name_span = span(peek());
  node.name = identifier("a module's name");
  while (at(TokenKind::LeftParenthesis))
    node.parameters.push_back(module_parameter());
  if (accept(TokenKind::Colon)) node.ascription = module_type();
  expect(TokenKind::Equals, "`=` and a module");
  node.body = module();
  return node;
}

Specification* Grammar::specification() {
  std::optional<Documentation> doc = documentation();
  std::uint32_t begin = peek().begin;
  std::vector<Attribute> list = attributes();
  SpecificationNode node = specification_node();
  Specification* result = ast_.make<Specification>(std::move(node), span_from(begin));
  result->attributes = std::move(list);
  result->documentation = std::move(doc);
  return result;
}

SpecificationNode Grammar::specification_node() {
  switch (peek().kind) {
  case TokenKind::Val:
    return value_specification();
  case TokenKind::Type: {
    advance();
    TypeSpecification node;
    node.lifting = lifting();
    node.name_span = span(peek());
    node.name = identifier("a type's name");
    node.parameters = type_parameters();
    if (accept(TokenKind::Equals)) node.definition = type();
    return node;
  }
  case TokenKind::Module: {
    advance();
    ModuleSpecification node;
    node.name_span = span(peek());
    node.name = identifier("a module's name");
    expect(TokenKind::Colon, "`:` and a module type");
    node.type = module_type();
    return node;
  }
  case TokenKind::Include:
    advance();
    return IncludeSpecification{module_type()};
  case TokenKind::Def:
  case TokenKind::Let:
  case TokenKind::Entry:
    fail_expecting("a specification", "a module type says `val name : type`, without a definition");
  default:
    fail_expecting("a specification such as `val`, `type`, `module` or `include`");
  }
}

SpecificationNode Grammar::value_specification() {
  advance();
  ValueSpecification node;
  std::uint32_t begin = peek().begin;
  if (at(TokenKind::LeftParenthesis)) {
    auto open = static_cast<std::uint32_t>(next_);
    advance();
    begin = peek().begin;
    node.name = binding_operator();
    node.name_span = span_from(begin);
    close(TokenKind::RightParenthesis, open, "");
  } else if (at_operator() || at(TokenKind::Bang)) {
    node.name = binding_operator();
    node.name_span = span_from(begin);
  } else {
    node.name = identifier("a name");
    node.name_span = span_from(begin);
  }
  node.type_parameters = type_parameters();
  expect(TokenKind::Colon, "`:` and a type");
  node.type = type();
  return node;
}

} // namespace sinter::syntax
