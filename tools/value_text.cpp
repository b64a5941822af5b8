#include "tools/value_text.h"

#include <complex>
#include <cstdint>

#include <fmt/format.h>

#include "lacuna/io/numbers.h"
#include "lacuna/notation/parse.h"
#include "lacuna/support/narrowing.h"

namespace lacuna::tool {
namespace {

template <typename T>
std::optional<Scalar> integer(std::string_view word) {
  T value{};
  return read_integer(word, value) == NumberFault::None ? std::optional(Scalar(value)) : std::nullopt;
}

template <typename T>
std::optional<T> real(std::string_view word) {
  T value{};
  return read_real(word, value) == NumberFault::None ? std::optional(value) : std::nullopt;
}

/// 1-2i, 2i, 1e3+2j: split at the last sign that is not an exponent's.
std::optional<Scalar> with_imaginary_unit(std::string_view word) {
  if (word.size() < 2 || (word.back() != 'i' && word.back() != 'j')) return std::nullopt;
  word.remove_suffix(1);
  std::size_t sign = word.find_last_of("+-");
  while (sign != std::string_view::npos && sign > 0 && (word[sign - 1] == 'e' || word[sign - 1] == 'E'))
    sign = word.find_last_of("+-", sign - 1);
  const bool has_real = sign != std::string_view::npos && sign > 0;
  const std::optional<double> re = has_real ? real<double>(word.substr(0, sign)) : std::optional(0.0);
  const std::optional<double> im = real<double>(has_real ? word.substr(sign) : word);
  if (!re || !im) return std::nullopt;
  return Scalar(std::complex<double>(*re, *im));
}

std::optional<Scalar> literal(std::string_view word) {
  const std::string text(word);
  try {
    const Expr e = parse_expression(text, {0, text.size()}, {});
    if (const auto* found = as<Literal>(e)) return found->value;
  } catch (const Error&) {
    // Whatever else it is, it is no number.
  }
  return std::nullopt;
}

/// The number in a type that holds it exactly, or to the last digit of a double.
std::optional<Scalar> number_in(std::string_view word) {
  if (auto value = integer<std::int64_t>(word)) return value;
  if (auto value = integer<std::uint64_t>(word)) return value;
  if (auto value = real<double>(word)) return Scalar(*value);
  if (auto value = with_imaginary_unit(word)) return value;
  return literal(word);
}

/// The type of a number whose type nobody said: real ones are float64.
Type natural_type(const Scalar& number) {
  const Type type = number.type();
  return is_complex(type) || type == Type::Bool ? type : Type::Float64;
}

/// More than a double holds, as 1e400.
bool is_too_large(std::string_view word) {
  double value = 0;
  return read_real(word, value) == NumberFault::TooLarge;
}

}  // namespace

ParsedValue parse_value(std::string_view word, std::optional<Type> type) {
  if (is_too_large(word))
    return {std::nullopt, true, describe_narrowing(Narrowing::OutOfRange, type.value_or(Type::Float64))};
  const std::optional<Scalar> number = number_in(word);
  if (!number) return {std::nullopt, false, describe_fault(NumberFault::NotANumber, "")};
  const Type wanted = type.value_or(natural_type(*number));
  const Narrowing lost = narrowing_of(*number, wanted);
  if (lost != Narrowing::None) return {std::nullopt, true, describe_narrowing(lost, wanted)};
  // Rounded once, not to a double before.
  const std::optional<float> single = wanted == Type::Float32 ? real<float>(word) : std::nullopt;
  return {single ? Scalar(*single) : number->convert(wanted), true, ""};
}

}  // namespace lacuna::tool
