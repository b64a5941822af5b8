#include "lacuna/io/file_name.h"

#include "lacuna/io/text.h"

namespace lacuna {
namespace {

/// "rua", "psa" and so on: the type of a Rutherford-Boeing matrix, after which such files are often named.
bool is_matrix_type(std::string_view letters) {
  const auto is_one_of = [&](std::size_t at, std::string_view those) {
    return those.find(letters[at]) != std::string_view::npos;
  };
  return letters.size() == 3 && is_one_of(0, "rcip") && is_one_of(1, "usrzh") && is_one_of(2, "ae");
}

std::string_view line_of(std::string_view bytes, int number) {
  for (; number > 0; --number) {
    const std::size_t newline = bytes.find('\n');
    if (newline == std::string_view::npos) return {};
    bytes.remove_prefix(newline + 1);
  }
  return bytes.substr(0, bytes.find('\n'));
}

bool is_rutherford_boeing(std::string_view bytes) {
  constexpr std::size_t longest_header = 1024;
  const std::string_view header = bytes.substr(0, longest_header);
  const std::string_view formats = line_of(header, 3);
  const std::size_t first = formats.find_first_not_of(' ');
  return is_matrix_type(lower_case(line_of(header, 2).substr(0, 3))) && first != std::string_view::npos &&
         formats[first] == '(';
}

}  // namespace

std::optional<FileFormat> format_of_contents(std::string_view bytes) {
  constexpr std::string_view banner = "%%matrixmarket";
  for (const std::string_view known : {banner, banner.substr(1)})
    if (lower_case(bytes.substr(0, known.size())) == known) return FileFormat::MatrixMarket;
  if (bytes.starts_with("\x93NUMPY")) return FileFormat::Npy;
  if (bytes.starts_with("PK\x03\x04")) return FileFormat::Npz;
  if (is_rutherford_boeing(bytes)) return FileFormat::RutherfordBoeing;
  return std::nullopt;
}

NameEnding name_ending(std::string_view path) {
  std::string name = lower_case(path.substr(path.find_last_of('/') + 1));
  NameEnding result;
  if (name.ends_with(".gz")) {
    result.gzip = true;
    name.resize(name.size() - 3);
  }
  const std::size_t dot = name.rfind('.');
  if (dot != std::string::npos) result.ending = name.substr(dot);
  if (result.ending == ".mtx" || result.ending == ".ttx") result.format = FileFormat::MatrixMarket;
  else if (result.ending == ".tns") result.format = FileFormat::Frostt;
  else if (result.ending == ".npy") result.format = FileFormat::Npy;
  else if (result.ending == ".npz") result.format = FileFormat::Npz;
  else if (result.ending == ".rb" || result.ending == ".hb" ||
           (dot != std::string::npos && is_matrix_type(name.substr(dot + 1))))
    result.format = FileFormat::RutherfordBoeing;
  return result;
}

}  // namespace lacuna
