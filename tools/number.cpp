#include "tools/number.h"

#include <charconv>
#include <complex>

#include "lacuna/notation/parse.h"

namespace lacuna::tool {
namespace {

/// All of `text` as a double, which may begin with a '+'.
std::optional<double> real(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() && stop == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// 1-2i, 2i, 1e3+2j: split at the last sign that is not an exponent's.
std::optional<Scalar> with_imaginary_unit(std::string_view text) {
  if (text.size() < 2 || (text.back() != 'i' && text.back() != 'j')) return std::nullopt;
  text.remove_suffix(1);
  std::size_t sign = text.find_last_of("+-");
  while (sign != std::string_view::npos && sign > 0 && (text[sign - 1] == 'e' || text[sign - 1] == 'E'))
    sign = text.find_last_of("+-", sign - 1);
  const bool has_real = sign != std::string_view::npos && sign > 0;
  const std::optional<double> re = has_real ? real(text.substr(0, sign)) : std::optional(0.0);
  const std::optional<double> im = real(has_real ? text.substr(sign) : text);
  if (!re || !im) return std::nullopt;
  return Scalar(std::complex<double>(*re, *im));
}

}  // namespace

std::optional<Scalar> parse_number(const std::string& text) {
  if (const std::optional<Scalar> number = with_imaginary_unit(text)) return number;
  try {
    const Expr e = parse_expression(text, {0, text.size()}, {});
    if (const auto* literal = as<Literal>(e)) return literal->value;
  } catch (const Error&) {
    // Whatever else it is, it is no number.
  }
  const std::optional<double> value = real(text);
  return value ? std::optional(Scalar(*value)) : std::nullopt;
}

Type natural_type(const Scalar& number) {
  const Type type = number.type();
  return is_complex(type) || type == Type::Bool ? type : Type::Float64;
}

}  // namespace lacuna::tool
