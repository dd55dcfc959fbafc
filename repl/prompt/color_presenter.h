// Results in colours, for terminals.
#pragma once

#include "repl/console/presenter.h"

namespace sinter::repl {

class ColorPresenter : public StreamPresenter {
public:
  using StreamPresenter::StreamPresenter;
  /// The type stands out from the value that follows it.
  void value(const Outcome& outcome, const DisplayOptions& options) override;
};

} // namespace sinter::repl
