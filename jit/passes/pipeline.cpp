#include "jit/passes/pipeline.h"

#include "jit/passes/borders.h"
#include "jit/passes/dead_code.h"
#include "jit/passes/delay.h"
#include "jit/passes/filters.h"
#include "jit/passes/flatten.h"
#include "jit/passes/fuse.h"
#include "jit/passes/hoist.h"
#include "jit/passes/in_place.h"
#include "jit/passes/nest.h"
#include "jit/passes/simplify.h"
#include "jit/passes/tile.h"

#include <array>

namespace sinter::jit {

std::span<const Pass> all_passes() {
  static constexpr std::array<Pass, 17> passes = {{
      {"simplify", simplify},
      {"dead-code", remove_dead_code},
      {"hoist", hoist},
      {"flatten", unflatten_consumers},
      {"delay", inline_delayed},
      {"fuse", fuse},
      {"filters", fuse_filters},
      {"shared-rows", transpose_shared_rows},
      {"nest", read_transposed_by_index},
      {"simplify", simplify},
      {"hoist", hoist},
      {"in-place", remove_copies},
      {"dead-code", remove_dead_code},
      {"tile", tile},
      {"borders", split_borders},
      {"simplify", simplify},
      {"dead-code", remove_dead_code},
  }};
  return passes;
}

void optimise(ir::Function& function,
              const std::function<void(std::string_view, const ir::Function&)>& after) {
  for (const Pass& pass : all_passes()) {
    pass.run(function);
    if (after) after(pass.name, function);
  }
}

} // namespace sinter::jit
