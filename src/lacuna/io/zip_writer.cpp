#include "lacuna/io/zip_writer.h"

#include <algorithm>
#include <memory>

#include "lacuna/io/zip_records.h"
#include "lacuna/support/error.h"

namespace lacuna {
namespace {

constexpr std::uint64_t version = 45;  // of the format: the first that has 64-bit numbers

void append_number(std::string& to, std::uint64_t number, int bytes) {
  for (int k = 0; k < bytes; ++k, number >>= 8U) to += static_cast<char>(number & 0xFFU);
}

std::string deflate_all(const std::vector<std::string_view>& pieces) {
  z_stream stream = {};
  constexpr int memory_level = 8;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
    throw RuntimeFailure("cannot compress: zlib has no memory");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ended(&stream, deflateEnd);
  std::string packed, buffer(std::size_t{1} << 16U, '\0');
  const auto run = [&](std::string_view bytes, int flush) {
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      deflate(&stream, flush);
      packed.append(buffer.data(), buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  };
  constexpr std::size_t most = std::size_t{1} << 30U;
  for (std::string_view piece : pieces)
    for (; !piece.empty(); piece.remove_prefix(std::min(most, piece.size()))) run(piece.substr(0, most), Z_NO_FLUSH);
  run({}, Z_FINISH);
  return packed;
}

/// What the record before a file and the one in the directory have in common, from the needed version on.
std::string common_record(const std::string& name, std::uint64_t checksum, std::uint64_t packed, std::uint64_t size,
                          std::size_t extra_bytes) {
  constexpr std::uint64_t first_day = 0x0021;  // 1980-01-01: the same tensor gives the same file
  std::string record;
  append_number(record, version, 2);
  append_number(record, 0, 2);
  append_number(record, zip::deflated, 2);
  append_number(record, 0, 2);
  append_number(record, first_day, 2);
  append_number(record, checksum, 4);
  append_number(record, std::min(packed, zip::narrow_most), 4);
  append_number(record, std::min(size, zip::narrow_most), 4);
  append_number(record, name.size(), 2);
  append_number(record, extra_bytes, 2);
  return record;
}

}  // namespace

void ZipWriter::write(std::string_view bytes) {
  sink_(bytes);
  written_ += bytes.size();
}

void ZipWriter::add(const std::string& name, const std::vector<std::string_view>& pieces) {
  std::uint32_t checksum = 0;
  std::uint64_t size = 0;
  for (const std::string_view piece : pieces) {
    checksum = zip::checksum_of(piece, checksum);
    size += piece.size();
  }
  const std::string packed = deflate_all(pieces);
  const std::uint64_t header = written_;
  const bool wide = size >= zip::narrow_most || packed.size() >= zip::narrow_most;
  std::string local_extra, extra;
  for (std::string* each : {&local_extra, &extra}) {
    const bool has_header = each == &extra && header >= zip::narrow_most;
    if (!wide && !has_header) continue;
    append_number(*each, zip::wide_extra, 2);
    append_number(*each, (wide ? 16 : 0) + (has_header ? 8 : 0), 2);
    if (wide) append_number(*each, size, 8);
    if (wide) append_number(*each, packed.size(), 8);
    if (has_header) append_number(*each, header, 8);
  }
  const std::uint64_t said = wide ? zip::narrow_most : 0;
  const auto record = [&](std::size_t extra_bytes) {
    return common_record(name, checksum, std::max<std::uint64_t>(packed.size(), said), std::max(size, said),
                         extra_bytes);
  };
  write(std::string(zip::local_mark) + record(local_extra.size()) + name + local_extra);
  write(packed);
  directory_ += zip::directory_mark;
  append_number(directory_, version, 2);
  directory_ += record(extra.size());
  append_number(directory_, 0, 2 + 2 + 2 + 4);
  append_number(directory_, std::min(header, zip::narrow_most), 4);
  directory_ += name + extra;
  ++files_;
}

void ZipWriter::finish() {
  const std::uint64_t at = written_, bytes = directory_.size();
  std::string end;
  if (at >= zip::narrow_most) {
    end += zip::wide_end_mark;
    append_number(end, 44, 8);
    append_number(end, version, 2);
    append_number(end, version, 2);
    append_number(end, 0, 8);
    append_number(end, files_, 8);
    append_number(end, files_, 8);
    append_number(end, bytes, 8);
    append_number(end, at, 8);
    end += zip::wide_locator_mark;
    append_number(end, 0, 4);
    append_number(end, at + bytes, 8);
    append_number(end, 1, 4);
  }
  end += zip::end_mark;
  append_number(end, 0, 4);
  append_number(end, files_, 2);
  append_number(end, files_, 2);
  append_number(end, bytes, 4);
  append_number(end, std::min(at, zip::narrow_most), 4);
  append_number(end, 0, 2);
  write(directory_);
  write(end);
}

}  // namespace lacuna
