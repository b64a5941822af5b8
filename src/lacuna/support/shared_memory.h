#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lacuna {

/// Where something lies that other processes of this computer may read: in a file without a name, in memory, that a
/// process has open. It is gone with the last process that has it open or mapped, however that ends.
struct SharedPlace {
  std::int32_t process = 0, file = 0;  // that process, and its number of the file
  std::uint64_t identity = 0;          // of the file: its number may be that of another one later
  std::uint64_t bytes = 0;             // of the file
  std::uint64_t begin = 0;             // of what lies there, in bytes

  bool operator==(const SharedPlace&) const = default;
};

/// Files are mapped page by page, of so many bytes; what is large is quicker to find in huge ones.
std::size_t page_bytes();
inline constexpr std::size_t huge_page = std::size_t{1} << 21;

/// Of shared memory are taken before what is used: for the functions below, and what callers write there.
inline constexpr std::size_t shared_header_bytes = 64;

/// Memory in such a file, zeroed, all of it there, of which `bytes` from `begin` on are used, which is behind the
/// header. In huge pages where the system has them. Null where it has no memory.
void* map_shared(std::size_t begin, std::size_t bytes);
/// All of these of what map_shared returned.
void unmap_shared(void* base);
std::size_t shared_bytes(const void* base);
SharedPlace shared_file(const void* base);
/// Whether so many files are open here, with that of a place, that what can do without should leave the rest to others.
bool are_files_scarce(const SharedPlace& place);

/// A place that this process has open: then it stays, whatever the one does that has it.
class OpenedPlace {
 public:
  /// None where this process may not read it, or it is not there any more.
  static std::optional<OpenedPlace> of(const SharedPlace& place);
  OpenedPlace(OpenedPlace&& other) noexcept : file_(std::exchange(other.file_, -1)), place_(other.place_) {}
  OpenedPlace& operator=(OpenedPlace&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(place_, other.place_);
    return *this;
  }
  ~OpenedPlace();
  int number() const { return file_; }
  const SharedPlace& place() const { return place_; }

 private:
  OpenedPlace(int file, const SharedPlace& place) : file_(file), place_(place) {}
  int file_;
  SharedPlace place_;
};

/// A stretch of address space, of whole pages, that begins with a huge one.
class Mapping {
 public:
  Mapping() = default;
  Mapping(void* base, std::size_t bytes) : base_(static_cast<std::byte*>(base)), bytes_(bytes) {}
  Mapping(Mapping&& other) noexcept : base_(std::exchange(other.base_, nullptr)), bytes_(other.bytes_) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Mapping();
  std::byte* base() const { return base_; }

 private:
  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0;
};

/// What processes of this computer have in several places, to be read here as one stretch of memory. Nothing is copied
/// but what lies in pages that places share.
class SharedWindow {
 public:
  struct Piece {
    const OpenedPlace* file = nullptr;
    std::uint64_t at = 0, bytes = 0;  // where in the window; in its page as far from the beginning as the place is
  };
  /// Of so many bytes, which are 0 where no piece is. None where the system does not map them.
  static std::optional<SharedWindow> of(std::size_t bytes, const std::vector<Piece>& pieces);

  /// Of the pieces, in their order.
  const std::vector<SharedPlace>& places() const { return places_; }
  const std::byte* data() const { return all_.base(); }
  /// To be called when other values lie there.
  void refresh();

 private:
  struct Edge {
    Mapping page;  // of the place
    const std::byte* from;
    std::byte* to;
    std::size_t bytes;
  };
  bool add(const Piece& piece);
  bool add_edge(const Piece& piece, std::uint64_t at, std::uint64_t bytes);

  std::vector<SharedPlace> places_;
  Mapping all_;
  std::vector<Edge> edges_;  // parts of pages
};

}  // namespace lacuna
