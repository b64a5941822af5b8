#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "lacuna/schedule/directives/branch.h"
#include "lacuna/schedule/language/schedule.h"

/// The places of a branched nest that loopfuse works at.
namespace lacuna::loopfuse {

/// An assignment and the loops around it, outermost first. Lives as long as the nest that it was found in.
struct Site {
  concrete::Stmt stmt;
  std::vector<const concrete::Forall*> loops;
  std::size_t boundary = 0;  // so many of them are outside of the last nest boundary
  const concrete::Assign& assign() const { return std::get<concrete::Assign>(stmt->kind); }
};

/// All assignments of a nest.
std::vector<Site> sites_of(const concrete::Stmt& root);

/// Where a path leads: to the terms there, which need not be branched, and to one addend of a term if it says so.
struct Place {
  std::vector<Site> sites;
  std::optional<int> addend;  // counted from 1
};

/// Throws Error where the nest does not branch as the path says, or branches on after it.
Place follow(const concrete::Stmt& root, const std::vector<directive::LoopFuse::Step>& path);

/// What the site's assignment also adds: it stays in loops of its own, before or after.
struct Remainder {
  concrete::Assign assign;
  bool first = false;
};

/// The nest with the assignment split in two below the first `depth` of its loops, at least those outside the
/// boundary. What is beside it below these loops gets copies of them.
concrete::Stmt split_at(const concrete::Program& p, const Site& site, std::size_t depth, const branch::Split& split,
                        const std::optional<Remainder>& remainder);

}  // namespace lacuna::loopfuse
