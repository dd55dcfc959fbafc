// Pictures in terminals through chafa.
#include "repl/pictures/codecs/parts.h"

#include <chafa.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

namespace sinter::repl::parts {

namespace {

template <auto release>
struct Release {
  template <typename T>
  void operator()(T* object) const {
    release(object);
  }
};
using TerminalInfo = std::unique_ptr<ChafaTermInfo, Release<chafa_term_info_unref>>;
using Config = std::unique_ptr<ChafaCanvasConfig, Release<chafa_canvas_config_unref>>;
using Canvas = std::unique_ptr<ChafaCanvas, Release<chafa_canvas_unref>>;
using Symbols = std::unique_ptr<ChafaSymbolMap, Release<chafa_symbol_map_unref>>;

TerminalInfo terminal_at_hand(const TerminalRoom& room) {
  gchar** environment = g_get_environ();
  TerminalInfo info(chafa_term_db_detect(chafa_term_db_get_default(), environment));
  g_strfreev(environment);
  // DEC's sequences: the data go between a device control string and a string terminator.
  if (room.has_sixels && !chafa_term_info_have_seq(info.get(), CHAFA_TERM_SEQ_BEGIN_SIXELS)) {
    chafa_term_info_set_seq(info.get(), CHAFA_TERM_SEQ_BEGIN_SIXELS, "\033P%1;%2;%3q", nullptr);
    chafa_term_info_set_seq(info.get(), CHAFA_TERM_SEQ_END_SIXELS, "\033\\", nullptr);
  }
  return info;
}

/// Inside a multiplexer only characters are sure to arrive.
bool is_multiplexed() {
  const char* name = std::getenv("TERM");
  return std::getenv("TMUX") || std::getenv("STY") ||
         (name && (std::string_view(name).starts_with("screen") ||
                   std::string_view(name).starts_with("tmux")));
}

ChafaPixelMode pixel_mode(const ChafaTermInfo* info) {
  if (is_multiplexed()) return CHAFA_PIXEL_MODE_SYMBOLS;
  if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1))
    return CHAFA_PIXEL_MODE_KITTY;
  if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_BEGIN_SIXELS)) return CHAFA_PIXEL_MODE_SIXELS;
  return CHAFA_PIXEL_MODE_SYMBOLS;
}

ChafaCanvasMode canvas_mode(const ChafaTermInfo* info, bool color) {
  if (!color) return CHAFA_CANVAS_MODE_FGBG;
  const char* depth = std::getenv("COLORTERM");
  if (depth && (std::string_view(depth) == "truecolor" || std::string_view(depth) == "24bit"))
    return CHAFA_CANVAS_MODE_TRUECOLOR;
  if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_SET_COLOR_FGBG_256))
    return CHAFA_CANVAS_MODE_INDEXED_240;
  if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_SET_COLOR_FGBG_16))
    return CHAFA_CANVAS_MODE_INDEXED_16;
  return CHAFA_CANVAS_MODE_FGBG;
}

} // namespace

bool draws_pixels(const TerminalRoom& room) {
  return pixel_mode(terminal_at_hand(room).get()) != CHAFA_PIXEL_MODE_SYMBOLS;
}

DrawnPicture draw(const Image& image, const TerminalRoom& room) {
  TerminalInfo info = terminal_at_hand(room);
  ChafaPixelMode pixels = pixel_mode(info.get());
  // As large as the room allows, but no pixel larger than eight of the screen's.
  bool characters = pixels == CHAFA_PIXEL_MODE_SYMBOLS;
  auto cells = [&](std::int64_t size, int cell, int most) {
    std::int64_t wanted =
        characters ? size * 2 * room.cell_width / cell : (size * 8 + cell - 1) / cell;
    return static_cast<int>(std::clamp<std::int64_t>(wanted, 1, std::max(most, 1)));
  };
  int columns = cells(image.width, room.cell_width, room.columns);
  int rows = cells(image.height, room.cell_height, room.rows);
  chafa_calc_canvas_geometry(
      static_cast<int>(image.width), static_cast<int>(image.height), &columns, &rows,
      static_cast<float>(room.cell_width) / static_cast<float>(room.cell_height), true, false);
  columns = std::clamp(columns, 1, std::max(room.columns, 1));
  rows = std::clamp(rows, 1, std::max(room.rows, 1));

  Config config(chafa_canvas_config_new());
  chafa_canvas_config_set_geometry(config.get(), columns, rows);
  chafa_canvas_config_set_cell_geometry(config.get(), room.cell_width, room.cell_height);
  chafa_canvas_config_set_pixel_mode(config.get(), pixels);
  chafa_canvas_config_set_canvas_mode(config.get(), canvas_mode(info.get(), room.color));
  chafa_canvas_config_set_work_factor(config.get(), 0.5f);
  Symbols symbols(chafa_symbol_map_new());
  chafa_symbol_map_add_by_tags(symbols.get(), static_cast<ChafaSymbolTags>(CHAFA_SYMBOL_TAG_BLOCK |
                                                                           CHAFA_SYMBOL_TAG_BORDER |
                                                                           CHAFA_SYMBOL_TAG_SPACE));
  chafa_canvas_config_set_symbol_map(config.get(), symbols.get());
  Canvas canvas(chafa_canvas_new(config.get()));
  chafa_canvas_draw_all_pixels(canvas.get(), CHAFA_PIXEL_BGRA8_UNASSOCIATED,
                               reinterpret_cast<const guint8*>(image.pixels.data()),
                               static_cast<int>(image.width), static_cast<int>(image.height),
                               static_cast<int>(image.width * 4));
  GString* printed = chafa_canvas_print(canvas.get(), info.get());
  std::string text(printed->str, printed->len);
  g_string_free(printed, true);
  if (!text.ends_with('\n')) text += '\n';
  return {std::move(text), rows};
}

} // namespace sinter::repl::parts
