#include "repl/data/data.h"

#include "lang/base/diagnostic.h"
#include "lang/syntax/lexer.h"
#include "lang/values/compression.h"
#include "lang/values/elements.h"
#include "repl/pictures/codecs.h"
#include "repl/value_source.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace sinter::repl {

namespace {

Data data_of(ExternalValue read, Representations& representations) {
  const Representation* type = representations.scalar(read.element);
  if (!read.shape.empty())
    type = representations.array(static_cast<std::uint32_t>(read.shape.size()), type);
  return {std::move(read.value), type, {}};
}

/// A record with the fields that a file names, in its order as far as the language has one.
Data record_of(std::vector<std::pair<std::string, Data>> fields, Representations& representations) {
  std::map<std::string, Data> sorted; // by bytes: the canonical order of named fields
  for (auto& [name, data] : fields) {
    std::string unique = identifier_for(name);
    for (int i = 2; sorted.contains(unique); ++i)
      unique = identifier_for(name) + "_" + std::to_string(i);
    sorted.emplace(std::move(unique), std::move(data));
  }
  Data record;
  std::vector<FieldRepresentation> types;
  std::vector<Value> values;
  for (auto& [name, data] : sorted) {
    types.push_back({name, data.type});
    values.push_back(std::move(data.value));
  }
  record.type = representations.record(types);
  record.value = Value::record(std::move(values));
  return record;
}

Data read_archive(std::string_view bytes, MemoryBudget& memory, Representations& representations) {
  std::size_t used = memory.in_use();
  std::size_t room = memory.limit() > used ? memory.limit() - used : 0;
  std::vector<std::pair<std::string, Data>> fields;
  for (auto& [name, contents] : codecs().read_archive(bytes, room)) {
    if (!name.ends_with(".npy")) continue;
    try {
      fields.emplace_back(name.substr(0, name.size() - 4),
                          data_of(read_npy(contents, memory, representations), representations));
    } catch (const FormatError& error) {
      throw FormatError("`" + name + "`: " + error.message);
    }
  }
  if (fields.empty()) throw FormatError("the archive has no .npy members");
  return record_of(std::move(fields), representations);
}

Data read_table(std::string_view bytes, const CsvOptions& options, MemoryBudget& memory,
                Representations& representations) {
  constexpr std::size_t most_remarked = 20;
  std::vector<CsvColumn> columns = read_csv(bytes, options, memory, representations);
  bool named = !columns.front().name.empty();
  // (What a type can have: see types::WrittenSize.)
  constexpr std::size_t most_named = 4000;
  if (named && columns.size() > most_named)
    throw FormatError("the table has " + std::to_string(columns.size()) +
                      " named columns, a record has at most " + std::to_string(most_named) +
                      " fields; with `--no-header --skip 1` numbers are read as a matrix");
  bool alike = std::all_of(columns.begin(), columns.end(),
                           [&](const CsvColumn& column) { return column.categories.empty(); });
  std::vector<std::string> remarks;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::vector<std::string>& words = columns[c].categories;
    if (words.empty()) continue;
    std::string text = named ? identifier_for(columns[c].name) : "column " + std::to_string(c + 1);
    text += " has words:";
    for (std::size_t i = 0; i < std::min(words.size(), most_remarked); ++i)
      text += (i > 0 ? ", " : " ") + std::to_string(i) + " is " + words[i];
    remarks.push_back(text + (words.size() > most_remarked ? ", …" : ""));
  }
  auto type_of = [&](const CsvColumn& column) {
    return representations.array(1, representations.scalar(column.element));
  };
  Data data;
  if (named) {
    std::vector<std::pair<std::string, Data>> fields;
    for (CsvColumn& column : columns)
      fields.emplace_back(column.name, Data{std::move(column.values), type_of(column), {}});
    data = record_of(std::move(fields), representations);
  } else if (columns.size() == 1) {
    data = {std::move(columns[0].values), type_of(columns[0]), {}};
  } else if (alike) { // a matrix of the widest type
    bool floats = std::any_of(columns.begin(), columns.end(),
                              [](const CsvColumn& column) { return is_float(column.element); });
    ElementType element = floats ? ElementType::F64 : ElementType::I64;
    const Representation* scalar = representations.scalar(element);
    std::int64_t rows = columns[0].values.array()->shape[0];
    auto width = static_cast<std::int64_t>(columns.size());
    ArrayRef matrix = allocate_array(memory, scalar, Extents{rows, width});
    for (std::int64_t c = 0; c < width; ++c) {
      const CsvColumn& column = columns[static_cast<std::size_t>(c)];
      for (std::int64_t r = 0; r < rows; ++r) {
        Scalar cell = get_element(column.values.array(), r).scalar();
        if (floats && !is_float(column.element))
          cell = Scalar::of(static_cast<double>(cell.as<std::int64_t>()));
        store_scalar(element, matrix->leaves[0].buffer->data(), r * width + c, cell);
      }
    }
    data = {Value(std::move(matrix)), representations.array(2, scalar), {}};
  } else {
    std::vector<const Representation*> types;
    std::vector<Value> values;
    for (CsvColumn& column : columns) {
      types.push_back(type_of(column));
      values.push_back(std::move(column.values));
    }
    data = {Value::record(std::move(values)), representations.tuple(types), {}};
  }
  data.remarks = std::move(remarks);
  return data;
}

Data read_values(std::string bytes, MemoryBudget& memory, Representations& representations) {
  ValueSource source(std::move(bytes), memory, representations);
  std::vector<const Representation*> types;
  std::vector<Value> values;
  while (!source.at_end()) {
    Data one = data_of(source.read(), representations);
    types.push_back(one.type);
    values.push_back(std::move(one.value));
  }
  if (values.size() == 1) return {std::move(values[0]), types[0], {}};
  return {Value::record(std::move(values)), representations.tuple(types), {}};
}

bool is_sound(std::string_view bytes) {
  return bytes.starts_with("RIFF") || bytes.starts_with("fLaC") || bytes.starts_with("OggS") ||
         bytes.starts_with("FORM") || bytes.starts_with("ID3");
}

/// The members of an .npz: the fields of a record, or one array that is called as numpy does.
std::string archive_of(const Value& value, const Representation* type) {
  std::vector<ArchiveMember> members;
  if (type->is_record()) {
    const RecordRepresentation& record = type->record();
    for (std::size_t i = 0; i < record.fields.size(); ++i) {
      const std::string& name = record.fields[i].name;
      bool number = std::isdigit(static_cast<unsigned char>(name[0]));
      std::string contents;
      write_npy(contents, value.fields()[i], record.fields[i].type);
      members.emplace_back((number ? "arr_" : "") + name + ".npy", std::move(contents));
    }
  } else {
    std::string contents;
    write_npy(contents, value, type);
    members.emplace_back("arr_0.npy", std::move(contents));
  }
  return codecs().write_archive(members);
}

/// Each of a tuple's values, or the value.
template <typename Write>
void write_each(const Value& value, const Representation* type, Write&& write) {
  if (!type->is_record()) return write(value, type);
  for (std::size_t i = 0; i < value.fields().size(); ++i)
    write(value.fields()[i], type->record().fields[i].type);
}

} // namespace

std::string ending_of(std::string_view path) {
  std::string name(path.substr(path.rfind('/') + 1));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(dot + 1);
}

std::string identifier_for(std::string_view text) {
  std::string name;
  for (char c : text) {
    bool good = std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    if (good || (!name.empty() && name.back() != '_')) name += good ? c : '_';
  }
  while (name.size() > 1 && name.back() == '_')
    name.pop_back();
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "x" + name;
  SourceMap sources;
  Diagnostics ignored;
  syntax::TokenStream tokens =
      syntax::tokenize(sources, sources.add("name", std::string(name)), ignored);
  bool keyword = tokens.tokens.empty() || syntax::is_keyword(tokens.tokens.front().kind);
  if (name == "_" || keyword) name += "_1";
  return name;
}

Data read_data(const std::string& path, const ReadOptions& options, MemoryBudget& memory,
               Representations& representations) {
  std::string bytes = read_file_bytes(path);
  std::string ending = ending_of(path);
  if (options.is_table || ending == "csv" || ending == "tsv") {
    CsvOptions table = options.table;
    if (ending == "tsv" && !table.delimiter) table.delimiter = '\t';
    return read_table(bytes, table, memory, representations);
  }
  if (bytes.starts_with("\x89PNG")) {
    Image image = codecs().read_png(bytes);
    return {value_of(image, memory, representations),
            representations.array(2, representations.scalar(ElementType::U32)),
            {}};
  }
  if (bytes.starts_with("PK\x03\x04")) return read_archive(bytes, memory, representations);
  if (is_sound(bytes)) {
    Sound sound = codecs().read_sound(bytes);
    return {value_of(sound, memory, representations),
            representations.array(2, representations.scalar(ElementType::F64)),
            {std::to_string(sound.rate) + " samples a second"}};
  }
  return read_values(std::move(bytes), memory, representations);
}

void write_data(const std::string& path, const Value& value, const Representation* type) {
  std::string ending = ending_of(path);
  std::string bytes;
  if (ending == "npy")
    write_npy(bytes, value, type);
  else if (ending == "npz")
    bytes = archive_of(value, type);
  else if (ending == "csv" || ending == "tsv")
    write_csv(bytes, value, type, ending == "csv" ? ',' : '\t');
  else if (ending == "png")
    bytes = codecs().write_png(image_of(value, type));
  else if (ending == "wav" || ending == "flac" || ending == "ogg")
    bytes = codecs().write_sound(sound_of(value, type, Sound().rate), ending);
  else if (ending == "bin")
    write_each(value, type,
               [&](const Value& one, const Representation* t) { write_binary(bytes, one, t); });
  else if (ending == "txt" || ending == "in" || ending == "out" || ending == "data")
    write_each(value, type, [&](const Value& one, const Representation* t) {
      write_text(bytes, one, t);
      bytes += '\n';
    });
  else
    throw FormatError("`" + path +
                      "`: the file's name must end with npy, npz, csv, tsv, png, wav, flac, ogg, "
                      "bin (binary values) or txt (values as text), or one of these and .gz");
  write_file_bytes(path, path.ends_with(".gz") ? compress(bytes) : bytes);
}

} // namespace sinter::repl
