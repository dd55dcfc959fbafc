// sinter pieces: how an entry point's work may be cut, as JSON.
#include "lang/core/digest.h"
#include "repl/pieces/partial.h"
#include "repl/pieces/partial_file.h"
#include "src/command.h"
#include "src/options.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace sinter {

namespace {

using Json = nlohmann::ordered_json;

struct PiecesOptions {
  std::string file;
  std::string entry = "main";
  std::vector<std::int64_t> cuts; ///< extent and pieces, if they are given
  bool with_ir = false;
  LimitOptions limits;
};

Json to_json(const core::EntryType& type, const jit::CutOfValue& cut) {
  Json json = Json::object();
  if (!type.name.empty()) json["name"] = type.name;
  json["type"] = type.text;
  json["cut"] = jit::name(cut.way);
  if (cut.way == jit::CutOfValue::Way::Block && (cut.low > 0 || cut.high > 0))
    json["halo"] = {cut.low, cut.high};
  if (!cut.why.empty()) json["why"] = cut.why;
  return json;
}

Json to_json(const std::vector<core::EntryType>& types, const std::vector<jit::CutOfValue>& cuts) {
  Json list = Json::array();
  for (std::size_t i = 0; i < types.size(); ++i)
    list.push_back(to_json(types[i], cuts[i]));
  return list;
}

Json state_of(const jit::PieceReport& report) {
  Json list = Json::array();
  for (const jit::StateComponent& component : report.state) {
    std::string type;
    for (std::uint32_t d = 0; d < component.rank; ++d)
      type += "[]";
    list.push_back({{"role", jit::name(component.role)},
                    {"type", type + std::string(name(component.element))}});
  }
  return list;
}

/// The law's three functions, as commands.
Json law_of(const PiecesOptions& options) {
  return {{"chunk",
           {"sinter", "run", options.file, "--entry", options.entry, "--indices", "BEGIN:END",
            "--partial", "OUT"}},
          {"combine", {"sinter", "combine", options.file, "PARTIAL...", "--partial", "OUT"}},
          {"finish", {"sinter", "combine", options.file, "PARTIAL..."}}};
}

Json report(repl::Session& session, const core::EntryPoint& entry, const PiecesOptions& options) {
  const std::unique_ptr<jit::PieceProgram> program = session.in_pieces(entry);
  if (!program) throw UsageError("there is no JIT here, which pieces need");
  const jit::PieceReport& report = program->report();
  Json json = {{"entry", entry.name},
               {"program", repl::program_text(core::digest(*entry.function))},
               {"version", SINTER_VERSION},
               {"can_be_cut", report.refusal.empty()}};
  if (!report.refusal.empty()) {
    json["id"] = jit::uncut_id;
    json["why"] = report.refusal;
    if (report.refusal_span.is_known())
      json["place"] = session.sources().describe(report.refusal_span);
    return json;
  }
  json["parameters"] = to_json(entry.parameters, report.parameters);
  json["results"] = to_json(entry.results, report.results);
  json["row"] = report.row;
  json["state"] = state_of(report);
  json["law"] = law_of(options);
  if (!options.cuts.empty()) {
    Json cuts = Json::array();
    for (std::int64_t i = 0; i <= options.cuts[1]; ++i)
      cuts.push_back(repl::cut_before(i, options.cuts[1], options.cuts[0], report.row));
    json["cuts"] = cuts;
  }
  if (options.with_ir) json["ir"] = {{"chunk", report.chunk}, {"finish", report.finish}};
  return json;
}

int pieces(repl::Session& session, const PiecesOptions& options) {
  repl::Outcome outcome = session.load(options.file);
  std::cerr << outcome.messages;
  if (!outcome.ok()) return exit_code(outcome);
  outcome = session.limited([&] {
    const core::EntryPoint entry = find_entry(session, *session.loaded(), options.entry);
    std::cout << report(session, entry, options).dump(2) << "\n";
  });
  std::cerr << outcome.messages;
  return exit_code(outcome);
}

} // namespace

std::function<int()> define_pieces(Options& command_line) {
  auto options = std::make_shared<PiecesOptions>();
  auto extent = std::make_shared<std::int64_t>(-1);
  auto count = std::make_shared<std::int64_t>(-1);
  command_line.add_option("FILE", options->file, "The program").required();
  command_line.add_option("-e,--entry", options->entry, "The entry point").show_default();
  command_line
      .add_option("--extent", *extent, "Tell also where a size of this many elements is cut …")
      .value_name("N");
  command_line.add_option("--pieces", *count, "… into so many pieces").value_name("COUNT");
  command_line.add_flag("--ir", options->with_ir,
                        "Tell also the intermediate code of a piece, and of what follows");
  options->limits.add_to(command_line);
  command_line.footer(
      "Writes JSON: of each parameter whether a piece needs its block (with a halo of how many\n"
      "elements before and behind it) or has it whole; what becomes of each result; at which\n"
      "multiples cuts give the bits of the whole (`row`); what the state of a piece is made of, "
      "and\n"
      "the commands that compute and combine it.  If the work cannot be cut, why.  Example:\n"
      "  sinter pieces dot.fut --extent 1000000 --pieces 4");
  return [=] {
    constexpr std::int64_t most_pieces = 1'000'000, extent_limit = std::int64_t{1} << 48;
    if ((*extent >= 0) != (*count >= 0)) throw UsageError("--extent goes with --pieces");
    if (*count == 0 || *count > most_pieces || *extent >= extent_limit)
      throw UsageError("there are 1 to 1000000 pieces, of less than 2^48 elements");
    if (*extent >= 0) options->cuts = {*extent, *count};
    return in_session(options->limits.session_options(),
                      [&](repl::Session& session) { return pieces(session, *options); });
  };
}

} // namespace sinter
