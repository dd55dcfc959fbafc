#include "gpu/skeletons/entry_words.h"

namespace sinter::gpu {

std::vector<std::uint64_t> LaunchWords::all() const {
  std::vector<std::uint64_t> words = {control, control_before, scalars, scratch,
                                      scratch_neighbours};
  words.insert(words.end(), scratch_bytes.begin(), scratch_bytes.end());
  for (const auto* list : {&arguments, &results, &areas, &numbers})
    words.insert(words.end(), list->begin(), list->end());
  return words;
}

WordCounts word_counts(const ir::Function& function, std::size_t areas, std::size_t numbers) {
  WordCounts counts;
  for (const ir::ValueId parameter : function.body.parameters)
    counts.arguments += argument_words(function.type(parameter));
  counts.results = static_cast<unsigned>(function.body.results.size());
  counts.areas = static_cast<unsigned>(areas);
  counts.numbers = static_cast<unsigned>(numbers);
  return counts;
}

unsigned argument_words(const ir::Type& type) {
  return 1 + static_cast<unsigned>(type.rank());
}

} // namespace sinter::gpu
