#include "lacuna/schedule/automatic/branches.h"

#include <algorithm>
#include <set>

#include "lacuna/schedule/automatic/copies.h"
#include "lacuna/schedule/automatic/matrix_products.h"
#include "lacuna/schedule/automatic/quick_branches.h"
#include "lacuna/schedule/cost/time.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/directives/loopfuse_site.h"
#include "lacuna/schedule/directives/product.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna {
namespace {

using loopfuse::Site;
using product::Places;
using product::Product;
using Path = std::vector<directive::LoopFuse::Step>;
using Step = directive::LoopFuse::Step;
using Variables = std::vector<IndexVar>;

constexpr std::size_t most_operands = 8;  // of which subsets are tried
constexpr int most_estimates = 400;       // in all; what is tried first is kept
constexpr std::size_t most_refined = 8;   // of the splits of one product
constexpr std::size_t most_copied = 8;    // of the quickest ones, with operands in other orders
constexpr std::size_t most_tuned = 16;    // of the quickest ones

Path extended(Path path, Step::Kind kind) {
  path.push_back({kind, 0});
  return path;
}

class Search {
 public:
  explicit Search(ScheduleTrials& trials) : trials_(trials), problem_(trials.problem()) {}

  std::vector<Branching> run(const Schedule& start) {
    const auto one_nest = estimated(start);
    if (!one_nest) return {};
    refine(*one_nest, {});
    if (found_.empty()) return {};
    put_quickest_first();
    for (const Branching& b : quickest(most_copied)) copy_operands(b.schedule);
    put_quickest_first();
    const std::size_t tuned = std::min(found_.size(), most_tuned);
    if (problem_.blas)
      for (const Branching& b : quickest(tuned)) multiply_matrices(b.schedule);
    // What warps share is not collected in the registers of one thread.
    for (std::size_t k = 0; k < tuned && problem_.turns_worth_warps == 0; ++k) make_quick(found_[k]);
    found_.push_back(*one_nest);
    put_quickest_first();
    return std::move(found_);
  }

 private:
  /// The first few, as they are now: what is found on the way is added behind them.
  std::vector<Branching> quickest(std::size_t most) const {
    return {found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(std::min(found_.size(), most))};
  }

  std::optional<Branching> estimated(const Schedule& schedule) {
    if (estimates_++ > most_estimates) return std::nullopt;
    const auto s = trials_.completed(schedule);
    if (!s) return std::nullopt;
    return Branching{schedule, cost::seconds(*s, problem_), false};
  }

  void make_quick(Branching& b) {
    b.schedule = with_quick_branches(trials_, b.schedule);
    if (const auto s = trials_.completed(b.schedule)) b.seconds = cost::seconds(*s, problem_);
  }

  /// The same way to branch with operands in orders that its loops like better.
  void copy_operands(const Schedule& branching) {
    const Schedule copied = with_copies(trials_, branching);
    if (copied.directives.size() == branching.directives.size()) return;
    if (const auto s = trials_.completed(copied)) found_.push_back({copied, cost::seconds(*s, problem_), true});
  }

  /// What comes of a way to branch when BLAS multiplies the matrices in it.
  void multiply_matrices(const Schedule& branching) {
    std::vector<Schedule> ways = in_row_blocks(trials_, branching);
    ways.push_back(with_matrix_products(trials_, branching));
    for (const Schedule& way : ways) {
      if (way.directives.size() == branching.directives.size()) continue;
      Branching b{way, 0, true};
      make_quick(b);
      if (b.seconds > 0) found_.push_back(std::move(b));
    }
  }

  void put_quickest_first() {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Branching& a, const Branching& b) { return a.seconds < b.seconds; });
  }

  /// The quickest that comes of splitting the product at the end of a path, and what comes of that again; `as_it_is`
  /// where nothing is quicker. Only the most promising splits are split again.
  Branching refine(const Branching& as_it_is, const Path& path) {
    std::vector<Branching> next;
    for (const Schedule& split : splits(as_it_is.schedule, path))
      if (auto b = estimated(split)) next.push_back(std::move(*b));
    std::stable_sort(next.begin(), next.end(),
                     [](const Branching& a, const Branching& b) { return a.seconds < b.seconds; });
    Branching best = as_it_is;
    for (std::size_t k = 0; k < next.size(); ++k) {
      if (k < most_refined) {
        next[k] = refine(next[k], extended(path, Step::Kind::Producer));
        next[k] = refine(next[k], extended(path, Step::Kind::Consumer));
      }
      next[k].in_branches = true;
      found_.push_back(next[k]);
      if (next[k].seconds < best.seconds) best = next[k];
    }
    return best;
  }

  /// The schedule with each split of the product at the end of the path added, in each order of the loops there.
  std::vector<Schedule> splits(const Schedule& schedule, const Path& path) {
    const auto s = trials_.directed(schedule);
    if (!s) return {};
    const auto site = only_site(*s, path);
    if (!site) return {};
    const Product product = product::product_of(site->assign().rhs, s->program.facts());
    const Places operands = product::operands_of(product);
    if (operands.size() < 3 || operands.size() > most_operands) return {};
    for (const std::size_t k : operands)
      if (as<Access>(product.factors[k].expr) == nullptr) return {};  // loopfuse has no words for it
    std::vector<Schedule> all;
    for (std::uint32_t subset = 1; subset + 1 < 1U << operands.size(); ++subset) {
      Places first, rest;
      for (std::size_t k = 0; k < operands.size(); ++k) ((subset >> k & 1) != 0 ? first : rest).push_back(operands[k]);
      for (const Sharing& sharing : sharings(s->program, *site, product, first, rest)) {
        Schedule split = schedule;
        if (sharing.order.size() > 1) set_order(split, directives::names_of(sharing.order));
        directive::LoopFuse fuse;
        for (const std::size_t k : first) fuse.operands.push_back(as_written(*s, product.factors[k].expr));
        fuse.producer = directive::LoopFuse::Side::Left;
        fuse.path = path;
        fuse.shared_loops = static_cast<int>(sharing.loops);
        split.directives.push_back({fuse, {}});
        all.push_back(std::move(split));
      }
    }
    return all;
  }

  /// An access of a copy is one of what it is a copy of.
  static Expr as_written(const Scheduled& s, const Expr& factor) {
    const auto* a = as<Access>(factor);
    for (const OperandCopy& c : s.copies)
      if (c.name == a->tensor.name()) return make_expr(Access{TensorVar(c.source, a->tensor.order()), a->indices});
    return factor;
  }

  /// One order takes the place of another of the same loops.
  static void set_order(Schedule& schedule, const std::vector<std::string>& order) {
    const auto is_same_nest = [&](const Directive& d) {
      const auto* r = std::get_if<directive::Reorder>(&d.kind);
      return r != nullptr && std::is_permutation(r->variables.begin(), r->variables.end(), order.begin(), order.end());
    };
    if (!schedule.directives.empty() && is_same_nest(schedule.directives.back())) schedule.directives.pop_back();
    schedule.directives.push_back({directive::Reorder{order}, {}});
  }

  std::optional<Site> only_site(const Scheduled& s, const Path& path) const {
    try {
      loopfuse::Place place = loopfuse::follow(s.program.root, path);
      if (place.sites.size() != 1) return std::nullopt;
      return std::move(place.sites[0]);
    } catch (const Refused&) {
      return std::nullopt;
    }
  }

  /// An order of the loops, and how many of the outermost ones both sides share.
  struct Sharing {
    Variables order;
    std::size_t loops;
    bool operator==(const Sharing&) const = default;
  };

  /// The ways to compute some factors first: both sides share as many as one likes of the loops that both need (the
  /// 2^n space of SparseLNR, section 5), and each takes the others in some order. None where one side has no loop of
  /// its own.
  static std::vector<Sharing> sharings(const concrete::Program& program, const Site& site, const Product& product,
                                       const Places& first, const Places& rest) {
    const Variables by_first = product::variables_of(product, first);
    Variables by_rest = product::variables_of(product, rest);
    const Variables& indices = site.assign().target.indices;
    by_rest.insert(by_rest.end(), indices.begin(), indices.end());
    Variables natural, both, summed, other;
    for (std::size_t k = site.boundary; k < site.loops.size(); ++k) {
      const IndexVar& v = site.loops[k]->var;
      const bool f = contains(by_first, v), r = contains(by_rest, v);
      if (f && r) both.push_back(v);
      else if (f) summed.push_back(v);
      else if (r) other.push_back(v);
      natural.push_back(v);
    }
    if (other.empty()) return {};
    // A product that is not summed is worth computing first only once for all loops, element by element.
    const bool once = summed.empty();
    const auto is_elementwise = [&](std::size_t k) {
      const auto* x = as<Access>(product.factors[k].expr);
      return program.at(x->tensor).format.is_dense() && product::variables_of(product, {k}).size() == both.size();
    };
    if (once && (site.boundary > 0 || first.size() < 2 || !std::all_of(first.begin(), first.end(), is_elementwise)))
      return {};
    std::vector<Sharing> all;
    const auto add = [&](std::size_t shared, const std::vector<Variables>& parts) {
      Sharing next{{both.begin(), both.begin() + static_cast<std::ptrdiff_t>(shared)}, shared};
      for (const Variables& part : parts)
        for (const IndexVar& v : part)
          if (!contains(next.order, v)) next.order.push_back(v);
      if (std::find(all.begin(), all.end(), next) == all.end()) all.push_back(std::move(next));
    };
    for (std::size_t shared = once ? 1 : both.size() + 1; shared-- > 0;) {
      add(shared, {natural});
      add(shared, {summed, both, other});
      if (shared == both.size()) continue;
      add(shared, {both, summed, other});
      add(shared, {other, both, summed});
    }
    return all;
  }

  ScheduleTrials& trials_;
  const ScheduleProblem& problem_;
  std::vector<Branching> found_;
  int estimates_ = 0;
};

}  // namespace

std::vector<Branching> branchings(ScheduleTrials& trials, const Schedule& start) { return Search(trials).run(start); }

}  // namespace lacuna
