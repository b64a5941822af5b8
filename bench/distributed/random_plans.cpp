#include "bench/distributed/random_plans.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::contest {
namespace {

struct Operand {
  std::string name, variables;
  bool is_sparse;
};
struct Kernel {
  std::string statement;
  Operand result;
  std::vector<Operand> operands;
  std::map<char, std::pair<int, int>> sizes;  // of variables, from and to
  std::string positions = {};                 // how the entries of a sparse operand are dealt out, if at all
};

const std::vector<Kernel>& kernels() {
  static const std::pair<int, int> large{50'000, 400'000}, narrow{4, 32}, dense{200, 700}, mode{200, 2000};
  static const std::vector<Kernel> all = {{"y(i) = A(i,j) * x(j)",
                                           {"y", "i", false},
                                           {{"A", "ij", true}, {"x", "j", false}},
                                           {{'i', large}, {'j', large}},
                                           "fuse(i,j,f), pos(f,p,A(i,j)), divide(p,po,pi,M.x), distribute(po)"},
                                          {"y(i,k) = A(i,j) * x(j,k)",
                                           {"y", "ik", false},
                                           {{"A", "ij", true}, {"x", "jk", false}},
                                           {{'i', large}, {'j', large}, {'k', narrow}},
                                           {}},
                                          {"C(i,j) = A(i,j) + B(i,j)",
                                           {"C", "ij", true},
                                           {{"A", "ij", true}, {"B", "ij", true}},
                                           {{'i', large}, {'j', large}},
                                           {}},
                                          {"C(i,j) = A(i,j) * P(i,k) * Q(k,j)",
                                           {"C", "ij", true},
                                           {{"A", "ij", true}, {"P", "ik", false}, {"Q", "kj", false}},
                                           {{'i', large}, {'j', large}, {'k', narrow}},
                                           {}},
                                          {"y(i,j) = T(i,j,k) * x(k)",
                                           {"y", "ij", false},
                                           {{"T", "ijk", true}, {"x", "k", false}},
                                           {{'i', mode}, {'j', mode}, {'k', mode}},
                                           {}},
                                          {"y(i,l) = T(i,j,k) * P(j,l) * Q(k,l)",
                                           {"y", "il", false},
                                           {{"T", "ijk", true}, {"P", "jl", false}, {"Q", "kl", false}},
                                           {{'i', mode}, {'j', mode}, {'k', mode}, {'l', narrow}},
                                           {}},
                                          {"A(i,j) = B(i,k) * C(k,j)",
                                           {"A", "ij", false},
                                           {{"B", "ik", false}, {"C", "kj", false}},
                                           {{'i', dense}, {'j', dense}, {'k', dense}},
                                           {}},
                                          {"a = x(i) * y(i)",
                                           {"a", "", false},
                                           {{"x", "i", false}, {"y", "i", false}},
                                           {{'i', {1'000'000, 8'000'000}}},
                                           {}},
                                          {"z(i) = x(i) + 2 * y(i)",
                                           {"z", "i", false},
                                           {{"x", "i", false}, {"y", "i", false}},
                                           {{'i', {1'000'000, 8'000'000}}},
                                           {}}};
  return all;
}

struct RandomPlan {
  Predicted what;
  Machine machine;
};

class Draw {
 public:
  Draw(std::uint64_t seed, int ranks, bool small) : random_(seed), ranks_(ranks), small_(small) {}

  RandomPlan plan() {
    kernel_ = &kernels()[below(kernels().size())];
    for (const auto& [variable, range] : kernel_->sizes)
      sizes_[variable] = std::max(4, between(range.first, range.second) / (small_ ? 20 : 1));
    const Machine machine = drawn_machine();
    RandomPlan out{{"", kernel_->statement, drawn_schedule(), format_of(kernel_->result), {}, {}}, machine};
    out.what.placed[kernel_->result.name] = drawn_place(kernel_->result);
    for (const Operand& operand : kernel_->operands) {
      out.what.placed[operand.name] = drawn_place(operand);
      out.what.operands[operand.name] = drawn_values(operand);
    }
    std::vector<std::string> places;
    for (const auto& [name, where] : out.what.placed) places.push_back(fmt::format("{}: {}", name, where));
    out.what.name = fmt::format("{}, {}, {}, {}", kernel_->statement, machine.to_string(),
                                out.what.schedule.empty() ? "automatic" : out.what.schedule, fmt::join(places, "; "));
    return out;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  int between(int a, int b) { return a + static_cast<int>(below(static_cast<std::size_t>(b - a + 1))); }

  Machine drawn_machine() {
    const std::int64_t processors = ranks_ * (below(3) == 0 ? 2 : 1);
    is_flat_ = processors == 1 || below(3) != 0;
    if (is_flat_) return Machine(Grid(processors));
    for (std::int64_t rows = processors; rows-- > 2;)
      if (processors % rows == 0) return Machine(Grid(rows, processors / rows));
    return Machine(Grid(1, processors));
  }

  std::string drawn_schedule() {
    if (is_flat_ && below(3) == 0) return "";
    if (is_flat_ && !kernel_->positions.empty() && below(3) == 0) return kernel_->positions;
    std::vector<std::string> all;
    for (const auto& [variable, size] : sizes_) all.emplace_back(1, variable);
    std::shuffle(all.begin(), all.end(), random_);
    all.resize(std::min<std::size_t>(all.size(), is_flat_ ? 1 : 2));
    if (!is_flat_ && all.size() == 1) return "";
    std::vector<std::string> outer, inner;
    for (const std::string& v : all) {
      outer.push_back(v + "o");
      inner.push_back(v + "i");
    }
    return fmt::format("distribute({{{}}},{{{}}},{{{}}},M)", fmt::join(all, ","), fmt::join(outer, ","),
                       fmt::join(inner, ","));
  }

  std::string drawn_place(const Operand& operand) {
    std::string modes = std::string("xyz").substr(0, operand.variables.size()), free = modes;
    std::vector<std::string> places;
    for (int d = 0; d < (is_flat_ ? 1 : 2); ++d) {
      const std::size_t k = below(free.size() + (d == 0 && !free.empty() && below(4) != 0 ? 0 : 1));
      places.push_back(k < free.size() ? std::string(1, free[k]) : "*");
      if (k < free.size()) free.erase(k, 1);
    }
    return fmt::format("{} -> {}", modes, fmt::join(places, " "));
  }

  std::vector<std::int64_t> dimensions_of(const Operand& operand) const {
    std::vector<std::int64_t> all;
    for (const char v : operand.variables) all.push_back(sizes_.at(v));
    return all;
  }
  static Format format_of(const Operand& operand) {
    const auto order = static_cast<int>(operand.variables.size());
    return !operand.is_sparse ? dense_format(order) : order == 2 ? csr_format() : csf_format(order);
  }

  /// Two values of one pattern.
  std::vector<Storage> drawn_values(const Operand& operand) {
    const std::vector<std::int64_t> n = dimensions_of(operand);
    if (!operand.is_sparse) return {generate_dense(n, 1), generate_dense(n, 2)};
    const Storage first = build(drawn_entries(n), format_of(operand));
    Storage second = first;
    second.values = generate_dense({first.values.size()}, 2).values;
    return {first, second};
  }
  CoordinateList drawn_entries(const std::vector<std::int64_t>& n) {
    const std::uint64_t seed = random_();
    if (n.size() == 3) {
      const std::int64_t room = n[0] * n[1] * n[2] / 4;
      return generate_uniform(n, std::min<std::int64_t>(room, between(200'000, 2'000'000) / (small_ ? 20 : 1)), seed);
    }
    const std::int64_t stored = n[0] * between(4, 12);
    switch (below(3)) {
      case 0: return generate_uniform(n, stored, seed);
      case 1: return generate_rmat(n[0], n[1], stored, seed);
      default: return generate_banded(n[0], n[1], stored / n[0] / 2, seed);
    }
  }

  std::mt19937_64 random_;
  int ranks_;
  bool small_, is_flat_ = true;
  const Kernel* kernel_ = nullptr;
  std::map<char, int> sizes_;
};

}  // namespace

bool race_random_plans(Engine& engine, Ranks& ranks, const Effort& effort, const SomePlans& some) {
  constexpr double least = 0.05;  // milliseconds: what is shorter is the launch of a plan
  if (ranks.is_first()) fmt::print("\nPredicted times of {} plans by chance, {} ranks\n", some.count, ranks.count());
  int taken = 0, met = 0;
  for (std::uint64_t seed = some.first; taken < some.count; ++seed) {
    const RandomPlan plan = Draw(seed, ranks.count(), some.small).plan();
    PredictedTime time{};
    try {
      time = predict(engine, ranks, effort, plan.machine, plan.what);
    } catch (const Error&) {  // on all ranks
      continue;
    }
    if (ranks.first_says(time.measured < least)) continue;
    ++taken;
    met += time.is_met() ? 1 : 0;
    if (!ranks.is_first()) continue;
    fmt::print("  {:>9.3f} ms measured {:>9.3f} ms predicted {:>+5.0f} %  {}  seed {}: {}\n", time.measured,
               time.predicted, 100 * time.off(), time.is_met() ? "met   " : "missed", seed, plan.what.name);
    if (!time.is_met()) fmt::print("    {}\n", time.network);
  }
  if (ranks.is_first()) fmt::print("  within {:.0f} %: {} of {}\n", 100 * PredictedTime::goal, met, taken);
  return true;
}

}  // namespace lacuna::contest
