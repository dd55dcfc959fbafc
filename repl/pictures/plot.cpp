#include "repl/pictures/plot.h"

#include "lang/values/elements.h"
#include "lang/values/table.h"
#include "repl/pictures/gnuplot.h"
#include "repl/text/lines.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace sinter::repl {

namespace {

constexpr std::size_t max_numbers = 20'000'000; ///< that gnuplot gets

bool is_numeric(const Representation* type) {
  return type->is_scalar() && type->scalar() != ElementType::Bool;
}
bool is_vector(const Representation* type) {
  return type->is_array() && type->array().rank == 1 && is_numeric(type->array().element);
}
bool is_matrix(const Representation* type) {
  return type->is_array() && type->array().rank == 2 && is_numeric(type->array().element);
}
bool is_pair(const Representation* type) {
  return type->is_record() && type->record().fields.size() == 2 &&
         is_numeric(type->record().fields[0].type) && is_numeric(type->record().fields[1].type);
}
bool is_named(const RecordRepresentation& record) {
  return !record.fields.empty() &&
         !std::isdigit(static_cast<unsigned char>(record.fields[0].name[0]));
}

double number(ElementType element, Scalar scalar) {
  return with_cpp_type(element,
                       [&]<typename T>() -> double { return static_cast<double>(scalar.as<T>()); });
}

std::vector<double> numbers(const ArrayRef& array) {
  std::vector<double> result;
  ElementType element = array->element->scalar();
  for (std::int64_t i = 0; i < array->shape[0]; ++i)
    result.push_back(number(element, get_element(array, i).scalar()));
  return result;
}

std::vector<double> counted(std::size_t count) {
  std::vector<double> result(count);
  for (std::size_t i = 0; i < count; ++i)
    result[i] = static_cast<double>(i);
  return result;
}

void add(std::vector<Series>& all, const std::string& name, std::vector<double> xs,
         std::vector<double> ys, bool is_counted = false) {
  if (xs.size() != ys.size())
    throw FormatError("x and y of a plot must have the same length, found " +
                      std::to_string(xs.size()) + " and " + std::to_string(ys.size()));
  all.push_back({name, std::move(xs), std::move(ys), {}, is_counted});
}

/// Those of a table with words or dates: over the first dates or times that it has.
void collect_columns(std::vector<Series>& all, const std::string& name, const Table& table) {
  const auto times = std::ranges::find_if(
      table.columns, [](const TableColumn& column) { return column.unit.has_value(); });
  std::vector<double> xs;
  if (times != table.columns.end()) {
    xs = numbers(times->values);
    for (double& x : xs)
      x = *times->unit == TimeUnit::Days ? x * 86'400 : x / 1e6; // seconds
  } else {
    xs = counted(static_cast<std::size_t>(table.rows));
  }
  for (const TableColumn& column : table.columns) {
    if (column.words || column.unit || !is_numeric(column.values->element)) continue;
    add(all, name.empty() ? column.name : name + "." + column.name, xs, numbers(column.values),
        times == table.columns.end());
    if (times != table.columns.end()) all.back().time = times->name;
  }
}

void collect(std::vector<Series>& all, const std::string& name, const Value& value,
             const Representation* type, const FieldOrder& order) {
  if (is_vector(type)) {
    std::vector<double> ys = numbers(value.array());
    std::vector<double> xs = counted(ys.size());
    return add(all, name, std::move(xs), std::move(ys), true);
  }
  if (is_matrix(type)) {
    for (std::int64_t row = 0; row < value.array()->shape[0]; ++row) {
      std::vector<double> ys = numbers(index_view(value.array(), {&row, 1}));
      std::vector<double> xs = counted(ys.size());
      add(all, name.empty() ? std::to_string(row) : name + " " + std::to_string(row), std::move(xs),
          std::move(ys), true);
    }
    return;
  }
  if (type->is_array() && type->array().rank == 1 && is_pair(type->array().element))
    return add(all, name, numbers(project(value.array(), 0)), numbers(project(value.array(), 1)));
  if (!type->is_record() || type->record().fields.empty())
    throw FormatError("a value of type " + print(type) +
                      " cannot be plotted; a plot shows arrays of numbers: [n]t, ([n]t, [n]t) of x "
                      "and y, [n](t, t), [k][n]t, and records and tuples of these");
  if (const std::optional<Table> table = table_of(value, type, order);
      table && std::ranges::any_of(table->columns, [](const TableColumn& column) {
        return column.words || column.unit;
      }))
    return collect_columns(all, name, *table);
  const RecordRepresentation& record = type->record();
  bool named = is_named(record);
  bool vectors =
      std::all_of(record.fields.begin(), record.fields.end(),
                  [](const FieldRepresentation& field) { return is_vector(field.type); });
  if (!named && vectors && record.fields.size() > 1) { // x and the ys over it
    std::vector<double> xs = numbers(value.fields()[0].array());
    for (std::size_t i = 1; i < record.fields.size(); ++i) {
      std::string number = record.fields.size() > 2 ? std::to_string(i) : "";
      add(all, name + (name.empty() || number.empty() ? "" : " ") + number, xs,
          numbers(value.fields()[i].array()));
    }
    return;
  }
  for (std::size_t seen = 0; seen < record.fields.size(); ++seen) {
    const std::size_t i = order.field(seen);
    std::string field = named ? record.fields[i].name : std::to_string(i);
    collect(all, name.empty() ? field : name + "." + field, value.fields()[i],
            record.fields[i].type, order.part(i));
  }
}

// ---- the script --------------------------------------------------------------------------------

void append(std::string& script, double number) {
  if (!std::isfinite(number)) {
    script += "NaN";
    return;
  }
  std::array<char, 32> text;
  script.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
}

std::string block_name(std::size_t index) {
  return "$series" + std::to_string(index);
}

std::string terminal(const PlotOptions& options, Drawing form) {
  std::string size = std::to_string(options.width) + "," + std::to_string(options.height);
  switch (form) {
  case Drawing::Png:
    return "set terminal pngcairo size " + size + " noenhanced\n";
  case Drawing::Svg:
    return "set terminal svg size " + size + " noenhanced background rgb 'white'\n";
  case Drawing::Text:
    return "set terminal dumb " + std::to_string(options.columns) + " " +
           std::to_string(options.rows) + (options.color ? " ansi256" : " mono") + "\n";
  }
  __builtin_unreachable();
}

/// The borders of a histogram's bins.
std::vector<double> borders(double low, double high, int bins, bool are_integers, bool is_log) {
  std::vector<double> found;
  if (is_log) {
    for (int i = 0; i <= bins; ++i)
      found.push_back(low * std::pow(high / low, static_cast<double>(i) / bins));
    return found;
  }
  // Each bin of integers has equally many of them, and they lie in its middle.
  double step = (high - low) / bins;
  if (are_integers) {
    step = std::ceil((high - low + 1) / bins);
    low -= 0.5;
    bins = static_cast<int>(std::ceil((high + 0.5 - low) / step));
  }
  for (int i = 0; i <= bins; ++i)
    found.push_back(low + i * step);
  return found;
}

/// The counts of values between the borders, as a series of their own.
Series histogram(const Series& series, const std::vector<double>& borders) {
  Series result{.name = series.name, .xs = {}, .ys = {}};
  const std::size_t bins = borders.size() - 1;
  result.ys.resize(bins);
  for (double value : series.ys) {
    if (!std::isfinite(value) || value < borders.front()) continue;
    const auto above = std::ranges::upper_bound(borders, value) - borders.begin();
    result.ys[std::min(static_cast<std::size_t>(above), bins) - 1] += 1;
  }
  for (std::size_t i = 0; i < bins; ++i) {
    result.xs.push_back((borders[i] + borders[i + 1]) / 2);
    result.widths.push_back(borders[i + 1] - borders[i]);
  }
  return result;
}

/// Between the least and the greatest value of all; returns the borders.
std::vector<double> make_histograms(std::vector<Series>& all, int bins, bool is_log) {
  double low = INFINITY, high = -INFINITY;
  std::size_t most = 0;
  bool are_integers = !is_log;
  for (const Series& series : all) {
    most = std::max(most, series.ys.size());
    for (double value : series.ys)
      if (std::isfinite(value) && (!is_log || value > 0)) {
        low = std::min(low, value), high = std::max(high, value);
        are_integers = are_integers && value == std::floor(value) && std::abs(value) < 1e15;
      }
  }
  if (!(low <= high))
    throw FormatError(is_log ? "a histogram over a logarithmic axis needs numbers above 0"
                             : "a histogram needs at least one number");
  if (!(low < high) && !are_integers) low = is_log ? low / 2 : low - 0.5, high += 0.5;
  if (bins <= 0) // as Sturges (1926), a little finer
    bins = std::clamp(static_cast<int>(2 * std::log2(static_cast<double>(most) + 1) + 1), 5, 100);
  const std::vector<double> found = borders(low, high, bins, are_integers, is_log);
  for (Series& series : all)
    series = histogram(series, found);
  return found;
}

std::string labels(const PlotOptions& options, const std::string& usual_x,
                   const std::string& usual_y) {
  const std::string x = options.x_label.empty() ? usual_x : options.x_label;
  const std::string y = options.y_label.empty() ? usual_y : options.y_label;
  return (x.empty() ? "" : "set xlabel " + gnuplot_text(x) + "\n") +
         (y.empty() ? "" : "set ylabel " + gnuplot_text(y) + "\n");
}

std::string heat_script(const Value& value, const Representation* type,
                        const PlotOptions& options) {
  if (!is_matrix(type))
    throw FormatError("a heat map shows a matrix of numbers, not a value of type " + print(type));
  const ArrayRef& array = value.array();
  std::int64_t height = array->shape[0], width = array->shape[1];
  if (height == 0 || width == 0) throw FormatError("there is nothing to plot: the matrix is empty");
  if (static_cast<std::size_t>(height * width) > max_numbers)
    throw FormatError("a plot shows at most " + std::to_string(max_numbers) + " numbers");
  ElementType element = array->element->scalar();
  std::string script = "$matrix << EOD\n";
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      std::int64_t at[] = {y, x};
      append(script, number(element, get_element(array, at).scalar()));
      script += ' ';
    }
    script += '\n';
  }
  script += "EOD\nset yrange [" + std::to_string(height) +
            "-0.5:-0.5]\nset xrange [-0.5:" + std::to_string(width) + "-0.5]\n";
  script += labels(options, "", "");
  // From black over red and yellow to white, readable without colours too.
  script += "set palette rgbformulae 21,22,23\nset tics out nomirror\n"
            "plot $matrix matrix with image notitle\n";
  return script;
}

/// Dates below the axis, or the clock if all is within two days.
std::string time_axis(const std::vector<Series>& all) {
  double low = INFINITY, high = -INFINITY;
  for (const Series& series : all)
    for (double x : series.xs)
      low = std::min(low, x), high = std::max(high, x);
  constexpr double two_days = 2 * 86'400;
  return std::string("set xdata time\nset timefmt '%s'\nset format x '") +
         (high - low < two_days ? "%m-%d %H:%M" : "%Y-%m-%d") +
         "'\nset xtics rotate by -30 noenhanced\nset rmargin 9\n";
}

std::string series_script(std::vector<Series> all, const PlotOptions& options) {
  bool histograms = options.kind == PlotOptions::Kind::Histogram;
  std::vector<double> bins;
  if (histograms) bins = make_histograms(all, options.bins, options.log_x);
  if (!options.legend.empty() && options.legend.size() != all.size())
    throw FormatError("the legend has " + std::to_string(options.legend.size()) +
                      " names, the plot " + std::to_string(all.size()) + " curves");
  for (std::size_t s = 0; s < options.legend.size(); ++s)
    all[s].name = options.legend[s];
  std::size_t total = 0;
  std::string script;
  for (std::size_t s = 0; s < all.size(); ++s) {
    if ((total += all[s].xs.size()) > max_numbers)
      throw FormatError("a plot shows at most " + std::to_string(max_numbers) + " numbers");
    script += block_name(s) + " << EOD\n";
    for (std::size_t i = 0; i < all[s].xs.size(); ++i) {
      append(script, all[s].xs[i]);
      script += ' ';
      append(script, all[s].ys[i]);
      if (histograms) {
        script += ' ';
        append(script, all[s].widths[i]);
      }
      script += '\n';
    }
    script += "EOD\n";
  }
  if (total == 0) throw FormatError("there is nothing to plot: the arrays are empty");
  std::string style = " with lines linewidth 2";
  if (options.kind == PlotOptions::Kind::Points) style = " with points pointtype 7 pointsize 0.6";
  if (histograms) {
    style = " with boxes";
    // An axis from the first border to the last, and from no count at all.
    script += "set style fill solid 0.6\nset yrange [" + std::string(options.log_y ? "0.5" : "0") +
              ":*]\nset xrange [";
    append(script, bins.front());
    script += ':';
    append(script, bins.back());
    script += "]\n";
  } else {
    script += "set autoscale xfix\nset offsets graph 0, graph 0, graph 0.04, graph 0.04\n";
  }
  const bool is_counted = !histograms && std::ranges::all_of(all, &Series::is_counted);
  const bool is_over_time =
      !histograms && std::ranges::none_of(all, [](const Series& one) { return one.time.empty(); });
  if (is_over_time) script += time_axis(all);
  script += labels(options,
                   is_counted     ? "index"
                   : is_over_time ? all.front().time
                                  : "",
                   histograms ? "count" : "");
  script += "set key above\nset grid\nplot "; // where it hides nothing
  for (std::size_t s = 0; s < all.size(); ++s)
    script += (s > 0 ? ", " : "") + block_name(s) + (histograms ? " using 1:2:3" : " using 1:2") +
              style + (all[s].name.empty() ? " notitle" : " title " + gnuplot_text(all[s].name));
  return script + "\n";
}

/// "plot of up and down", for those who cannot see it.
std::string description_of(const PlotOptions& options, const Value& value,
                           const Representation* type) {
  const bool is_histogram = options.kind == PlotOptions::Kind::Histogram;
  std::string text = is_histogram ? "histogram" : "plot";
  if (!options.title.empty()) return text + ": " + options.title;
  std::vector<std::string> names = options.legend;
  if (names.empty())
    for (const Series& series : series_of(value, type, options.order))
      if (!series.name.empty()) names.push_back(series.name);
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? " of " : i + 1 == names.size() ? " and " : ", ") + names[i];
  if (!options.x_label.empty()) text += " over " + options.x_label;
  return text;
}

/// Puts a text for screen readers in the place of what gnuplot says of itself.
void entitle(std::string& svg, const std::string& title) {
  const std::size_t begin = svg.find("<title>"), end = svg.find("</desc>");
  if (begin == std::string::npos || end == std::string::npos || end < begin) return;
  std::string escaped;
  for (char c : title)
    escaped += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  svg.replace(begin, end + 7 - begin, "<title>" + escaped + "</title>");
  const std::size_t root = svg.find("<svg");
  if (root != std::string::npos) svg.insert(root + 4, " role=\"img\"");
}

} // namespace

std::vector<Series> series_of(const Value& value, const Representation* type,
                              const FieldOrder& order) {
  std::vector<Series> all;
  collect(all, "", value, type, order);
  return all;
}

std::vector<std::string> names_in_list(std::string_view text) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t comma = text.find(',');
    names.emplace_back(without_blanks(text.substr(0, comma)));
    if (comma == std::string_view::npos) return names;
    text.remove_prefix(comma + 1);
  }
}

std::string plot(const Value& value, const Representation* type, const PlotOptions& options,
                 Drawing form) {
  std::string script = "set encoding utf8\n" + terminal(options, form);
  if (!options.title.empty()) script += "set title " + gnuplot_text(options.title) + "\n";
  if (options.log_x) script += "set logscale x\nset format x '%g'\n";
  if (options.log_y) script += "set logscale y\nset format y '%g'\n";
  bool heat = options.kind == PlotOptions::Kind::Heat ||
              (options.kind == PlotOptions::Kind::Automatic && is_matrix(type));
  script += heat ? heat_script(value, type, options)
                 : series_script(series_of(value, type, options.order), options);
  std::string drawn = run_gnuplot(script);
  if (form == Drawing::Svg)
    entitle(drawn, heat ? "heat map" : description_of(options, value, type));
  return drawn;
}

} // namespace sinter::repl
