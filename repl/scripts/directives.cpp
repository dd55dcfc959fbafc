#include "repl/scripts/directives.h"

#include "lang/values/elements.h"
#include "lang/values/number_text.h"
#include "repl/commands/command.h"
#include "repl/pictures/gnuplot.h"
#include "repl/text/lines.h"

#include <charconv>
#include <map>

namespace sinter::repl {

namespace {

/// What a directive is given to work with.
struct Context {
  Session& session;
  const Directive& directive;
  const Value& value;
  const Representation* type;
  const FieldOrder& order;
};

/// Lines `key: value` (or `key=value`), each of a known key.
class Parameters {
public:
  Parameters(const Directive& directive, std::initializer_list<std::string_view> known) {
    for (const std::string& line : directive.parameters()) {
      if (is_blank(line)) continue;
      std::size_t colon = line.find_first_of(":=");
      std::string key(without_blanks(std::string_view(line).substr(0, colon)));
      bool is_known = std::find(known.begin(), known.end(), key) != known.end();
      if (colon == std::string::npos || !is_known) {
        std::string keys;
        for (std::string_view name : known)
          keys += (keys.empty() ? "`" : ", `") + std::string(name) + ":`";
        throw FormatError("`" + std::string(without_blanks(line)) +
                          "` is no parameter of `:" + directive.command + "`, which takes " + keys);
      }
      values_[key] = without_blanks(std::string_view(line).substr(colon + 1));
    }
  }
  const std::string* find(const std::string& key) const {
    auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
  }
  double number(const std::string& key, double otherwise) const {
    const std::string* text = find(key);
    if (!text) return otherwise;
    double value = 0;
    auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error != std::errc{} || end != text->data() + text->size() || !(value > 0))
      throw FormatError("`" + key + ": " + *text + "`: expected a number above 0");
    return value;
  }
  bool truth(const std::string& key, bool otherwise) const {
    const std::string* text = find(key);
    if (!text) return otherwise;
    if (*text != "true" && *text != "false")
      throw FormatError("`" + key + ": " + *text + "`: expected true or false");
    return *text == "true";
  }
  /// A file's name without a folder.
  std::string file() const {
    const std::string* name = find("file");
    if (!name) return {};
    if (name->empty() || name->find_first_of("/ \\") != std::string::npos || name->front() == '.')
      throw FormatError("`file: " + *name + "`: expected a name without folder and blanks");
    return *name;
  }

private:
  std::map<std::string, std::string> values_;
};

std::string ending(const std::string& file) {
  std::size_t dot = file.rfind('.');
  return dot == std::string::npos ? "" : file.substr(dot + 1);
}

using Result = std::pair<Media, std::string>; ///< with the file's name

Result image(const Context& context) {
  Parameters parameters(context.directive, {"file"});
  std::string file = parameters.file();
  return {image_media(context.value, context.type, ending(file)), file};
}

Result plot2d(const Context& context) {
  Parameters parameters(context.directive,
                        {"size", "file", "title", "xlabel", "ylabel", "legend", "log"});
  PlotOptions options;
  const auto text = [&](const char* key) {
    const std::string* found = parameters.find(key);
    return found ? *found : std::string();
  };
  options.title = text("title");
  options.x_label = text("xlabel");
  options.y_label = text("ylabel");
  if (parameters.find("legend")) options.legend = names_in_list(text("legend"));
  options.log_x = text("log").find('x') != std::string::npos;
  options.log_y = text("log").find('y') != std::string::npos;
  if (const std::string* size = parameters.find("size")) { // (height,width)
    int height = 0, width = 0;
    if (std::sscanf(size->c_str(), " ( %d , %d )", &height, &width) != 2 || height < 50 ||
        width < 50 || height > 10'000 || width > 10'000)
      throw FormatError("`size: " + *size + "`: expected (height,width)");
    options.height = height;
    options.width = width;
  }
  options.order = context.order;
  std::string file = parameters.file();
  return {plot_media(context.value, context.type, options,
                     file.empty() ? Drawing::Png : drawing_of(ending(file))),
          file};
}

/// A column for each array of a tuple.
std::string columns_of(const Value& value, const Representation* type) {
  std::vector<ArrayRef> columns;
  auto add = [&](const Value& part, const Representation* part_type) {
    if (!part_type->is_array() || part_type->array().rank != 1 ||
        !part_type->array().element->is_scalar())
      throw FormatError("`:gnuplot` takes a record of tuples of arrays of numbers, not " +
                        print(part_type) + " as a column");
    columns.push_back(part.array());
  };
  if (type->is_record())
    for (std::size_t i = 0; i < value.fields().size(); ++i)
      add(value.fields()[i], type->record().fields[i].type);
  else
    add(value, type);
  std::string text;
  std::int64_t rows = columns.empty() ? 0 : columns.front()->shape[0];
  for (const ArrayRef& column : columns)
    if (column->shape[0] != rows)
      throw FormatError("the columns for gnuplot must be of one length");
  for (std::int64_t r = 0; r < rows; ++r) {
    for (const ArrayRef& column : columns)
      text += print(column->element->scalar(), get_element(column, r).scalar(), false) + " ";
    text += '\n';
  }
  return text;
}

Result gnuplot(const Context& context) {
  if (!context.type->is_record())
    throw FormatError("`:gnuplot` takes a record of tuples of arrays, not " + print(context.type));
  const RecordRepresentation& record = context.type->record();
  std::vector<PlotData> data;
  for (std::size_t i = 0; i < record.fields.size(); ++i)
    data.emplace_back(record.fields[i].name,
                      columns_of(context.value.fields()[i], record.fields[i].type));
  std::string script = "set terminal pngcairo size 800,600\n";
  for (const std::string& line : context.directive.parameters())
    script += line + "\n";
  return {{"image/png", run_gnuplot(script, data), "plot"}, ""};
}

Result video(const Context& context) {
  Parameters parameters(context.directive, {"repeat", "fps", "format", "file"});
  FilmOptions options;
  options.repeat = parameters.truth("repeat", true);
  options.frames_per_second = parameters.number("fps", options.frames_per_second);
  std::string file = parameters.file();
  const std::string* format = parameters.find("format");
  return {video_media(context.value, context.type, options,
                      !file.empty() ? ending(file)
                      : format      ? *format
                                    : "gif",
                      context.session.evaluator(), context.session.representations()),
          file};
}

Result audio(const Context& context) {
  Parameters parameters(context.directive, {"sampling_frequency", "codec", "file"});
  double rate = parameters.number("sampling_frequency", Sound().rate);
  if (rate > 1e6) throw FormatError("a sampling frequency of more than 1000000 Hz");
  const std::string* codec = parameters.find("codec");
  return {sound_media(context.value, context.type, static_cast<int>(rate), codec ? *codec : "wav"),
          parameters.file()};
}

struct Kind {
  std::string_view name;
  Result (*make)(const Context& context);
};
constexpr Kind kinds[] = {{"img", image},       {"plot2d", plot2d}, {"plot", plot2d},
                          {"gnuplot", gnuplot}, {"video", video},   {"audio", audio}};

const Kind* find_kind(std::string_view name) {
  for (const Kind& kind : kinds)
    if (kind.name == name) return &kind;
  return nullptr;
}

} // namespace

bool makes_media(const Directive& directive) {
  const bool has_options = directive.text.starts_with("-") && find_command(directive.command) &&
                           find_command(directive.command)->name == directive.command;
  return find_kind(directive.command) && !has_options;
}

Performed perform(Session& session, const std::string& path, const Directive& directive) {
  Performed performed;
  std::string place = path + ":" + std::to_string(directive.line) + ": error: ";
  auto reject = [&](const std::string& message) {
    performed.outcome = Outcome();
    performed.outcome.kind = Outcome::Kind::CheckFailed;
    performed.outcome.messages = place + message + "\n";
  };
  const Kind* kind = find_kind(directive.command);
  performed.outcome = evaluate_directive(session, path, directive);
  if (performed.outcome.kind != Outcome::Kind::Value || !kind) return performed;
  try {
    Outcome made = session.guarded([&] {
      auto [media, file] = kind->make({session, directive, performed.outcome.value,
                                       performed.outcome.representation, performed.outcome.order});
      media.file = std::move(file);
      performed.media = std::move(media);
      return Value();
    });
    if (!made.ok()) performed.outcome = std::move(made);
  } catch (const FormatError& error) {
    reject(error.message);
  }
  return performed;
}

} // namespace sinter::repl
