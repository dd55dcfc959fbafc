// What a file calls by names or lays out in columns, as values of a session.
#pragma once

#include "repl/data/data.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter::repl {

/// A record with the fields that a file names, in its order.
Data record_of(std::vector<std::pair<std::string, Data>> fields, Representations& representations);

Data read_table(std::string_view bytes, const CsvOptions& options, MemoryBudget& memory,
                Representations& representations);

} // namespace sinter::repl
