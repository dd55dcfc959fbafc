#include "src/testing/test_blocks.h"

#include "repl/data/read_options.h"

#include <algorithm>
#include <cctype>

namespace sinter::testing {

namespace {

struct Problem {
  std::size_t at;
  std::string message;
};

std::string_view trimmed(std::string_view text) {
  std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string on_one_line(std::string_view text) {
  std::string out;
  for (char c : trimmed(text)) {
    bool blank = std::isspace(static_cast<unsigned char>(c));
    if (blank && !out.empty() && out.back() == ' ') continue;
    out += blank ? ' ' : c;
  }
  return out;
}

/// The text of one block below its `==`, without the dashes, and the line it starts in.
struct Block {
  std::string text;
  std::uint32_t line = 0;
};

std::vector<Block> find_blocks(std::string_view source) {
  std::vector<Block> blocks;
  bool in_comment = false, in_block = false;
  std::uint32_t number = 0;
  for (std::size_t at = 0; at < source.size();) {
    std::size_t end = std::min(source.find('\n', at), source.size());
    std::string_view line = source.substr(at, end - at);
    at = end + 1;
    ++number;
    in_comment = line.starts_with("--");
    if (!in_comment) {
      in_block = false;
      continue;
    }
    std::string_view content = line.substr(2);
    if (in_block)
      blocks.back().text += std::string(content) + "\n";
    else if (trimmed(content) == "==") {
      blocks.push_back({"", number + 1});
      in_block = true;
    }
  }
  return blocks;
}

class BlockReader {
public:
  BlockReader(const Block& block, TestProgram& program)
      : text_(block.text), first_line_(block.line), program_(program) {}

  void read() {
    try {
      read_items();
    } catch (const Problem& problem) {
      program_.problems.push_back("line " + std::to_string(line_of(problem.at)) + ": " +
                                  problem.message);
    }
  }

private:
  [[noreturn]] void fail(const std::string& message) const { throw Problem{at_, message}; }

  std::uint32_t line_of(std::size_t at) const {
    return first_line_ + static_cast<std::uint32_t>(std::count(
                             text_.begin(), text_.begin() + static_cast<long>(at), '\n'));
  }
  void skip_blanks(bool lines = true) {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) &&
           (lines || text_[at_] != '\n'))
      ++at_;
  }
  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  static bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  }
  std::string_view peek_word() {
    skip_blanks();
    std::size_t end = at_;
    while (end < text_.size() && in_word(text_[end]))
      ++end;
    return text_.substr(at_, end - at_);
  }
  bool accept(std::string_view text) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(text)) return false;
    if (in_word(text.back()) && peek_word() != text) return false;
    at_ += text.size();
    return true;
  }
  std::string rest_of_line() {
    std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = trimmed(text_.substr(at_, end - at_));
    at_ = end;
    return std::string(line);
  }
  /// What stands between the brace here and the one that closes it.
  std::string braced() {
    if (!accept("{")) fail("expected `{`");
    std::size_t begin = at_;
    int depth = 1;
    for (bool in_string = false; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      if (in_string && c == '\\')
        ++at_;
      else if (c == '"')
        in_string = !in_string;
      else if (!in_string && c == '{')
        ++depth;
      else if (!in_string && c == '}' && --depth == 0)
        return std::string(text_.substr(begin, at_++ - begin));
    }
    at_ = begin;
    fail("the `{` before this place is not closed");
  }
  DataSource file(DataSource::Kind kind) {
    DataSource source{kind, {}};
    repl::Arguments arguments{std::string(text_.substr(at_))};
    if (const auto wrong = repl::take_read_options(arguments, source.options)) fail(*wrong);
    at_ += arguments.position();
    source.text = file_name();
    return source;
  }
  std::string file_name() {
    skip_blanks();
    std::size_t end = at_;
    while (end < text_.size() && !std::isspace(static_cast<unsigned char>(text_[end])))
      ++end;
    if (end == at_) fail("expected a file name after `@`");
    std::string name(text_.substr(at_, end - at_));
    at_ = end;
    return name;
  }
  /// Names up to the end of the line or a `}`.
  std::vector<std::string> names_on_line() {
    std::vector<std::string> names;
    while (true) {
      skip_blanks(false);
      std::size_t end = at_;
      while (end < text_.size() && !std::isspace(static_cast<unsigned char>(text_[end])) &&
             text_[end] != '}')
        ++end;
      if (end == at_) return names;
      names.emplace_back(text_.substr(at_, end - at_));
      at_ = end;
    }
  }

  void read_items() {
    if (accept("tags")) {
      std::string words = braced();
      for (std::size_t at = 0; at < words.size();) {
        std::size_t begin = words.find_first_not_of(" \t\n\r", at);
        if (begin == std::string::npos) break;
        at = std::min(words.find_first_of(" \t\n\r", begin), words.size());
        program_.tags.push_back(words.substr(begin, at - begin));
      }
    }
    std::vector<std::string> entries = {"main"};
    while (!at_end()) {
      if (accept("error:")) {
        program_.must_be_rejected = true;
        if (std::string regex = rest_of_line(); !regex.empty())
          program_.type_errors.push_back(std::move(regex));
      } else if (accept("warning:"))
        program_.warnings.push_back(rest_of_line());
      else if (accept("property:")) {
        for (std::string& name : names_on_line())
          program_.properties.push_back(std::move(name));
      } else if (accept("entry:"))
        entries = names_on_line();
      else if (accept("structure")) {
        if (text_.substr(at_).starts_with(' ') && peek_word() != "") at_ += peek_word().size();
        braced();
      } else
        read_case(entries);
    }
  }

  void read_case(const std::vector<std::string>& entries) {
    TestCase test;
    test.entries = entries;
    test.line = line_of(at_);
    if (accept("\"")) {
      std::size_t end = text_.find('"', at_);
      if (end == std::string_view::npos) fail("a name is not closed");
      test.name = text_.substr(at_, end - at_);
      at_ = end + 1;
    }
    while (!accept("input")) {
      std::string_view tag = peek_word();
      if (tag.empty()) fail("expected `input`");
      test.tags.emplace_back(tag);
      at_ += tag.size();
    }
    auto tagged = [&](std::string_view tag) {
      return std::find(test.tags.begin(), test.tags.end(), tag) != test.tags.end();
    };
    bool script = tagged("script");
    if (accept("@"))
      test.input = file(script ? DataSource::Kind::ScriptFile : DataSource::Kind::File);
    else
      test.input = {script             ? DataSource::Kind::Script
                    : tagged("random") ? DataSource::Kind::Random
                                       : DataSource::Kind::Text,
                    braced()};
    if (accept("auto")) {
      if (!accept("output")) fail("expected `output` after `auto`");
      test.expected.kind = Expectation::Kind::Automatic;
    } else if (accept("output")) {
      test.expected.kind = Expectation::Kind::Values;
      if (accept("@"))
        test.expected.values = file(DataSource::Kind::File);
      else
        test.expected.values = {DataSource::Kind::Text, braced()};
    } else if (accept("error:")) {
      test.expected.kind = Expectation::Kind::Error;
      test.expected.error = rest_of_line();
    }
    if (test.name.empty()) test.name = made_name(test.input);
    program_.cases.push_back(std::move(test));
  }

  std::string made_name(const DataSource& input) const {
    switch (input.kind) {
    case DataSource::Kind::File:
    case DataSource::Kind::ScriptFile:
      return input.text.ends_with(".gz") ? input.text.substr(0, input.text.size() - 3) : input.text;
    case DataSource::Kind::Random:
    case DataSource::Kind::Script:
      return on_one_line(input.text);
    case DataSource::Kind::None:
    case DataSource::Kind::Text:
      break;
    }
    std::string values = on_one_line(input.text);
    if (values.size() > 50) values = values.substr(0, 50) + "...";
    return "#" + std::to_string(program_.cases.size()) + " (\"" + values + "\")";
  }

  std::string_view text_;
  std::uint32_t first_line_;
  TestProgram& program_;
  std::size_t at_ = 0;
};

} // namespace

TestProgram read_test_blocks(std::string_view source) {
  TestProgram program;
  for (const Block& block : find_blocks(source)) {
    program.has_block = true;
    BlockReader(block, program).read();
  }
  return program;
}

} // namespace sinter::testing
