#include "repl/comparing/comparison.h"

#include "lang/values/format.h"

#include <nlohmann/json.hpp>

#include <cassert>
#include <cmath>
#include <cstdio>

namespace sinter::comparing {

namespace {

std::string short_number(double number) {
  if (std::isinf(number)) return "infinitely many"; // a NaN or an infinity on one side only
  char text[32];
  const char* format = number < 0.1 && number > 0 ? "%.1g" : number < 1e5 ? "%.2f" : "%.2g";
  std::snprintf(text, sizeof text, format, number);
  return text;
}

std::string digits_that_hold(double digits) {
  if (digits < 1) return "not one decimal digit holds";
  char text[48];
  std::snprintf(text, sizeof text, "at least %.1f decimal digits hold", digits);
  return text;
}

} // namespace

Comparison::Comparison(Representations& representations, std::vector<ResultType> types,
                       std::vector<Run> runs)
    : representations_(representations), types_(std::move(types)), runs_(std::move(runs)) {
  assert(!runs_.empty());
  for (std::size_t i = 0; i < types_.size(); ++i) {
    std::vector<ScalarsOf>& of_result = taken_.emplace_back();
    for (const Run& run : runs_)
      of_result.push_back(scalars_of(representations_, run.results[i], types_[i].representation));
  }
}

void Comparison::add_wide(std::unique_ptr<WideEvaluator> evaluator,
                          const std::vector<Value>& results) {
  wide_ = std::move(evaluator);
  wide_taken_.clear();
  for (std::size_t i = 0; i < types_.size(); ++i)
    wide_taken_.push_back(scalars_of(representations_, results[i], types_[i].representation));
}

bool Comparison::has_difference() const {
  for (std::size_t i = 0; i < types_.size(); ++i)
    for (std::size_t r = 1; r < runs_.size(); ++r)
      if (!difference_of(i, r).is_same()) return true;
  return false;
}

bool Comparison::has_real_difference() const {
  for (std::size_t i = 0; i < types_.size(); ++i)
    for (std::size_t r = 1; r < runs_.size(); ++r)
      if (const Difference found = difference_of(i, r);
          !found.same_structure || found.exact_count > 0)
        return true;
  return false;
}

std::string Comparison::place(std::size_t result, std::size_t run,
                              std::optional<std::size_t> position) const {
  if (!position) return {};
  return place_of(representations_, runs_[run].results[result], types_[result].representation,
                  *position);
}

std::string Comparison::at(std::size_t result, std::size_t run,
                           std::optional<std::size_t> position) const {
  const std::string where = place(result, run, position);
  return where.empty() ? "" : " at " + where;
}

// ---- for people --------------------------------------------------------------------------------

std::string because(const std::vector<std::string>& sentences) {
  if (sentences.size() == 1) return "because " + sentences.front() + "\n";
  std::string text;
  if (!sentences.empty()) text = "because of one of these, or of several:\n";
  for (const std::string& sentence : sentences)
    text += "  " + sentence + "\n";
  return text;
}

std::string Comparison::text() const {
  std::string out;
  for (std::size_t i = 0; i < types_.size(); ++i) {
    out += types_[i].title + ":\n";
    for (std::size_t r = 1; r < runs_.size(); ++r)
      out += "  " + runs_[r].way + " and " + runs_[0].way + ": " +
             words(i, r, difference_of(i, r)) + "\n";
    if (!wide_) continue;
    for (std::size_t r = 0; r < runs_.size(); ++r)
      out += "  " + runs_[r].way + " and " + std::to_string(wide_->numbers().digits()) +
             " digits: " + words(i, r, accuracy_of(i, r)) + "\n";
    if (runs_.size() > 1) out += closest_words(i);
  }
  return out + because(reasons_);
}

std::string Comparison::words(std::size_t result, std::size_t run, const Difference& found) const {
  if (!found.same_structure) return "different shapes";
  if (found.is_same()) return "the same bits";
  const TypedScalar& left = taken_[result][0].scalars[*found.position];
  const TypedScalar& right = taken_[result][run].scalars[*found.position];
  std::string text = std::to_string(found.count) + " of " +
                     std::to_string(taken_[result][0].scalars.size()) + " numbers differ";
  if (found.exact_count == 0)
    text += found.largest_ulps == UINT64_MAX
                ? ", one of them is a NaN here only"
                : ", by at most " + std::to_string(found.largest_ulps) + " ULP";
  return text + at(result, 0, found.position) + ": " + print(right.element, right.scalar) +
         " and " + print(left.element, left.scalar);
}

std::string Comparison::words(std::size_t result, std::size_t run, const Accuracy& found) const {
  if (!found.same_structure)
    return "the program takes another way with so many digits (other sizes or whole numbers)";
  if (found.floats == 0) return "no floats";
  if (found.largest_ulps == 0) return "exact";
  std::string text = "off by at most " + short_number(found.largest_ulps) + " ULP" +
                     at(result, run, found.position) + ", " + short_number(found.mean_ulps) +
                     " on average; " + digits_that_hold(found.fewest_digits);
  const TypedScalar& truth = wide_taken_[result].scalars[*found.position];
  return text + " (truly " + wide_->numbers().text(truth.scalar, 20) + ")";
}

std::string Comparison::closest_words(std::size_t result) const {
  for (const ScalarsOf& found : taken_[result])
    if (found.structure != wide_taken_[result].structure) return {};
  const std::vector<std::size_t> counts =
      closest(wide_->numbers(), wide_taken_[result], taken_[result]);
  std::string text = "  closest:";
  for (std::size_t r = 0; r < runs_.size(); ++r)
    text += (r > 0 ? ", " : " ") + runs_[r].way + " at " + std::to_string(counts[r]);
  return text + "; all equally close at " + std::to_string(counts.back()) + "\n";
}

// ---- for programs ------------------------------------------------------------------------------

std::string Comparison::json(const std::string& entry) const {
  nlohmann::json report = {{"entry", entry}, {"results", nlohmann::json::array()}};
  for (std::size_t i = 0; i < types_.size(); ++i) {
    nlohmann::json result = {{"type", types_[i].text}};
    for (std::size_t r = 1; r < runs_.size(); ++r) {
      const Difference found = difference_of(i, r);
      result["differences"][runs_[r].way] = {{"same", found.is_same()},
                                             {"same_shape", found.same_structure},
                                             {"numbers", taken_[i][0].scalars.size()},
                                             {"differing", found.count},
                                             {"largest_ulp", found.largest_ulps},
                                             {"place", place(i, 0, found.position)}};
    }
    for (std::size_t r = 0; wide_ && r < runs_.size(); ++r) {
      const Accuracy found = accuracy_of(i, r);
      nlohmann::json row = {{"same_way", found.same_structure},
                            {"floats", found.floats},
                            {"mean_ulp", found.mean_ulps},
                            {"place", place(i, r, found.position)}};
      // JSON has no infinity: all digits hold, or an error has no size.
      if (std::isfinite(found.largest_ulps)) row["largest_ulp"] = found.largest_ulps;
      if (std::isfinite(found.fewest_digits)) row["digits"] = found.fewest_digits;
      result["accuracy"][runs_[r].way] = row;
    }
    report["results"].push_back(result);
  }
  if (wide_) report["wide_digits"] = wide_->numbers().digits();
  for (const std::string& reason : reasons_)
    report["reasons"].push_back(reason);
  return report.dump(2);
}

} // namespace sinter::comparing
