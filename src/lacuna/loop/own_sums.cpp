#include "lacuna/loop/own_sums.h"

#include "lacuna/loop/build.h"

namespace lacuna::loop {

For with_sums_written_out(const For& loop) {
  if (loop.sums.empty()) return loop;
  std::vector<Stmt> setup, teardown{loop.teardown};
  for (const OwnSum& each : loop.sums) {
    setup.push_back(declare_array(each.own));
    setup.push_back(allocate(each.own, each.count, true));
    const Stmt add = atomic(store(each.total, each.k, load(each.own, each.k), StoreOp::Add));
    teardown.push_back(for_loop(each.k, Expr(0), each.count, add));
    teardown.push_back(release(each.own));
  }
  setup.push_back(loop.setup);
  For written = loop;
  written.sums.clear();
  written.setup = block(std::move(setup));
  written.teardown = block(std::move(teardown));
  return written;
}

}  // namespace lacuna::loop
