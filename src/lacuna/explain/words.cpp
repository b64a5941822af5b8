#include "lacuna/explain/words.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "lacuna/notation/parse.h"
#include "lacuna/support/quantity_text.h"

namespace lacuna {
namespace {

using concrete::Program;
using iteration::Iteration;
using iteration::Loop;
using iteration::Nest;

const std::string& tensor_name(const Nest& nest, const iteration::LevelUse& u) { return nest.path_of(u).tensor.name(); }

/// What a derived variable counts, where it is cut into pieces.
std::string counted(const Program& program, const IndexVar& v) {
  const concrete::Derivation* d = program.provenance.made_by(v);
  if (d == nullptr) return v.name();
  return std::visit(Overloaded{[&](const concrete::Split&) { return v.name(); },
                               [&](const concrete::Fuse& f) {
                                 return fmt::format("the pairs of {} and {}", f.outer.name(), f.inner.name());
                               },
                               [&](const concrete::Position& p) {
                                 return fmt::format("the positions of {}", to_string(make_expr(p.access)));
                               },
                               [&](const concrete::Bound& b) { return counted(program, b.parent); }},
                    *d);
}

std::string pieces_words(const Program& program, const IndexVar& v) {
  const concrete::Derivation* d = program.provenance.made_by(v);
  const auto* split = std::get_if<concrete::Split>(d);
  if (split == nullptr) return counted(program, v);
  const std::string parent = counted(program, split->parent);
  if (v == split->inner) return fmt::format("places in the pieces of {}", parent);
  return split->in_pieces ? fmt::format("{} pieces of {}", split->size, parent)
                          : fmt::format("{} in pieces of {}", parent, split->size);
}

/// "what w collected, sorted", and what else decides.
std::string drained_words(const Nest& nest, const Loop& loop) {
  std::vector<std::string> collected, stored;
  for (const iteration::LevelUse& u : loop.walks.drained) collected.push_back(tensor_name(nest, u));
  for (const iteration::LevelUse& u : loop.walks.cursors)
    if (u.use == iteration::Use::Walked) stored.push_back(tensor_name(nest, u));
  std::string text = fmt::format("what {} collected, sorted", listed(collected));
  if (!stored.empty()) text += fmt::format(", and what {} {}", listed(stored), stored.size() == 1 ? "stores" : "store");
  return text;
}

/// "B and C", for a term of a formula.
std::string term_words(const Nest& nest, const Loop& loop, std::uint64_t term) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < loop.walks.cursors.size(); ++c)
    if ((term >> c & 1) != 0) names.push_back(tensor_name(nest, loop.walks.cursors[c]));
  return listed(names);
}

std::string merge_words(const Nest& nest, const Loop& loop) {
  const std::vector<std::uint64_t>& terms = loop.walks.lattice.formula.terms();
  std::vector<std::string> texts;
  bool single = true;
  for (const std::uint64_t t : terms) {
    texts.push_back(term_words(nest, loop, t));
    single = single && (t & (t - 1)) == 0;
  }
  std::sort(texts.begin(), texts.end());
  if (terms.size() == 1) {
    if (std::popcount(terms[0]) == 2) return fmt::format("what both {} store", texts[0]);
    return fmt::format("what {} all store", texts[0]);
  }
  if (single) return fmt::format("what {} stores", listed(texts, "or"));
  for (std::string& t : texts) t.insert(0, "by ");
  return fmt::format("what is stored {}", listed(texts, "or"));
}

bool narrowed(const Program& program, const IndexVar& v) { return program.provenance.replaced_by(v) != nullptr; }

}  // namespace

std::string listed(const std::vector<std::string>& names, const char* last) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) text += k + 1 < names.size() ? ", " : fmt::format(" {} ", last);
    text += names[k];
  }
  return text;
}

std::string level_words(const LevelFormat& level) { return level.unique ? level.name() : level.name() + "(nonunique)"; }

std::string format_words(const Format& format) { return format.order() == 0 ? "scalar" : format.to_string(); }

std::string visits_words(const Program& program, const Nest& nest, const Loop& loop) {
  std::vector<std::string> followed;
  std::string walked;
  for (const iteration::LevelUse& u : loop.walks.cursors) {
    if (u.use == iteration::Use::Followed) followed.push_back(tensor_name(nest, u));
    else walked = tensor_name(nest, u);
  }
  std::string text;
  switch (loop.iteration) {
    case Iteration::Pieces: return pieces_words(program, loop.var);
    case Iteration::Drain: return drained_words(nest, loop);
    case Iteration::Full:
      text = narrowed(program, loop.var) ? "all of its piece"
                                         : "all " + number_text(static_cast<double>(program.extents.at(loop.var)));
      break;
    case Iteration::Walk: text = fmt::format("what {} stores", walked); break;
    case Iteration::Merge: text = merge_words(nest, loop); break;
  }
  if (narrowed(program, loop.var) && loop.iteration != Iteration::Full) text += " of its piece";
  return followed.empty() ? text : text + ", " + listed(followed) + " alongside";
}

std::vector<std::string> manner_words(const concrete::Execution& how) {
  std::vector<std::string> words;
  if (how.unit == concrete::Unit::CpuThread) words.emplace_back("on threads");
  if (how.unit == concrete::Unit::CpuVector) words.emplace_back("in SIMD lanes");
  if (how.unit == concrete::Unit::GpuBlock) words.emplace_back("on blocks of the device");
  if (how.unit == concrete::Unit::GpuWarp) words.emplace_back("on warps of the device");
  if (how.unit == concrete::Unit::GpuThread) words.emplace_back("on threads of the device");
  switch (how.race) {
    case concrete::Race::NoRaces: break;
    case concrete::Race::Atomics: words.emplace_back("atomic additions"); break;
    case concrete::Race::Temporary: words.emplace_back("a result for each thread"); break;
    case concrete::Race::ParallelReduction: words.emplace_back("a sum for each thread"); break;
  }
  if (how.merge == concrete::Merge::Gallop) words.emplace_back("galloping");
  if (how.leaf != concrete::Leaf::None) words.emplace_back(fmt::format("by {}", concrete::name_of(how.leaf)));
  if (how.unroll > 0) words.push_back(fmt::format("unrolled by {}", how.unroll));
  if (how.prefetch > 0) words.push_back(fmt::format("prefetching {} iterations ahead", how.prefetch));
  return words;
}

std::string assignment_words(const concrete::Assign& assign) {
  return fmt::format("{} {} {}", to_string(make_expr(assign.target)), assign.accumulate ? "+=" : "=",
                     to_string(assign.rhs));
}

}  // namespace lacuna
