#include "repl/console/presenter.h"

#include "repl/display/explanation.h"

namespace sinter::repl {

void Presenter::explanation(const SourceMap& sources, const jit::Report& report) {
  text(repl::explanation(sources, report, {.ir = true}));
}

void StreamPresenter::value(const Outcome& outcome, const DisplayOptions& options) {
  if (options.numbers && !outcome.name.empty()) out_ << outcome.name << " = ";
  out_ << display_result(outcome.type_text, outcome.value, outcome.representation, options,
                         outcome.order)
       << std::endl;
}
void StreamPresenter::text(std::string_view text) {
  out_ << text << std::flush;
}
void StreamPresenter::message(std::string_view text) {
  err_ << text << std::flush;
}
void StreamPresenter::media(const Media& media) {
  out_ << "(" << media.description << ")" << std::endl;
}

} // namespace sinter::repl
