// sinter bench --size: a program that makes its own input, timed, as one line of JSON.
//
// The program has three entry points: `input` makes the input of a size, `kernel` is timed on it,
// `checksum` sums up the result as (f64, f64, u64).  So inputs of gigabytes never leave the
// process, and the results of different systems can be compared.  A variant V has entry points of
// its own where they differ: `input_V`, `kernel_V`, `checksum_V`.
#include "src/bench_generated.h"

#include "src/command.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>

namespace sinter {

namespace {

using Clock = std::chrono::steady_clock;

/// The entry point of a stage, preferably the variant's own.
core::EntryPoint stage(repl::Session& session, const std::string& name,
                       const std::string& variant) {
  const std::string special = name + "_" + variant;
  std::vector<std::string> names = session.specialiser().entry_points(*session.loaded());
  bool has_special = std::find(names.begin(), names.end(), special) != names.end();
  return find_entry(session, *session.loaded(), has_special ? special : name);
}

/// Throws UsageError unless the results are those that are shown.
void require_sums(const core::EntryPoint& checksum) {
  constexpr std::array wanted = {ElementType::F64, ElementType::F64, ElementType::U64};
  const auto is = [](const core::EntryType& result, ElementType element) {
    return result.representation->is_scalar() && result.representation->scalar() == element;
  };
  if (!std::ranges::equal(checksum.results, wanted, is))
    throw UsageError("the results of `checksum` are not (f64, f64, u64)");
}

/// Throws UsageError unless it takes a size alone.
void require_size(const core::EntryPoint& input) {
  if (input.parameters.size() == 1 && input.parameters[0].representation->is_scalar() &&
      input.parameters[0].representation->scalar() == ElementType::I64)
    return;
  throw UsageError("`input` does not take one i64");
}

/// Throws UsageError unless what is given is what is taken, one by one.
void require_fit(const std::vector<core::EntryType>& given, const char* giver,
                 const std::vector<core::EntryType>& taken, const char* taker) {
  const auto is_same = [](const core::EntryType& one, const core::EntryType& other) {
    return one.representation == other.representation;
  };
  if (!std::ranges::equal(given, taken, is_same))
    throw UsageError(std::string("what ") + giver + " gives is not what " + taker + " takes");
}

Value call(repl::Session& session, const core::EntryPoint& entry, std::vector<Value> arguments) {
  return session.evaluator().call(*entry.function, std::move(arguments));
}

} // namespace

int bench_generated(repl::Session& session, const GeneratedBench& options) {
  repl::Outcome loaded = session.load(options.path);
  std::cerr << loaded.messages;
  if (!loaded.ok()) return exit_rejected;
  nlohmann::json line;
  repl::Outcome outcome = session.guarded([&] {
    core::EntryPoint input = stage(session, "input", options.variant);
    core::EntryPoint kernel = stage(session, "kernel", options.variant);
    core::EntryPoint checksum = stage(session, "checksum", options.variant);
    require_size(input);
    require_fit(input.results, "`input`", kernel.parameters, "`kernel`");
    require_fit(kernel.results, "`kernel`", checksum.parameters, "`checksum`");
    require_sums(checksum);
    std::vector<Value> arguments =
        spread_results(input, call(session, input, {Value(Scalar::of(options.size))}));
    std::vector<double> calls, times; // with the warm-up, and without
    Value result;
    for (unsigned run = 0; run < options.runs + options.warm_up; ++run) {
      std::vector<Value> copies = with_copies(session, kernel, arguments);
      result = Value();
      auto start = Clock::now();
      result = call(session, kernel, std::move(copies));
      double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      calls.push_back(seconds);
      if (run >= options.warm_up) times.push_back(seconds);
    }
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    std::vector<Value> sums = spread_results(
        checksum, call(session, checksum, spread_results(kernel, std::move(result))));
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx",
                  static_cast<unsigned long long>(sums.at(2).scalar().as<std::uint64_t>()));
    line["name"] = std::filesystem::path(options.path).stem().string();
    line["variant"] = options.variant;
    line["n"] = options.size;
    line["median_s"] = (sorted[sorted.size() / 2] + sorted[(sorted.size() - 1) / 2]) / 2;
    line["min_s"] = sorted.front();
    line["times_s"] = times;
    line["first_s"] = calls.front();
    line["calls_s"] = calls;
    line["sum"] = sums.at(0).scalar().as<double>();
    line["wsum"] = sums.at(1).scalar().as<double>();
    line["hash"] = hash;
    return Value::unit();
  });
  std::cerr << outcome.messages;
  if (!outcome.ok()) return exit_code(outcome);
  std::cout << line.dump() << std::endl;
  return exit_success;
}

} // namespace sinter
