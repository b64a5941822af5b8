#include "lacuna/schedule/directives/fission.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "lacuna/concrete/walk.h"

namespace lacuna::directives {
namespace {

using concrete::Assign;
using concrete::Program;
using concrete::Stmt;

std::vector<Stmt> one_after_the_other(const Stmt& s) {
  const auto* q = std::get_if<concrete::Sequence>(&s->kind);
  return q == nullptr ? std::vector<Stmt>{s} : q->statements;
}

std::set<TensorVar> read_by(const Stmt& s) {
  std::set<TensorVar> all;
  concrete::each_assign(s, [&](const Assign& a) {
    for (const Access& x : accesses(a.rhs)) all.insert(x.tensor);
  });
  return all;
}

bool makes_one_of(const Stmt& producer, const std::set<TensorVar>& read) {
  return std::any_of(read.begin(), read.end(), [&](const TensorVar& t) { return concrete::produces(producer, t); });
}

/// The statement where what it reads is made by those of the producers that do.
Stmt with_producers(const Stmt& s, const std::vector<Stmt>& producers) {
  std::set<TensorVar> read = read_by(s);
  std::vector<Stmt> needed;
  for (auto producer = producers.rbegin(); producer != producers.rend(); ++producer) {
    if (!makes_one_of(*producer, read)) continue;
    read.merge(read_by(*producer));
    needed.insert(needed.begin(), *producer);
  }
  return needed.empty() ? s : concrete::where(s, concrete::sequence(std::move(needed)));
}

/// A tensor that one statement assigns to and another reads; null where there is none.
const TensorVar* made_and_read(const std::set<TensorVar>& read, const Stmt& by) {
  const auto made =
      std::find_if(read.begin(), read.end(), [&](const TensorVar& t) { return concrete::assigns(by, t); });
  return made == read.end() ? nullptr : &*made;
}

/// Whether a statement assigns a tensor afresh where others may have added to it, or do so in later turns of the loops.
bool clears(const Program& p, const std::vector<IndexVar>& loops, const Stmt& s, const TensorVar& tensor, bool first) {
  bool found = false;
  concrete::each_assign(s, [&](const Assign& a) {
    if (!(a.target.tensor == tensor) || a.accumulate) return;
    const bool each_in_one_turn = std::all_of(loops.begin(), loops.end(), [&](const IndexVar& loop) {
      const std::vector<IndexVar> all = p.provenance.underived(loop);
      return std::all_of(all.begin(), all.end(), [&](const IndexVar& v) { return contains(a.target.indices, v); });
    });
    found = found || !first || !each_in_one_turn;
  });
  return found;
}

std::set<TensorVar> assigned_by(const Stmt& s) {
  std::set<TensorVar> all;
  concrete::each_assign(s, [&](const Assign& a) { all.insert(a.target.tensor); });
  return all;
}

}  // namespace

Fission::Fission(const Stmt& inside) {
  const auto* w = std::get_if<concrete::Where>(&inside->kind);
  if (w == nullptr) {
    statements_ = one_after_the_other(inside);
    return;
  }
  const Fission consumer(w->consumer);
  statements_ = consumer.statements_;
  producers_ = consumer.producers_;
  producers_.push_back(one_after_the_other(w->producer));
}

Stmt Fission::part(std::size_t first, std::size_t last) const {
  const auto begin = statements_.begin();
  Stmt s = concrete::sequence({begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last)});
  for (const std::vector<Stmt>& producers : producers_) s = with_producers(s, producers);
  return s;
}

std::string Fission::obstacle(const Program& p, const std::vector<IndexVar>& loops, const std::vector<Stmt>& parts) {
  for (std::size_t a = 0; a < parts.size(); ++a) {
    const std::set<TensorVar> read = read_by(parts[a]);
    for (std::size_t b = 0; b < parts.size(); ++b) {
      if (a == b) continue;
      if (const TensorVar* made = made_and_read(read, parts[b]))
        return fmt::format(
            "{} is made in the loop over {} and read by several of the terms there, so that the loop cannot be split "
            "between these",
            made->name(), loops.front().name());
      for (const TensorVar& t : assigned_by(parts[a]))
        if (concrete::assigns(parts[b], t) && clears(p, loops, parts[a], t, a < b))
          return fmt::format(
              "{} is assigned in the loop over {} and added to in another iteration of it or by a term before, so that "
              "the "
              "loop cannot be split between the terms",
              t.name(), loops.front().name());
    }
  }
  return {};
}

}  // namespace lacuna::directives
