#include "repl/editor/line_editor.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace sinter::repl {

namespace {

class StreamEditor final : public LineEditor {
public:
  StreamEditor(std::istream& in, std::ostream& out, Echo echo) : in_(in), out_(out), echo_(echo) {}

  Line read(const std::string& prompt, const std::string&) override {
    if (echo_ == Echo::Prompts) out_ << prompt << std::flush;
    std::string text;
    errno = 0;
    if (!std::getline(in_, text)) {
      bool is_interrupted = errno == EINTR;
      if (echo_ == Echo::Prompts) out_ << std::endl;
      if (!is_interrupted) return {};
      if (&in_ == &std::cin) std::clearerr(stdin);
      in_.clear();
      return {Line::Kind::Interrupted, {}};
    }
    if (!text.empty() && text.back() == '\r') text.pop_back();
    if (echo_ == Echo::All) {
      std::string line = prompt + text;
      while (!line.empty() && line.back() == ' ')
        line.pop_back();
      out_ << line << std::endl;
    }
    return {Line::Kind::Text, std::move(text)};
  }
  void remember(const std::string&) override {}

private:
  std::istream& in_;
  std::ostream& out_;
  Echo echo_;
};

} // namespace

std::unique_ptr<LineEditor> make_stream_editor(std::istream& in, std::ostream& out, Echo echo) {
  return std::make_unique<StreamEditor>(in, out, echo);
}

std::string history_path() {
  std::filesystem::path folder;
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (state && *state == '/')
    folder = state;
  else if (home && *home)
    folder = std::filesystem::path(home) / ".local" / "state";
  else
    return {};
  folder /= "sinter";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return error ? std::string() : (folder / "inputs").string();
}

} // namespace sinter::repl
