#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/io/laws.h"
#include "lacuna/io/gzip.h"
#include "lacuna/support/error.h"

namespace lacuna {
namespace {

void decompress(std::string_view data) {
  try {
    gunzip("input", data);
  } catch (const Error& error) {
    require(std::string_view(error.what()).starts_with("input:"), "a refusal names the file");
  }
}

void run(std::string_view data) {
  decompress(data);
  std::string zipped;
  GzipCompressor compressor([&](std::string_view bytes) { zipped += bytes; });
  compressor.append(data);
  compressor.finish();
  require(gunzip("input", zipped).bytes() == data, "data survive being compressed");
  // A good header, so that damage further on is reached, too.
  constexpr std::size_t header = 10;
  decompress(zipped.substr(0, header) + std::string(data));
}

}  // namespace
}  // namespace lacuna

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lacuna::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
