# Writes a C++ file that carries the text of other files.
#
#   cmake -DOUTPUT=prelude_text.cpp -DHEADER=lang/prelude/prelude.h -DNAMESPACE=sinter::prelude
#         "-DFILES=a.fut;b.fut.in" -P embed.cmake
#
# The header declares, in the namespace, `struct File` with a name and a text, and `files()`, which
# is defined here.  `x.fut` or `x.md` becomes the file `x`.  A template `x.fut.in` becomes one file
# for each element type of its class, with these words replaced:
#   @type@      the element type ("u8")
#   @bits@      its width ("8")
#   @unsigned@  the unsigned type of the same width ("u8")
#   @sign@      "s" for signed, "u" for unsigned integers; empty for floats
#   @prefix@    "u" for unsigned integers, else empty
#   @extend@    "sext" for signed, "zext" for unsigned integers; empty for floats
#   @highest@   the largest finite value as a literal (integers)
#   @lowest@    the least value as an expression (integers)
#   @epsilon@   the distance from 1 to the next float as a literal (floats)
#   @infinity@  the bits of infinity, and
#   @nan@       of a value that is not a number, as literals (floats)
set(integral_TYPES i8 i16 i32 i64 u8 u16 u32 u64)
set(float_TYPES f16 f32 f64)
set(i8_HIGHEST 127)
set(i16_HIGHEST 32767)
set(i32_HIGHEST 2147483647)
set(i64_HIGHEST 9223372036854775807)
set(u8_HIGHEST 255)
set(u16_HIGHEST 65535)
set(u32_HIGHEST 4294967295)
set(u64_HIGHEST 18446744073709551615)
set(f16_EPSILON 9.765625e-4)
set(f32_EPSILON 1.1920928955078125e-7)
set(f64_EPSILON 2.220446049250313e-16)
set(f16_INFINITY 0x7c00)
set(f32_INFINITY 0x7f800000)
set(f64_INFINITY 0x7ff0000000000000)
set(f16_NAN 0x7e00)
set(f32_NAN 0x7fc00000)
set(f64_NAN 0x7ff8000000000000)

set(TEXTS "")
set(TABLE "")
function(add_text NAME TEXT)
  string(MAKE_C_IDENTIFIER "text_${NAME}" VARIABLE)
  string(APPEND TEXTS "constexpr std::string_view ${VARIABLE} =\nR\"EMBEDDED(${TEXT})EMBEDDED\";\n")
  string(APPEND TABLE "    File{\"${NAME}\", ${VARIABLE}},\n")
  set(TEXTS "${TEXTS}" PARENT_SCOPE)
  set(TABLE "${TABLE}" PARENT_SCOPE)
endfunction()

foreach(FILE IN LISTS FILES)
  file(READ "${FILE}" CONTENT)
  get_filename_component(NAME "${FILE}" NAME)
  if(NAME MATCHES "^(.*)\\.fut\\.in$")
    set(CLASS ${CMAKE_MATCH_1})
    if(NOT DEFINED ${CLASS}_TYPES)
      message(FATAL_ERROR "${FILE}: no element types are listed for this template")
    endif()
    foreach(TYPE IN LISTS ${CLASS}_TYPES)
      string(REGEX MATCH "[0-9]+" BITS ${TYPE})
      set(SIGN "")
      set(PREFIX "")
      set(EXTEND "")
      set(LOWEST "")
      if(TYPE MATCHES "^i")
        set(SIGN s)
        set(EXTEND sext)
        set(LOWEST "-${${TYPE}_HIGHEST}${TYPE} - 1${TYPE}")
      elseif(TYPE MATCHES "^u")
        set(SIGN u)
        set(EXTEND zext)
        set(PREFIX u)
        set(LOWEST "0${TYPE}")
      endif()
      string(REPLACE "@type@" "${TYPE}" EXPANDED "${CONTENT}")
      string(REPLACE "@bits@" "${BITS}" EXPANDED "${EXPANDED}")
      string(REPLACE "@unsigned@" "u${BITS}" EXPANDED "${EXPANDED}")
      string(REPLACE "@sign@" "${SIGN}" EXPANDED "${EXPANDED}")
      string(REPLACE "@prefix@" "${PREFIX}" EXPANDED "${EXPANDED}")
      string(REPLACE "@extend@" "${EXTEND}" EXPANDED "${EXPANDED}")
      string(REPLACE "@infinity@" "${${TYPE}_INFINITY}u${BITS}" EXPANDED "${EXPANDED}")
      string(REPLACE "@nan@" "${${TYPE}_NAN}u${BITS}" EXPANDED "${EXPANDED}")
      string(REPLACE "@highest@" "${${TYPE}_HIGHEST}${TYPE}" EXPANDED "${EXPANDED}")
      string(REPLACE "@lowest@" "${LOWEST}" EXPANDED "${EXPANDED}")
      string(REPLACE "@epsilon@" "${${TYPE}_EPSILON}${TYPE}" EXPANDED "${EXPANDED}")
      add_text(${TYPE} "${EXPANDED}")
    endforeach()
  else()
    get_filename_component(NAME "${FILE}" NAME_WE)
    add_text(${NAME} "${CONTENT}")
  endif()
endforeach()

file(WRITE "${OUTPUT}.new"
     "// Made by lang/embed.cmake.\n#include \"${HEADER}\"\n\n#include <array>\n\n"
     "namespace ${NAMESPACE} {\nnamespace {\n${TEXTS}"
     "constexpr std::array all_files = {\n${TABLE}};\n} // namespace\n\n"
     "std::span<const File> files() {\n  return all_files;\n}\n\n} // namespace ${NAMESPACE}\n")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
