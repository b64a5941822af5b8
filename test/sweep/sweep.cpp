#include "sweep/sweep.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/dynamic/code/load.h"
#include "lacuna/format/dynamic.h"
#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"
#include "lacuna/reference/evaluate.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/compare.h"

namespace lacuna::sweep {
namespace {

const std::map<std::string, std::int64_t> extents{{"i", 4}, {"j", 4}, {"k", 3}, {"l", 3}};

/// The built-in levels, and those of the tests, whose roots are nodes like others.
std::vector<std::filesystem::path> folders_of_levels() {
  std::vector<std::filesystem::path> folders = schema::level_folders(Environment{});
  folders.emplace_back(LACUNA_TEST_LEVELS);
  return folders;
}

/// A format whose levels are any of these.
Format format_of(const std::string& text, int order) { return parse_format(text, order, folders_of_levels()); }

/// Small integers, about a third of all coordinates, one of them an explicit zero; the first coordinate of the first
/// mode stays empty.
Storage make_data(const Access& access, const Format& format, unsigned seed) {
  std::mt19937 random(seed);
  CoordinateList list;
  std::vector<std::vector<std::int32_t>> coordinates(access.indices.size());
  std::vector<double> values;
  std::int64_t total = 1;
  for (const IndexVar& v : access.indices) {
    list.dimensions.push_back(extents.at(v.name()));
    total *= list.dimensions.back();
  }
  for (std::int64_t n = 0; n < total; ++n) {
    std::vector<std::int32_t> at(access.indices.size());
    std::int64_t rest = n;
    for (std::size_t m = at.size(); m-- > 0;) {
      at[m] = static_cast<std::int32_t>(rest % list.dimensions[m]);
      rest /= list.dimensions[m];
    }
    const bool stored = format.is_dense() || ((at.empty() || at[0] != 0) && random() % 3 == 0);
    if (!stored) continue;
    for (std::size_t m = 0; m < at.size(); ++m) coordinates[m].push_back(at[m]);
    values.push_back(values.size() == 1 ? 0.0 : 1.0 + static_cast<double>(random() % 9));
  }
  for (const auto& c : coordinates) list.coordinates.push_back(Array::of(std::span<const std::int32_t>(c)));
  list.values = Array::of(std::span<const double>(values));
  return format.has_nodes() ? build(list, array_format_of(format)) : build(list, format);
}

/// Runs one statement over many combinations; results of the reference are kept by what they depend on (which entries
/// each operand stores).
class Runner {
 public:
  Runner(const Sweep& sweep, Engine& engine, const Target& target)
      : sweep_(sweep), engine_(engine), statement_(parse_statement(sweep.text)) {
    options_.target = target;
    for (const Access& a : accesses(statement_.rhs)) accesses_.emplace(a.tensor.name(), a);
  }

  std::string check(std::int64_t n) {
    const std::vector<std::string> names = sweep_.combination(n);
    Request request;
    request.statement = statement_;
    std::string described, patterns;
    for (std::size_t t = 0; t < sweep_.tensors.size(); ++t) {
      described += sweep_.tensors[t] + ":" + names[t] + " ";
      if (t == 0) continue;
      const Access& access = accesses_.at(sweep_.tensors[t]);
      const Format format = format_of(names[t], access.tensor.order());
      // What is stored depends on the format: a dense last level under a sparse one fills its rows.
      patterns += format.is_dense() ? "dense " : format.levels().back().full() ? names[t] + " " : "sparse ";
      request.operands[sweep_.tensors[t]] = operand(access, names[t], format, static_cast<unsigned>(t));
    }
    request.result_format = format_of(names[0], statement_.lhs.tensor.order());
    try {
      const Storage got = engine_.run(request, options_);
      CompareOptions exact;
      exact.same_pattern = true;
      if (const auto wrong = difference(got, to_storage(reference(request, patterns), *request.result_format), exact))
        return described + *wrong;
    } catch (const std::exception& e) {
      return described + e.what();
    }
    return {};
  }

 private:
  Storage operand(const Access& access, const std::string& name, const Format& format, unsigned seed) {
    const std::scoped_lock lock(mutex_);
    const std::string key = access.tensor.name() + name;
    const auto it = operands_.find(key);
    if (it != operands_.end()) return it->second;
    const Storage data = make_data(access, format, seed);
    return operands_.emplace(key, format.has_nodes() ? stored_as(engine_, data, format, options_) : data).first->second;
  }

  ReferenceResult reference(const Request& request, const std::string& patterns) {
    const std::scoped_lock lock(mutex_);
    const auto it = references_.find(patterns);
    if (it != references_.end()) return it->second;
    FactsByName facts;
    for (const auto& [name, t] : request.operands) facts[name] = {t.type, t.dimensions};
    return references_
        .emplace(patterns,
                 evaluate_reference(statement_, request.operands, Type::Float64, infer_dimensions(statement_, facts)))
        .first->second;
  }

  const Sweep& sweep_;
  Engine& engine_;
  Statement statement_;
  Options options_;
  std::map<std::string, Access> accesses_;
  std::mutex mutex_;
  std::map<std::string, Storage> operands_;
  std::map<std::string, ReferenceResult> references_;
};

}  // namespace

std::int64_t Sweep::combinations() const {
  std::int64_t n = 1;
  for (const auto& f : formats) n *= static_cast<std::int64_t>(f.size());
  return n;
}

std::vector<std::string> Sweep::combination(std::int64_t n) const {
  std::vector<std::string> chosen;
  for (const auto& f : formats) {
    chosen.push_back(f[static_cast<std::size_t>(n) % f.size()]);
    n /= static_cast<std::int64_t>(f.size());
  }
  return chosen;
}

std::vector<std::string> formats_of_order(int order) {
  switch (order) {
    case 1: return {"dense", "sparse", "coo", "bitmap", "hashed"};
    case 2: return {"dense", "csr", "csc", "dcsr", "dcsc", "coo", "compressed,dense", "bitmap", "hashed"};
    default:
      return {"dense",
              "dense,compressed,compressed",
              "dense,compressed,compressed:2,1,0",
              "csf",
              "csf:2,0,1",
              "coo",
              "compressed,dense,compressed",
              "bitmap",
              "hashed"};
  }
}

std::vector<std::string> level_names() {
  std::vector<std::string> names;
  for (const std::filesystem::path& folder : folders_of_levels())
    for (const schema::LevelFile& file : schema::load_levels(folder)) names.push_back(file.name);
  return names;
}

std::vector<std::string> dynamic_formats_of_order(int order) {
  std::vector<std::string> formats = {"dense", order == 1 ? "sparse" : order == 2 ? "csr" : "csf"};
  const std::vector<std::string> levels = level_names();
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const std::string &a = levels[k], &b = levels[(k + 3) % levels.size()], &c = levels[(k + 5) % levels.size()];
    if (order == 1) formats.push_back(a);
    if (order == 2)
      for (const std::string& f : {"dense," + a, a + "," + b, a + ",dense", "compressed," + a + ":1,0"})
        formats.push_back(f);
    if (order == 3)
      for (const std::string& f : {a + "," + b + "," + c, "dense," + a + ",compressed", a + ",dense," + b + ":2,0,1"})
        formats.push_back(f);
  }
  return formats;
}

namespace {

std::vector<Sweep> sweeps_over(const std::function<std::vector<std::string>(int)>& formats_of_order) {
  std::vector<Sweep> all;
  const auto add = [&](const std::string& text) {
    const Statement s = parse_statement(text);
    Sweep sweep{text, {s.lhs.tensor.name()}, {formats_of_order(s.lhs.tensor.order())}};
    for (const Access& a : accesses(s.rhs)) {
      if (std::find(sweep.tensors.begin(), sweep.tensors.end(), a.tensor.name()) != sweep.tensors.end()) continue;
      sweep.tensors.push_back(a.tensor.name());
      sweep.formats.push_back(formats_of_order(a.tensor.order()));
    }
    all.push_back(std::move(sweep));
  };
  add("A(i,j) = B(i,j)");                      // copy
  add("A(i,j) = B(j,i)");                      // transpose
  add("A(i,j) = B(i,j) + C(i,j)");             // add
  add("A(i,j) = B(i,j) + C(j,i)");             // add transposed
  add("A(i,j) = B(i,j) * C(i,j)");             // multiply
  add("A(i,j) = B(i,k) * C(k,j)");             // SpMM, SpGEMM
  add("A(i,j) = B(i,j) * C(i,k) * D(k,j)");    // SDDMM
  add("A(i,j) = B(i,j,k) * c(k)");             // TTV
  add("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)");  // MTTKRP
  add("A(i,j) = B(i,j) * C(i,j) * D(i,j)");    // three operands
  add("A(i,j) = B(i,k) * C(k,l) * D(l,j)");
  add("A(i,j) = B(i,k) * C(k,j) + D(i,k) * E(k,j)");  // A·B + C·D
  return all;
}

}  // namespace

std::vector<Sweep> sweeps() { return sweeps_over(formats_of_order); }

std::vector<Sweep> dynamic_sweeps() { return sweeps_over(dynamic_formats_of_order); }

Outcome run(const Sweep& sweep, const std::vector<std::int64_t>& combinations, Engine& engine, const Target& target,
            int threads) {
  Runner runner(sweep, engine, target);
  Outcome outcome;
  outcome.tried = static_cast<std::int64_t>(combinations.size());
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&] {
      for (std::size_t n = next++; n < combinations.size(); n = next++) {
        std::string wrong = runner.check(combinations[n]);
        if (wrong.empty()) continue;
        const std::scoped_lock lock(mutex);
        outcome.wrong.push_back(std::move(wrong));
      }
    });
  for (std::thread& w : workers) w.join();
  return outcome;
}

std::vector<std::int64_t> pairwise_cover(const Sweep& sweep) {
  using Pair = std::tuple<std::size_t, std::string, std::size_t, std::string>;
  const auto pairs_of = [&](std::int64_t n) {
    std::vector<Pair> pairs;
    const auto names = sweep.combination(n);
    for (std::size_t a = 0; a < names.size(); ++a)
      for (std::size_t b = a + 1; b < names.size(); ++b) pairs.emplace_back(a, names[a], b, names[b]);
    return pairs;
  };
  std::set<Pair> covered;
  std::vector<std::int64_t> chosen;
  std::mt19937_64 random(1);
  const std::int64_t total = sweep.combinations();
  // Of some random combinations take the one with most new pairs; once those run dry, take every combination that still
  // has a new one.
  for (int dry = 0; dry < 20;) {
    std::int64_t best = 0;
    std::size_t best_new = 0;
    for (int tries = 0; tries < 40; ++tries) {
      const auto n = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(total));
      std::size_t fresh = 0;
      for (const Pair& p : pairs_of(n)) fresh += covered.count(p) == 0;
      if (fresh > best_new) {
        best_new = fresh;
        best = n;
      }
    }
    dry = best_new == 0 ? dry + 1 : 0;
    if (best_new == 0) continue;
    chosen.push_back(best);
    for (const Pair& p : pairs_of(best)) covered.insert(p);
  }
  for (std::int64_t n = 0; n < total; ++n) {
    bool fresh = false;
    for (const Pair& p : pairs_of(n)) fresh = covered.insert(p).second || fresh;
    if (fresh) chosen.push_back(n);
  }
  return chosen;
}

}  // namespace lacuna::sweep
