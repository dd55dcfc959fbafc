#include "repl/kernel/notebook_presenter.h"

#include "repl/display/explanation.h"
#include "repl/kernel/html.h"

#include <utility>

namespace sinter::repl {

namespace {

/// Types whose contents are text as they stand; those of all others are bytes.
bool is_textual(std::string_view mime_type) {
  return mime_type.starts_with("text/") || mime_type.ends_with("+xml");
}

/// Front ends show no sound by its type: a player in HTML does.
std::string player(const Media& media) {
  const std::string_view element = media.mime_type.starts_with("audio/") ? "audio" : "video";
  return "<" + std::string(element) + " controls src=\"data:" + escaped(media.mime_type) +
         ";base64," + base64(media.bytes) + "\">" + escaped(media.description) + "</" +
         std::string(element) + ">";
}

} // namespace

void NotebookPresenter::begin(CellOutput& output, bool may_be_result) {
  output_ = &output;
  may_be_result_ = may_be_result;
  messages_.clear();
}

std::string NotebookPresenter::finish(bool failed) {
  if (!failed) show_messages();
  output_ = nullptr;
  return std::exchange(messages_, {});
}

void NotebookPresenter::show_messages() {
  if (output_ && !messages_.empty())
    output_->stream(CellOutput::Stream::Error, std::exchange(messages_, {}));
}

void NotebookPresenter::remark(std::string_view text) {
  if (output_) output_->stream(CellOutput::Stream::Error, text);
}

void NotebookPresenter::value(const Outcome& outcome, const DisplayOptions& options) {
  if (!output_) return;
  show_messages();
  MimeBundle bundle = {
      {"text/plain", display_result(outcome.type_text, outcome.value, outcome.representation,
                                    options, outcome.order)}};
  if (std::string html = value_html(outcome.type_text, outcome.value, outcome.representation,
                                    options, outcome.order);
      !html.empty())
    bundle.emplace_back("text/html", std::move(html));
  if (std::exchange(may_be_result_, false))
    output_->result(bundle);
  else
    output_->display(bundle);
}

/// A page is no conversation: only what one might not expect is said.
void NotebookPresenter::definition(std::string_view text, bool is_by_default) {
  if (is_by_default) this->text(std::string(text) + "\n");
}

void NotebookPresenter::text(std::string_view text) {
  if (!output_) return;
  show_messages();
  output_->stream(CellOutput::Stream::Out, text);
}

void NotebookPresenter::message(std::string_view text) {
  messages_ += text;
}

void NotebookPresenter::media(const Media& media) {
  if (!output_) return;
  show_messages();
  MimeBundle bundle = {{"text/plain", media.description}};
  if (media.mime_type.starts_with("audio/") || media.mime_type.starts_with("video/"))
    bundle.emplace_back("text/html", player(media));
  else
    bundle.emplace_back(media.mime_type,
                        is_textual(media.mime_type) ? media.bytes : base64(media.bytes));
  // Not every front end knows what moves by its type; each knows HTML.
  if (media.mime_type == "image/gif")
    bundle.emplace_back("text/html", "<img alt=\"" + escaped(media.description) +
                                         "\" src=\"data:image/gif;base64," + base64(media.bytes) +
                                         "\">");
  output_->display(bundle, media.description);
}

void NotebookPresenter::explanation(const SourceMap& sources, const jit::Report& report) {
  if (!output_) return;
  show_messages();
  output_->display({{"text/plain", repl::explanation(sources, report, {.ir = true})},
                    {"text/html", explanation_html(sources, report)}});
}

} // namespace sinter::repl
