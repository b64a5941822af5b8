#include "lacuna/io/zip_archive.h"

#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/core.h>

#include "lacuna/io/zip_records.h"
#include "lacuna/support/error.h"

namespace lacuna {
namespace {

/// Of records without what is of varying length.
constexpr std::size_t end_bytes = 22, longest_comment = 65535, wide_locator_bytes = 20, directory_bytes = 46,
                      local_bytes = 30;

/// Inflates raw data, whose size is known.
std::string inflate_all(const Text& text, const std::string& name, std::string_view packed, std::uint64_t size) {
  // Deflate makes data 1032 times smaller at most: no memory is taken for what cannot be there.
  constexpr std::uint64_t most_deflated = 1040;
  const auto fail = [&](const std::string& why) {
    fail_in(text, fmt::format("{} in it is damaged: {}", lacuna::quoted(name), why));
  };
  if (size / most_deflated > packed.size()) fail("it says that it is larger than it can be");
  std::string result(static_cast<std::size_t>(size) + 1, '\0');  // one more shows what is too long
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw RuntimeFailure("cannot decompress: zlib has no memory");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ended(&stream, inflateEnd);
  std::size_t taken = 0, made = 0;
  int status = Z_OK;
  while (status == Z_OK && made < result.size()) {
    constexpr std::size_t most = std::numeric_limits<uInt>::max() / 2;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + taken));
    stream.avail_in = static_cast<uInt>(std::min(most, packed.size() - taken));
    stream.next_out = reinterpret_cast<Bytef*>(result.data() + made);
    stream.avail_out = static_cast<uInt>(std::min(most, result.size() - made));
    const uInt in = stream.avail_in, out = stream.avail_out;
    status = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    made += out - stream.avail_out;
  }
  if (status == Z_MEM_ERROR) throw RuntimeFailure("cannot decompress: zlib has no memory");
  if (status != Z_STREAM_END || made != size) fail("it does not decompress to the size that it says");
  result.resize(made);
  return result;
}

}  // namespace

std::uint64_t ZipArchive::number(std::size_t at, std::size_t bytes) const {
  if (at > text_.bytes.size() || text_.bytes.size() - at < bytes) fail_in(text_, "the archive is cut off");
  std::uint64_t result = 0;
  for (std::size_t k = bytes; k-- > 0;) result = result << 8U | static_cast<unsigned char>(text_.bytes[at + k]);
  return result;
}

ZipArchive::ZipArchive(const Text& text) : text_(text) { read_directory(); }

void ZipArchive::read_directory() {
  const std::string_view bytes = text_.bytes;
  const std::size_t tail = bytes.size() > end_bytes + longest_comment ? bytes.size() - end_bytes - longest_comment : 0;
  const std::size_t end = bytes.rfind(zip::end_mark);
  if (end == std::string_view::npos || end < tail || bytes.size() - end < end_bytes)
    fail_in(text_, "this is no zip archive, or it is cut off: it has no directory");
  std::uint64_t count = number(end + 10, 2), at = number(end + 16, 4);
  if (end >= wide_locator_bytes && bytes.substr(end - wide_locator_bytes).starts_with(zip::wide_locator_mark)) {
    const std::uint64_t wide_end = number(end - wide_locator_bytes + 8, 8);
    if (wide_end >= bytes.size() || !bytes.substr(wide_end).starts_with(zip::wide_end_mark))
      fail_in(text_, "the directory of the archive is damaged");
    count = number(wide_end + 32, 8);
    at = number(wide_end + 48, 8);
  }
  for (; count > 0; --count) {
    std::string name;
    std::size_t next = 0;
    const Member member = read_member(at, name, next);
    members_[name] = member;
    at = next;
  }
}

ZipArchive::Member ZipArchive::read_member(std::size_t at, std::string& name, std::size_t& next) const {
  if (at >= text_.bytes.size() || !text_.bytes.substr(at).starts_with(zip::directory_mark))
    fail_in(text_, "the directory of the archive is damaged");
  Member member{number(at + 10, 2), number(at + 16, 4), number(at + 20, 4), number(at + 24, 4), number(at + 42, 4)};
  const std::size_t name_bytes = number(at + 28, 2), extra_bytes = number(at + 30, 2);
  const std::size_t extra = at + directory_bytes + name_bytes;
  next = extra + extra_bytes + number(at + 32, 2);
  if (next > text_.bytes.size()) fail_in(text_, "the directory of the archive is cut off");
  if ((number(at + 8, 2) & 1U) != 0) fail_in(text_, "the archive is encrypted");
  name = text_.bytes.substr(at + directory_bytes, name_bytes);
  // Numbers that are too large for their place are in a field of 64-bit ones, in this order.
  for (std::size_t field = extra; field + 4 <= extra + extra_bytes;) {
    const std::size_t end = field + 4 + number(field + 2, 2);
    std::size_t value = field + 4;
    for (std::uint64_t* each : {&member.size, &member.packed, &member.header}) {
      if (number(field, 2) != zip::wide_extra || *each != zip::narrow_most || value + 8 > end) continue;
      *each = number(value, 8);
      value += 8;
    }
    field = end;
  }
  return member;
}

std::vector<std::string> ZipArchive::names() const {
  std::vector<std::string> result;
  for (const auto& each : members_) result.push_back(each.first);
  return result;
}

std::string_view ZipArchive::packed_bytes(const std::string& name, const Member& member) const {
  const std::string_view bytes = text_.bytes;
  const auto fail = [&] { fail_in(text_, fmt::format("{} in it is damaged or cut off", lacuna::quoted(name))); };
  if (member.header >= bytes.size() || !bytes.substr(member.header).starts_with(zip::local_mark)) fail();
  const std::size_t begin = member.header + local_bytes + number(member.header + 26, 2) + number(member.header + 28, 2);
  if (begin > bytes.size() || bytes.size() - begin < member.packed) fail();
  return bytes.substr(begin, member.packed);
}

std::string ZipArchive::read(const std::string& name) const {
  const Member& member = members_.at(name);
  const std::string_view packed = packed_bytes(name, member);
  std::string contents;
  if (member.method == zip::stored) contents = packed;
  else if (member.method == zip::deflated) contents = inflate_all(text_, name, packed, member.size);
  else
    fail_in(text_, fmt::format("{} in it is packed by method {}; stored and deflated ones can be read",
                               lacuna::quoted(name), member.method));
  if (contents.size() != member.size || zip::checksum_of(contents) != member.checksum)
    fail_in(text_, fmt::format("{} in it is damaged: its checksum is another", lacuna::quoted(name)));
  return contents;
}

}  // namespace lacuna
