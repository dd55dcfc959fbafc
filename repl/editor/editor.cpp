#include "repl/editor/editor.h"

#include "lang/base/text_width.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sinter::repl {

namespace {

using Kind = Key::Kind;

constexpr std::string_view indentation_step = "  ";

std::string common_start(const std::vector<Completion>& items) {
  std::string common = items.front().text;
  for (const Completion& item : items) {
    auto differs = std::mismatch(common.begin(), common.end(), item.text.begin(), item.text.end());
    common.erase(differs.first, common.end());
  }
  while (!common.empty() && glyph_at(common, glyph_before(common, common.size())).size > 1 &&
         !glyph_at(common, glyph_before(common, common.size())).is_printable)
    common.pop_back();
  return common;
}

} // namespace

void Editor::begin(std::string first_prompt, std::string other_prompt) {
  first_prompt_ = std::move(first_prompt);
  other_prompt_ = std::move(other_prompt);
  buffer_.reset({});
  search_.reset();
  browsing_.reset();
  menu_.reset();
  yanked_ = 0;
  was_killing_ = is_killing_ = Killing::No;
}

Editor::Result Editor::press(const Key& key, char following) {
  if (search_) {
    Result result = press_in_search(key);
    if (search_ || result != Result::Going) return result;
    if (key.kind == Kind::Escape || key.is_control('g')) return result;
  }
  if (key.kind != Kind::Tab) menu_.reset();
  was_killing_ = std::exchange(is_killing_, Killing::No);
  const std::string before = browsing_ ? buffer_.text() : std::string();
  Result result = edit(key, following);
  if (browsing_ && buffer_.text() != before && key.kind != Kind::Up && key.kind != Kind::Down &&
      key.kind != Kind::PageUp && key.kind != Kind::PageDown && !key.is_control('p') &&
      !key.is_control('n') && !key.is_alt('p') && !key.is_alt('n'))
    browsing_.reset(); // a changed entry is one's own
  return result;
}

Editor::Result Editor::edit(const Key& key, char following) {
  std::size_t yanked = std::exchange(yanked_, 0);
  switch (key.kind) {
  case Kind::Character:
    if (key.is_alt('y')) {
      yanked_ = yanked;
      yank_older();
    } else if (key.control && !key.alt) {
      return edit_control(key.text[0]);
    } else if (key.alt || key.control) {
      edit_alt(key);
    } else {
      buffer_.insert(key.text);
    }
    return Result::Going;
  case Kind::Paste:
    buffer_.insert(key.text);
    buffer_.end_typing();
    return Result::Going;
  case Kind::Enter:
    if (!key.alt && !key.shift) return enter(following);
    new_line();
    return Result::Going;
  case Kind::Tab:
    tab(key.shift);
    return Result::Going;
  case Kind::Backspace:
    if (key.alt)
      kill(buffer_.word_left(), buffer_.cursor());
    else
      buffer_.erase(buffer_.left(), buffer_.cursor());
    return Result::Going;
  case Kind::Delete:
    if (key.control || key.alt)
      kill(buffer_.cursor(), buffer_.word_right());
    else
      buffer_.erase(buffer_.cursor(), buffer_.right());
    return Result::Going;
  default:
    move(key);
    return Result::Going;
  }
}

Editor::Result Editor::edit_control(char letter) {
  switch (letter) {
  case 'a':
    buffer_.move_to(buffer_.line_begin());
    break;
  case 'b':
    buffer_.move_to(buffer_.left());
    break;
  case 'c':
    return Result::Cancelled;
  case 'd':
    if (buffer_.is_empty()) return Result::Ended;
    buffer_.erase(buffer_.cursor(), buffer_.right());
    break;
  case 'e':
    buffer_.move_to(buffer_.line_end());
    break;
  case 'f':
    buffer_.move_to(buffer_.right());
    break;
  case 'k': { // at the end of a line its line break
    std::size_t end = buffer_.line_end();
    kill(buffer_.cursor(), end == buffer_.cursor() ? buffer_.right() : end);
    break;
  }
  case 'l':
    return Result::Cleared;
  case 'n':
  case 'p':
    if (letter == 'p' ? !buffer_.up() : !buffer_.down()) browse(letter == 'p');
    break;
  case 'r':
  case 's':
    start_search(letter == 's');
    break;
  case 't':
    buffer_.transpose();
    break;
  case 'u': {
    std::size_t begin = buffer_.line_begin();
    kill(begin == buffer_.cursor() ? buffer_.left() : begin, buffer_.cursor());
    break;
  }
  case 'w':
    kill(buffer_.blank_left(), buffer_.cursor());
    break;
  case 'y':
    if (!kills_.is_empty()) {
      buffer_.insert(kills_.last());
      buffer_.end_typing();
      yanked_ = kills_.last().size();
    }
    break;
  case 'z':
    return Result::Suspended;
  case '_':
    buffer_.undo();
    break;
  default:
    break;
  }
  return Result::Going;
}

bool Editor::edit_alt(const Key& key) {
  if (key.text.size() != 1 || key.control) return false;
  switch (key.text[0]) {
  case 'b':
    buffer_.move_to(buffer_.word_left());
    return true;
  case 'f':
    buffer_.move_to(buffer_.word_right());
    return true;
  case 'd':
    kill(buffer_.cursor(), buffer_.word_right());
    return true;
  case 'p':
  case 'n':
    browse(key.text[0] == 'p');
    return true;
  case '<':
    buffer_.move_to(0);
    return true;
  case '>':
    buffer_.move_to(buffer_.text().size());
    return true;
  default:
    return false;
  }
}

bool Editor::move(const Key& key) {
  bool by_word = key.control || key.alt;
  switch (key.kind) {
  case Kind::Left:
    buffer_.move_to(by_word ? buffer_.word_left() : buffer_.left());
    return true;
  case Kind::Right:
    buffer_.move_to(by_word ? buffer_.word_right() : buffer_.right());
    return true;
  case Kind::Home:
    buffer_.move_to(key.control ? 0 : buffer_.line_begin());
    return true;
  case Kind::End:
    buffer_.move_to(key.control ? buffer_.text().size() : buffer_.line_end());
    return true;
  case Kind::Up:
    if (by_word || !buffer_.up()) browse(true);
    return true;
  case Kind::Down:
    if (by_word || !buffer_.down()) browse(false);
    return true;
  case Kind::PageUp:
  case Kind::PageDown:
    browse(key.kind == Kind::PageUp);
    return true;
  default:
    return false;
  }
}

Editor::Result Editor::enter(char following) {
  // Text that follows at once is pasted, and brings its own indentation.  A line that it indents
  // goes on with this one.
  const bool is_pasted = following >= ' ' && following <= '~';
  const bool goes_on = following == ' ' && !buffer_.is_empty();
  if (!goes_on && (!hooks_.is_whole || hooks_.is_whole(buffer_.text()))) return Result::Accepted;
  if (is_pasted)
    buffer_.insert("\n");
  else
    new_line();
  return Result::Going;
}

void Editor::new_line() {
  std::size_t blanks = hooks_.indentation ? hooks_.indentation(buffer_.before_cursor()) : 0;
  buffer_.insert("\n" + std::string(blanks, ' '));
}

void Editor::kill(std::size_t begin, std::size_t end) {
  bool before = begin < buffer_.cursor();
  kills_.add(buffer_.erase(begin, end), was_killing_ == Killing::Yes, before);
  is_killing_ = Killing::Yes;
}

void Editor::yank_older() {
  if (yanked_ == 0) return;
  buffer_.erase(buffer_.cursor() - yanked_, buffer_.cursor());
  const std::string& text = kills_.rotate();
  buffer_.insert(text);
  buffer_.end_typing();
  yanked_ = text.size();
}

// ---- completion
// --------------------------------------------------------------------------------------------

void Editor::tab(bool back) {
  std::string_view line_start =
      std::string_view(buffer_.text())
          .substr(buffer_.line_begin(), buffer_.cursor() - buffer_.line_begin());
  if (line_start.find_first_not_of(' ') == std::string_view::npos) {
    std::size_t step = std::min(indentation_step.size(), line_start.size());
    if (back)
      buffer_.erase(buffer_.cursor() - step, buffer_.cursor());
    else
      buffer_.insert(indentation_step);
    return;
  }
  if (back || !hooks_.complete) return;
  Completions found = hooks_.complete(buffer_.before_cursor());
  menu_.reset();
  if (found.items.empty()) return;
  assert(found.begin <= buffer_.cursor());
  std::string typed = buffer_.text().substr(found.begin, buffer_.cursor() - found.begin);
  std::string common = common_start(found.items);
  if (common != typed && common.size() >= typed.size()) {
    buffer_.erase(found.begin, buffer_.cursor());
    buffer_.insert(common);
    buffer_.end_typing();
  } else if (found.items.size() > 1) {
    menu_ = std::move(found);
  }
}

// ---- history
// -----------------------------------------------------------------------------------------------

void Editor::browse(bool older) {
  if (!browsing_) {
    if (!older) return;
    browsing_ = {buffer_.text(), buffer_.text(), history_.size()};
  }
  std::optional<std::size_t> next =
      older ? history_.older(browsing_->entry, browsing_->prefix, buffer_.text())
            : history_.newer(browsing_->entry, browsing_->prefix, buffer_.text());
  if (next) {
    browsing_->entry = *next;
    buffer_.replace(history_[*next]);
  } else if (!older) {
    buffer_.replace(std::move(browsing_->text));
    browsing_.reset();
  }
}

void Editor::start_search(bool forward) {
  search_ = Search{};
  search_->forward = forward;
  search_->text_before = buffer_.text();
  search_->cursor_before = buffer_.cursor();
  browsing_.reset();
}

void Editor::find(std::optional<std::size_t> entry) {
  search_->failed = !entry;
  if (!entry) return;
  search_->entry = entry;
  buffer_.reset(history_[*entry]);
  std::size_t at = find_part(buffer_.text(), search_->part);
  buffer_.move_to(std::min(at, buffer_.text().size()));
}

void Editor::search_again(bool forward) {
  search_->forward = forward;
  if (search_->part.empty()) return;
  if (!search_->entry) {
    if (!forward) find(history_.older_with(history_.size(), search_->part));
    return;
  }
  std::size_t at = *search_->entry;
  if (forward)
    find(history_.newer_with(at + 1, search_->part));
  else if (at == 0)
    find(std::nullopt);
  else
    find(history_.older_with(at - 1, search_->part));
}

Editor::Result Editor::press_in_search(const Key& key) {
  auto restore = [&] {
    buffer_.reset(search_->text_before);
    buffer_.move_to(search_->cursor_before);
  };
  auto find_from_here = [&] {
    std::size_t from = search_->entry.value_or(history_.size());
    find(search_->forward && search_->entry ? history_.newer_with(from, search_->part)
                                            : history_.older_with(from, search_->part));
  };
  if (key.is_control('g') || key.is_control('c')) {
    restore();
    search_.reset();
    return key.is_control('c') ? Result::Cancelled : Result::Going;
  }
  if (key.is_control('l')) return Result::Cleared;
  if (key.is_control('z')) return Result::Suspended;
  if (key.is_control('r') || key.is_control('s')) {
    search_again(key.is_control('s'));
    return Result::Going;
  }
  bool is_text =
      key.kind == Kind::Paste || (key.kind == Kind::Character && !key.control && !key.alt);
  if (is_text) {
    search_->part += key.text;
    find_from_here();
    return Result::Going;
  }
  if (key.kind == Kind::Backspace && !key.alt) {
    if (!search_->part.empty())
      search_->part.resize(glyph_before(search_->part, search_->part.size()));
    search_->entry.reset();
    search_->failed = false;
    restore();
    if (!search_->part.empty()) find_from_here();
    return Result::Going;
  }
  search_.reset(); // the key then means what it always means
  return Result::Going;
}

} // namespace sinter::repl
