// How an entry is shown: prompts, colours, the search, the list of completions.
#include "lang/base/text_width.h"
#include "repl/editor/editor.h"

#include <algorithm>
#include <utility>

namespace sinter::repl {

namespace {

constexpr std::size_t most_menu_rows = 10;
constexpr std::size_t gap = 2; ///< columns between those of the list

/// A text in so many columns: cut with `…`, or filled with blanks.
std::string in_columns(std::string_view text, std::size_t columns) {
  std::size_t width = text_width(text);
  if (width > columns) {
    std::string cut(fitting(text, columns - std::min<std::size_t>(columns, 1)));
    return cut + "…";
  }
  return std::string(text) + std::string(columns - width, ' ');
}

/// What tells candidates apart: without the folders or qualifiers that they share with the input.
std::string_view short_name(const Completion& item, std::size_t shared) {
  return std::string_view(item.text).substr(shared);
}

/// The length of the qualifier ("m.n." or "a/b/") that all of the items begin with.
std::size_t shared_qualifier(const std::vector<Completion>& items) {
  std::size_t shared = items.front().text.size();
  for (const Completion& item : items) {
    auto differs = std::mismatch(items.front().text.begin(),
                                 items.front().text.begin() + static_cast<std::ptrdiff_t>(shared),
                                 item.text.begin(), item.text.end());
    shared = static_cast<std::size_t>(differs.first - items.front().text.begin());
  }
  std::size_t slash = std::string_view(items.front().text).substr(0, shared).rfind('/');
  return slash == std::string_view::npos ? 0 : slash + 1;
}

} // namespace

Frame Editor::frame(std::size_t columns, std::size_t rows) const {
  FrameWriter out(columns);
  std::vector<StyledRange> styles;
  if (search_ && search_->entry && !search_->failed) {
    std::size_t at = find_part(buffer_.text(), search_->part);
    if (at != std::string::npos) styles.push_back({at, at + search_->part.size(), Style::Found});
  } else if (hooks_.highlight) {
    styles = hooks_.highlight(buffer_.text(), buffer_.cursor());
  }
  write_entry(out, styles, true);
  if (search_) {
    out.next_row();
    out.write(search_->failed ? "nothing found: " : "search: ", Style::Faint);
    out.write(search_->part, Style::Plain);
  }
  if (menu_) write_menu(out, columns, rows);
  return out.finish();
}

Frame Editor::last_frame(std::size_t columns) const {
  FrameWriter out(columns);
  constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  write_entry(out,
              hooks_.highlight ? hooks_.highlight(buffer_.text(), nowhere)
                               : std::vector<StyledRange>(),
              false);
  Frame frame = out.finish();
  frame.cursor_row = frame.rows.size() - 1;
  std::size_t width = 0;
  for (const Cell& cell : frame.rows.back())
    width += cell.width;
  frame.cursor_column = std::min(width, columns - 1);
  return frame;
}

void Editor::write_entry(FrameWriter& out, const std::vector<StyledRange>& styles,
                         bool with_cursor) const {
  const std::string& text = buffer_.text();
  out.write(first_prompt_, Style::Prompt);
  auto range = styles.begin();
  for (std::size_t at = 0; at < text.size();) {
    if (with_cursor && at == buffer_.cursor()) out.place_cursor();
    if (text[at] == '\n') {
      out.next_row();
      out.write(other_prompt_, Style::Prompt);
      ++at;
      continue;
    }
    while (range != styles.end() && range->end <= at)
      ++range;
    // As far as one style goes, and neither over the cursor nor over a line break.
    bool is_styled = range != styles.end() && range->begin <= at;
    std::size_t end = text.find('\n', at);
    if (range != styles.end()) end = std::min(end, is_styled ? range->end : range->begin);
    if (at < buffer_.cursor()) end = std::min(end, buffer_.cursor());
    end = std::min(end, text.size());
    out.write(std::string_view(text).substr(at, end - at), is_styled ? range->style : Style::Plain);
    at = end;
  }
  if (with_cursor && buffer_.cursor() == text.size()) out.place_cursor();
}

void Editor::write_menu(FrameWriter& out, std::size_t columns, std::size_t rows) const {
  const std::vector<Completion>& items = menu_->items;
  const std::size_t shared = shared_qualifier(items);
  std::size_t widest = 1;
  for (const Completion& item : items)
    widest = std::max(widest, text_width(short_name(item, shared)));
  widest = std::min(widest, columns);
  const std::size_t most = std::clamp<std::size_t>(rows / 2, 2, most_menu_rows);
  bool has_details = std::any_of(items.begin(), items.end(),
                                 [](const Completion& item) { return !item.detail.empty(); });
  if (has_details && items.size() <= most && widest + gap + most_menu_rows <= columns) {
    for (const Completion& item : items) {
      out.next_row();
      out.write(in_columns(short_name(item, shared), widest), Style::Plain);
      if (item.detail.empty()) continue;
      out.write(std::string(gap, ' '), Style::Plain);
      std::size_t room = columns - widest - gap;
      std::string detail = item.detail;
      std::replace(detail.begin(), detail.end(), '\n', ' ');
      out.write(fitting(in_columns(detail, std::min(room, text_width(detail))), room),
                Style::Faint);
    }
    return;
  }
  std::size_t per_row = std::max<std::size_t>((columns + gap) / (widest + gap), 1);
  std::size_t needed = (items.size() + per_row - 1) / per_row;
  bool is_elided = needed > most;
  std::size_t shown_rows = is_elided ? most - 1 : needed;
  std::size_t shown = std::min(items.size(), shown_rows * per_row);
  // Sorted down the columns, as `ls` does.
  for (std::size_t row = 0; row < shown_rows; ++row) {
    out.next_row();
    for (std::size_t k = row; k < shown; k += shown_rows) {
      bool is_last = k + shown_rows >= shown;
      std::string_view name = short_name(items[k], shared);
      out.write(in_columns(name, is_last ? std::min(widest, text_width(name)) : widest),
                Style::Plain);
      if (!is_last) out.write(std::string(gap, ' '), Style::Plain);
    }
  }
  if (is_elided) {
    out.next_row();
    out.write("… and " + std::to_string(items.size() - shown) + " more", Style::Faint);
  }
}

} // namespace sinter::repl
