#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/loop/interpret.h"
#include "lacuna/loop/interpret/races.h"
#include "lacuna/loop/ir.h"
#include "lacuna/support/owned_memory.h"

namespace lacuna::loop::interpreter {

/// How an element is touched.
enum class Access : std::uint8_t { Read, Write, Atomic };

/// One array, arena or shelf: its elements, and what is known of each. Places that are watched are elements of arrays
/// and bytes of arenas (a field is known by its first byte).
class Memory {
 public:
  /// `device`: has the elements, if it is not null.
  Memory(const Var& var, std::int64_t element_bytes, LaunchTarget* device = nullptr)
      : var_(var), element_bytes_(element_bytes), device_(device) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { reset(); }

  const std::string& name() const { return var_.name(); }
  std::byte* data() const { return data_; }
  std::int64_t count() const { return count_; }
  std::int64_t element_bytes() const { return element_bytes_; }
  bool is_shelf() const { return var_.type().is_shelf(); }
  bool is_owned() const { return owned_; }
  /// Elements that are there while the variable is; compilers keep them in registers, so they count as no traffic.
  bool is_local() const { return !local_.empty(); }
  /// Whether elements may be unwritten, so that reads must ask `is_written`.
  bool is_tracked() const { return !written_.empty(); }

  /// Elements that the caller keeps; all count as written.
  void borrow(void* data, std::int64_t count);
  /// New elements, all zero or all unwritten. False when there is no memory for them.
  bool allocate(std::int64_t count, bool zeroed);
  /// New zeros that need no release.
  void make_local(std::int64_t count);
  /// Keeps the elements that remain; further ones are unwritten. False when there is no memory for them.
  bool resize(std::int64_t count);
  /// Back to no memory (null).
  void reset();
  /// What stands at a place of this shelf, or null: memory that no variable has.
  const Memory* kept(std::int64_t place) const { return kept_[static_cast<std::size_t>(place)].get(); }
  /// Moves the memory of an array to an empty place of this shelf.
  void keep(std::int64_t place, Memory& array);
  /// Moves what is kept at a place to an array that has no memory of its own.
  void give_back(std::int64_t place, Memory& array);
  /// Gives the elements away.
  OwnedMemory take();
  /// The same of a device's.
  void* take_from_device();

  bool is_written(std::int64_t place) const { return written_[static_cast<std::size_t>(place)] != 0; }
  void mark_written(std::int64_t place) { written_[static_cast<std::size_t>(place)] = 1; }

  /// Of how many parallel loops each thread has such memory of its own: those around the declaration.
  void declared_at(std::size_t depth) { depth_ = depth; }
  /// Notes an access of a parallel iteration. Returns what it conflicts with, or null.
  const char* touch(std::int64_t place, Access access, const IterationClock& clock);

  /// A range known to ascend, so that it is scanned once however often it is searched. A write forgets it.
  bool is_known_sorted(std::int64_t low, std::int64_t high) const { return low >= sorted_low_ && high <= sorted_high_; }
  void know_sorted(std::int64_t low, std::int64_t high) {
    sorted_low_ = low;
    sorted_high_ = high;
  }
  void forget_sorted() { sorted_high_ = sorted_low_ - 1; }

 private:
  void swap_elements(Memory& other);
  std::size_t places() const;
  void forget();

  Var var_;
  std::int64_t element_bytes_;
  LaunchTarget* device_ = nullptr;
  std::byte* data_ = nullptr;
  std::int64_t count_ = 0;
  bool owned_ = false;
  std::vector<std::byte> local_;
  std::size_t depth_ = 0;
  std::int64_t sorted_low_ = 0;
  std::int64_t sorted_high_ = -1;
  std::vector<std::uint8_t> written_;          // empty: everything is
  std::vector<Touch> touches_;                 // empty: no parallel iteration touched it
  std::vector<std::unique_ptr<Memory>> kept_;  // of a shelf: by place
};

}  // namespace lacuna::loop::interpreter
