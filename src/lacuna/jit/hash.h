#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lacuna {

/// 128 bits of a text, enough to take equal hashes for equal texts.
struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  bool operator==(const Hash128&) const = default;
  std::string to_string() const;  // 32 hexadecimal digits
};

Hash128 hash128(std::string_view text);

/// The hash of several texts that no other division into texts shares.
class TextHasher {
 public:
  void add(std::string_view text) {
    joined_ += std::to_string(text.size());
    joined_ += ':';
    joined_ += text;
  }
  Hash128 finish() const { return hash128(joined_); }

 private:
  std::string joined_;
};

}  // namespace lacuna
