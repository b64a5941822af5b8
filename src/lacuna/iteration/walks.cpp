#include "lacuna/iteration/walks.h"

#include <algorithm>

#include "lacuna/concrete/presence.h"
#include "lacuna/concrete/walk.h"

namespace lacuna::iteration {
namespace {

using concrete::Formula;

constexpr std::size_t max_cursors = 64;  // a lattice counts them in a word; beyond them levels are located

class Finder {
 public:
  Finder(const concrete::Program& program, const Paths& paths, const concrete::Forall& f, const Standing& standing)
      : program_(program), paths_(paths), forall_(f), standing_(standing), reads_(paths.reads(f.body)) {}

  Walks run() {
    for (std::size_t p = 0; p < paths_.size(); ++p)
      if (begins_at(p) && !is_workspace(p) && level_of(p).walks()) add(p, walks_.cursors);
    walks_.lattice = lattice();
    if (walks_.lattice.full) drain();
    std::size_t number = 0;
    for (std::vector<LevelUse>* uses : {&walks_.cursors, &walks_.drained})
      for (LevelUse& u : *uses) u.use = (walks_.lattice.deciding >> number++ & 1) != 0 ? Use::Walked : Use::Followed;
    return std::move(walks_);
  }

 private:
  /// Whether the loop's variable is that of the path's next level, and something may be there.
  bool begins_at(std::size_t p) const {
    const auto level = static_cast<std::size_t>(standing_.level[p]);
    return reads_[p] > 0 && !standing_.absent[p] && level < paths_[p].variables.size() &&
           paths_[p].variables[level] == forall_.var;
  }

  const LevelFormat& level_of(std::size_t p) const {
    return program_.at(paths_[p].tensor).format.level(standing_.level[p]);
  }

  bool is_workspace(std::size_t p) const { return program_.at(paths_[p].tensor).role == concrete::Role::Workspace; }

  /// Whether the path reads a workspace that was filled before the loop and has a list, in the order of its keys.
  bool is_collected(std::size_t p) const {
    const TensorVar& tensor = paths_[p].tensor;
    return is_workspace(p) && !program_.at(tensor).format.is_dense() &&
           paths_[p].modes == paths_.first_of(tensor).modes && !concrete::assigns(forall_.body, tensor);
  }

  void add(std::size_t p, std::vector<LevelUse>& uses) {
    if (walks_.cursors.size() + walks_.drained.size() == max_cursors) return;
    uses.push_back({static_cast<int>(p), standing_.level[p], Use::Walked});
    if (!is_workspace(p)) read_once_ = read_once_ && reads_[p] == 1;
  }

  void drain() {
    for (std::size_t p = 0; p < paths_.size(); ++p)
      if (begins_at(p) && is_collected(p)) add(p, walks_.drained);
    if (walks_.drained.empty()) return;
    Lattice through = lattice();
    if (through.full) walks_.drained.clear();
    else walks_.lattice = std::move(through);
  }

  /// Over the cursors so far.
  Lattice lattice() const {
    std::vector<int> atoms;  // paths
    for (const std::vector<LevelUse>* uses : {&walks_.cursors, &walks_.drained})
      for (const LevelUse& u : *uses) atoms.push_back(u.path);
    const Formula present = concrete::presence_of<Formula>(forall_.body, [&](const Access& a) {
      const int p = paths_.of(a);
      if (p < 0) return Formula::always();
      if (standing_.absent[static_cast<std::size_t>(p)]) return Formula::never();
      const auto atom = std::find(atoms.begin(), atoms.end(), p);
      return atom == atoms.end() ? Formula::always() : Formula::atom(static_cast<int>(atom - atoms.begin()));
    });
    const std::uint64_t used = atoms.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << atoms.size()) - 1;
    return make_lattice(present, used, read_once_);
  }

  const concrete::Program& program_;
  const Paths& paths_;
  const concrete::Forall& forall_;
  const Standing& standing_;
  std::vector<int> reads_;
  bool read_once_ = true;  // no operand that is walked is read twice
  Walks walks_;
};

}  // namespace

Walks walks_of(const concrete::Program& program, const Paths& paths, const concrete::Forall& f,
               const Standing& standing) {
  return Finder(program, paths, f, standing).run();
}

}  // namespace lacuna::iteration
