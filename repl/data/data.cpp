#include "repl/data/data.h"

#include "lang/values/compression.h"
#include "lang/values/file_writer.h"
#include "repl/data/raw_elements.h"
#include "repl/data/stored_members.h"
#include "repl/data/tables.h"
#include "repl/data/value_source.h"
#include "repl/pictures/codecs.h"

#include <algorithm>
#include <cctype>

namespace sinter::repl {

namespace {

/// Complex numbers are pairs, as in our library: each part is a view of every other float.
Data pairs_of(const ExternalValue& read, Representations& representations) {
  const Representation* part = representations.scalar(read.element);
  const Representation* pair = representations.tuple({part, part});
  const std::int64_t parts[] = {0, 1};
  const auto rank = static_cast<std::uint32_t>(read.shape.size() - 1);
  ArrayRef array = ArrayRef::adopt(new ArrayObject);
  array->element = pair;
  array->shape = read.shape;
  array->shape.pop_back();
  for (std::int64_t i : parts) {
    Leaf leaf = read.value.array()->leaves.front();
    leaf.offset += i * leaf.strides.back();
    leaf.extents.pop_back();
    leaf.strides.pop_back();
    array->leaves.push_back(std::move(leaf));
  }
  if (rank > 0) return {Value(std::move(array)), representations.array(rank, pair)};
  std::vector<Value> both;
  for (const Leaf& leaf : array->leaves)
    both.emplace_back(load_scalar(leaf.element, leaf.buffer->contents(), leaf.offset));
  return {Value::record(std::move(both)), pair};
}

Data data_of(ExternalValue read, Representations& representations) {
  if (read.is_complex) return pairs_of(read, representations);
  const Representation* type = representations.scalar(read.element);
  if (!read.shape.empty())
    type = representations.array(static_cast<std::uint32_t>(read.shape.size()), type);
  return {std::move(read.value), type};
}

/// Large members of a mapped archive that are not packed: they are not read, either.
std::vector<StoredMember> members_in_place(const FileContents& archive) {
  if (!archive.file()) return {};
  std::vector<StoredMember> members = stored_members(archive.bytes());
  std::erase_if(members, [](const StoredMember& member) {
    return member.contents.size() < MappedFile::least_bytes;
  });
  return members;
}

Data read_archive(const FileContents& archive, MemoryBudget& memory,
                  Representations& representations) {
  std::size_t used = memory.in_use();
  std::size_t room = memory.limit() > used ? memory.limit() - used : 0;
  std::vector<std::pair<std::string, Data>> fields;
  const std::vector<StoredMember> in_place = members_in_place(archive);
  std::vector<std::size_t> places;
  for (const StoredMember& member : in_place)
    places.push_back(member.index);
  const std::vector<ArchiveMember> members = read_unchanged(
      archive.file(), [&] { return codecs().read_archive(archive.bytes(), room, places); });
  auto next = in_place.begin();
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto& [name, unpacked] = members[i];
    const bool is_in_place = next != in_place.end() && next->index == i;
    const std::string_view contents = is_in_place ? (next++)->contents : unpacked;
    if (!name.ends_with(".npy")) continue;
    try {
      fields.emplace_back(
          name.substr(0, name.size() - 4),
          data_of(read_npy(contents, memory, representations, archive.file()), representations));
    } catch (const FormatError& error) {
      throw FormatError("`" + name + "`: " + error.message);
    }
  }
  if (fields.empty()) throw FormatError("the archive has no .npy members");
  return record_of(std::move(fields), representations);
}

Data read_values(FileContents contents, MemoryBudget& memory, Representations& representations) {
  ValueSource source(std::move(contents), memory, representations);
  std::vector<const Representation*> types;
  std::vector<Value> values;
  while (!source.at_end()) {
    Data one = data_of(source.read(), representations);
    types.push_back(one.type);
    values.push_back(std::move(one.value));
  }
  if (values.size() == 1) return {std::move(values[0]), types[0]};
  return {Value::record(std::move(values)), representations.tuple(types)};
}

bool is_sound(std::string_view bytes) {
  return bytes.starts_with("RIFF") || bytes.starts_with("fLaC") || bytes.starts_with("OggS") ||
         bytes.starts_with("FORM") || bytes.starts_with("ID3");
}

/// The members of an .npz: the fields of a record, or one array that is called as numpy does.
std::string archive_of(const Value& value, const Representation* type, const FieldOrder& order) {
  std::vector<ArchiveMember> members;
  if (type->is_record()) {
    const RecordRepresentation& record = type->record();
    for (std::size_t seen = 0; seen < record.fields.size(); ++seen) {
      const std::size_t i = order.field(seen);
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

/// Columnar files are known, but not read.
void require_no_arrow(std::string_view bytes) {
  const bool is_parquet = bytes.starts_with("PAR1");
  if (!is_parquet && !bytes.starts_with("ARROW1")) return;
  throw FormatError("files of " + std::string(is_parquet ? "Parquet" : "Arrow") +
                    " cannot be read, as no library of Debian 12 does; in Python `pandas.read_" +
                    std::string(is_parquet ? "parquet" : "feather") +
                    "(\"FILE\").to_csv(\"FILE.csv\", index=False)` makes a table of one that can "
                    "be read");
}

/// Each of a tuple's values, or the value.
template <typename Write>
void write_each(const Value& value, const Representation* type, const FieldOrder& order,
                Write&& write) {
  if (!type->is_record()) return write(value, type);
  for (std::size_t seen = 0; seen < value.fields().size(); ++seen) {
    const std::size_t i = order.field(seen);
    write(value.fields()[i], type->record().fields[i].type);
  }
}

/// Values as .npy, raw or binary: however large, no more than a piece of a file is kept in memory.
void write_in_pieces(const std::string& path, std::string_view ending, const Value& value,
                     const Representation* type, const FieldOrder& order) {
  FileWriter file(path);
  if (ending == "npy")
    write_npy(file, value, type);
  else if (ending == "raw")
    write_raw(file, value, type);
  else
    write_each(value, type, order,
               [&](const Value& one, const Representation* t) { write_binary(file, one, t); });
  file.finish();
}

/// Whether a name with this ending is a file's whatever the options state.
bool says_what_it_is(std::string_view ending) {
  constexpr std::string_view endings[] = {"npy", "npz",  "csv", "tsv", "png", "gif",
                                          "wav", "flac", "ogg", "bin", "raw"};
  return std::ranges::find(endings, ending) != std::end(endings);
}

/// Whether what is written to such a file goes through `write_in_pieces`.
bool is_written_in_pieces(const std::string& path) {
  const std::string ending = ending_of(path);
  return compression_named(path) == Compression::None &&
         (ending == "npy" || ending == "bin" || ending == "raw");
}

} // namespace

std::string spill_path(const std::string& path) {
  return is_written_in_pieces(path) ? FileWriter::target_of(path).value_or("") : "";
}

std::string ending_of(std::string_view path) {
  std::string name(path.substr(path.rfind('/') + 1));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  name.resize(without_compression(name).size());
  std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(dot + 1);
}

bool is_raw(const std::string& path, const ReadOptions& options) {
  const std::string ending = ending_of(path);
  return ending == "raw" || (options.raw.element && !says_what_it_is(ending));
}

bool is_table(const std::string& path, const ReadOptions& options) {
  const std::string ending = ending_of(path);
  return ending == "csv" || ending == "tsv" || (options.is_table && !says_what_it_is(ending));
}

Data read_data(const std::string& path, const ReadOptions& options, MemoryBudget& memory,
               Representations& representations) {
  if (is_raw(path, options))
    return data_of(read_raw(path, options.raw, memory, representations), representations);
  FileContents contents =
      is_table(path, options) ? FileContents(read_file_bytes(path)) : FileContents::of(path);
  const std::string_view bytes = contents.bytes();
  if (is_table(path, options)) {
    CsvOptions table = options.table;
    if (ending_of(path) == "tsv" && !table.delimiter) table.delimiter = '\t';
    return read_table(bytes, table, memory, representations);
  }
  require_no_arrow(bytes);
  if (bytes.starts_with("\x89PNG")) {
    Image image = codecs().read_png(bytes);
    return {value_of(image, memory, representations),
            representations.array(2, representations.scalar(ElementType::U32))};
  }
  if (bytes.starts_with("PK\x03\x04")) return read_archive(contents, memory, representations);
  if (is_sound(bytes)) {
    Sound sound = codecs().read_sound(bytes);
    return {value_of(sound, memory, representations),
            representations.array(2, representations.scalar(ElementType::F64)),
            {},
            {std::to_string(sound.rate) + " samples a second"}};
  }
  return read_values(std::move(contents), memory, representations);
}

void write_data(const std::string& path, const Value& value, const Representation* type,
                const FieldOrder& order) {
  std::string ending = ending_of(path);
  const Compression compression = compression_named(path);
  if (is_written_in_pieces(path)) return write_in_pieces(path, ending, value, type, order);
  std::string bytes;
  if (ending == "npy")
    write_npy(bytes, value, type);
  else if (ending == "npz")
    bytes = archive_of(value, type, order);
  else if (ending == "csv" || ending == "tsv")
    write_csv(bytes, value, type, ending == "csv" ? ',' : '\t', order);
  else if (ending == "png")
    bytes = codecs().write_png(image_of(value, type));
  else if (ending == "wav" || ending == "flac" || ending == "ogg")
    bytes = codecs().write_sound(sound_of(value, type, Sound().rate), ending);
  else if (ending == "bin")
    write_each(value, type, order,
               [&](const Value& one, const Representation* t) { write_binary(bytes, one, t); });
  else if (ending == "raw") {
    StringSink sink(bytes);
    write_raw(sink, value, type);
  } else if (ending == "txt" || ending == "in" || ending == "out" || ending == "data")
    write_each(value, type, order, [&](const Value& one, const Representation* t) {
      write_text(bytes, one, t);
      bytes += '\n';
    });
  else
    throw FormatError("`" + path +
                      "`: the file's name must end with npy, npz, csv, tsv, png, wav, flac, ogg, "
                      "bin (binary values), raw (elements alone) or txt (values as text), or one "
                      "of these and gz, "
                      "bz2, xz or zst");
  write_file_bytes(path, compression == Compression::None ? bytes : compress(bytes, compression));
}

} // namespace sinter::repl
