#include "repl/prompt/color_presenter.h"

#include "repl/editor/styles.h"

namespace sinter::repl {

void ColorPresenter::value(const Outcome& outcome, const DisplayOptions& options) {
  std::string text = display_result(outcome.type_text, outcome.value, outcome.representation,
                                    options, outcome.order);
  std::size_t type = text.starts_with(outcome.type_text) ? outcome.type_text.size() : 0;
  out_ << style_begin(Style::Type) << text.substr(0, type) << style_end << text.substr(type)
       << std::endl;
}

} // namespace sinter::repl
