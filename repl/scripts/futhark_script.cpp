#include "repl/scripts/futhark_script.h"

#include "lang/values/elements.h"
#include "repl/pictures/codecs.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <map>

namespace sinter::repl {

namespace {

/// "[][]i32" for arrays, the representation's text for the rest.
std::string type_of(const ScriptValue& value) {
  return print(value.representation);
}

class Script {
public:
  Script(Session& session, const check::CheckedFile& file, std::string_view text)
      : session_(session), file_(file), text_(text),
        entry_names_(session.specialiser().entry_points(file)) {}

  ScriptValue run() {
    ScriptValue value = expression();
    if (!at_end()) fail("unexpected `" + std::string(text_.substr(at_, 10)) + "`");
    return value;
  }

private:
  [[noreturn]] void fail(const std::string& message) const {
    throw FormatError("script: " + message);
  }

  // ---- reading ----------------------------------------------------------------------------------

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_])))
        ++at_;
      else if (text_.substr(at_, 2) == "--")
        at_ = std::min(text_.find('\n', at_), text_.size());
      else
        break;
    }
  }
  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  char peek() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (accept(c)) return;
    std::string found = at_ < text_.size() ? "`" + std::string(1, text_[at_]) + "`" : "the end";
    fail("expected `" + std::string(1, c) + "`, found " + found);
  }
  static bool starts_name(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
  }
  static bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '\'';
  }
  std::string_view peek_name() {
    if (!starts_name(peek())) return {};
    std::size_t end = at_;
    while (end < text_.size() && in_name(text_[end]))
      ++end;
    return text_.substr(at_, end - at_);
  }
  std::string name() {
    std::string_view found = peek_name();
    if (found.empty()) fail("expected a name");
    at_ += found.size();
    return std::string(found);
  }
  bool accept_word(std::string_view word) {
    if (peek_name() != word) return false;
    at_ += word.size();
    return true;
  }
  std::string string_literal() {
    if (peek() != '"') fail("expected a string in double quotes");
    std::string out;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      out += text_[at_];
    }
    if (at_ == text_.size()) fail("a string is not closed");
    ++at_;
    return out;
  }

  // ---- evaluating -------------------------------------------------------------------------------

  ScriptValue expression() {
    constexpr int deepest = 1000;
    if (nesting_ == deepest)
      fail("expressions are nested more than " + std::to_string(deepest) + " deep");
    struct Level {
      int& nesting;
      ~Level() { --nesting; }
    } const level{++nesting_};
    if (accept_word("let")) {
      std::vector<std::string> names;
      bool tuple = accept('(');
      do
        names.push_back(name());
      while (tuple && accept(','));
      if (tuple) expect(')');
      expect('=');
      ScriptValue value = expression();
      if (!accept_word("in")) fail("expected `in`");
      auto before = names_;
      if (!tuple)
        names_[names[0]] = value;
      else {
        std::vector<ScriptValue> parts = fields_of(value);
        if (parts.size() != names.size())
          fail("a pattern of " + std::to_string(names.size()) + " names cannot match " +
               type_of(value));
        for (std::size_t i = 0; i < names.size(); ++i)
          names_[names[i]] = parts[i];
      }
      ScriptValue result = expression();
      names_ = std::move(before);
      return result;
    }
    if (peek() == '$') return builtin();
    std::string_view head = peek_name();
    if (!head.empty() && is_function(head)) {
      std::string function = name();
      std::vector<ScriptValue> arguments;
      while (starts_atom())
        arguments.push_back(postfix());
      return call(function, std::move(arguments));
    }
    return postfix();
  }

  bool is_function(std::string_view word) const {
    return !names_.contains(std::string(word)) &&
           std::find(entry_names_.begin(), entry_names_.end(), word) != entry_names_.end();
  }

  bool starts_atom() {
    char c = peek();
    if (c == '\0') return false;
    if (std::isdigit(static_cast<unsigned char>(c)) || std::strchr("([{\"-$", c)) return true;
    std::string_view word = peek_name();
    return !word.empty() && word != "in" && word != "let";
  }

  /// An atom with the fields and indices taken of it.
  ScriptValue postfix() {
    bool is_name = starts_name(peek());
    ScriptValue value = atom();
    while (at_ < text_.size()) {
      if (text_[at_] == '.' && at_ + 1 < text_.size() && in_name(text_[at_ + 1])) {
        ++at_;
        std::size_t end = at_;
        while (end < text_.size() && in_name(text_[end]))
          ++end;
        value = field(value, text_.substr(at_, end - at_));
        at_ = end;
      } else if (is_name && text_[at_] == '[') {
        ++at_;
        std::vector<std::int64_t> indices;
        do
          indices.push_back(index(expression()));
        while (accept(','));
        expect(']');
        value = element(value, indices);
      } else
        break;
    }
    return value;
  }

  ScriptValue atom() {
    char c = peek();
    if (c == '$') return builtin();
    if (c == '(') return parenthesized();
    if (c == '[') return array();
    if (c == '{') return record();
    if (c == '"') {
      std::string text = string_literal();
      return bytes(text);
    }
    std::string_view word = peek_name();
    if (word == "empty" || word == "true" || word == "false" || is_float_constant(word) ||
        std::isdigit(static_cast<unsigned char>(c)) || c == '-')
      return literal();
    if (word.empty()) fail("expected an expression");
    std::string known = name();
    if (auto found = names_.find(known); found != names_.end()) return found->second;
    if (is_function(known)) return call(known, {});
    fail("unknown name `" + known + "`; only entry points can be used");
  }

  bool is_float_constant(std::string_view word) const {
    return (word == "f16" || word == "f32" || word == "f64") && at_ + word.size() < text_.size() &&
           text_[at_ + word.size()] == '.';
  }

  ScriptValue literal() {
    std::size_t end = at_;
    if (peek_name() == "empty") {
      end = text_.find(')', at_);
      if (end == std::string_view::npos) fail("`empty(…)` is not closed");
      ++end;
    } else {
      auto goes_on = [&](std::size_t i) {
        char c = text_[i];
        bool exponent_sign = (c == '-' || c == '+') && i > at_ &&
                             (text_[i - 1] == 'e' || text_[i - 1] == 'E' || text_[i - 1] == 'p');
        return in_name(c) || c == '.' || exponent_sign;
      };
      if (text_[end] == '-') ++end;
      while (end < text_.size() && goes_on(end))
        ++end;
    }
    std::string_view written = text_.substr(at_, end - at_);
    at_ = end;
    ScriptValue value = read_literal(written, std::nullopt);
    bool has_suffix =
        written.find_first_of("iuf") != std::string_view::npos && !written.starts_with("0x");
    if (!has_suffix && written != "true") value.literal = written;
    return value;
  }

  ScriptValue read_literal(std::string_view written, std::optional<ElementType> wanted) {
    ValueReader reader(written, session_.memory(), session_.representations());
    return from_outside(reader.read(wanted));
  }

  ScriptValue from_outside(ExternalValue read) {
    const Representation* representation = session_.representations().scalar(read.element);
    if (!read.shape.empty())
      representation = session_.representations().array(
          static_cast<std::uint32_t>(read.shape.size()), representation);
    return {std::move(read.value), representation, {}};
  }

  ScriptValue bytes(std::string_view text) {
    const Representation* byte = session_.representations().scalar(ElementType::U8);
    ArrayRef array =
        allocate_array(session_.memory(), byte, Extents{static_cast<std::int64_t>(text.size())});
    if (!text.empty()) std::memcpy(array->leaves[0].buffer->overwrite(), text.data(), text.size());
    return {Value(std::move(array)), session_.representations().array(1, byte), {}};
  }

  /// As `:read` has them before the file.
  ReadOptions read_options_here() {
    Arguments arguments{std::string(text_.substr(at_))};
    ReadOptions options;
    if (const auto wrong = take_read_options(arguments, options)) fail(*wrong);
    at_ += arguments.position();
    return options;
  }

  ScriptValue builtin() {
    expect('$');
    std::string which = name();
    if (which != "loaddata" && which != "loadbytes" && which != "loadimg" && which != "loadaudio")
      fail("unknown built-in `$" + which +
           "`; there are `$loaddata`, `$loadbytes`, `$loadimg` and `$loadaudio`");
    const ReadOptions options = which == "loaddata" ? read_options_here() : ReadOptions();
    std::string path = path_beside(file_.path, string_literal());
    if (which == "loadbytes") return bytes(read_file_bytes(path));
    if (which == "loaddata") return load_data(session_, path, options);
    Representations& representations = session_.representations();
    if (which == "loadimg")
      return {
          value_of(codecs().read_png(read_file_bytes(path)), session_.memory(), representations),
          representations.array(2, representations.scalar(ElementType::U32)),
          {}};
    return {
        value_of(codecs().read_sound(read_file_bytes(path)), session_.memory(), representations),
        representations.array(2, representations.scalar(ElementType::F64)),
        {}};
  }

  ScriptValue parenthesized() {
    expect('(');
    std::vector<ScriptValue> parts;
    if (accept(')')) return tuple(parts);
    do
      parts.push_back(expression());
    while (accept(','));
    expect(')');
    return parts.size() == 1 ? std::move(parts[0]) : tuple(parts);
  }

  ScriptValue tuple(const std::vector<ScriptValue>& parts) {
    std::vector<const Representation*> types;
    std::vector<Value> values;
    for (const ScriptValue& part : parts) {
      types.push_back(part.representation);
      values.push_back(part.value);
    }
    return {Value::record(std::move(values)), session_.representations().tuple(types), {}};
  }

  ScriptValue array() {
    expect('[');
    std::vector<Value> elements;
    const Representation* type = nullptr;
    do {
      ScriptValue element = expression();
      if (type && element.representation != type) {
        if (element.literal.empty() || !type->is_scalar())
          fail("elements of an array differ: " + print(type) + " and " + type_of(element));
        element = read_literal(element.literal, type->scalar());
      }
      type = element.representation;
      elements.push_back(std::move(element.value));
    } while (accept(','));
    expect(']');
    return {Value(make_array_from_elements(session_.memory(), type, elements)),
            session_.representations().array(1, type),
            {}};
  }

  ScriptValue record() {
    expect('{');
    std::map<std::string, ScriptValue> fields; // by bytes: the canonical order of named fields
    if (!accept('}')) {
      do {
        std::string field = name();
        expect('=');
        fields[field] = expression();
      } while (accept(','));
      expect('}');
    }
    std::vector<FieldRepresentation> types;
    std::vector<Value> values;
    for (auto& [field, value] : fields) {
      types.push_back({field, value.representation});
      values.push_back(std::move(value.value));
    }
    return {Value::record(std::move(values)), session_.representations().record(types), {}};
  }

  std::vector<ScriptValue> fields_of(const ScriptValue& value) const {
    std::vector<ScriptValue> parts;
    if (const auto* record = std::get_if<RecordRepresentation>(&value.representation->node))
      for (std::size_t i = 0; i < record->fields.size(); ++i)
        parts.push_back({value.value.fields()[i], record->fields[i].type, {}});
    return parts;
  }

  ScriptValue field(const ScriptValue& value, std::string_view wanted) const {
    if (const auto* record = std::get_if<RecordRepresentation>(&value.representation->node))
      for (std::size_t i = 0; i < record->fields.size(); ++i)
        if (record->fields[i].name == wanted)
          return {value.value.fields()[i], record->fields[i].type, {}};
    fail("a value of type " + type_of(value) + " has no field `" + std::string(wanted) + "`");
  }

  std::int64_t index(const ScriptValue& value) const {
    if (!value.representation->is_scalar() || !is_integer(value.representation->scalar()))
      fail("an index must be an integer, found " + type_of(value));
    return value.value.scalar().as<std::int64_t>();
  }

  ScriptValue element(const ScriptValue& value, const std::vector<std::int64_t>& indices) const {
    if (!value.value.is_array() || value.value.array()->shape.size() < indices.size())
      fail("a value of type " + type_of(value) + " cannot be indexed so");
    for (std::size_t i = 0; i < indices.size(); ++i)
      if (indices[i] < 0 || indices[i] >= value.value.array()->shape[i])
        fail("index " + std::to_string(indices[i]) + " out of bounds for array of shape " +
             shape_text(value.value.array()->shape));
    return {get_element(value.value.array(), indices),
            indexed(session_.representations(), value.representation,
                    static_cast<std::uint32_t>(indices.size())),
            {}};
  }

  ScriptValue call(const std::string& function, std::vector<ScriptValue> arguments) {
    core::EntryPoint entry = session_.specialiser().entry_point(file_, function);
    std::size_t wanted = entry.parameters.size();
    if (arguments.size() == 1 && wanted != 1)
      if (auto parts = fields_of(arguments[0]); parts.size() == wanted) arguments = parts;
    if (arguments.size() != wanted)
      fail("`" + function + "` takes " + std::to_string(wanted) + " arguments, not " +
           std::to_string(arguments.size()));
    std::vector<Value> values;
    for (std::size_t i = 0; i < wanted; ++i) {
      const Representation* type = entry.parameters[i].representation;
      if (arguments[i].representation != type && !arguments[i].literal.empty() && type->is_scalar())
        arguments[i] = read_literal(arguments[i].literal, type->scalar());
      if (arguments[i].representation != type)
        fail("argument " + std::to_string(i + 1) + " of `" + function + "` must have type " +
             entry.parameters[i].text + ", found " + type_of(arguments[i]));
      values.push_back(std::move(arguments[i].value));
    }
    Value result = session_.evaluator().call(*entry.function, values);
    return {std::move(result), entry.function->result, {}};
  }

  Session& session_;
  const check::CheckedFile& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  int nesting_ = 0; ///< of the expression that is read
  std::vector<std::string> entry_names_;
  std::map<std::string, ScriptValue> names_;
};

} // namespace

ScriptValue evaluate_futhark_script(Session& session, const check::CheckedFile& file,
                                    std::string_view text) {
  return Script(session, file, text).run();
}

bool uses_builtins(std::string_view text) {
  bool in_string = false;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (in_string && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      in_string = !in_string;
    else if (!in_string && text[i] == '$' && std::isalpha(static_cast<unsigned char>(text[i + 1])))
      return true;
  }
  return false;
}

ScriptValue load_data(Session& session, const std::string& path, const ReadOptions& options) {
  Data data = read_data(path, options, session.memory(), session.representations());
  return {std::move(data.value), data.type, {}};
}

std::string path_beside(const std::string& file, const std::string& path) {
  return (std::filesystem::path(file).parent_path() / path).string();
}

} // namespace sinter::repl
