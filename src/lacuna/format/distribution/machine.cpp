#include "lacuna/format/distribution/machine.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "lacuna/support/check.h"

namespace lacuna {

namespace {

constexpr std::int64_t most_processors = 0x7fffffff;

/// Throws Error where `more` times as many are too many.
std::int64_t multiplied(std::int64_t points, std::int64_t more) {
  if (more > most_processors / points)
    user_error("a machine of more than {} processors is too large; use smaller grids", most_processors);
  return points * more;
}

}  // namespace

MemoryKind memory_of(ProcessorKind kind) {
  switch (kind) {
    case ProcessorKind::Socket: return MemoryKind::Socket;
    case ProcessorKind::Gpu: return MemoryKind::Gpu;
    default: return MemoryKind::Process;
  }
}

std::string_view plural_name(ProcessorKind kind) {
  switch (kind) {
    case ProcessorKind::Process: return "processes";
    case ProcessorKind::Socket: return "sockets";
    case ProcessorKind::Gpu: return "gpus";
    case ProcessorKind::Thread: return "threads";
  }
  throw InternalError("internal error: a ProcessorKind outside its enumeration");
}

Grid::Grid(std::vector<std::int64_t> sizes) : sizes_(std::move(sizes)) {
  if (sizes_.empty()) user_error("a grid needs the size of at least one dimension, as in Grid(4)");
  std::int64_t points = 1;
  for (const std::int64_t size : sizes_) {
    if (size < 1) user_error("a grid cannot have {} processors along a dimension; the least is 1", size);
    points = multiplied(points, size);
  }
}

Grid Grid::of(ProcessorKind kind) const {
  Grid grid = *this;
  grid.kind_ = kind;
  return grid;
}

std::int64_t Grid::points() const {
  return std::accumulate(sizes_.begin(), sizes_.end(), std::int64_t{1}, std::multiplies<>());
}

std::string Grid::to_string() const {
  std::string text = fmt::format("Grid({})", fmt::join(sizes_, ","));
  if (kind_) text += fmt::format(" of {}", plural_name(*kind_));
  return text;
}

std::int64_t MachineDimension::size() const {
  if (size_ == 0)
    user_error("the machine has no dimension {} at level {}; name one that it has: M.x is the first of level 1",
               dimension_ + 1, level_ + 1);
  return size_;
}

namespace {

ProcessorKind usual_kind(std::size_t level) { return level == 0 ? ProcessorKind::Process : ProcessorKind::Thread; }

std::vector<Grid> with_kinds(std::vector<Grid> grids) {
  if (grids.empty()) user_error("a machine needs a grid, as in Grid(4)");
  std::int64_t processors = 1;
  for (std::size_t k = 0; k < grids.size(); ++k) {
    processors = multiplied(processors, grids[k].points());
    if (!grids[k].kind()) grids[k] = grids[k].of(usual_kind(k));
    if (k > 0 && *grids[k].kind() < *grids[k - 1].kind())
      user_error("a grid of {} cannot be within one of {}", plural_name(*grids[k].kind()),
                 plural_name(*grids[k - 1].kind()));
  }
  return grids;
}

}  // namespace

Machine::Machine(std::vector<Grid> grids)
    : grids_(with_kinds(std::move(grids))), x(dimension(0, 0)), y(dimension(0, 1)), z(dimension(0, 2)) {}

int Machine::dimensions() const {
  int sum = 0;
  for (const Grid& grid : grids_) sum += grid.dimensions();
  return sum;
}

std::vector<std::int64_t> Machine::sizes() const {
  std::vector<std::int64_t> all;
  for (const Grid& grid : grids_) all.insert(all.end(), grid.sizes().begin(), grid.sizes().end());
  return all;
}

MachineDimension Machine::dimension(int level, int dimension) const {
  const bool exists = level >= 0 && level < levels() && dimension >= 0 && dimension < this->level(level).dimensions();
  return {level, dimension, exists ? this->level(level).size(dimension) : 0};
}

std::int64_t Machine::processors() const {
  std::int64_t all = 1;
  for (const Grid& grid : grids_) all *= grid.points();
  return all;
}

bool Machine::has_gpus() const {
  return std::any_of(grids_.begin(), grids_.end(), [](const Grid& grid) { return grid.kind() == ProcessorKind::Gpu; });
}

std::int64_t Machine::threads() const {
  std::int64_t all = 1;
  for (const Grid& grid : grids_)
    if (grid.kind() == ProcessorKind::Thread) all *= grid.points();
  return all;
}

std::vector<std::int64_t> Machine::point(std::int64_t number) const {
  internal_check(number >= 0 && number < processors(), "processor {} of {}", number, processors());
  const std::vector<std::int64_t> sizes = this->sizes();
  std::vector<std::int64_t> point(sizes.size());
  for (std::size_t d = sizes.size(); d-- > 0;) {
    point[d] = number % sizes[d];
    number /= sizes[d];
  }
  return point;
}

std::int64_t Machine::number(const std::vector<std::int64_t>& point) const {
  internal_check(static_cast<int>(point.size()) == dimensions(), "a point of {} coordinates in a machine of {}",
                 point.size(), dimensions());
  std::int64_t number = 0;
  std::size_t d = 0;
  for (const Grid& grid : grids_) {
    for (const std::int64_t size : grid.sizes()) {
      internal_check(point[d] >= 0 && point[d] < size, "coordinate {} in a dimension of {}", point[d], size);
      number = number * size + point[d++];
    }
  }
  return number;
}

std::string Machine::to_string() const {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < grids_.size(); ++k)
    texts.push_back(grids_[k].kind() == usual_kind(k) ? Grid(grids_[k].sizes()).to_string() : grids_[k].to_string());
  return fmt::format("{}", fmt::join(texts, ","));
}

}  // namespace lacuna
