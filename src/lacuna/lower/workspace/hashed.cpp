#include "lacuna/lower/context/hash.h"
#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {
namespace {

constexpr std::int64_t first_table_capacity = 64;

/// A table of keys with linear probing, at most half full, that doubles when it is; and a list of the keys in it.
class HashedWorkspace final : public Workspace {
 public:
  using Workspace::Workspace;

  void declare(Statements& before, Statements& after) override {
    keys_ = context_.fresh(name() + "_keys", loop::array_type(key_type()));
    capacity_ = context_.fresh_index(name() + "_capacity");
    if (is_mixed()) mark_ = context_.fresh(name() + "_mark", loop::array_type(Type::UInt8));
    before.push_back(loop::declare(*capacity_, loop::Expr(first_table_capacity)));
    for (const loop::Var& array : slots()) {
      before.push_back(loop::declare_array(array));
      before.push_back(loop::allocate(array, *capacity_, false));
      after.push_back(loop::release(array));
    }
    before.push_back(all_free());
    declare_list(loop::Expr(*capacity_) / loop::Expr(2), before);
    before.push_back(loop::declare(*count_, loop::Expr(0)));
    after.push_back(loop::release(*list_));
  }

  std::pair<loop::Expr, loop::Expr> locate(const loop::Expr& key, Statements& out) const override {
    const loop::Var slot = probe(as_variable(key, out), out);
    const loop::Var has = context_.fresh("has_" + name(), loop::scalar_type(Type::Bool));
    out.push_back(loop::declare(has, is_free(slot, false)));
    return {slot, has};
  }

  /// From where the search for each key begins, slots are freed up to the next free one. A key that is not where its
  /// search begins has only keys in between, and whoever frees one of those frees all that follow.
  void empty(Statements& out) const override {
    const loop::Var n = context_.fresh_index("n");
    const loop::Var slot = context_.fresh_index(name() + "_slot");
    const loop::Expr key = loop::convert(loop::load(*list_, n), Type::Int64);
    const loop::Stmt free =
        loop::block({loop::store(*keys_, slot, loop::constant(key_type(), -1)), loop::assign(slot, next(slot))});
    out.push_back(loop::for_loop(
        n, loop::Expr(0), *count_,
        loop::block({loop::declare(slot, hash_slot(key, mask())), loop::while_loop(is_free(slot, false), free)})));
    out.push_back(loop::assign(*count_, loop::Expr(0)));
  }

  void hand_over(const Workspace&, Statements&) const override {
    throw InternalError("internal error: hash tables of threads cannot be put together");
  }

 private:
  void place(const loop::Expr& key, const AtNewEntry& first, const AtPosition& again, Statements& out) const override {
    out.push_back(loop::if_then(loop::Expr(*count_) * loop::Expr(2) >= loop::Expr(*capacity_), grow()));
    const loop::Var wanted = as_variable(key, out), slot = probe(wanted, out);
    const loop::Stmt take = loop::store(*keys_, slot, loop::convert(wanted, key_type()));
    out.push_back(loop::if_then(is_free(slot, true), loop::block({take, first(slot, wanted)}), again(slot)));
  }

  std::vector<loop::Var> slots() const {
    std::vector<loop::Var> arrays{*keys_, values_};
    if (mark_) arrays.push_back(*mark_);
    return arrays;
  }
  loop::Expr mask() const { return loop::Expr(*capacity_) - loop::Expr(1); }
  loop::Expr next(const loop::Var& slot) const { return loop::bit_and(loop::Expr(slot) + loop::Expr(1), mask()); }
  loop::Expr key_at(const loop::Expr& slot) const { return loop::convert(loop::load(*keys_, slot), Type::Int64); }
  loop::Expr is_free(const loop::Var& slot, bool yes) const {
    return yes ? key_at(slot) < loop::Expr(0) : key_at(slot) >= loop::Expr(0);
  }
  loop::Stmt all_free() const { return loop::fill(*keys_, loop::Expr(0), *capacity_, loop::constant(key_type(), -1)); }

  loop::Var as_variable(const loop::Expr& key, Statements& out) const {
    const loop::Var wanted = context_.fresh_index(name() + "_key");
    out.push_back(loop::declare(wanted, key));
    return wanted;
  }

  /// The slot of a key, or the free one where it would be.
  loop::Var probe(const loop::Var& wanted, Statements& out) const {
    const loop::Var slot = context_.fresh_index("p" + name());
    out.push_back(loop::declare(slot, hash_slot(wanted, mask())));
    out.push_back(loop::while_loop(is_free(slot, false) && loop::ne(key_at(slot), loop::Expr(wanted)),
                                   loop::assign(slot, next(slot))));
    return slot;
  }

  /// Takes the values out in the order of the list, and puts them into tables of twice the size.
  loop::Stmt grow() const {
    Statements out, taking, putting, after;
    std::vector<std::pair<loop::Var, loop::Var>> kept;  // of values and marks
    for (const loop::Var& array : slots()) {
      if (array == *keys_) continue;
      const loop::Var old = context_.fresh("old_" + array.name(), array.type());
      out.push_back(loop::declare_array(old));
      out.push_back(loop::allocate(old, *count_, false));
      after.push_back(loop::release(old));
      kept.emplace_back(array, old);
    }
    const loop::Var from = context_.fresh_index("n"), to = context_.fresh_index("n");
    const auto listed = [&](const loop::Var& n) { return loop::convert(loop::load(*list_, n), Type::Int64); };
    const loop::Var was = probe(as_variable(listed(from), taking), taking);
    const loop::Var is = probe(as_variable(listed(to), putting), putting);
    for (const auto& [array, old] : kept) {
      taking.push_back(loop::store(old, from, loop::load(array, was)));
      putting.push_back(loop::store(array, is, loop::load(old, to)));
    }
    putting.push_back(loop::store(*keys_, is, loop::load(*list_, to)));
    out.push_back(loop::for_loop(from, loop::Expr(0), *count_, loop::block(std::move(taking))));
    out.push_back(loop::assign(*capacity_, loop::Expr(*capacity_) * loop::Expr(2)));
    for (const loop::Var& array : slots()) out.push_back(loop::resize(array, *capacity_));
    out.push_back(loop::resize(*list_, loop::Expr(*capacity_) / loop::Expr(2)));
    out.push_back(all_free());
    out.push_back(loop::for_loop(to, loop::Expr(0), *count_, loop::block(std::move(putting))));
    out.insert(out.end(), after.begin(), after.end());
    return loop::block(std::move(out));
  }

  std::optional<loop::Var> keys_;      // of each slot; negative where it is free
  std::optional<loop::Var> capacity_;  // slots, a power of two
};

}  // namespace

std::shared_ptr<Workspace> hashed_workspace(Context& context, const concrete::Tensor& tensor) {
  return std::make_shared<HashedWorkspace>(context, tensor);
}

}  // namespace lacuna
