#include "lang/check/names/context.h"

#include "lang/types/rewrite.h"

namespace sinter::check {

using namespace types;

void report_too_large(Diagnostics& diagnostics, Span span, const TooLarge& too_large) {
  std::string what;
  switch (too_large.what) {
  case TooLarge::What::Types:
    what = "types are too large: written out, one has more than " +
           std::to_string(WrittenSize::limit) + " parts or is nested too deeply";
    break;
  case TooLarge::What::Sizes:
    what = "sizes are too large: written out, one is a sum or product of too many";
    break;
  case TooLarge::What::Modules:
    what = "modules are too large: copied for each application, they have too many members";
    break;
  }
  diagnostics.error("too-large", span, "cannot check this, as its " + what).hint =
      "something here doubles what another definition has doubled before";
}

} // namespace sinter::check
