#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/io/laws.h"
#include "lacuna/io/npy_header.h"
#include "lacuna/io/zip_writer.h"

namespace lacuna {
namespace {

/// The arrays that an archive holds, in the order in which the input has them.
std::vector<std::string> names_of(int format) {
  if (format == 2) return {"shape", "data", "row", "col"};
  if (format == 3) return {"shape", "data", "coords"};
  return {"shape", "data", "indices", "indptr"};
}

/// An archive whose checksums are right, so that damage of its arrays is reached: the first byte says the format, and
/// the rest is the arrays, with a mark between them.
std::string archive_of(std::string_view input) {
  constexpr std::string_view mark = "|||";
  constexpr std::string_view formats[] = {"csr", "csc", "coo", "coo"};
  const int format = static_cast<unsigned char>(input[0]) % 4;
  input.remove_prefix(1);
  std::string archive;
  ZipWriter writer([&](std::string_view bytes) { archive += bytes; });
  writer.add("format.npy", {npy_header_text("|S3", {}), formats[format]});
  for (const std::string& name : names_of(format)) {
    const std::size_t end = input.find(mark);
    writer.add(name + ".npy", {input.substr(0, end)});
    input = end == std::string_view::npos ? std::string_view() : input.substr(end + mark.size());
  }
  writer.finish();
  return archive;
}

}  // namespace
}  // namespace lacuna

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  lacuna::check_reading(lacuna::FileFormat::Npz, input);
  if (size > 0) lacuna::check_reading(lacuna::FileFormat::Npz, lacuna::archive_of(input));
  return 0;
}
