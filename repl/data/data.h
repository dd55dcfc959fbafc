// Data files: what is in them, as values of a session, and values as files.
// The formats themselves are lang/values (text, binary, .npy, tables) and repl/pictures (images,
// sounds, archives).
#pragma once

#include "lang/values/csv.h"
#include "lang/values/format.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

/// What a file held.
struct Data {
  Value value;
  const Representation* type = nullptr;
  FieldOrder order{}; ///< in which the file has what became fields
  /// What the value alone does not tell, a line each: "3 rows, cells between `,`".
  std::vector<std::string> remarks{};
};

/// What a file of raw elements does not say of itself.
struct RawElements {
  std::optional<ElementType> element; ///< absent: nobody has said
  Extents shape;                      ///< of each element, where that is an array
};

struct ReadOptions {
  RawElements raw;
  CsvOptions table;
  bool is_table = false; ///< as somebody states something of the table
};
/// Whether a file is read as a table: its name ends with .csv or .tsv, or it is said to be one and
/// the name does not end as those of other formats do.
bool is_table(const std::string& path, const ReadOptions& options);
/// Whether it is read as raw elements: its name ends with .raw, or their type is stated and the
/// name does not end as those of other formats do.
bool is_raw(const std::string& path, const ReadOptions& options);

/// Text and binary values (several as a tuple), .npy, .npz (a record of its members), tables (a
/// record of columns where these have names or words, see table.h, else a matrix), images
/// ([height][width]u32), sounds ([channels][n]f64), raw elements; compressed or not.  Throws
/// FormatError and RuntimeError{OutOfMemory}.
Data read_data(const std::string& path, const ReadOptions& options, MemoryBudget& memory,
               Representations& representations);

/// By the name's ending: npy, npz, csv, tsv, png, gif, wav, flac, ogg, txt, bin (Futhark's binary
/// format), raw (elements alone), in (text); each of them may be followed by .gz, .bz2, .xz or
/// .zst.  Throws FormatError.
void write_data(const std::string& path, const Value& value, const Representation* type,
                const FieldOrder& order = {});

/// Where large values may lie that memory has no room for, before `write_data` writes them to
/// `path` (MemoryBudget::Spilling); empty if they would go through memory anyway.
std::string spill_path(const std::string& path);

/// "csv" of "folder/x.CSV.gz".
std::string ending_of(std::string_view path);

} // namespace sinter::repl
