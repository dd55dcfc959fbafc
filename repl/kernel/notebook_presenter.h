// What an input has to show, as a browser shows it: values as HTML beside plain text, pictures by
// their MIME types, errors held back for the cell's end.
#pragma once

#include "repl/kernel/cell_output.h"

#include "repl/console/presenter.h"

#include <string>
#include <string_view>

namespace sinter::repl {

class NotebookPresenter : public Presenter {
public:
  /// From now on shows to `output`, which must live until `finish`.  The next value becomes the
  /// cell's result if `may_be_result`.
  void begin(CellOutput& output, bool may_be_result);
  /// Ends what `begin` began.  The messages of an input that failed are returned, for the error
  /// that ends the cell; of others they are shown.
  std::string finish(bool failed);

  /// Shows at once what a program says about itself while it runs.
  void remark(std::string_view text);

  void value(const Outcome& outcome, const DisplayOptions& options) override;
  void definition(std::string_view text, bool is_by_default) override;
  void text(std::string_view text) override;
  void message(std::string_view text) override;
  void media(const Media& media) override;
  DrawingForm drawing_form() const override { return {.drawing = Drawing::Svg}; }
  void explanation(const SourceMap& sources, const jit::Report& report) override;

private:
  void show_messages();

  CellOutput* output_ = nullptr; ///< between `begin` and `finish`
  bool may_be_result_ = false;
  std::string messages_; ///< not shown yet: an error may follow that they belong to
};

} // namespace sinter::repl
