// sinter run --piece: one piece of an entry point's work, for any machine.
#include "lang/core/digest.h"
#include "lang/values/file_writer.h"
#include "repl/pieces/partial_file.h"
#include "repl/session/interrupt_key.h"
#include "src/command.h"
#include "src/options.h"

#include <charconv>
#include <iostream>
#include <optional>

namespace sinter {

namespace {

/// "1/4" as 1 and 4; nothing if it is no such text.
std::optional<std::pair<std::int64_t, std::int64_t>> two_numbers(const std::string& text,
                                                                 char between) {
  const std::size_t at = text.find(between);
  if (at == std::string::npos) return std::nullopt;
  const auto number = [](std::string_view part) -> std::optional<std::int64_t> {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size() || part.empty() || value < 0)
      return std::nullopt;
    return value;
  };
  const auto first = number(std::string_view(text).substr(0, at));
  const auto second = number(std::string_view(text).substr(at + 1));
  if (!first || !second) return std::nullopt;
  return std::pair{*first, *second};
}

/// More would be no pieces.
constexpr std::int64_t most_pieces = 1'000'000;

} // namespace

void PieceOptions::add_to(Options& command_line) {
  command_line
      .add_option("--piece", piece_,
                  "Compute only the first, second, … of this many pieces of the work, and write "
                  "its state with `--partial`; `sinter combine` makes results of all")
      .value_name("I/N");
  command_line
      .add_option("--indices", indices_,
                  "The same of the piece with these indices, the second one not included")
      .value_name("BEGIN:END");
  command_line.add_option("--partial", partial_, "Where the piece's state is written")
      .value_name("FILE");
  command_line.add_flag("--inexact", is_inexact_,
                        "Allow indices that change the last bits of sums of floats");
}

void PieceOptions::require_sense() const {
  if (!is_given()) {
    if (is_inexact_) throw UsageError("--inexact goes with --indices");
    return;
  }
  if (piece_.empty() == indices_.empty())
    throw UsageError(piece_.empty() ? "--partial goes with --piece or --indices"
                                    : "--piece and --indices say the same: give one of them");
  if (partial_.empty())
    throw UsageError("a piece gives no results but a state: say with --partial where to write it");
  if (!piece_.empty()) {
    const auto piece = two_numbers(piece_, '/');
    if (!piece || piece->first < 1 || piece->first > piece->second || piece->second > most_pieces)
      throw UsageError("--piece takes a number and how many there are, such as 1/4, not `" +
                       piece_ + "`");
  } else if (!two_numbers(indices_, ':')) {
    throw UsageError("--indices takes two numbers, such as 0:4096, not `" + indices_ + "`");
  }
}

std::pair<std::int64_t, std::int64_t> PieceOptions::indices(std::int64_t extent,
                                                            std::int64_t row) const {
  if (!piece_.empty()) {
    const auto [number, pieces] = *two_numbers(piece_, '/');
    return {repl::cut_before(number - 1, pieces, extent, row),
            repl::cut_before(number, pieces, extent, row)};
  }
  const auto [begin, end] = *two_numbers(indices_, ':');
  if (begin > end || end > extent)
    throw UsageError("--indices " + indices_ +
                     ": the work has the indices 0:" + std::to_string(extent));
  const auto is_exact = [&, row = row](std::int64_t at) { return at % row == 0 || at == extent; };
  if (!is_inexact_ && !(is_exact(begin) && is_exact(end)))
    throw UsageError("--indices " + indices_ + ": only cuts at multiples of " +
                     std::to_string(row) + " give the bits of the whole (--inexact allows others)");
  return {begin, end};
}

std::unique_ptr<jit::PieceProgram> require_pieces(repl::Session& session,
                                                  const core::EntryPoint& entry) {
  std::unique_ptr<jit::PieceProgram> program = session.in_pieces(entry);
  if (!program) throw UsageError("there is no JIT here, which pieces need");
  const jit::PieceReport& report = program->report();
  if (report.refusal.empty()) return program;
  Diagnostics diagnostics;
  diagnostics.error(jit::uncut_id, report.refusal_span,
                    "`" + entry.name + "` does not run in pieces: " + report.refusal);
  std::cerr << render(session.sources(), diagnostics, {});
  return nullptr;
}

int run_piece(repl::Session& session, const core::EntryPoint& entry,
              const std::vector<Value>& arguments, const PieceOptions& options) {
  repl::Partial partial;
  std::unique_ptr<jit::PieceProgram> program;
  const repl::Outcome outcome = session.limited([&] {
    program = require_pieces(session, entry);
    if (!program) return;
    const jit::PieceReport& report = program->report();
    partial.work.program = core::digest(*entry.function);
    partial.work.version = SINTER_VERSION;
    partial.work.entry = entry.name;
    partial.work.extent = program->extent(arguments);
    partial.work.state = report.state;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      partial.work.inputs.push_back(
          repl::description(arguments[i], entry.parameters[i].representation,
                            report.parameters[i].way == jit::CutOfValue::Way::Whole));
    const auto [begin, end] = options.indices(partial.work.extent, report.row);
    partial.first = begin;
    partial.count = end - begin;
    partial.state = repl::stacked(program->chunk(arguments, partial.first, partial.count),
                                  report.state, session.memory(), session.representations());
    FileWriter file(options.partial());
    repl::write_partial(file, partial, session.representations());
    file.finish();
  });
  std::cerr << outcome.messages;
  return outcome.ok() && !program ? exit_rejected : exit_code(outcome);
}

} // namespace sinter
