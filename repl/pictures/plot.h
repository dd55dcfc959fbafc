// Plots: numbers as lines, points, histograms and heat maps, drawn by gnuplot.
#pragma once

#include "lang/values/field_order.h"
#include "lang/values/format.h"

#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

/// A drawing's form: pixels, vectors, or characters.
enum class Drawing { Png, Svg, Text };

struct PlotOptions {
  enum class Kind { Automatic, Lines, Points, Histogram, Heat };
  Kind kind = Kind::Automatic; ///< heat for matrices, lines for the rest
  bool log_x = false;
  bool log_y = false;
  std::string title;
  std::string x_label, y_label;    ///< empty: "index" and "count" where that is what they are
  std::vector<std::string> legend; ///< names of the series, instead of those of fields
  int bins = 0;                    ///< of histograms; 0: by the number of values
  int width = 800, height = 500;   ///< of pixels and vectors
  int columns = 80, rows = 24;     ///< of characters
  bool color = true;               ///< of characters
  FieldOrder order{};              ///< in which fields are drawn and stand in the legend
};

/// One curve, or the values of one histogram (`ys`).
struct Series {
  std::string name; ///< empty: it has none
  std::vector<double> xs, ys;
  std::vector<double> widths = {}; ///< of a histogram's bins, whose middles are `xs`
  bool is_counted = false;         ///< `xs` are 0, 1, 2, …
  /// Of seconds since 1970-01-01 in `xs`: what their column is called; else empty.
  std::string time = {};
};

/// The series that a value holds:
///   [n]t             its values, over 0, 1, 2, …
///   ([n]t, [n]t)     x and y; further arrays are y of further series
///   [n](t, t)        points
///   {a = …, b = …}   each field as above, with its name
///   (…, …)           several of the above
/// The numbers of a table with words or dates (see table.h) are series over the first dates or
/// times that it has.
///   [k][n]t          k rows over 0, 1, 2, …
/// Throws FormatError for other types, and for x and y of different lengths.
/// The words of a table's columns are left out.
std::vector<Series> series_of(const Value& value, const Representation* type,
                              const FieldOrder& order = {});

/// "a, b" as the names of a legend.
std::vector<std::string> names_in_list(std::string_view text);

/// The picture's bytes (or characters) in the form.  Throws FormatError and RuntimeError.
std::string plot(const Value& value, const Representation* type, const PlotOptions& options,
                 Drawing form);

} // namespace sinter::repl
