// sinter stream: an entry point on chunk after chunk of input that need not end.
#include "lang/values/file_writer.h"
#include "repl/display/progress_line.h"
#include "repl/streaming/end_key.h"
#include "repl/streaming/streaming.h"
#include "src/command.h"
#include "src/options.h"
#include "src/standard_output.h"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <optional>

#include <unistd.h>

namespace sinter {

namespace {

struct StreamCommand {
  std::string file;
  std::string entry = "step";
  std::string init, finish;
  std::vector<std::string> inputs;
  std::string output, format, input_format = "auto";
  std::string chunk = "auto", shape;
  bool checks_chunks = false;
  bool shows_no_progress = false;
  LimitOptions limits;
};

constexpr const char* state_name = "<state>"; // of the text by --init, in messages
constexpr std::string_view bytes_name = "raw", lines_name = "text", npy_name = "npy",
                           found_name = "auto";
constexpr std::string_view npy_ending = ".npy";

/// What `--input-format` says.
repl::InputFormat input_format_of(const StreamCommand& options) {
  if (options.input_format == bytes_name) return repl::InputFormat::Bytes;
  if (options.input_format == lines_name) return repl::InputFormat::Lines;
  return options.input_format == npy_name ? repl::InputFormat::Npy : repl::InputFormat::Found;
}

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || rest != text.data() + text.size() || number <= 0) return std::nullopt;
  return number;
}

std::int64_t chunk_of(const StreamCommand& options) {
  if (options.chunk == "auto") return 0;
  if (const auto number = number_of(options.chunk)) return *number;
  throw UsageError("`--chunk " + options.chunk + "` is no size; write 1000 or auto");
}

std::optional<Extents> shape_of(const StreamCommand& options) {
  if (options.shape.empty()) return std::nullopt;
  Extents shape;
  for (std::size_t at = 0; at <= options.shape.size();) {
    const std::size_t end = std::min(options.shape.find(',', at), options.shape.size());
    const auto number = number_of(std::string_view(options.shape).substr(at, end - at));
    if (!number) throw UsageError("`--shape " + options.shape + "` is no shape; write 28 or 28,28");
    shape.push_back(*number);
    at = end + 1;
  }
  return shape;
}

/// The state that it begins with: an expression that may use what the file defines.
repl::Outcome first_state(repl::Session& session, const repl::Step& step,
                          const StreamCommand& options) {
  std::string text = options.init;
  if (text.empty()) {
    const std::vector<std::string> names = session.specialiser().entry_points(*session.loaded());
    if (std::ranges::find(names, "init") == names.end())
      throw UsageError("`" + options.entry + "` takes a state: say by --init where it begins, or " +
                       "declare an entry point `init`");
    text = "init";
  }
  repl::Session::Prepared prepared =
      session.prepare(text + " : " + repl::state_type_text(step), state_name);
  // (A type of the file's own may have no name outside of it.)
  if (!prepared.outcome.ok()) {
    repl::Session::Prepared plain = session.prepare(text, state_name);
    if (!plain.outcome.ok() || plain.representation == step.state) prepared = std::move(plain);
  }
  if (!prepared.outcome.ok()) return prepared.outcome;
  if (prepared.representation != step.state)
    throw UsageError("`" + text + "` is no state of `" + options.entry + "`, which has the type `" +
                     step.entry.parameters.front().text + "`");
  return session.guarded([&] {
    return prepared.global ? session.evaluator().evaluate(*prepared.global)
                           : session.evaluator().evaluate(prepared.toplevel);
  });
}

/// Whether results become one .npy array in the file.
bool writes_npy(const StreamCommand& options, const repl::Step& step) {
  const bool is_asked = options.format == npy_name;
  if (is_asked && options.output.empty())
    throw UsageError("the header of .npy is completed at the end: `--output-format npy` takes a "
                     "file, by -o");
  if (!is_asked && !(options.format.empty() && options.output.ends_with(npy_ending))) return false;
  if (step.results && !options.finish.empty())
    throw UsageError("a .npy file holds one array, but there are results of chunks, and one that "
                     "--finish makes");
  return true;
}

/// The function that makes the last result of the state.
core::EntryPoint finish_of(repl::Session& session, const repl::Step& step,
                           const StreamCommand& options) {
  if (!step.state) throw UsageError("`" + options.entry + "` has no state to --finish");
  core::EntryPoint finish = find_entry(session, *session.loaded(), options.finish);
  if (finish.parameters.size() != 1 || finish.parameters.front().representation != step.state)
    throw UsageError("`" + options.finish + "` does not take the state of `" + options.entry +
                     "`, of type `" + step.entry.parameters.front().text + "`, alone");
  return finish;
}

int stream(repl::Session& session, const StreamCommand& options) {
  repl::StreamOptions stream_options;
  stream_options.chunk = chunk_of(options);
  const std::optional<Extents> shape = shape_of(options);
  repl::Outcome outcome = session.load(options.file);
  std::cerr << outcome.messages;
  if (!outcome.ok()) return exit_code(outcome);
  const auto step_here = [&] {
    return repl::step_of(find_entry(session, *session.loaded(), options.entry), shape);
  };

  InterruptSource end;
  repl::EndKey key(end, session.interrupt());
  Value state;
  if (const repl::Step step = step_here(); step.state) {
    outcome = first_state(session, step, options);
    std::cerr << outcome.messages;
    if (!outcome.ok()) return exit_code(outcome);
    state = std::move(outcome.value);
  }
  const repl::Step step = step_here(); // anew: an entry was evaluated since
  std::optional<core::EntryPoint> finish;
  if (!options.finish.empty()) finish = finish_of(session, step, options);

  const bool is_on_terminal = options.output.empty() && isatty(STDOUT_FILENO) != 0;
  const bool is_npy = writes_npy(options, step);
  if (options.format.empty())
    stream_options.format =
        step.results && !is_on_terminal ? repl::ChunkFormat::Bytes : repl::ChunkFormat::Lines;
  else
    stream_options.format =
        options.format == bytes_name ? repl::ChunkFormat::Bytes : repl::ChunkFormat::Lines;
  std::optional<FileWriter> file;
  if (!options.output.empty()) file.emplace(options.output);
  std::optional<repl::NpyChunks> npy;
  if (is_npy && step.results) stream_options.npy = &npy.emplace(*file, step.results);
  StandardSink standard;
  ByteSink& sink = file ? static_cast<ByteSink&>(*file) : standard;

  repl::ChunkSource source(options.inputs.empty() ? std::vector<std::string>{"-"} : options.inputs,
                           input_format_of(options), step, session.memory(),
                           session.representations(), end);
  constexpr std::uint64_t megabyte = 1'000'000;
  std::optional<repl::ProgressLine> line;
  if (!is_on_terminal && !options.shows_no_progress)
    line.emplace("streaming", static_cast<std::size_t>(source.total_bytes() / megabyte), "MB");
  stream_options.after_chunk = [&](std::uint64_t bytes) {
    standard.flush(); // somebody may be waiting for it
    if (line) line->set_done(static_cast<std::size_t>(bytes / megabyte));
  };
  repl::Streaming streaming(session, step, source, sink, std::move(state), stream_options);
  outcome = repl::Outcome();
  if (options.checks_chunks) outcome = streaming.check();
  if (outcome.ok()) outcome = streaming.run();
  if (outcome.ok() && (finish || (step.state && !step.results))) {
    Value last = streaming.state();
    const Representation* type = step.state;
    if (finish) {
      const std::string messages = std::move(outcome.messages);
      outcome =
          session.guarded([&] { return session.evaluator().call(*finish->function, {last}); });
      outcome.messages = messages + outcome.messages;
      last = outcome.value;
      type = finish->function->result;
    }
    if (outcome.ok()) {
      const repl::Outcome written = session.limited([&] {
        if (is_npy)
          write_npy(sink, last, type);
        else
          repl::write_whole(sink, stream_options.format, last, type);
      });
      outcome.messages += written.messages;
      outcome.kind = written.kind;
      outcome.failure = written.failure;
    }
  }
  line.reset();
  std::cerr << outcome.messages;
  if (!outcome.ok()) return exit_code(outcome);
  if (npy) npy->finish();
  if (file) file->finish();
  return end.reason() == InterruptSource::Reason::None ? exit_success : exit_interrupted;
}

} // namespace

std::function<int()> define_stream(Options& command_line) {
  auto options = std::make_shared<StreamCommand>();
  command_line.add_option("FILE", options->file, "The program").required();
  command_line
      .add_option("-e,--entry", options->entry,
                  "The entry point that takes a state and a chunk, and gives the next state and "
                  "results: `state -> [k]a -> (state, [l]b)`; either may be missing")
      .show_default();
  command_line
      .add_option("--init", options->init,
                  "The state at the beginning: an expression, or the name of an entry point [init]")
      .value_name("VALUE");
  command_line
      .add_option("--finish", options->finish,
                  "An entry point that makes the last result of the state at the end")
      .value_name("ENTRY");
  command_line
      .add_option("-i,--input", options->inputs,
                  "Read this file; may be repeated; otherwise standard input")
      .value_name("FILE")
      .one_value_each();
  command_line
      .add_option(
          "--input-format", options->input_format,
          "How elements are written: raw: their bytes alone; npy: as .npy (from a pipe, any "
          "number of arrays one after the other); text: lines of them; auto: what begins as "
          ".npy or, in files, as the binary format is that, everything else is raw")
      .one_of({std::string(found_name), std::string(bytes_name), std::string(npy_name),
               std::string(lines_name)})
      .show_default();
  command_line
      .add_option(
          "--shape", options->shape,
          "The shape of an element, such as 28,28, if the entry point's type does not say it")
      .value_name("N,M");
  command_line
      .add_option(
          "--chunk", options->chunk,
          "Elements of a chunk; auto: as many as have come, up to a size that is found while "
          "running")
      .value_name("N")
      .show_default();
  command_line.add_flag("--no-progress", options->shows_no_progress,
                        "Draw no line that tells how far it is, on a terminal too");
  command_line.add_flag("--check-chunks", options->checks_chunks,
                        "Before, compute the first elements (64 MiB) in chunks of three kinds, and "
                        "compare results and states");
  command_line
      .add_option("-o,--output", options->output,
                  "Write to this file, complete at the end, instead of standard output")
      .value_name("FILE");
  command_line
      .add_option("--output-format", options->format,
                  "The bytes of results, a line for each element, or one .npy array [npy with `-o "
                  "NAME.npy`; else raw; text on a terminal, and where a state is all there is]")
      .one_of({std::string(bytes_name), std::string(lines_name), std::string(npy_name)});
  options->limits.add_to(command_line);
  command_line.footer(
      "Ctrl-C ends the input: what was read is computed; Ctrl-C again stops at once.\n"
      "Examples:\n"
      "  zcat numbers.gz | sinter stream sum.fut --init 0 --input-format text\n"
      "  sinter stream filter.fut -i sensor.npy -o quiet.raw --max-memory 256M");
  return [options] {
    return in_session(options->limits.session_options(),
                      [&](repl::Session& session) { return stream(session, *options); });
  };
}

} // namespace sinter
