#include "lang/base/diagnostic.h"

#include <algorithm>

namespace sinter {
namespace {

/// Damerau-Levenshtein distance (adjacent transpositions, each character moved once), or `limit` +
/// 1 if it is larger.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit) return limit + 1;
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + cost});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::move(last);
    last = row;
  }
  return std::min(last[b.size()], limit + 1);
}

} // namespace

std::vector<std::string_view> similar_names(std::string_view name,
                                            const std::vector<std::string_view>& candidates) {
  // A name of one or two letters has a typo in one of them at most.
  std::size_t limit = std::max<std::size_t>(name.size() / 3, 1);
  std::vector<std::pair<std::size_t, std::string_view>> found;
  for (std::string_view candidate : candidates) {
    if (candidate == name || candidate.empty()) continue;
    std::size_t distance = edit_distance(name, candidate, limit);
    // With every letter changed it is another name.
    if (distance > limit || distance >= std::max(name.size(), candidate.size())) continue;
    found.emplace_back(distance, candidate);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string_view> names;
  for (const auto& [distance, candidate] : found) {
    if (names.size() == 3) break;
    if (std::find(names.begin(), names.end(), candidate) == names.end()) names.push_back(candidate);
  }
  return names;
}

} // namespace sinter
