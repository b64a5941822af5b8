#include "lacuna/io/npy_header.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

#include <fmt/ranges.h>

#include "lacuna/io/coordinate_body.h"

namespace lacuna {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;

/// Reads the text of a Python dictionary of strings, booleans and tuples of integers, as NumPy writes it.
class DictionaryReader {
 public:
  DictionaryReader(const Text& text, std::string_view dictionary) : text_(text), rest_(dictionary) {}

  void expect(char c) {
    if (!take(c)) fail(fmt::format("expected '{}'", c));
  }
  bool take(char c) {
    skip_blanks();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string read_string() {
    skip_blanks();
    const char quote = rest_.empty() ? '\0' : rest_[0];
    const std::size_t end = quote == '\'' || quote == '"' ? rest_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) fail("expected a string");
    const std::string result(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return result;
  }
  bool read_boolean() {
    skip_blanks();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    fail("expected True or False");
  }
  std::vector<std::int64_t> read_tuple() {
    std::vector<std::int64_t> numbers;
    expect('(');
    while (!take(')')) {
      numbers.push_back(read_number());
      take('L');  // as Python 2 wrote long integers
      if (numbers.size() > most_modes) fail(fmt::format("at most {} modes are possible", most_modes));
      if (take(')')) break;
      expect(',');
    }
    return numbers;
  }
  void expect_end() {
    skip_blanks();
    if (!rest_.empty()) fail("expected its end");
  }
  [[noreturn]] void fail(const std::string& reason) const {
    fail_in(text_, fmt::format("the header of the .npy data is malformed at {}: {}", lacuna::quoted(rest_), reason));
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && (is_blank(rest_[0]) || rest_[0] == '\n')) rest_.remove_prefix(1);
  }
  std::int64_t read_number() {
    skip_blanks();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error != std::errc()) fail("expected a size of 63 bits");
    if (number < 0) fail("a size cannot be negative");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return number;
  }

  const Text& text_;
  std::string_view rest_;
};

/// The bytes of the dictionary; sets where the data begin.
std::string_view dictionary_of(const Text& text, NpyHeader& header) {
  constexpr std::size_t start = npy_magic.size() + 2;
  if (!text.bytes.starts_with(npy_magic) || text.bytes.size() < start)
    fail_in(text, "it does not begin as .npy data do");
  const auto byte = [&](std::size_t at) {
    return static_cast<std::size_t>(static_cast<unsigned char>(text.bytes[at]));
  };
  const std::size_t version = byte(npy_magic.size());
  if (version < 1 || version > 3) fail_in(text, fmt::format("version {} of .npy is unknown", version));
  const std::size_t width = version == 1 ? 2 : 4;
  if (text.bytes.size() < start + width) fail_in(text, "the .npy data are cut off in their header");
  std::size_t length = 0;
  for (std::size_t k = width; k-- > 0;) length = length * 256 + byte(start + k);
  if (text.bytes.size() - start - width < length) fail_in(text, "the .npy data are cut off in their header");
  header.body = start + width + length;
  return text.bytes.substr(start + width, length);
}

std::int64_t count_of(const Text& text, const std::vector<std::int64_t>& shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size > std::numeric_limits<std::int64_t>::max() / count)
      fail_in(text, "the .npy array has more values than 63 bits can count");
    count *= size;
  }
  return count;
}

constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';

}  // namespace

NpyHeader read_npy_header(const Text& text) {
  NpyHeader header;
  DictionaryReader reader(text, dictionary_of(text, header));
  bool has_descr = false, has_order = false, has_shape = false;
  reader.expect('{');
  while (!reader.take('}')) {
    const std::string key = reader.read_string();
    reader.expect(':');
    if (key == "descr") {
      if (reader.take('[')) fail_in(text, "the .npy array has elements with fields; only plain numbers can be read");
      header.descr = reader.read_string();
      has_descr = true;
    } else if (key == "fortran_order") {
      header.fortran_order = reader.read_boolean();
      has_order = true;
    } else if (key == "shape") {
      header.shape = reader.read_tuple();
      has_shape = true;
    } else {
      reader.fail(fmt::format("the key {} is unknown", lacuna::quoted(key)));
    }
    if (reader.take('}')) break;
    reader.expect(',');
  }
  reader.expect_end();
  if (!has_descr || !has_order || !has_shape) reader.fail("descr, fortran_order or shape is missing");
  header.count = count_of(text, header.shape);
  return header;
}

std::optional<NpyType> parse_npy_type(const std::string& descr) {
  if (descr.size() < 3) return std::nullopt;
  const char order = descr[0];
  if (order != '<' && order != '>' && order != '|' && order != '=') return std::nullopt;
  const std::string name = descr.substr(1);
  for (int k = 0; k < type_count; ++k) {
    const auto type = static_cast<Type>(k);
    if (name != npy_type_name(type).substr(1)) continue;
    return NpyType{type, (order == '<' || order == '>') && order != native_order && size_of(type) > 1};
  }
  return std::nullopt;
}

std::string npy_type_name(Type type) {
  const char kind = type == Type::Bool          ? 'b'
                    : is_signed_integer(type)   ? 'i'
                    : is_unsigned_integer(type) ? 'u'
                    : is_complex(type)          ? 'c'
                                                : 'f';
  return fmt::format("{}{}{}", size_of(type) == 1 ? '|' : native_order, kind, size_of(type));
}

std::string npy_header_text(const std::string& descr, const std::vector<std::int64_t>& shape) {
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                       fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const std::size_t before = npy_magic.size() + 4;
  dictionary.append(alignment - (before + dictionary.size() + 1) % alignment, ' ');
  dictionary += '\n';
  std::string header(npy_magic);
  header += '\x01';
  header += '\0';
  header += static_cast<char>(dictionary.size() % 256);
  header += static_cast<char>(dictionary.size() / 256);
  return header + dictionary;
}

}  // namespace lacuna
