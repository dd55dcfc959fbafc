#include "lang/syntax/layout.h"

#include <algorithm>

namespace sinter::syntax {

void Layout::text(std::string_view text) {
  items_.push_back({Kind::Text, static_cast<std::uint32_t>(characters_.size()),
                    static_cast<std::int32_t>(text.size())});
  characters_ += text;
}

void Layout::open(int indent) {
  items_.push_back({Kind::Open, 0, indent});
}

void Layout::close() {
  add(Kind::Close);
}

std::vector<Layout::Reach> Layout::reaches() const {
  // A hard break makes every group around it too wide.
  constexpr std::int64_t too_wide = std::int64_t(1) << 32;
  std::vector<Reach> reach(items_.size() + 1);
  for (std::size_t i = 0; i < items_.size(); ++i) {
    std::int64_t columns = 0;
    switch (items_[i].kind) {
    case Kind::Text:
      columns = items_[i].size;
      break;
    case Kind::Line:
    case Kind::Fill:
      columns = 1;
      break;
    case Kind::Hard:
      columns = too_wide;
      break;
    case Kind::Open:
    case Kind::Close:
    case Kind::Soft:
      break;
    }
    reach[i + 1].before = reach[i].before + columns;
  }
  std::size_t next_break = items_.size();
  std::size_t next_hard = items_.size();
  reach[items_.size()].next_break = next_break;
  struct Level {
    std::size_t close;    ///< the item that closes the group
    std::size_t boundary; ///< the next break of this group, or behind its end
  };
  std::vector<Level> levels = {{items_.size(), items_.size()}};
  for (std::size_t i = items_.size(); i-- > 0;) {
    Kind kind = items_[i].kind;
    switch (kind) {
    case Kind::Close:
      levels.push_back({i, next_break});
      break;
    case Kind::Open:
      // The text that sticks to the end of a group has to fit too.
      reach[i].end = reach[levels.back().close].next_break;
      levels.pop_back();
      break;
    case Kind::Line:
    case Kind::Soft:
    case Kind::Fill:
    case Kind::Hard:
      reach[i].end = std::min(levels.back().boundary, next_hard);
      levels.back().boundary = i;
      next_break = i;
      if (kind == Kind::Hard) next_hard = i;
      break;
    case Kind::Text:
      break;
    }
    reach[i].next_break = next_break;
  }
  return reach;
}

std::string Layout::render(int width) const {
  std::vector<Reach> reach = reaches();
  struct Group {
    bool broken;
    int indent;
  };
  std::vector<Group> groups = {{true, 0}};
  std::string out;
  std::int64_t column = 0;
  int pending_indent = 0; // written only when text follows: no blanks at the ends of lines
  auto new_line = [&] {
    while (!out.empty() && out.back() == ' ')
      out.pop_back();
    out += '\n';
    pending_indent = groups.back().indent;
    column = pending_indent;
  };
  auto fits = [&](std::size_t from) {
    return column + reach[reach[from].end].before - reach[from].before <= width;
  };
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    switch (item.kind) {
    case Kind::Text:
      out.append(static_cast<std::size_t>(pending_indent), ' ');
      pending_indent = 0;
      out.append(characters_, item.begin, static_cast<std::size_t>(item.size));
      column += item.size;
      break;
    case Kind::Open:
      groups.push_back({!fits(i), groups.back().indent + item.size});
      break;
    case Kind::Close:
      groups.pop_back();
      break;
    case Kind::Hard:
      new_line();
      break;
    case Kind::Line:
    case Kind::Soft:
    case Kind::Fill:
      if (groups.back().broken && (item.kind != Kind::Fill || !fits(i))) {
        new_line();
      } else if (item.kind != Kind::Soft) {
        out += ' ';
        ++column;
      }
      break;
    }
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == '\n'))
    out.pop_back();
  return out;
}

} // namespace sinter::syntax
