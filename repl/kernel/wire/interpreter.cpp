#include "repl/kernel/wire/interpreter.h"

#include "repl/text/entries.h"

#include <xeus/xhelper.hpp>

#include <csignal>
#include <string_view>

namespace sinter::repl {

namespace {

using Json = nlohmann::json;

/// While it lives, SIGINT reaches this thread, for whoever has a handler to take it; one that came
/// before is forgotten.
class InterruptsAllowed {
public:
  InterruptsAllowed() {
    std::signal(SIGINT, SIG_IGN); // drops a pending one, and whoever evaluates sets a handler
    sigemptyset(&interrupt_);
    sigaddset(&interrupt_, SIGINT);
    pthread_sigmask(SIG_UNBLOCK, &interrupt_, nullptr);
  }
  ~InterruptsAllowed() { pthread_sigmask(SIG_BLOCK, &interrupt_, nullptr); }
  InterruptsAllowed(const InterruptsAllowed&) = delete;
  InterruptsAllowed& operator=(const InterruptsAllowed&) = delete;

private:
  sigset_t interrupt_;
};

/// Publishes what a cell shows.  `silent` cells show nothing.
class PublishedOutput : public CellOutput {
public:
  PublishedOutput(xeus::xinterpreter& wire, int number, bool silent)
      : wire_(wire), number_(number), silent_(silent) {}

  void stream(Stream stream, std::string_view text) override {
    if (!silent_)
      wire_.publish_stream(stream == Stream::Out ? "stdout" : "stderr", std::string(text));
  }
  void display(const MimeBundle& bundle, std::string_view description) override {
    if (silent_) return;
    Json metadata = Json::object(); // where nbconvert and front ends look for alternative texts
    for (const auto& [type, contents] : bundle)
      if (type.starts_with("image/") && !description.empty())
        metadata[type] = {{"alt", description}};
    wire_.display_data(data(bundle), std::move(metadata), Json::object());
  }
  void result(const MimeBundle& bundle) override {
    if (!silent_) wire_.publish_execution_result(number_, data(bundle), Json::object());
  }

private:
  static Json data(const MimeBundle& bundle) {
    Json data = Json::object();
    for (const auto& [type, contents] : bundle)
      data[type] = contents;
    return data;
  }

  xeus::xinterpreter& wire_;
  int number_;
  bool silent_;
};

bool is_continuation_byte(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Jupyter counts code points, the kernel bytes.
std::size_t byte_of(std::string_view text, int code_points) {
  std::size_t at = 0;
  for (; code_points > 0 && at < text.size(); --code_points) {
    ++at;
    while (at < text.size() && is_continuation_byte(text[at]))
      ++at;
  }
  return at;
}
int code_points_before(std::string_view text, std::size_t byte) {
  int count = 0;
  for (char c : text.substr(0, byte))
    count += is_continuation_byte(c) ? 0 : 1;
  return count;
}

} // namespace

Json Interpreter::execute_request_impl(int number, const std::string& cell, bool silent, bool, Json,
                                       bool) {
  PublishedOutput output(*this, number, silent);
  std::optional<CellError> error;
  {
    InterruptsAllowed allowed;
    error = kernel_.execute(cell, output);
  }
  if (!error) return xeus::create_successful_reply();
  if (!silent) publish_execution_error("error", error->summary, error->lines);
  // (xeus 2.4's own create_error_reply exchanges name and value.)
  return {{"status", "error"},
          {"ename", "error"},
          {"evalue", error->summary},
          {"traceback", error->lines}};
}

Json Interpreter::complete_request_impl(const std::string& cell, int cursor) {
  const CellCompletions found = kernel_.complete(cell, byte_of(cell, cursor));
  const int begin = code_points_before(cell, found.begin);
  const int end = code_points_before(cell, found.end);
  Json matches = Json::array();
  Json types = Json::array();
  for (const CellCompletion& completion : found.all) {
    matches.push_back(completion.text);
    types.push_back({{"start", begin},
                     {"end", end},
                     {"text", completion.text},
                     {"type", completion.type},
                     {"signature", completion.type}});
  }
  // The name under which front ends look for the types of matches.
  return xeus::create_complete_reply(matches, begin, end,
                                     {{"_jupyter_types_experimental", std::move(types)}});
}

Json Interpreter::inspect_request_impl(const std::string& cell, int cursor, int) {
  std::optional<std::string> answer = kernel_.inspect(cell, byte_of(cell, cursor));
  if (!answer) return xeus::create_inspect_reply();
  return xeus::create_inspect_reply(true, {{"text/plain", *answer}});
}

Json Interpreter::is_complete_request_impl(const std::string& cell) {
  return is_unfinished(cell) ? xeus::create_is_complete_reply("incomplete", "  ")
                             : xeus::create_is_complete_reply("complete");
}

Json Interpreter::kernel_info_request_impl() {
  // Pygments knows the language; CodeMirror does not, and Haskell is close in its comments,
  // literals and names.
  return xeus::create_info_reply("", "sinter", SINTER_VERSION, "futhark", SINTER_VERSION,
                                 "text/x-futhark", ".fut", "futhark", "haskell", "",
                                 "Sinter " SINTER_VERSION);
}

} // namespace sinter::repl
