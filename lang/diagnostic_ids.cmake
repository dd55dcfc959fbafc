# Writes the registry of diagnostic ids (lang/base/diagnostic_ids.h) from the help pages.
#
#   cmake -DOUTPUT=diagnostic_ids.cpp "-DFILES=unknown-name.md;…" -P diagnostic_ids.cmake
#
# A page begins with its id, and with what is wrong in one sentence, behind the part of the front
# end that says so:
#
#   # unknown-name
#
#   *Names:* use of a value that is not defined here.
cmake_minimum_required(VERSION 3.25)

set(PARTS Lexer Parser Loader Names "Type expressions" Types Uniqueness Modules Sizes
          Acceleration "While running") # in this order they are listed, alphabetically within a part

foreach(FILE IN LISTS FILES)
  file(READ "${FILE}" PAGE)
  get_filename_component(NAME "${FILE}" NAME_WE)
  if(NOT PAGE MATCHES "^# ([a-z-]+)\n\n\\*([A-Z][a-z ]+):\\* ([^\n]+(\n[^\n]+)*)\\.\n\n")
    message(FATAL_ERROR "${FILE} does not begin with `# id` and `*Part:* what is wrong.`")
  endif()
  set(ID "${CMAKE_MATCH_1}")
  set(PART "${CMAKE_MATCH_2}")
  string(REPLACE "\n" " " MEANING "${CMAKE_MATCH_3}")
  if(NOT ID STREQUAL NAME)
    message(FATAL_ERROR "${FILE} has the id ${ID}: a page's file is called as its id")
  endif()
  if(NOT PART IN_LIST PARTS)
    message(FATAL_ERROR "${FILE}: there is no part ${PART} (lang/diagnostic_ids.cmake lists them)")
  endif()
  string(APPEND "ROWS_OF_${PART}" "    {\"${ID}\", R\"EMBEDDED(${MEANING})EMBEDDED\"},\n")
endforeach()
set(ROWS "")
foreach(PART IN LISTS PARTS)
  string(APPEND ROWS "${ROWS_OF_${PART}}")
endforeach()

file(WRITE "${OUTPUT}.new"
     "// Made by lang/diagnostic_ids.cmake.\n#include \"lang/base/diagnostic_ids.h\"\n\n"
     "#include <array>\n\nnamespace sinter {\nnamespace {\n"
     "constexpr auto table = std::to_array<DiagnosticId>({\n${ROWS}});\n} // namespace\n\n"
     "std::span<const DiagnosticId> diagnostic_ids() {\n  return table;\n}\n\n"
     "} // namespace sinter\n")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
