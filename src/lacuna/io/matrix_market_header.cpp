#include "lacuna/io/matrix_market_header.h"

#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include "lacuna/io/body_lines.h"

namespace lacuna {
namespace {

constexpr std::string_view banner = "%%matrixmarket";
constexpr std::string_view hint = "%%graphblas";
constexpr std::string_view banner_form =
    "expected '%%MatrixMarket matrix|tensor|vector coordinate|array real|integer|unsigned-integer|complex|pattern "
    "general|symmetric|skew-symmetric|hermitian'";

template <typename T>
struct Choice {
  std::string_view word;
  T meaning;
};

enum class Object : std::uint8_t { Matrix, Tensor, Vector };

constexpr Choice<Object> objects[] = {
    {"matrix", Object::Matrix}, {"tensor", Object::Tensor}, {"vector", Object::Vector}};
constexpr Choice<bool> layouts[] = {{"coordinate", false}, {"array", true}};
/// A field, and the element type where that is not the natural one of the field.
struct FieldWord {
  Field field;
  std::optional<Type> type = {};
};
constexpr Choice<FieldWord> fields[] = {
    {"real", {Field::Real}},       {"double", {Field::Real}},
    {"integer", {Field::Integer}}, {"unsigned-integer", {Field::Integer, Type::UInt64}},
    {"complex", {Field::Complex}}, {"pattern", {Field::Pattern}}};
constexpr Choice<Symmetry> symmetries[] = {{"general", Symmetry::General},
                                           {"symmetric", Symmetry::Symmetric},
                                           {"skew-symmetric", Symmetry::SkewSymmetric},
                                           {"hermitian", Symmetry::Hermitian}};

template <typename T, std::size_t n>
T choose(const Text& text, TextCursor& line, const char* what, const Choice<T> (&choices)[n], TextRange& word) {
  word = line.next_word();
  const std::string lower = lower_case(line.view(word));
  std::string known;
  for (const Choice<T>& choice : choices) {
    if (choice.word == lower) return choice.meaning;
    known += (known.empty() ? "" : ", ") + std::string(choice.word);
  }
  if (lower.empty()) fail_at(text, word, fmt::format("the {} is missing from the banner: {}", what, banner_form));
  fail_at(text, word, fmt::format("the {} {} is unknown; known are: {}", what, quoted(line.view(word)), known));
}

/// Fails where a skew-symmetric matrix is to be of a type without negative values.
void check_skew_type(const Text& text, TextRange where, const MatrixMarketHeader& header) {
  if (header.symmetry != Symmetry::SkewSymmetric) return;
  if (!is_unsigned_integer(header.type) && header.type != Type::Bool) return;
  fail_at(text, where,
          fmt::format("a skew-symmetric matrix has negative values, which do not fit {}", type_name(header.type)));
}

/// Reads the banner; returns what the object is.
Object read_banner(const Text& text, TextRange range, MatrixMarketHeader& header) {
  TextCursor line(text, range.begin, range.end);
  const TextRange first = line.next_word();
  const std::string word_of_banner = lower_case(line.view(first));
  if (word_of_banner != banner && word_of_banner != banner.substr(1)) {
    fail_at(text, range, fmt::format("the first line is no Matrix Market banner: {}", banner_form));
  }
  TextRange word;
  const Object object = choose(text, line, "object", objects, word);
  header.array = choose(text, line, "layout", layouts, word);
  const FieldWord field = choose(text, line, "field", fields, word);
  header.field = field.field;
  header.symmetry = choose(text, line, "symmetry", symmetries, word);
  const TextRange rest = line.next_word();
  if (rest.begin != rest.end) fail_at(text, rest, fmt::format("{} after the banner", quoted(line.view(rest))));

  header.type = field.type.value_or(natural_type(header.field));
  if (header.array && header.field == Field::Pattern)
    fail_at(text, range, "an array has values, so it cannot be pattern");
  if (object != Object::Matrix && header.symmetry != Symmetry::General)
    fail_at(text, word, fmt::format("a {} can be general only", object == Object::Tensor ? "tensor" : "vector"));
  if (header.symmetry == Symmetry::Hermitian && header.field != Field::Complex) {
    fail_at(text, word, "a hermitian matrix is complex; write symmetric for real values");
  }
  if (header.symmetry == Symmetry::SkewSymmetric && header.field == Field::Pattern) {
    fail_at(text, word, "a pattern has no values to negate, so it cannot be skew-symmetric");
  }
  return object;
}

void read_hint(const Text& text, TextRange range, MatrixMarketHeader& header) {
  TextCursor line(text, range.begin, range.end);
  if (lower_case(line.view(line.next_word())) != hint) return;
  if (lower_case(line.view(line.next_word())) != "type") return;
  TextRange name = line.next_word();
  std::string words(line.view(name));
  for (TextRange word = line.next_word(); word.begin != word.end; word = line.next_word()) {
    words += ' ';
    words += line.view(word);
    name.end = word.end;
  }
  const std::optional<Type> type = parse_graphblas_type(words);
  if (!type) {
    fail_at(text, name,
            fmt::format("{} is not an element type; known are bool, int8_t … uint64_t, float, double, "
                        "float complex and double complex",
                        quoted(words)));
  }
  if (header.field == Field::Complex && !is_complex(*type)) {
    fail_at(text, name, fmt::format("complex values cannot be of type {}", type_name(*type)));
  }
  header.type = *type;
  check_skew_type(text, name, header);
}

/// What the line of sizes should hold, for messages.
std::string expected_sizes(Object object, bool array, std::size_t least) {
  const char* sizes = object == Object::Matrix   ? "rows, columns"
                      : object == Object::Tensor ? "the size of every mode"
                                                 : "the size";
  return fmt::format("{}{}{}", sizes, array ? "" : " and the number of entries",
                     object == Object::Tensor ? "" : fmt::format(" ({})", least));
}

void read_sizes(const Text& text, Object object, MatrixMarketHeader& header) {
  TextCursor line(text, header.sizes.begin, header.sizes.end);
  std::vector<std::int64_t> numbers;
  TextRange last;
  for (TextRange word = line.next_word(); word.begin != word.end; word = line.next_word()) {
    std::int64_t size = 0;
    const NumberFault fault = read_integer(line.view(word), size);
    if (fault != NumberFault::None) {
      fail_at(text, word, fmt::format("the size {} {}", quoted(line.view(word)), describe_fault(fault, "63 bits")));
    }
    if (size < 0) fail_at(text, word, fmt::format("a size cannot be {}", size));
    numbers.push_back(size);
    last = word;
  }
  const std::size_t least = (object == Object::Matrix ? 2 : 1) + (header.array ? 0 : 1);
  if (numbers.size() < least || (object != Object::Tensor && numbers.size() > least)) {
    fail_at(text, header.sizes,
            fmt::format("{} sizes: expected {}", numbers.size(), expected_sizes(object, header.array, least)));
  }
  header.entries_at = header.array ? header.sizes : last;
  if (!header.array) {
    header.entries = numbers.back();
    numbers.pop_back();
  }
  if (numbers.size() > most_modes)
    fail_at(text, header.sizes, fmt::format("{} modes: at most {} are possible", numbers.size(), most_modes));
  header.dimensions = numbers;
}

void check_sizes(const Text& text, MatrixMarketHeader& header) {
  const auto& dimensions = header.dimensions;
  if (header.symmetry != Symmetry::General && dimensions[0] != dimensions[1]) {
    fail_at(text, header.sizes,
            fmt::format("a {} matrix is square, but this one is {} × {}", symmetry_name(header.symmetry), dimensions[0],
                        dimensions[1]));
  }
  if (!header.array) return;
  const std::optional<std::int64_t> values = stored_values(dimensions, header.symmetry);
  if (!values) fail_at(text, header.sizes, "the array has more values than 63 bits can count");
  header.entries = *values;
}

/// Reads values as the wanted type at once where each of them can be: not parts of what becomes real, whose imaginary
/// parts are looked at, nor what becomes a bool, which says whether it is zero, nor mirrors that have no sign.
void take_wanted_type(const WantedType& wanted, MatrixMarketHeader& header) {
  const bool has_signs = !is_unsigned_integer(wanted.type) || header.symmetry != Symmetry::SkewSymmetric;
  const bool is_complex_field = header.field == Field::Complex;
  if (wanted.type == header.type || wanted.type == Type::Bool || !has_signs) return;
  if (header.field == Field::Pattern || (is_complex_field && !is_complex(wanted.type))) return;
  header.type_fix = wanted.instead(header.type);
  header.type = wanted.type;
}

}  // namespace

std::optional<std::int64_t> stored_values(const std::vector<std::int64_t>& dimensions, Symmetry symmetry) {
  if (std::find(dimensions.begin(), dimensions.end(), 0) != dimensions.end()) return 0;
  std::int64_t product = 1;
  for (const std::int64_t dimension : dimensions) {
    if (dimension > std::numeric_limits<std::int64_t>::max() / product) return std::nullopt;
    product *= dimension;
  }
  if (symmetry == Symmetry::General) return product;
  const std::int64_t diagonal = dimensions[0];
  const std::int64_t off_diagonal = (product - diagonal) / 2;
  return symmetry == Symmetry::SkewSymmetric ? off_diagonal : off_diagonal + diagonal;
}

MatrixMarketHeader read_matrix_market_header(const Text& text, const std::optional<WantedType>& wanted) {
  MatrixMarketHeader header;
  TextCursor cursor(text);
  const TextRange first = cursor.next_line();
  const Object object = read_banner(text, first, header);
  while (!cursor.at_end()) {
    const TextRange line = cursor.next_line();
    if (holds_no_entry(cursor.view(line), '%')) {
      read_hint(text, line, header);
      continue;
    }
    header.sizes = line;
    header.body = std::min(line.end + 1, text.bytes.size());
    read_sizes(text, object, header);
    check_sizes(text, header);
    check_skew_type(text, first, header);
    if (wanted) take_wanted_type(*wanted, header);
    return header;
  }
  fail_at(text, {text.bytes.size(), text.bytes.size()}, "the file ends before the line of sizes: is it cut off?");
}

}  // namespace lacuna
