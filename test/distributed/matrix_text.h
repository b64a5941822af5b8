#pragma once

#include <string>

#include <fmt/format.h>

namespace lacuna {

/// A Matrix Market file of entries, and one of an array: `kind` is "real general", or the whole line after the format's
/// name.
inline std::string matrix(const std::string& kind, const std::string& sizes, const std::string& body) {
  return "%%MatrixMarket matrix coordinate " + kind + "\n% made up\n" + sizes + "\n" + body;
}

inline std::string array(const std::string& kind, const std::string& sizes, const std::string& body) {
  return "%%MatrixMarket " + kind + "\n% made up\n" + sizes + "\n" + body;
}

}  // namespace lacuna
