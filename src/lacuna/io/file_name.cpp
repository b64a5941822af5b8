#include "lacuna/io/file_name.h"

#include "lacuna/io/text.h"

namespace lacuna {

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
  else if (result.ending == ".rb") result.format = FileFormat::RutherfordBoeing;
  return result;
}

}  // namespace lacuna
