// Results of entry points, on standard output or in a file.
#include "lang/values/file_writer.h"
#include "repl/data/raw_elements.h"
#include "src/command.h"
#include "src/options.h"
#include "src/standard_output.h"

namespace sinter {

void OutputOptions::add_to(Options& command_line) {
  command_line
      .add_option("-o,--output", file_,
                  "Write results to this file (.npy for one array, .raw for its elements alone) "
                  "instead of standard output")
      .value_name("FILE");
  command_line.add_flag("-b,--binary", is_binary_, "Write results in the binary format");
}

void OutputOptions::write_to(ByteSink& out, const core::EntryPoint& entry,
                             const std::vector<Value>& results) const {
  const bool npy = is_npy(), raw = is_raw();
  if ((npy || raw) && results.size() != 1)
    throw UsageError("a " + std::string(npy ? ".npy" : ".raw") + " file holds one array, but `" +
                     entry.name + "` has " + std::to_string(results.size()) + " results");
  for (std::size_t i = 0; i < results.size(); ++i) {
    const core::EntryType& type = entry.results[i];
    if ((npy || raw || is_binary_) && !type.is_transparent)
      throw UsageError("a result of type `" + type.text + "` has no binary form");
    if (npy)
      write_npy(out, results[i], type.representation);
    else if (raw)
      repl::write_raw(out, results[i], type.representation);
    else if (is_binary_)
      write_binary(out, results[i], type.representation);
    else {
      std::string text;
      if (type.is_transparent)
        write_text(text, results[i], type.representation);
      else
        text = print_value(results[i], type.representation);
      out.write(text + '\n');
    }
  }
}

std::string OutputOptions::spill_path() const {
  const bool is_in_pieces = is_npy() || is_raw() || (is_binary_ && !file_.empty());
  return is_in_pieces ? FileWriter::target_of(file_).value_or("") : "";
}

void OutputOptions::write(const core::EntryPoint& entry, const std::vector<Value>& results) const {
  if (file_.empty()) {
    StandardSink out;
    return write_to(out, entry, results);
  }
  FileWriter file(file_);
  write_to(file, entry, results);
  file.finish();
}

} // namespace sinter
