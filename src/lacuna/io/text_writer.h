#pragma once

#include <cmath>
#include <complex>
#include <functional>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "lacuna/io/field.h"

namespace lacuna {

/// Formats text, and passes bytes, into large pieces for a sink.
class TextWriter {
 public:
  explicit TextWriter(std::function<void(std::string_view)> sink) : sink_(std::move(sink)) {}

  template <typename... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() >= piece_bytes) flush();
  }
  /// A value as the readers take it, in the fewest digits that read back to it; the parts of a complex value with a
  /// blank between. Bool is 0 or 1; a NaN loses its sign.
  template <typename T>
  void value(T v) {
    if constexpr (is_complex_value<T>) {
      value(v.real());
      print(" ");
      value(v.imag());
    } else if constexpr (std::is_same_v<T, bool>) {
      print("{}", v ? 1 : 0);
    } else if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(v)) print("nan");
      else print("{}", v);
    } else {
      print("{}", v);
    }
  }
  /// Bytes that are no text.
  void bytes(std::string_view bytes) {
    flush();
    sink_(bytes);
  }
  void flush() {
    sink_({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }

 private:
  static constexpr std::size_t piece_bytes = std::size_t{1} << 16U;
  std::function<void(std::string_view)> sink_;
  fmt::memory_buffer buffer_;
};

}  // namespace lacuna
