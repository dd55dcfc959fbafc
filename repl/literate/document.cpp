#include "repl/literate/document.h"

#include "repl/text/lines.h"

#include <map>

namespace sinter::repl {

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Without the dashes and the blank behind them.
std::string_view comment_text(std::string_view line) {
  line.remove_prefix(2);
  if (line.starts_with(' ')) line.remove_prefix(1);
  return line;
}

class Splitter {
public:
  void add(Block::Kind kind, std::string_view line, std::size_t number) {
    if (blocks_.empty() || blocks_.back().kind != kind) start(kind, number);
    (blocks_.back().text += line) += '\n';
  }
  Block& start(Block::Kind kind, std::size_t number) {
    blocks_.push_back({.kind = kind, .line = number, .text = {}, .directive = {}});
    return blocks_.back();
  }
  std::vector<Block> finish() {
    for (Block& block : blocks_) { // blank lines around a block are not its own
      const std::size_t begin = std::min(block.text.find_first_not_of('\n'), block.text.size());
      block.text.erase(0, begin);
      block.line += begin;
      while (block.text.ends_with("\n\n"))
        block.text.pop_back();
    }
    std::erase_if(blocks_, [](const Block& block) {
      return block.text.empty() && block.kind != Block::Kind::Directive;
    });
    return std::move(blocks_);
  }
  bool in_code() const { return !blocks_.empty() && blocks_.back().kind == Block::Kind::Code; }

private:
  std::vector<Block> blocks_;
};

} // namespace

std::vector<Block> blocks_of(std::string_view text) {
  std::map<std::size_t, Directive> directives;
  for (Directive& directive : find_directives(text))
    directives.emplace(directive.line - 1, std::move(directive));
  std::vector<std::string_view> lines = lines_of(text);
  Splitter splitter;
  bool fresh = true; // the last line was blank or belongs to a comment
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    if (auto found = directives.find(i); found != directives.end()) {
      Block& block = splitter.start(Block::Kind::Directive, i);
      std::size_t last = i + found->second.following.size();
      for (; i <= last; ++i)
        (block.text += comment_text(lines[i])) += '\n';
      --i;
      block.directive = std::move(found->second);
      fresh = true;
    } else if (fresh && line.starts_with("-- ==")) {
      while (i + 1 < lines.size() && lines[i + 1].starts_with("--"))
        ++i;
    } else if (fresh && (line.starts_with("-- ") || line == "--") && !line.starts_with("-- |")) {
      splitter.add(Block::Kind::Prose, comment_text(line), i);
    } else if (is_blank(line)) {
      if (splitter.in_code()) splitter.add(Block::Kind::Code, "", i);
      // Paragraphs of prose stay apart.
      else if (!fresh || i > 0)
        splitter.add(Block::Kind::Prose, "", i);
      fresh = true;
    } else {
      splitter.add(Block::Kind::Code, line, i);
      fresh = false;
    }
  }
  return splitter.finish();
}

} // namespace sinter::repl
