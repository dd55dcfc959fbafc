// sinter compare: an entry point in every way of evaluating it, and against the truth.
#include "lang/eval/wide_evaluator.h"
#include "repl/interrupt_key.h"
#include "src/command.h"
#include "src/comparing/differences.h"
#include "src/options.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <iostream>

namespace sinter {

namespace {

using comparing::Accuracy;
using comparing::Difference;
using comparing::ScalarsOf;

struct CompareOptions {
  std::string file;
  std::string entry = "main";
  std::vector<std::string> inputs;
  unsigned wide_digits = 0; ///< 0: no wide evaluation
  bool json = false;
  LimitOptions limits;
};

/// One way of evaluating, and what came of it.
struct Run {
  std::string mode;
  repl::Outcome outcome;
  std::vector<Value> values;
};

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

/// Compares the runs of one session.
class Comparison {
public:
  Comparison(repl::Session& session, const core::EntryPoint& entry, std::vector<Run> runs)
      : session_(session), entry_(entry), runs_(std::move(runs)) {}

  /// The wide evaluation's results, taken apart.
  void add_wide(const eval::WideNumbers& numbers, std::vector<ScalarsOf> results) {
    numbers_ = &numbers;
    wide_ = std::move(results);
  }

  /// As text for people, or as JSON; and whether all runs agree but for the last bits of floats.
  std::string text() {
    std::string out;
    for (std::size_t i = 0; i < entry_.results.size(); ++i) {
      out += "result " + std::to_string(i + 1) + " of type " + entry_.results[i].text + ":\n";
      const std::vector<ScalarsOf> results = take_apart(i);
      for (std::size_t r = 1; r < runs_.size(); ++r)
        out += "  " + runs_[r].mode + " and " + runs_[0].mode + ": " +
               words(i, r, results, comparing::difference(results[0], results[r])) + "\n";
      if (!numbers_) continue;
      for (std::size_t r = 0; r < runs_.size(); ++r)
        out += "  " + runs_[r].mode + " and " + std::to_string(numbers_->digits()) +
               " digits: " + words(i, r, comparing::accuracy(*numbers_, wide_[i], results[r])) +
               "\n";
      if (runs_.size() > 1) out += closest_words(i, results);
    }
    return out;
  }
  nlohmann::json json() {
    nlohmann::json report = {{"entry", entry_.name}, {"results", nlohmann::json::array()}};
    for (std::size_t i = 0; i < entry_.results.size(); ++i) {
      nlohmann::json result = {{"type", entry_.results[i].text}};
      const std::vector<ScalarsOf> results = take_apart(i);
      for (std::size_t r = 1; r < runs_.size(); ++r) {
        const Difference found = comparing::difference(results[0], results[r]);
        note(found);
        result["differences"][runs_[r].mode] = {{"same", found.is_same()},
                                                {"same_shape", found.same_structure},
                                                {"numbers", results[0].scalars.size()},
                                                {"differing", found.count},
                                                {"largest_ulp", found.largest_ulps},
                                                {"place", place(i, 0, found.position)}};
      }
      if (numbers_) {
        for (std::size_t r = 0; r < runs_.size(); ++r) {
          const Accuracy found = comparing::accuracy(*numbers_, wide_[i], results[r]);
          nlohmann::json row = {{"same_way", found.same_structure},
                                {"floats", found.floats},
                                {"mean_ulp", found.mean_ulps},
                                {"place", place(i, r, found.position)}};
          // JSON has no infinity: all digits hold, or an error has no size.
          if (std::isfinite(found.largest_ulps)) row["largest_ulp"] = found.largest_ulps;
          if (std::isfinite(found.fewest_digits)) row["digits"] = found.fewest_digits;
          result["accuracy"][runs_[r].mode] = row;
        }
      }
      report["results"].push_back(result);
    }
    if (numbers_) report["wide_digits"] = numbers_->digits();
    return report;
  }
  /// Whether something differs that is no float.
  bool has_real_difference() const { return has_real_difference_; }

private:
  std::vector<ScalarsOf> take_apart(std::size_t result) {
    std::vector<ScalarsOf> taken;
    for (const Run& run : runs_)
      taken.push_back(comparing::scalars_of(session_.representations(), run.values[result],
                                            entry_.results[result].representation));
    return taken;
  }
  std::string place(std::size_t result, std::size_t run, std::optional<std::size_t> position) {
    if (!position) return {};
    return comparing::place_of(session_.representations(), runs_[run].values[result],
                               entry_.results[result].representation, *position);
  }
  std::string at(std::size_t result, std::size_t run, std::optional<std::size_t> position) {
    const std::string where = place(result, run, position);
    return where.empty() ? "" : " at " + where;
  }
  void note(const Difference& found) {
    has_real_difference_ = has_real_difference_ || !found.same_structure || found.exact_count > 0;
  }

  std::string words(std::size_t result, std::size_t run, const std::vector<ScalarsOf>& results,
                    const Difference& found) {
    note(found);
    if (!found.same_structure) return "different shapes";
    if (found.is_same()) return "the same bits";
    const comparing::TypedScalar& left = results[0].scalars[*found.position];
    const comparing::TypedScalar& right = results[run].scalars[*found.position];
    std::string text = std::to_string(found.count) + " of " +
                       std::to_string(results[0].scalars.size()) + " numbers differ";
    if (found.exact_count == 0)
      text += found.largest_ulps == UINT64_MAX
                  ? ", one of them is a NaN here only"
                  : ", by at most " + std::to_string(found.largest_ulps) + " ULP";
    return text + at(result, 0, found.position) + ": " + print(right.element, right.scalar) +
           " and " + print(left.element, left.scalar);
  }
  std::string words(std::size_t result, std::size_t run, const Accuracy& found) {
    if (!found.same_structure)
      return "the program takes another way with so many digits (other sizes or whole numbers)";
    if (found.floats == 0) return "no floats";
    if (found.largest_ulps == 0) return "exact";
    std::string text = "off by at most " + short_number(found.largest_ulps) + " ULP" +
                       at(result, run, found.position) + ", " + short_number(found.mean_ulps) +
                       " on average; " + digits_that_hold(found.fewest_digits);
    const comparing::TypedScalar& truth = wide_[result].scalars[*found.position];
    return text + " (truly " + numbers_->text(truth.scalar, 20) + ")";
  }
  std::string closest_words(std::size_t result, const std::vector<ScalarsOf>& results) {
    for (const ScalarsOf& found : results)
      if (found.structure != wide_[result].structure) return {};
    const std::vector<std::size_t> counts = comparing::closest(*numbers_, wide_[result], results);
    std::string text = "  closest:";
    for (std::size_t r = 0; r < runs_.size(); ++r)
      text += " " + runs_[r].mode + " at " + std::to_string(counts[r]) + ",";
    return text + " equally close at " + std::to_string(counts.back()) + "\n";
  }

  repl::Session& session_;
  const core::EntryPoint& entry_;
  std::vector<Run> runs_;
  const eval::WideNumbers* numbers_ = nullptr;
  std::vector<ScalarsOf> wide_;
  bool has_real_difference_ = false;
};

/// Runs the entry point anew on the same arguments.
Run run_in(repl::Session& session, const core::EntryPoint& entry, std::vector<Value> arguments,
           std::string mode) {
  jit::SwapOptions acceleration = session.options().acceleration;
  acceleration.mode = *jit::mode_of(mode);
  session.accelerate(acceleration);
  Run run{std::move(mode), {}, {}};
  run.outcome = session.guarded(
      [&] { return session.evaluator().call(*entry.function, std::move(arguments)); });
  if (run.outcome.ok()) run.values = spread_results(entry, std::move(run.outcome.value));
  return run;
}

/// Arguments whose arrays nobody else owns: a run may consume them.
std::vector<Value> fresh(const std::vector<Value>& arguments, MemoryBudget& memory) {
  std::vector<Value> copies;
  for (const Value& argument : arguments)
    copies.push_back(argument.is_array() ? Value(copy(memory, argument.array())) : argument);
  return copies;
}

int compare(const CompareOptions& options) {
  if (options.wide_digits > eval::most_wide_digits)
    throw UsageError("at most " + std::to_string(eval::most_wide_digits) +
                     " digits can be computed, not " + std::to_string(options.wide_digits));
  repl::Session session(options.limits.session_options());
  repl::Outcome outcome = session.load(options.file);
  std::cerr << outcome.messages;
  if (!outcome.ok()) return exit_code(outcome);
  core::EntryPoint entry = find_entry(session, *session.loaded(), options.entry);
  std::vector<std::string> sources = options.inputs;
  if (sources.empty()) sources.push_back("-");
  const std::vector<Value> arguments = read_arguments(session, entry, sources);

  // Opens the compiler; why there is none, the next outcome tells.
  session.finish_compiling();
  const repl::Outcome opening = session.guarded([] { return Value::unit(); });
  if (!opening.messages.empty()) {
    std::cerr << opening.messages
              << "sinter: without the compiler there is nothing to compare with\n";
    return exit_failed;
  }

  repl::InterruptKey key(session.interrupt());
  std::vector<Run> runs;
  for (const char* mode : {"interp", "jit", "mixed"})
    runs.push_back(run_in(session, entry, fresh(arguments, session.memory()), mode));
  for (const Run& run : runs) {
    if (run.outcome.messages != runs[0].outcome.messages) {
      std::cerr << "sinter: " << run.mode << " and " << runs[0].mode << " end differently:\n"
                << (run.outcome.ok() ? "a result\n" : run.outcome.messages)
                << (runs[0].outcome.ok() ? "a result\n" : runs[0].outcome.messages);
      return exit_failed;
    }
  }
  std::cerr << runs[0].outcome.messages;
  if (!runs[0].outcome.ok()) return exit_code(runs[0].outcome);

  Comparison comparison(session, entry, std::move(runs));
  std::optional<WideEvaluator> wide;
  if (options.wide_digits > 0) {
    EvaluationContext context;
    context.representations = &session.representations();
    context.memory = &session.memory();
    context.interrupt = &session.interrupt();
    context.sources = &session.sources();
    context.trace = [](const std::string&) {}; // it was shown already
    wide.emplace(std::move(context), options.wide_digits);
    std::vector<const Representation*> types;
    for (const core::EntryType& parameter : entry.parameters)
      types.push_back(parameter.representation);
    outcome = session.guarded([&] { return wide->call(*entry.function, arguments, types); });
    std::cerr << outcome.messages;
    if (!outcome.ok()) return exit_code(outcome);
    std::vector<ScalarsOf> results;
    const std::vector<Value> values = spread_results(entry, std::move(outcome.value));
    for (std::size_t i = 0; i < values.size(); ++i)
      results.push_back(comparing::scalars_of(session.representations(), values[i],
                                              entry.results[i].representation));
    comparison.add_wide(wide->numbers(), std::move(results));
  }
  if (options.json)
    std::cout << comparison.json().dump(2) << "\n";
  else
    std::cout << comparison.text();
  return comparison.has_real_difference() ? exit_failed : exit_success;
}

} // namespace

std::function<int()> define_compare(Options& command_line) {
  auto options = std::make_shared<CompareOptions>();
  command_line.add_option("FILE", options->file, "The program").required();
  command_line.add_option("-e,--entry", options->entry, "The entry point").show_default();
  command_line
      .add_option("-i,--input", options->inputs,
                  "Read arguments from this file; may be repeated; otherwise from standard input")
      .value_name("FILE")
      .one_value_each();
  command_line
      .add_option(
          "--wide", options->wide_digits,
          "Evaluate with numbers of so many digits as well, and tell how many digits of the "
          "results hold")
      .value_name("DIGITS")
      .optional_value("50");
  command_line.add_flag("--json", options->json, "Report as JSON");
  options->limits.add_to(command_line);
  command_line.remove("--mode"); // all modes are compared
  command_line.footer(
      "Differences in floats are told; other differences are failures (exit code 1).\n"
      "Examples:\n"
      "  echo '[1e20, 1, -1e20]' | sinter compare sum.fut --wide\n"
      "  sinter compare fit.fut --entry slope --input years.npy --wide=100 --json");
  return [options] { return compare(*options); };
}

} // namespace sinter
