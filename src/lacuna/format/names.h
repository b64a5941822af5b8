#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "lacuna/format/format.h"

namespace lacuna {

/// A whole format's name. `fixed_order` 0 means that the name goes with every order.
struct FormatName {
  std::string_view name;
  int fixed_order;
  bool column_major;  // its mode order is 1,0 and may not be said differently
  Format (*make)(int order);
};

/// A level kind's words: its name, its letter when unique and its letter when not (0: none).
struct LevelName {
  std::string_view name;
  LevelKind kind;
  char letter;
  char nonunique_letter;
};

/// The tables that the parser reads and the printer writes from; the first of several fitting names is the one printed.
inline const std::vector<FormatName>& format_names() {
  static const std::vector<FormatName> names = {
      {"dense", 0, false, &dense_format},
      {"csr", 2, false, [](int) { return csr_format(); }},
      {"csc", 2, true, [](int) { return csc_format(); }},
      {"dcsr", 2, false, [](int) { return dcsr_format(); }},
      {"dcsc", 2, true, [](int) { return dcsc_format(); }},
      {"csf", 0, false, &csf_format},
      {"sparse", 0, false, &csf_format},
      {"coo", 0, false, &coo_format},
      {"bitmap", 0, false, &bitmap_format},
      {"hashed", 0, false, &hashed_format},
  };
  return names;
}

inline const std::vector<LevelName>& level_names() {
  static const std::vector<LevelName> names = {
      {"dense", LevelKind::Dense, 'd', 0},           {"compressed", LevelKind::Compressed, 's', 'u'},
      {"singleton", LevelKind::Singleton, 'q', 'c'}, {"bitmap", LevelKind::Bitmap, 'b', 0},
      {"hashed", LevelKind::Hashed, 'h', 0},         {"sparse", LevelKind::Compressed, 0, 0},
  };
  return names;
}

}  // namespace lacuna
