// Markdown through cmark, whose safe mode leaves raw HTML and dangerous links out.
#include "repl/pictures/codecs/parts.h"

#include <cmark.h>

#include <cstdlib>

namespace sinter::repl::parts {

std::string html_of_markdown(std::string_view text) {
  char* html =
      cmark_markdown_to_html(text.data(), text.size(), CMARK_OPT_DEFAULT | CMARK_OPT_VALIDATE_UTF8);
  std::string result = html;
  std::free(html);
  return result;
}

} // namespace sinter::repl::parts
