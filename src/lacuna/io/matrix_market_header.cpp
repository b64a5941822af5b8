#include "lacuna/io/matrix_market_header.h"

#include <algorithm>
#include <limits>

#include "lacuna/io/body_lines.h"

namespace lacuna {
namespace {

constexpr std::string_view banner = "%%matrixmarket";
constexpr std::string_view hint = "%%graphblas";
constexpr std::string_view banner_form =
    "expected '%%MatrixMarket matrix|tensor coordinate|array real|integer|complex|pattern "
    "general|symmetric|skew-symmetric|hermitian'";

template <typename T>
struct Choice {
  std::string_view word;
  T meaning;
};

constexpr Choice<bool> objects[] = {{"matrix", false}, {"tensor", true}};
constexpr Choice<bool> layouts[] = {{"coordinate", false}, {"array", true}};
constexpr Choice<Field> fields[] = {{"real", Field::Real},
                                    {"double", Field::Real},
                                    {"integer", Field::Integer},
                                    {"complex", Field::Complex},
                                    {"pattern", Field::Pattern}};
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

/// Reads the banner; returns whether the object is a tensor.
bool read_banner(const Text& text, TextRange range, MatrixMarketHeader& header) {
  TextCursor line(text, range.begin, range.end);
  const TextRange first = line.next_word();
  if (lower_case(line.view(first)) != banner) {
    fail_at(text, range, fmt::format("the first line is no Matrix Market banner: {}", banner_form));
  }
  TextRange word;
  const bool tensor = choose(text, line, "object", objects, word);
  header.array = choose(text, line, "layout", layouts, word);
  header.field = choose(text, line, "field", fields, word);
  header.symmetry = choose(text, line, "symmetry", symmetries, word);
  const TextRange rest = line.next_word();
  if (rest.begin != rest.end) fail_at(text, rest, fmt::format("{} after the banner", quoted(line.view(rest))));

  header.type = natural_type(header.field);
  if (header.array && header.field == Field::Pattern)
    fail_at(text, range, "an array has values, so it cannot be pattern");
  if (tensor && header.symmetry != Symmetry::General) fail_at(text, word, "a tensor can be general only");
  if (header.symmetry == Symmetry::Hermitian && header.field != Field::Complex) {
    fail_at(text, word, "a hermitian matrix is complex; write symmetric for real values");
  }
  if (header.symmetry == Symmetry::SkewSymmetric && header.field == Field::Pattern) {
    fail_at(text, word, "a pattern has no values to negate, so it cannot be skew-symmetric");
  }
  return tensor;
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
  if (header.symmetry == Symmetry::SkewSymmetric && (is_unsigned_integer(*type) || *type == Type::Bool)) {
    fail_at(text, name,
            fmt::format("a skew-symmetric matrix has negative values, which do not fit {}", type_name(*type)));
  }
  header.type = *type;
}

void read_sizes(const Text& text, bool tensor, MatrixMarketHeader& header) {
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
  const std::size_t least = (tensor ? 1 : 2) + (header.array ? 0 : 1);
  if (numbers.size() < least || (!tensor && numbers.size() > least)) {
    fail_at(
        text, header.sizes,
        fmt::format("{} sizes: expected {}{}{}", numbers.size(), tensor ? "the size of every mode" : "rows, columns",
                    header.array ? "" : " and the number of entries", tensor ? "" : fmt::format(" ({})", least)));
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

MatrixMarketHeader read_matrix_market_header(const Text& text) {
  MatrixMarketHeader header;
  TextCursor cursor(text);
  const bool tensor = read_banner(text, cursor.next_line(), header);
  while (!cursor.at_end()) {
    const TextRange line = cursor.next_line();
    if (holds_no_entry(cursor.view(line), '%')) {
      read_hint(text, line, header);
      continue;
    }
    header.sizes = line;
    header.body = std::min(line.end + 1, text.bytes.size());
    read_sizes(text, tensor, header);
    check_sizes(text, header);
    return header;
  }
  fail_at(text, {text.bytes.size(), text.bytes.size()}, "the file ends before the line of sizes: is it cut off?");
}

}  // namespace lacuna
