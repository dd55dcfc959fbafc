#include "repl/data/identifiers.h"

#include "lang/base/diagnostic.h"
#include "lang/syntax/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>

namespace sinter::repl {

namespace {

struct Character {
  char32_t code = 0; ///< of a byte that is no UTF-8: as in Latin-1
  std::size_t bytes = 1;
};

Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const unsigned first = byte(0);
  const std::size_t bytes = first < 0xC2   ? 1
                            : first < 0xE0 ? 2
                            : first < 0xF0 ? 3
                            : first < 0xF5 ? 4
                                           : 1;
  char32_t code = bytes == 1 ? first : first & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {first, 1};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  return {code, bytes};
}

struct Spelling {
  char32_t code;
  std::string_view text;
};

/// Those of one letter with a mark are below.
constexpr Spelling spellings[] = {
    {U'Ä', "Ae"}, {U'Å', "Aa"},  {U'Æ', "Ae"}, {U'Ð', "D"},   {U'Ö', "Oe"},  {U'Ø', "Oe"},
    {U'Ü', "Ue"}, {U'Þ', "Th"},  {U'ß', "ss"}, {U'ä', "ae"},  {U'å', "aa"},  {U'æ', "ae"},
    {U'ð', "d"},  {U'ö', "oe"},  {U'ø', "oe"}, {U'ü', "ue"},  {U'þ', "th"},  {U'Đ', "D"},
    {U'đ', "d"},  {U'Ħ', "H"},   {U'ħ', "h"},  {U'ı', "i"},   {U'Ĳ', "Ij"},  {U'ĳ', "ij"},
    {U'ĸ', "k"},  {U'Ŀ', "L"},   {U'ŀ', "l"},  {U'Ł', "L"},   {U'ł', "l"},   {U'ŉ', "n"},
    {U'Ŋ', "Ng"}, {U'ŋ', "ng"},  {U'Œ', "Oe"}, {U'œ', "oe"},  {U'Ŧ', "T"},   {U'ŧ', "t"},
    {U'ſ', "s"},  {U'Ș', "S"},   {U'ș', "s"},  {U'Ț', "T"},   {U'ț', "t"},   {U'ẞ', "Ss"},
    {U'А', "A"},  {U'Б', "B"},   {U'В', "V"},  {U'Г', "G"},   {U'Д', "D"},   {U'Е', "E"},
    {U'Ж', "Zh"}, {U'З', "Z"},   {U'И', "I"},  {U'Й', "J"},   {U'К', "K"},   {U'Л', "L"},
    {U'М', "M"},  {U'Н', "N"},   {U'О', "O"},  {U'П', "P"},   {U'Р', "R"},   {U'С', "S"},
    {U'Т', "T"},  {U'У', "U"},   {U'Ф', "F"},  {U'Х', "Kh"},  {U'Ц', "Ts"},  {U'Ч', "Ch"},
    {U'Ш', "Sh"}, {U'Щ', "Shh"}, {U'Ъ', "Q"},  {U'Ы', "Y"},   {U'Ь', "X"},   {U'Э', "Eh"},
    {U'Ю', "Yu"}, {U'Я', "Ya"},  {U'а', "a"},  {U'б', "b"},   {U'в', "v"},   {U'г', "g"},
    {U'д', "d"},  {U'е', "e"},   {U'ж', "zh"}, {U'з', "z"},   {U'и', "i"},   {U'й', "j"},
    {U'к', "k"},  {U'л', "l"},   {U'м', "m"},  {U'н', "n"},   {U'о', "o"},   {U'п', "p"},
    {U'р', "r"},  {U'с', "s"},   {U'т', "t"},  {U'у', "u"},   {U'ф', "f"},   {U'х', "kh"},
    {U'ц', "ts"}, {U'ч', "ch"},  {U'ш', "sh"}, {U'щ', "shh"}, {U'ъ', "q"},   {U'ы', "y"},
    {U'ь', "x"},  {U'э', "eh"},  {U'ю', "yu"}, {U'я', "ya"},  {U'Ё', "Yo"},  {U'ё', "yo"},
    {U'²', "2"},  {U'³', "3"},   {U'¹', "1"},  {U'⁰', "0"},   {U'°', "deg"},
};

/// The letters without their marks, from the first one on; `?`: not so.
struct Marked {
  char32_t first;
  std::string_view letters;
};
constexpr Marked marked[] = {
    {U'\u00C0', "AAAAAA?CEEEEIIII?NOOOOO??UUUUY??aaaaaa?ceeeeiiii?nooooo??uuuuy?y"
                "AaAaAaCcCcCcCcDd??EeEeEeEeEeGgGgGgGgHh??IiIiIiIiI???JjKk?LlLlLl????NnNnNn???"
                "OoOoOo??RrRrRrSsSsSsSsTtTt??UuUuUuUuUuUuWwYyYZzZzZz?"},
    {U'\u1E00', "AaBbBbBbCcDdDdDdDdDdEeEeEeEeEeFfGgHhHhHhHhHhIiIiKkKkKkLlLlLlLlMmMmMmNnNnNnNn"
                "OoOoOoOoPpPpRrRrRrRrSsSsSsSsSsTtTtTtTtUuUuUuUuUuVvVvWwWwWwWwWwXxXxYyZzZzZzhtwy"
                "??????AaAaAaAaAaAaAaAaAaAaAaAaEeEeEeEeEeEeEeEeIiIiOoOoOoOoOoOoOoOoOoOoOoOo"
                "UuUuUuUuUuUuUuYyYyYyYy??????"},
};

constexpr std::array<std::string_view, 25> greek = {
    "alpha", "beta",   "gamma",   "delta", "epsilon", "zeta",    "eta",  "theta", "iota",
    "kappa", "lambda", "mu",      "nu",    "xi",      "omicron", "pi",   "rho",   "sigma",
    "sigma", "tau",    "upsilon", "phi",   "chi",     "psi",     "omega"};

/// The name of a Greek letter, which stands alone: "delta".
std::string greek_name(char32_t code) {
  if (code == U'µ') return "mu"; // the sign of units
  const bool is_capital = code >= U'Α' && code <= U'Ω';
  if (!is_capital && (code < U'α' || code > U'ω')) return "";
  std::string name(greek.at(code - (is_capital ? U'Α' : U'α')));
  if (is_capital) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

std::string by_number(char32_t code) {
  std::array<char, 16> digits{};
  const auto end =
      std::to_chars(digits.begin(), digits.end(), static_cast<std::uint32_t>(code), 16);
  const std::string text(digits.begin(), end.ptr);
  return "u" + std::string(4 - std::min<std::size_t>(text.size(), 4), '0') + text;
}

/// How a character beyond ASCII is spelled; empty if it separates words.
std::string spelling(char32_t code) {
  if (const auto* found = std::ranges::find(spellings, code, &Spelling::code);
      found != std::end(spellings))
    return std::string(found->text);
  for (const Marked& some : marked)
    if (code >= some.first && code - some.first < some.letters.size())
      if (const char letter = some.letters[code - some.first]; letter != '?')
        return std::string(1, letter);
  if (code >= U'⁴' && code <= U'⁹') return std::string(1, static_cast<char>('0' + (code - U'⁰')));
  if (code >= U'₀' && code <= U'₉') return std::string(1, static_cast<char>('0' + (code - U'₀')));
  const bool separates = (code >= 0x80 && code < 0xC0) || code == U'×' || code == U'÷' ||
                         (code >= 0x2000 && code < 0x2070) || (code >= 0x3000 && code < 0x3005);
  return separates ? "" : by_number(code);
}

class Spelled {
public:
  std::string take(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const Character character = character_at(text, at);
      add(character.code);
      at += character.bytes;
    }
    while (name_.size() > 1 && name_.back() == '_')
      name_.pop_back();
    return std::move(name_);
  }

private:
  void add(char32_t code) {
    if (code < 0x80) {
      const auto c = static_cast<char>(code);
      if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
        letters(std::string(1, c));
      else
        separate();
      return;
    }
    if (const std::string name = greek_name(code); !name.empty()) {
      if (!behind_name_) separate();
      letters(name);
      behind_name_ = true;
      return;
    }
    if (code >= 0x300 && code < 0x370) { // a mark of the letter before it
      constexpr std::string_view with_e = "aouAOU";
      if (code == 0x308 && !name_.empty() && with_e.find(name_.back()) != with_e.npos) name_ += 'e';
      return;
    }
    const std::string text = spelling(code);
    if (text.empty())
      separate();
    else
      letters(text);
  }
  void letters(const std::string& text) {
    const bool goes_on = std::isalnum(static_cast<unsigned char>(text[0]));
    if (behind_name_ && goes_on) separate();
    behind_name_ = false;
    name_ += text;
  }
  void separate() {
    if (!name_.empty() && name_.back() != '_') name_ += '_';
    behind_name_ = false;
  }

  std::string name_;
  bool behind_name_ = false; ///< of a Greek letter
};

bool is_keyword(const std::string& name) {
  SourceMap sources;
  Diagnostics ignored;
  const syntax::TokenStream tokens =
      syntax::tokenize(sources, sources.add("name", std::string(name)), ignored);
  return tokens.tokens.empty() || syntax::is_keyword(tokens.tokens.front().kind);
}

} // namespace

std::string identifier_for(std::string_view text) {
  std::string name = Spelled().take(text);
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "x" + name;
  if (name == "_" || is_keyword(name)) name += "_1";
  return name;
}

} // namespace sinter::repl
