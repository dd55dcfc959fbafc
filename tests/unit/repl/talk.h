// A console and what it says.
#pragma once

#include "repl/console/console.h"
#include "repl/console/presenter.h"

#include <sstream>
#include <string>

namespace sinter::test {

struct Talk {
  std::ostringstream out, err;
  repl::StreamPresenter presenter{out, err};
  repl::Console console{{}, presenter};

  /// What it answers, errors last.
  std::string ask(const std::string& input) {
    out.str("");
    err.str("");
    console.submit(input);
    return out.str() + err.str();
  }
};

} // namespace sinter::test
