#include "lacuna/lower/nest/cursors.h"

#include <bit>

#include <fmt/core.h>

#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {
namespace {

/// At positions of an array level or of a workspace's list of keys.
class PositionCursor final : public Cursor {
 public:
  PositionCursor(Context& context, const Scope& scope, int path_number, const LevelAt& level, bool is_unique,
                 const Positions& range)
      : Cursor(context, scope, path_number, level, is_unique), begin_(range.first), end_(range.second) {}

  void narrow(const std::optional<Window>& window, Statements& out) override {
    const auto left = scope_.positions.find({path, at.level});
    const bool may_be_past = left != scope_.positions.end();  // pieces of positions, past the end
    if (may_be_past) {
      begin_ = context_.named(position.name() + "_from", loop::max(begin_, left->second.first), out);
      end_ = context_.named(position.name() + "_to", loop::min(end_, left->second.second), out);
    }
    // A share of the loop has a window of coordinates beside what is left of its positions.
    if (!window) return;
    const loop::Expr limit =
        context_.named(position.name() + "_limit", may_be_past ? loop::max(begin_, end_) : end_, out);
    begin_ = context_.named(position.name() + "_from", first_of(begin_, limit, window->low), out);
    end_ = context_.named(position.name() + "_to", first_of(begin_, limit, window->high), out);
  }

  void open(Statements& out) override {
    out.push_back(loop::declare(position, begin_));
    limit_ = context_.named(position.name() + "_end", end_, out);
  }

  loop::Expr live() const override { return loop::Expr(position) < loop::Expr(*limit_); }
  loop::Expr coordinate() const override { return coordinate_of(position); }

  Handle handle(const loop::Expr& present, Statements& /*out*/) const override {
    return {position, unique ? loop::Expr() : loop::Expr(*run_end_), present};
  }

  std::optional<Positions> range() const override {
    return limit_ ? Positions{position, *limit_} : Positions{begin_, end_};
  }

  void find_run_end(const loop::Expr& coordinate, Statements& out) override {
    if (unique) return;
    run_end_ = context_.named(position.name() + "_run", position, out);
    const loop::Expr end(*run_end_);
    const loop::Expr is_inside = end < loop::Expr(*limit_) && loop::eq(coordinate_of(end), coordinate);
    out.push_back(loop::while_loop(is_inside, loop::increment(*run_end_)));
  }

  loop::Stmt next() const override {
    return unique ? loop::increment(position) : loop::assign(position, loop::Expr(*run_end_));
  }

  loop::Stmt next_if(const loop::Expr& there) const override {
    return unique ? loop::assign(position, loop::Expr(position) + loop::convert(there, Type::Int64)) : next();
  }

  void leap(const loop::Expr& coordinate, Statements& out) const override {
    out.push_back(loop::assign(position, first_of(position, *limit_, coordinate, true)));
  }

  loop::Stmt catch_up(const loop::Expr& to) const override {
    return loop::while_loop(live() && coordinate() < to, loop::increment(position));
  }

 private:
  loop::Expr coordinate_of(const loop::Expr& p) const {
    return at.workspace != nullptr ? at.workspace->coordinate(at.level, p) : stored_coordinate(context_, at, p);
  }
  /// The first of the positions [low, high) that is not before a coordinate. `near`: it is likely to be close to low.
  loop::Expr first_of(const loop::Expr& low, const loop::Expr& high, const loop::Expr& coordinate,
                      bool near = false) const {
    if (at.workspace != nullptr) return at.workspace->lower_bound(at, low, high, coordinate, scope_, near);
    return context_.lower_bound(at.path.tensor, at.level, DescriptorField::Crd, low, high, coordinate, near);
  }

  loop::Expr begin_, end_;          // to be evaluated once, before the walk
  std::optional<loop::Var> limit_;  // the end, once it is open
  std::optional<loop::Var> run_end_;
};

/// Says for who asks how the elements of a level are handed out one by one.
void note_iterator(Context& context, const LevelAt& at, const dynamic::Iterator& iterator) {
  const std::string level = fmt::format("{}{}, {}", at.path.tensor.name(), at.level + 1, at.format.name());
  std::string& text = context.iterators[level];
  if (!text.empty()) return;
  const dynamic::Coroutine& coroutine = iterator.coroutine();
  text = fmt::format(
      "// {}: a coroutine for each type of node\n{}\n// tail calls, null guards and inlining\n{}\n"
      "// a stack instead of recursion\n{}",
      level, coroutine.recursive(), coroutine.guarded(), coroutine.without_recursion());
}

/// At the elements of a dynamic level. One without order is never opened.
class NodeCursor final : public Cursor {
 public:
  NodeCursor(Context& context, const Scope& scope, int path_number, const LevelAt& level)
      : Cursor(context, scope, path_number, level, level.format.unique) {
    if (at.format.ordered) iterator_ = &context.dynamic_level(at.path.tensor, at.level).iterator();
  }

  /// A walk begins and ends at coordinates.
  void narrow(const std::optional<Window>& window, Statements& /*out*/) override { window_ = window; }

  void open(Statements& out) override {
    walk_ = scope_.walks.at({path, at.level});
    context_.need(walk_->memory());
    note_iterator(context_, at, *iterator_);
    Statements begin, none;
    iterator_->start(*walk_, root_under(context_, at, parent()), begin);
    if (window_) iterator_->seek(*walk_, window_->low, begin);
    else iterator_->next(*walk_, begin);
    iterator_->start_empty(*walk_, none);
    out.push_back(loop::if_then(parent().present, loop::block(std::move(begin)), loop::block(std::move(none))));
  }

  loop::Expr live() const override {
    const loop::Expr live = iterator_->live(*walk_);
    return window_ ? live && coordinate() < window_->high : live;
  }
  loop::Expr coordinate() const override { return iterator_->coordinate(*walk_); }

  /// What the element leads to gets a name.
  Handle handle(const loop::Expr& present, Statements& out) const override {
    Handle handle{loop::Expr(0), {}, present, {}};
    if (context_.dynamic_level(at.path.tensor, at.level).structure().types.places)
      handle.place = context_.named("place" + at.position_name().substr(1), iterator_->place(*walk_), out);
    lead_on(context_, at, iterator_->value(*walk_), handle, out);
    return handle;
  }

  loop::Stmt next() const override {
    Statements out;
    iterator_->next(*walk_, out);
    return loop::block(std::move(out));
  }
  loop::Stmt next_if(const loop::Expr& there) const override { return loop::if_then(there, next()); }

  void leap(const loop::Expr& coordinate, Statements& out) const override { iterator_->seek(*walk_, coordinate, out); }
  loop::Stmt catch_up(const loop::Expr& to) const override {
    Statements out;
    leap(to, out);
    return loop::if_then(live() && coordinate() < to, loop::block(std::move(out)));
  }

 private:
  const dynamic::Iterator* iterator_ = nullptr;  // of a level with order
  std::optional<dynamic::Walk> walk_;            // once it is open
  std::optional<Window> window_;
};

/// The keys under the coordinates above: those that the loop outside stands at, or else what a search for them finds.
Positions collected_range(Context& context, const Scope& scope, const IndexVar& var, const LevelAt& at,
                          const Handle& parent, Statements& before) {
  if (at.level == 0) return {loop::Expr(0), at.workspace->count()};
  if (parent.is_range())
    return {where_present(parent, parent.pos, loop::Expr(0)), where_present(parent, parent.end, loop::Expr(0))};
  const auto find = [&](const loop::Expr& from, const loop::Expr& coordinate) {
    return at.workspace->lower_bound(at, from, at.workspace->count(), coordinate, scope);
  };
  const std::string name = at.position_name();
  const loop::Var begin = context.named(name + "_begin", find(loop::Expr(0), context.low(var)), before);
  return {begin, context.named(name + "_end", find(begin, context.high(var)), before)};
}

}  // namespace

loop::Expr root_under(Context& context, const LevelAt& at, const Handle& parent) {
  const dynamic::DynamicLevel& level = context.dynamic_level(at.path.tensor, at.level);
  return loop::as_ref(loop::convert(parent.pos, Type::UInt32), level.root_type().record);
}

void lead_on(Context& context, const LevelAt& at, const loop::Expr& value, Handle& handle, Statements& out) {
  const Format& format = context.program().at(at.path.tensor).format;
  if (at.level + 1 == format.order()) {
    handle.value = value;
    return;
  }
  // The index of a root has 32 bits, a position of an array level 64.
  const bool is_root = format.level(at.level + 1).is_dynamic();
  const loop::Expr child = loop::convert(is_root ? loop::convert(value, Type::UInt32) : value, Type::Int64);
  handle.pos = context.named(at.position_name(), child, out);
}

std::unique_ptr<Cursor> make_cursor(Context& context, const Scope& scope, const IndexVar& var,
                                    const iteration::LevelUse& use, Statements& before) {
  const Path& path = context.paths()[static_cast<std::size_t>(use.path)];
  const Handle& parent = scope.paths[static_cast<std::size_t>(use.path)].at;
  const auto found = scope.workspaces.find(path.tensor);
  const Workspace* workspace = found == scope.workspaces.end() ? nullptr : found->second.get();
  const LevelAt at{path, use.level, context.program().at(path.tensor).format.level(use.level), workspace};
  if (workspace == nullptr && at.format.is_dynamic()) return std::make_unique<NodeCursor>(context, scope, use.path, at);
  const bool unique = workspace != nullptr ? at.level + 1 == workspace->order() : at.format.unique;
  const auto range = workspace != nullptr ? collected_range(context, scope, var, at, parent, before)
                                          : level_code(at.format.kind).range(context, at, parent);
  return std::make_unique<PositionCursor>(context, scope, use.path, at, unique, range);
}

std::vector<int> numbers(CursorSet set) {
  std::vector<int> all;
  for (; set != 0; set &= set - 1) all.push_back(std::countr_zero(set));
  return all;
}

loop::Expr Cursors::all_live(CursorSet which) const {
  loop::Expr all(true);
  for (const int c : numbers(which)) all = all && (*this)[c].live();
  return all;
}

void Cursors::declare_heads(CursorSet which, Statements& out, const loop::Expr& past) {
  for (const int c : numbers(which)) {
    const Cursor& cursor = (*this)[c];
    const loop::Expr here = cursor.coordinate();
    const loop::Expr head = past.defined() ? loop::select(cursor.live(), here, past) : here;
    heads_.insert_or_assign(c, context_.named(var_.name() + cursor.at.path.tensor.name(), head, out));
  }
}

loop::Expr Cursors::smallest_head(CursorSet which) const {
  loop::Expr smallest;
  for (const int c : numbers(which)) smallest = smallest.defined() ? loop::min(smallest, head(c)) : head(c);
  return smallest;
}

void Cursors::catch_up(CursorSet which, const loop::Expr& coordinate, Statements& out) const {
  for (const int c : numbers(which)) out.push_back((*this)[c].catch_up(coordinate));
  find_run_ends(which, coordinate, out);
}

void Cursors::advance(CursorSet which, const loop::Expr& coordinate, Statements& out) const {
  const bool is_alone = which == first_of(which);
  for (const int c : numbers(which))
    out.push_back(is_alone ? (*this)[c].next() : (*this)[c].next_if(loop::eq(head(c), coordinate)));
}

Presences Cursors::presences(CursorSet there, CursorSet caught_up, const loop::Expr& coordinate) const {
  Presences present;
  for (const int c : numbers(there)) present.emplace(c, loop::Expr(true));
  for (const int c : numbers(caught_up))
    present.emplace(c, (*this)[c].live() && loop::eq((*this)[c].coordinate(), coordinate));
  return present;
}

}  // namespace lacuna
