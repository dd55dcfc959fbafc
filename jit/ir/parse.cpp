#include "jit/ir/parse.h"

#include "jit/ir/failure_words.h"
#include "jit/ir/groups.h"
#include "jit/ir/lexer.h"
#include "jit/ir/names.h"
#include "jit/ir/operations.h"
#include "jit/ir/row_text.h"
#include "jit/ir/scalar_text.h"
#include "jit/ir/verify.h"

#include <charconv>
#include <concepts>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace sinter::ir {
namespace {

/// How deep bodies may nest.
constexpr std::size_t depth_limit = 200;

class Parser {
public:
  explicit Parser(std::string_view text) : lexer_(text) { advance(); }

  Function function() {
    expect("fn");
    if (token_.kind != Token::Kind::Word && token_.kind != Token::Kind::String)
      fail("expected the function's name");
    function_.name = take().text;
    function_.body.parameters = parameters();
    expect("->");
    // Results' types may name values of the body, so they are read after it.
    const std::size_t types = token_.offset;
    while (!token_.is("{") && token_.kind != Token::Kind::End)
      advance();
    expect("{");
    rest_of_body(function_.body, "ret", types);
    if (token_.kind != Token::Kind::End) fail("expected the end of the text");
    if (const std::optional<std::string> violation = verify(function_))
      lexer_.fail(0, "the function breaks a rule: " + *violation);
    return std::move(function_);
  }

private:
  // ---- tokens

  [[noreturn]] void fail(const std::string& message) const {
    std::string found = token_.kind == Token::Kind::End ? "the end" : "`" + token_.text + "`";
    lexer_.fail(token_.offset, message + ", found " + found);
  }
  void advance() { token_ = lexer_.next(); }
  Token take() {
    Token taken = std::move(token_);
    advance();
    return taken;
  }
  bool accept(std::string_view text) {
    if (!token_.is(text)) return false;
    advance();
    return true;
  }
  void expect(std::string_view text) {
    if (!accept(text)) fail("expected `" + std::string(text) + "`");
  }
  Token peek() {
    const std::size_t here = lexer_.offset();
    Token next = lexer_.next();
    lexer_.go_to(here);
    return next;
  }
  template <typename Item>
  std::vector<Item> in_parentheses(Item (Parser::*item)()) {
    std::vector<Item> items;
    expect("(");
    if (accept(")")) return items;
    do
      items.push_back((this->*item)());
    while (accept(","));
    expect(")");
    return items;
  }

  // ---- pieces

  std::uint32_t number() {
    std::uint32_t value = 0;
    const std::string& text = token_.text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (token_.kind != Token::Kind::Number || error != std::errc() ||
        end != text.data() + text.size())
      fail("expected a number");
    advance();
    return value;
  }
  Operand operand() {
    if (token_.kind == Token::Kind::Word) {
      const auto known = names_.find(token_.text);
      if (known != names_.end()) {
        advance();
        return known->second;
      }
    }
    if (token_.kind == Token::Kind::Word || token_.kind == Token::Kind::Number)
      if (const auto constant = read_scalar_text(token_.text)) {
        advance();
        return Operand::constant(constant->first, constant->second);
      }
    fail(token_.kind == Token::Kind::Word ? "unknown value" : "expected a value or a constant");
  }
  ValueId value() {
    const std::size_t offset = token_.offset;
    const Operand result = operand();
    if (!result.is_value()) lexer_.fail(offset, "expected a value, found a constant");
    return result.value();
  }
  Operand extent() {
    std::int64_t count = 0;
    const std::string& text = token_.text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (token_.kind == Token::Kind::Number && error == std::errc() &&
        end == text.data() + text.size()) {
      advance();
      return Operand::i64(count);
    }
    return operand();
  }
  Type type() {
    Type result;
    while (accept("[")) {
      result.extents.push_back(extent());
      expect("]");
    }
    const std::optional<ElementType> element = element_type_named(token_.text);
    if (token_.kind != Token::Kind::Word || !element) fail("expected an element type");
    advance();
    result.element = *element;
    return result;
  }
  ValueId definition() {
    if (token_.kind != Token::Kind::Word || token_.text.find('.') != std::string::npos ||
        is_reserved(token_.text))
      fail("expected a name");
    if (names_.contains(token_.text)) fail("the name is taken");
    const std::string name = take().text;
    expect(":");
    const ValueId result = function_.add_value(type(), name);
    names_.emplace(name, result);
    return result;
  }
  std::vector<ValueId> parameters() { return in_parentheses(&Parser::definition); }

  // ---- bodies

  Body body() {
    if (++depth_ > depth_limit) fail("bodies are nested too deeply");
    Body result;
    expect("{");
    if (token_.is("(")) result.parameters = parameters();
    rest_of_body(result, "yield");
    --depth_;
    return result;
  }
  /// Statements, results and the closing brace.  `types`: where the results' types stand, if they
  /// are written.
  void rest_of_body(Body& body, std::string_view result_word,
                    std::optional<std::size_t> types = std::nullopt) {
    while (!token_.is(result_word))
      body.statements.push_back(statement());
    advance();
    if (!token_.is("}")) {
      do
        body.results.push_back(operand());
      while (accept(","));
    }
    if (types) check_result_types(body, *types);
    expect("}");
  }
  void check_result_types(const Body& body, std::size_t offset) {
    const Token here = token_;
    const std::size_t after = lexer_.offset();
    lexer_.go_to(offset);
    advance();
    std::vector<Type> types;
    if (token_.is("("))
      types = in_parentheses(&Parser::type);
    else
      types.push_back(type());
    if (!token_.is("{")) fail("expected `{`");
    if (types.size() != body.results.size())
      lexer_.fail(offset, "the function has " + std::to_string(body.results.size()) + " results");
    for (std::size_t i = 0; i < types.size(); ++i)
      if (types[i] != function_.type(body.results[i]))
        lexer_.fail(offset, "result " + std::to_string(i) + " has another type");
    lexer_.go_to(after);
    token_ = here;
  }
  /// A definition's name and its type are known before the operation is read, but its uses are not
  /// allowed yet: the verifier sees to that.
  Statement statement() {
    Statement result;
    if (token_.kind == Token::Kind::Word && peek().is(":")) {
      do
        result.results.push_back(definition());
      while (accept(","));
      expect("=");
    }
    result.operation = operation(result.results);
    return result;
  }

  // ---- operations

  Operation operation(const std::vector<ValueId>& results) {
    if (token_.kind != Token::Kind::Word) fail("expected an operation");
    using Reader = Operation (Parser::*)();
    static const std::unordered_map<std::string_view, Reader> readers = {
#define SINTER_IR_OPERATION(Type, text, ...) {first_word(text), &Parser::operation_of<Type>},
#include "jit/ir/operations.def"
#undef SINTER_IR_OPERATION
    };
    if (const auto reader = readers.find(token_.text); reader != readers.end())
      return (this->*reader->second)();
    return primitive(results);
  }
  template <typename Type>
  Operation operation_of() {
    Type result;
    read(result, row_of(Operation(std::in_place_type<Type>)).text);
    if constexpr (std::same_as<Type, For>) result.index_type = function_.type(result.bound).element;
    return result;
  }
  /// The row is found by its name, the first operand's type and, for conversions, the result's.
  Operation primitive(const std::vector<ValueId>& results) {
    const Token name = take();
    const primitives::Primitive* first = nullptr;
    for (const primitives::Primitive& candidate : primitives::all_primitives())
      if (candidate.name == name.text) {
        first = &candidate;
        break;
      }
    if (!first) lexer_.fail(name.offset, "unknown operation `" + name.text + "`");
    Primitive result;
    for (std::uint8_t i = 0; i < first->arity; ++i)
      result.arguments.push_back(operand());
    const ElementType element = function_.type(result.arguments[0]).element;
    if (first->operation == primitives::Operation::Convert) {
      if (results.size() != 1) lexer_.fail(name.offset, "a conversion has one result");
      result.primitive = primitives::conversion(element, function_.type(results[0]).element);
    } else {
      result.primitive = primitives::find(first->operation, element);
    }
    if (!result.primitive)
      lexer_.fail(name.offset,
                  "`" + name.text + "` does not exist at " + std::string(sinter::name(element)));
    return result;
  }
  /// Any other operation, and any group, is read as its row says.
  template <typename Node>
  void read(Node& node, std::string_view row_text) {
    RowText text(row_text);
    const auto read_next = [&](auto& part) {
      const RowText::Part place = text.next();
      for_each_token(place.before, [&](std::string_view token) { expect(token); });
      if constexpr (std::same_as<decltype(part), bool&>)
        part = accept(place.flag);
      else
        read_part(part);
    };
    std::apply([&](auto&... each) { (read_next(each), ...); }, parts::of(node));
    for_each_token(text.rest(), [&](std::string_view token) { expect(token); });
  }
  void read_part(Operand& part) {
    part = operand();
  }
  void read_part(ValueId& part) {
    part = value();
  }
  void read_part(Body& part) {
    part = body();
  }
  void read_part(std::uint32_t& part) {
    part = number();
  }
  void read_part(const primitives::Primitive*&) {} // of a primitive, which is read otherwise
  void read_part(Slice::Dimension& part) {
    part.begin = operand();
    expect(":");
    part.stride = operand();
  }
  void read_part(std::vector<Group>& groups) {
    static const std::unordered_map<std::string_view, Group (Parser::*)()> readers = {
#define SINTER_IR_GROUP(Kind, text, ...) {first_word(text), &Parser::group_of<Kind##Group>},
#include "jit/ir/groups.def"
#undef SINTER_IR_GROUP
    };
    while (token_.kind == Token::Kind::Word && !peek().is(":")) { // no value of such a name
      const auto reader = readers.find(token_.text);
      if (reader == readers.end()) return;
      groups.push_back((this->*reader->second)());
    }
  }
  void read_part(std::vector<Before>& before) {
    if (token_.is("after") && !peek().is(":")) read(before.emplace_back(), before_text);
  }
  void read_part(std::vector<Post>& post) {
    if (token_.is("post") && !peek().is(":")) read(post.emplace_back(), post_text);
  }
  template <typename Type>
  Group group_of() {
    Type result;
    read(result, text_of(kind_of(Group(std::in_place_type<Type>))));
    return result;
  }
  template <typename Item>
  void read_part(std::vector<Item>& items) {
    if (token_.is(")") || token_.is("]")) return;
    do
      read_part(items.emplace_back());
    while (accept(","));
  }
  void read_part(FailureId& id) {
    FailureSite site;
    if (token_.kind == Token::Kind::Word) {
      const std::optional<FailureKind> kind = failure_kind_named(token_.text);
      if (!kind) fail("expected a kind of failure");
      site.kind = *kind;
      advance();
    }
    if (token_.kind != Token::Kind::String) fail("expected a message");
    site.message = take().text;
    id = failure_site(std::move(site));
  }
  FailureId failure_site(FailureSite site) {
    std::vector<FailureSite>& sites = function_.failures;
    for (std::size_t i = 0; i < sites.size(); ++i)
      if (sites[i].kind == site.kind && sites[i].message == site.message)
        return {static_cast<std::uint32_t>(i)};
    sites.push_back(std::move(site));
    return {static_cast<std::uint32_t>(sites.size() - 1)};
  }

  Lexer lexer_;
  Token token_;
  Function function_;
  std::unordered_map<std::string, ValueId> names_; ///< of the whole function: names are unique
  std::size_t depth_ = 0;
};

} // namespace

Function parse(std::string_view text) {
  return Parser(text).function();
}

} // namespace sinter::ir
