#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

/// What one point of a grid stands for, from coarse to fine.
enum class ProcessorKind : std::uint8_t { Process, Socket, Gpu, Thread };

/// What a processor keeps its data in: memory of its own, that of a socket or a GPU, or that of the process it belongs
/// to.
enum class MemoryKind : std::uint8_t { Process, Socket, Gpu };

/// The memory next to a processor. Threads share that of what they belong to.
MemoryKind memory_of(ProcessorKind kind);

/// "processes", "sockets", "gpus", "threads".
std::string_view plural_name(ProcessorKind kind);

/// A grid of processors: its size along each dimension. `Grid(4, 4)`; `Grid(2).of(ProcessorKind::Socket)`.
class Grid {
 public:
  /// Throws Error unless there is a size, each is at least 1, and there are no more than 2^31 - 1 points.
  explicit Grid(std::vector<std::int64_t> sizes);
  template <std::integral... Sizes>
  explicit Grid(Sizes... sizes) : Grid(std::vector<std::int64_t>{static_cast<std::int64_t>(sizes)...}) {}

  /// The same grid of another kind of processors.
  Grid of(ProcessorKind kind) const;

  const std::vector<std::int64_t>& sizes() const { return sizes_; }
  int dimensions() const { return static_cast<int>(sizes_.size()); }
  std::int64_t size(int dimension) const { return sizes_[static_cast<std::size_t>(dimension)]; }
  /// How many points it has.
  std::int64_t points() const;
  /// None where it was not said; a machine's grids all have one.
  std::optional<ProcessorKind> kind() const { return kind_; }
  bool operator==(const Grid&) const = default;
  /// "Grid(4,4)", or "Grid(2) of sockets" where the kind was said.
  std::string to_string() const;

 private:
  std::vector<std::int64_t> sizes_;
  std::optional<ProcessorKind> kind_;
};

/// One dimension of a machine, as M.x; where a number is wanted, its size.
class MachineDimension {
 public:
  MachineDimension(int level, int dimension, std::int64_t size) : level_(level), dimension_(dimension), size_(size) {}
  int level() const { return level_; }
  int dimension() const { return dimension_; }
  /// Throws Error where the machine has no such dimension.
  std::int64_t size() const;
  operator std::int64_t() const { return size(); }

 private:
  int level_;
  int dimension_;
  std::int64_t size_;  // 0: there is none
};

/// What a program runs on: a grid of processors, each of which may be a grid itself, and so on. A value.
/// `Machine M(Grid(4, 4))`, `Machine M(Grid(2, 2), Grid(2))`. Grids that say no kind are processes outermost and
/// threads within. (With a variable, write `Machine M{Grid(n)}`: C++ takes `Machine M(Grid(n))` for a function.)
class Machine {
 public:
  /// Throws Error unless there is a grid, kinds get no coarser inwards, and there are no more than 2^31 - 1 processors.
  explicit Machine(std::vector<Grid> grids);
  template <std::same_as<Grid>... Grids>
  explicit Machine(const Grid& outermost, const Grids&... inner) : Machine(std::vector<Grid>{outermost, inner...}) {}

  int levels() const { return static_cast<int>(grids_.size()); }
  const Grid& level(int k) const { return grids_[static_cast<std::size_t>(k)]; }
  /// All dimensions of all levels, outermost first.
  int dimensions() const;
  /// Their sizes.
  std::vector<std::int64_t> sizes() const;
  /// A dimension of some level. Throws Error when asked for the size of one that does not exist.
  MachineDimension dimension(int level, int dimension) const;
  /// How many processors there are, those of the innermost level.
  std::int64_t processors() const;
  /// How many of them share a memory: the threads of a process or socket, whose numbers follow each other.
  std::int64_t threads() const;
  /// Whether its processors are GPUs, or within them.
  bool has_gpus() const;
  /// How many memories there are, and which one a processor keeps its data in.
  std::int64_t memories() const { return processors() / threads(); }
  std::int64_t memory_of(std::int64_t processor) const { return processor / threads(); }
  /// The first of the processors that share a memory with this one.
  std::int64_t first_beside(std::int64_t processor) const { return memory_of(processor) * threads(); }

  /// The coordinates of processor `number`, those of the outermost level first, the last dimension fastest.
  std::vector<std::int64_t> point(std::int64_t number) const;
  /// The number of the processor at these coordinates.
  std::int64_t number(const std::vector<std::int64_t>& point) const;

  bool operator==(const Machine& other) const { return grids_ == other.grids_; }
  /// The text that parse_machine reads back: "Grid(2,2),Grid(2)".
  std::string to_string() const;

 private:
  std::vector<Grid> grids_;

 public:
  /// The dimensions of the outermost grid, by the names that schedules and distributions give them.
  MachineDimension x, y, z;
};

/// Reads "Grid(4,4)" or "Grid(2,2), Grid(2) of sockets". Throws Error with the column.
Machine parse_machine(std::string_view text);

}  // namespace lacuna
