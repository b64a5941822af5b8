#include "lacuna/support/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include <fmt/format.h>

namespace lacuna {
namespace {

/// At the beginning of a mapping.
struct Header {
  std::int32_t file;
  std::uint64_t identity, bytes;
};
static_assert(sizeof(Header) < shared_header_bytes);

class OpenFile {
 public:
  explicit OpenFile(int number) : number_(number) {}
  ~OpenFile() {
    if (number_ >= 0) close(number_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int number() const { return number_; }
  int keep() { return std::exchange(number_, -1); }

 private:
  int number_;
};

std::uint64_t page_of(std::uint64_t at) { return at / page_bytes() * page_bytes(); }
std::uint64_t next_page(std::uint64_t at) { return page_of(at + page_bytes() - 1); }

/// Gets memory for a file. Signals interrupt that, and what was got by then is gone: so it is done in pieces.
bool is_filled(int file, std::size_t begin, std::size_t end) {
  constexpr std::size_t piece = std::size_t{16} << 20;
  constexpr int times = 1000;
  for (std::size_t at = begin; at < end; at += piece) {
    int error = EINTR;
    for (int k = 0; k < times && error == EINTR; ++k)
      error = posix_fallocate(file, static_cast<off_t>(at), static_cast<off_t>(std::min(piece, end - at)));
    if (error != 0) return false;
  }
  return true;
}

/// Address space that begins with a huge page, and reads as zeros; null where there is none.
std::byte* reserved(std::size_t bytes) {
  void* all = mmap(nullptr, bytes + huge_page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  auto* first = static_cast<std::byte*>(all);
  const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(all) % huge_page) % huge_page,
                    behind = page_of(huge_page - before);
  if (before > 0) munmap(first, before);
  if (behind > 0) munmap(first + before + next_page(bytes), behind);
  return first + before;
}

/// What lies there goes to huge pages, whole ones: systems give files in memory small ones, unless they are asked so.
void gather_in_huge_pages(std::byte* base, std::size_t begin, std::size_t end) {
#ifndef MADV_COLLAPSE
  constexpr int MADV_COLLAPSE = 25;  // of Linux 6.1, which older headers do not know
#endif
  const std::size_t first = (begin + huge_page - 1) / huge_page * huge_page, past = end / huge_page * huge_page;
  if (first < past) (void)madvise(base + first, past - first, MADV_COLLAPSE);
}

}  // namespace

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

void* map_shared(std::size_t begin, std::size_t bytes) {
  constexpr std::size_t most = std::size_t{1} << 62;
  if (bytes > most || begin > most) return nullptr;
  const std::size_t all = next_page(begin + bytes), used = page_of(begin - shared_header_bytes);
  OpenFile file(memfd_create("lacuna", MFD_CLOEXEC));
  struct stat status {};
  // Where memory is short, this says so; writing would end the process.
  if (file.number() < 0 || !is_filled(file.number(), 0, page_bytes()) || !is_filled(file.number(), used, all) ||
      fstat(file.number(), &status) != 0)
    return nullptr;
  std::byte* base = reserved(all);
  if (base == nullptr) return nullptr;
  if (mmap(base, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file.number(), 0) == MAP_FAILED) {
    munmap(base, all);
    return nullptr;
  }
  gather_in_huge_pages(base, begin, begin + bytes);
  return new (base) Header{file.keep(), status.st_ino, all};
}

void unmap_shared(void* base) {
  const Header header = *static_cast<const Header*>(base);
  munmap(base, header.bytes);
  close(header.file);
}

std::size_t shared_bytes(const void* base) { return static_cast<const Header*>(base)->bytes; }

SharedPlace shared_file(const void* base) {
  const Header& header = *static_cast<const Header*>(base);
  return {static_cast<std::int32_t>(getpid()), header.file, header.identity, header.bytes, 0};
}

/// Files get the least number that is free.
bool are_files_scarce(const SharedPlace& place) {
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 && static_cast<rlim_t>(place.file) >= limit.rlim_cur / 2;
}

Mapping::~Mapping() {
  if (base_ != nullptr) munmap(base_, bytes_);
}

std::optional<OpenedPlace> OpenedPlace::of(const SharedPlace& place) {
  // Where processes have other numbers, it may be anything, as a pipe.
  OpenedPlace file(open(fmt::format("/proc/{}/fd/{}", place.process, place.file).c_str(),
                        O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY),
                   place);
  struct stat status {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0) return std::nullopt;
  if (status.st_ino != place.identity || static_cast<std::uint64_t>(status.st_size) != place.bytes) return std::nullopt;
  return file;
}

OpenedPlace::~OpenedPlace() {
  if (file_ >= 0) close(file_);
}

std::optional<SharedWindow> SharedWindow::of(std::size_t bytes, const std::vector<Piece>& pieces) {
  const std::size_t all = next_page(std::max<std::size_t>(bytes, 1));
  std::byte* base = reserved(all);
  if (base == nullptr) return std::nullopt;
  SharedWindow window;
  window.all_ = Mapping(base, all);
  for (const Piece& piece : pieces) {
    if (piece.at + piece.bytes > bytes || !window.add(piece)) return std::nullopt;
    window.places_.push_back(piece.file->place());
  }
  window.refresh();
  return window;
}

bool SharedWindow::add(const Piece& piece) {
  const SharedPlace& place = piece.file->place();
  if (place.begin % page_bytes() != piece.at % page_bytes()) return false;
  if (place.begin > place.bytes || piece.bytes > place.bytes - place.begin) return false;
  const std::uint64_t end = piece.at + piece.bytes, first = std::min(next_page(piece.at), end),
                      last = std::max(page_of(end), first);
  if (first < last && mmap(all_.base() + first, last - first, PROT_READ, MAP_SHARED | MAP_FIXED | MAP_POPULATE,
                           piece.file->number(), static_cast<off_t>(place.begin + (first - piece.at))) == MAP_FAILED)
    return false;
  return add_edge(piece, piece.at, first - piece.at) && add_edge(piece, last, end - last);
}

/// Less than a page of a piece, in a page that others may have more of.
bool SharedWindow::add_edge(const Piece& piece, std::uint64_t at, std::uint64_t bytes) {
  if (bytes == 0) return true;
  const std::size_t page = page_bytes();
  const auto is_there = [&](const Edge& edge) {
    return page_of(static_cast<std::uint64_t>(edge.to - all_.base())) == page_of(at);
  };
  if (std::none_of(edges_.begin(), edges_.end(), is_there) &&
      mmap(all_.base() + page_of(at), page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
          MAP_FAILED)
    return false;
  const std::uint64_t begin = piece.file->place().begin + (at - piece.at);  // in the file
  void* from = mmap(nullptr, page, PROT_READ, MAP_SHARED, piece.file->number(), static_cast<off_t>(page_of(begin)));
  if (from == MAP_FAILED) return false;
  edges_.push_back({Mapping(from, page), static_cast<std::byte*>(from) + begin % page, all_.base() + at, bytes});
  return true;
}

void SharedWindow::refresh() {
  for (const Edge& edge : edges_) std::memcpy(edge.to, edge.from, edge.bytes);
}

}  // namespace lacuna
