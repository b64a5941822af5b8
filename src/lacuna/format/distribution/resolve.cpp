#include "lacuna/format/distribution/resolve.h"

#include <algorithm>

#include <fmt/core.h>

#include "lacuna/support/error.h"

namespace lacuna::distribution {

namespace {

using Kind = DistTarget::Kind;
using Place = ClauseMistake::Place;

/// A letter a name: its own where it is free, else x, y, z, w and on.
std::string letters_of(const std::vector<DistVar>& names) {
  std::string letters(names.size(), '\0');
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (letters.find(names[k].letter()) == std::string::npos) letters[k] = names[k].letter();
  }
  const std::string free = "xyzwabcdefghijklmnopqrstuvABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (char& letter : letters) {
    if (letter != '\0') continue;
    const auto unused = [&](char c) { return letters.find(c) == std::string::npos; };
    const auto found = std::find_if(free.begin(), free.end(), unused);
    letter = found == free.end() ? '?' : *found;
  }
  return letters;
}

class Resolver {
 public:
  Resolver(const std::vector<DistVar>& tensor, const Grid& grid)
      : tensor_(tensor), letters_(letters_of(tensor)), grid_(grid) {}

  DistributionClause run(const std::vector<DistTarget>& targets) {
    check_tensor();
    if (static_cast<int>(targets.size()) != grid_.dimensions()) {
      fail(Place::Clause, 0, "{} has {} dimension{}, but {} {} said; '*' keeps copies along one", grid_text(),
           grid_.dimensions(), grid_.dimensions() == 1 ? "" : "s", targets.size(), targets.size() == 1 ? "is" : "are");
    }
    DistributionClause clause;
    clause.letters = letters_;
    for (std::size_t d = 0; d < targets.size(); ++d) clause.shares.push_back(share(targets[d], d));
    return clause;
  }

 private:
  template <typename... Args>
  [[noreturn]] static void fail(Place place, std::size_t index, fmt::format_string<Args...> message, Args&&... args) {
    throw ClauseMistake{place, index, fmt::format(message, std::forward<Args>(args)...)};
  }

  std::string grid_text() const { return Grid(grid_.sizes()).to_string(); }

  void check_tensor() const {
    for (std::size_t k = 0; k < tensor_.size(); ++k) {
      const auto first = std::find(tensor_.begin(), tensor_.end(), tensor_[k]) - tensor_.begin();
      if (static_cast<std::size_t>(first) != k)
        fail(Place::Tensor, k, "{} names two dimensions of the tensor; give each a letter of its own",
             letters_[static_cast<std::size_t>(first)]);
    }
  }

  Share share(const DistTarget& target, std::size_t d) {
    Share share{target.kind, {}, target.number, target.begins};
    const std::int64_t size = grid_.size(static_cast<int>(d));
    switch (target.kind) {
      case Kind::Broadcast: return share;
      case Kind::Fixed:
        if (target.number < 0 || target.number >= size) {
          fail(Place::Target, d, "coordinate {} is outside of the machine: dimension {} of {} has 0 to {}",
               target.number, d + 1, grid_text(), size - 1);
        }
        return share;
      case Kind::Block: {
        const std::vector<int> modes = modes_of(target, d);
        // A name that the tensor does not have stands for all of its coordinates.
        if (modes.empty()) return Share{};
        share.modes = modes;
        return share;
      }
      case Kind::Ranges:
        check_begins(target.begins, d, size);
        share.modes = known_modes(target, d);
        return share;
      case Kind::Cyclic:
        if (target.number < 1) fail(Place::Target, d, "a block of {} coordinates; the least is 1", target.number);
        share.modes = known_modes(target, d);
        return share;
      case Kind::NonZero:
        if (counted_) fail(Place::Target, d, "only one dimension of a grid can count what is stored (~)");
        if (target.names.empty()) fail(Place::Target, d, "~ needs the names of what is counted");
        counted_ = true;
        share.modes = known_modes(target, d);
        return share;
    }
    throw InternalError("internal error: a DistTarget::Kind outside its enumeration");
  }

  void check_begins(const std::vector<std::int64_t>& begins, std::size_t d, std::int64_t size) const {
    if (std::ssize(begins) != size - 1) {
      fail(Place::Target, d,
           "{} number{} where blocks begin make{} {} blocks, and dimension {} of {} has {} processors", begins.size(),
           begins.size() == 1 ? "" : "s", begins.size() == 1 ? "s" : "", begins.size() + 1, d + 1, grid_text(), size);
    }
    if (!std::is_sorted(begins.begin(), begins.end()) || (!begins.empty() && begins.front() < 0))
      fail(Place::Target, d, "blocks begin one after the other, and none before 0");
  }

  std::vector<int> known_modes(const DistTarget& target, std::size_t d) {
    const std::vector<int> modes = modes_of(target, d);
    if (modes.size() != target.names.size()) {
      fail(Place::Target, d, "a name in it is no dimension of the tensor ({}), so nothing can be partitioned by it",
           letters_);
    }
    return modes;
  }

  /// Those of the names that the tensor has; a name may be there once on the machine's side.
  std::vector<int> modes_of(const DistTarget& target, std::size_t d) {
    std::vector<int> modes;
    const std::ptrdiff_t before = std::ssize(used_);
    for (const DistVar& name : target.names) {
      const auto first = std::find(used_.begin(), used_.end(), name);
      if (first - used_.begin() < before)
        fail(Place::Target, d, "{} names two dimensions of the machine; write '*' for one of them, which keeps copies",
             letter_of(name));
      if (first != used_.end()) fail(Place::Target, d, "{} is there twice; write it once", letter_of(name));
      used_.push_back(name);
      const auto found = std::find(tensor_.begin(), tensor_.end(), name);
      if (found != tensor_.end()) modes.push_back(static_cast<int>(found - tensor_.begin()));
    }
    return modes;
  }

  std::string letter_of(const DistVar& name) const {
    const auto found = std::find(tensor_.begin(), tensor_.end(), name);
    if (found != tensor_.end()) return std::string(1, letters_[static_cast<std::size_t>(found - tensor_.begin())]);
    return name.letter() == '\0' ? "a name" : std::string(1, name.letter());
  }

  const std::vector<DistVar>& tensor_;
  const std::string letters_;
  const Grid& grid_;
  std::vector<DistVar> used_;
  bool counted_ = false;
};

}  // namespace

DistributionClause resolve_clause(const std::vector<DistVar>& tensor, const std::vector<DistTarget>& targets,
                                  const Grid& grid) {
  return Resolver(tensor, grid).run(targets);
}

}  // namespace lacuna::distribution
