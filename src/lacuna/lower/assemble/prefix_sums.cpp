#include "lacuna/lower/assemble/prefix_sums.h"

#include "lacuna/lower/context/arithmetic.h"

namespace lacuna {
namespace {

constexpr std::int64_t most_stretches = 1024;

void add_up_by_one(Context& context, const std::vector<loop::Var>& arrays, const loop::Expr& last, Statements& out) {
  const loop::Var k = context.fresh_index("k");
  Statements sums;
  for (const loop::Var& array : arrays)
    sums.push_back(loop::store(array, loop::Expr(k) + loop::Expr(1), loop::load(array, k), loop::StoreOp::Add));
  out.push_back(loop::for_loop(k, loop::Expr(0), last, loop::block(std::move(sums))));
}

/// A loop over the elements of stretch `s` of an array; `at` is given the one at hand.
loop::Stmt over_stretch(Context& context, const loop::Var& s, const loop::Var& stretches, const loop::Expr& last,
                        const std::function<loop::Stmt(const loop::Expr& at)>& body) {
  const auto begin = [&](const loop::Expr& n) { return n * last / loop::Expr(stretches); };
  const loop::Var k = context.fresh_index("k");
  return loop::for_loop(k, begin(s), begin(loop::Expr(s) + loop::Expr(1)), body(loop::Expr(k) + loop::Expr(1)));
}

void run_by_many(const loop::Var& s, const loop::Var& stretches, Statements body, Statements& out) {
  loop::LoopOptions options;
  options.mode = loop::LoopMode::Parallel;
  out.push_back(loop::for_loop(s, loop::Expr(0), stretches, loop::block(std::move(body)), options));
}

void add_up_by_many(Context& context, const loop::Var& array, const loop::Expr& last, Statements& out) {
  const Type type = array.type().scalar;
  const loop::Expr zero = loop::constant(type, 0);
  const loop::Var stretches =
      context.named(array.name() + "_stretches", loop::min(last, loop::Expr(most_stretches)), out);
  const loop::Var sums = context.fresh(array.name() + "_sums", array.type());
  out.push_back(loop::declare_array(sums));
  out.push_back(loop::allocate(sums, loop::Expr(stretches) + loop::Expr(1), true));
  const auto total = [&] { return context.fresh("sum", loop::scalar_type(type)); };

  const loop::Var s = context.fresh_index("s"), own = total();
  run_by_many(s, stretches,
              {loop::declare(own, zero),
               over_stretch(context, s, stretches, last,
                            [&](const loop::Expr& at) {
                              return loop::assign(own, loop::value_op(loop::BinaryOp::Add, own, loop::load(array, at)));
                            }),
               loop::store(sums, loop::Expr(s) + loop::Expr(1), own)},
              out);
  add_up_by_one(context, {sums}, stretches, out);
  const loop::Var t = context.fresh_index("s"), all = total();
  run_by_many(t, stretches,
              {loop::declare(all, loop::load(sums, t)),
               over_stretch(context, t, stretches, last,
                            [&](const loop::Expr& at) {
                              return loop::block(
                                  {loop::assign(all, loop::value_op(loop::BinaryOp::Add, all, loop::load(array, at))),
                                   loop::store(array, at, all)});
                            })},
              out);
  out.push_back(loop::release(sums));
}

}  // namespace

void add_up_prefixes(Context& context, const std::vector<loop::Var>& arrays, const loop::Expr& last, Statements& out) {
  if (!context.options().device) return add_up_by_one(context, arrays, last, out);
  for (const loop::Var& array : arrays) add_up_by_many(context, array, last, out);
}

}  // namespace lacuna
