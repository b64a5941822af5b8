#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/tensor/storage.h"

namespace lacuna {

struct StoredEntry {
  std::vector<std::int64_t> coordinate;
  Scalar value;
};
/// At most so many, in the order in which they are stored; the others are not looked at.
std::vector<StoredEntry> first_entries(const Storage& tensor, std::int64_t count);

/// A tensor as text: a line with its name (which may be empty), type, dimensions and format, then a line for each of
/// its first stored entries, at most `most`.
std::string to_text(const Storage& tensor, std::string_view name, std::int64_t most = 20);

}  // namespace lacuna
