#include "bench/contest/compiled.h"

#include <memory>

namespace lacuna::contest {
namespace {

/// Values that are written in place go where the last ones were, as those of the other contestants do.
struct CompiledRace {
  Prepared prepared;
  std::vector<std::map<std::string, Storage>> turns;
  Storage last = {};
  std::size_t runs = 0;

  void run() {
    if (turns.empty()) prepared.run_into(last);
    else prepared.run_into(turns[runs++ % turns.size()], last);
  }
  Storage result() const { return last; }
  void clear() {
    if (!last.values.is_sole()) last = Storage();
  }
};

}  // namespace

Contestant compiled(const std::string& name, Engine& engine, const Request& request, int threads,
                    std::vector<std::map<std::string, Storage>> turns) {
  Options options;
  options.target.threads = threads;
  return contestant_of(
      name, std::make_shared<CompiledRace>(CompiledRace{engine.prepare(request, options), std::move(turns)}));
}

}  // namespace lacuna::contest
