#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/io/text.h"
#include "lacuna/support/type.h"

namespace lacuna {

/// What an .npy file says before its data.
struct NpyHeader {
  std::string descr;  // NumPy's name of the element type, as "<f8"
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::size_t body = 0;    // where the data begin
  std::int64_t count = 0;  // of elements
};

/// Reads the header. Fails, with the file's name, for what is malformed or has fields.
NpyHeader read_npy_header(const Text& text);

/// An element type of NumPy that is one of ours.
struct NpyType {
  Type type = Type::Float64;
  bool swapped = false;  // bytes are in the order of other machines
};
/// None for the types that we do not have.
std::optional<NpyType> parse_npy_type(const std::string& descr);
/// What NumPy calls a type on this machine.
std::string npy_type_name(Type type);

/// A header whose length aligns the data to 64 bytes.
std::string npy_header_text(const std::string& descr, const std::vector<std::int64_t>& shape);

}  // namespace lacuna
