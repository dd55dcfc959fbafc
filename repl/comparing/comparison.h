// What is to be said of results that one program gave in several ways of evaluating it.
#pragma once

#include "lang/eval/wide_evaluator.h"
#include "repl/comparing/differences.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinter::comparing {

/// One of the results of what was evaluated.
struct ResultType {
  std::string title; ///< "result 2 of type f64"
  std::string text;  ///< its type
  const Representation* representation = nullptr;
};

/// One way of evaluating, and what came of it.
struct Run {
  std::string way; ///< "jit"
  std::vector<Value> results;
};

/// "because `reduce` at 5:26 may give anything: …", a line; of several sentences a list, as each of
/// them may be why results differ, or all together.  Empty of none.
std::string because(const std::vector<std::string>& sentences);

class Comparison {
public:
  /// `runs`: at least one; the others are compared with the first.
  Comparison(Representations& representations, std::vector<ResultType> types,
             std::vector<Run> runs);

  /// The wide evaluation's results, and what made them.
  void add_wide(std::unique_ptr<WideEvaluator> evaluator, const std::vector<Value>& results);

  /// Why results may differ, a sentence each.
  void add_reasons(std::vector<std::string> sentences) { reasons_ = std::move(sentences); }
  /// For people: some lines for each result.
  std::string text() const;
  /// The same as JSON, for programs; `entry` is the name of what was evaluated.
  std::string json(const std::string& entry) const;
  /// Whether anything differs.
  bool has_difference() const;
  /// Whether something differs that is no float.
  bool has_real_difference() const;

private:
  std::string place(std::size_t result, std::size_t run, std::optional<std::size_t> position) const;
  std::string at(std::size_t result, std::size_t run, std::optional<std::size_t> position) const;
  std::string words(std::size_t result, std::size_t run, const Difference& found) const;
  std::string words(std::size_t result, std::size_t run, const Accuracy& found) const;
  std::string closest_words(std::size_t result) const;
  Difference difference_of(std::size_t result, std::size_t run) const {
    return difference(taken_[result].front(), taken_[result][run]);
  }
  Accuracy accuracy_of(std::size_t result, std::size_t run) const {
    return accuracy(wide_->numbers(), wide_taken_[result], taken_[result][run]);
  }

  Representations& representations_;
  std::vector<ResultType> types_;
  std::vector<Run> runs_;
  std::vector<std::vector<ScalarsOf>> taken_; ///< of each result, by each run
  std::unique_ptr<WideEvaluator> wide_;       ///< null: there was no wide evaluation
  std::vector<ScalarsOf> wide_taken_;         ///< of each result
  std::vector<std::string> reasons_;          ///< for what differs
};

} // namespace sinter::comparing
