#include "unit/io/numpy_testing.h"

#include <zlib.h>

namespace lacuna {
namespace {

std::string number(std::uint64_t value, int bytes) {
  std::string text;
  for (int k = 0; k < bytes; ++k, value >>= 8U) text += static_cast<char>(value & 0xFFU);
  return text;
}

std::string deflated(const std::string& contents) {
  z_stream stream = {};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(contents.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(contents.data()));
  stream.avail_in = static_cast<uInt>(contents.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace

std::string npy(const std::string& descr, const std::string& shape, const std::string& data, bool fortran) {
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
  header += std::string(63 - (10 + header.size()) % 64, ' ') + '\n';
  return "\x93NUMPY" + number(1, 2) + number(header.size(), 2) + header + data;
}

std::string zip(const std::vector<std::pair<std::string, std::string>>& files, bool compressed) {
  std::string archive, directory;
  for (const auto& [name, contents] : files) {
    const std::string packed = compressed ? deflated(contents) : contents;
    const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(contents.data()), static_cast<uInt>(contents.size()));
    const std::string record = number(20, 2) + number(0, 2) + number(compressed ? 8 : 0, 2) + number(0, 4) +
                               number(checksum, 4) + number(packed.size(), 4) + number(contents.size(), 4) +
                               number(name.size(), 2) + number(0, 2);
    directory += "PK\x01\x02" + number(20, 2) + record + number(0, 10) + number(archive.size(), 4) + name;
    archive += "PK\x03\x04" + record + name + packed;
  }
  return archive + directory + "PK\x05\x06" + number(0, 4) + number(files.size(), 2) + number(files.size(), 2) +
         number(directory.size(), 4) + number(archive.size(), 4) + number(0, 2);
}

std::string small_npz(const std::string& format, bool compressed) {
  using Ints = std::vector<std::int32_t>;
  const bool by_columns = format == "csc";
  const std::string values = bytes_of(by_columns ? std::vector<double>{-2, 1.5, 3} : std::vector<double>{1.5, -2, 3});
  std::vector<std::pair<std::string, std::string>> files;
  if (format == "coo") {
    files.emplace_back("row.npy", npy("<i4", "(3,)", bytes_of(Ints{0, 1, 1})));
    files.emplace_back("col.npy", npy("<i4", "(3,)", bytes_of(Ints{1, 0, 2})));
  } else {
    files.emplace_back("indices.npy", npy("<i4", "(3,)", bytes_of(by_columns ? Ints{1, 0, 1} : Ints{1, 0, 2})));
    files.emplace_back("indptr.npy", by_columns ? npy("<i4", "(4,)", bytes_of(Ints{0, 1, 2, 3}))
                                                : npy("<i4", "(3,)", bytes_of(Ints{0, 1, 3})));
  }
  files.emplace_back("format.npy", npy("|S3", "()", format));
  files.emplace_back("shape.npy", npy("<i8", "(2,)", bytes_of(std::vector<std::int64_t>{2, 3})));
  files.emplace_back("data.npy", npy("<f8", "(3,)", values));
  return zip(files, compressed);
}

}  // namespace lacuna
