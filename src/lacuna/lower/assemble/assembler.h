#pragma once

#include <functional>
#include <memory>

#include "lacuna/concrete/structure.h"
#include "lacuna/lower/compute/expression.h"
#include "lacuna/lower/context/context.h"
#include "lacuna/lower/levels/windows.h"

namespace lacuna {

/// How the kernel makes one result: one implementation a strategy (concrete::Assembly), each in its own file.
class Assembler {
 public:
  Assembler(Context& context, const concrete::Tensor& result)
      : context_(context), result_(result), access_(concrete::result_access(context.program(), result.var)) {}
  Assembler(const Assembler&) = delete;
  Assembler& operator=(const Assembler&) = delete;
  virtual ~Assembler() = default;

  const concrete::Tensor& result() const { return result_; }
  bool makes(const TensorVar& tensor) const { return result_.var == tensor; }

  /// Before the nest is lowered: parameters and initial state.
  virtual void begin() = 0;
  /// How often the nest is run, and what goes before and after it each time. `counts`: the pass only counts what some
  /// result stores, and nothing is stored.
  virtual int passes() const { return 1; }
  void count_only(bool counts) { counting_ = counts; }
  virtual void enter_pass(int pass, Statements& out);
  virtual void leave_pass(Statements& out);
  /// Before a loop that runs at most `most_iterations` times, if that is known; null when there is nothing to do.
  virtual loop::Stmt before_loop(const IndexVar& var, const std::optional<loop::Expr>& most_iterations);
  /// Around each loop over a result variable: `body` is the lowered body of one iteration in which `scope` holds.
  virtual loop::Stmt iteration(const IndexVar& var, const Scope& scope,
                               const std::function<loop::Stmt(const Scope&)>& body);
  /// Stores (or adds) a value at the coordinates of `target`, converted to the result's type.
  virtual void store(const Access& target, bool accumulate, const Computed& value, const Scope& scope,
                     Statements& out) = 0;
  /// Where values are of which all levels from one on are dense.
  struct DenseValues {
    loop::Var values;
    int level;                    // the first of these levels
    loop::Expr parent;            // the position above it,
    loop::Expr begin;             // or else where the values under it begin
    loop::Stmt stored = nullptr;  // says that something was stored
  };
  /// Those of a result, for a call of BLAS: it stores them or, if it adds, adds to what is there, in all of what the
  /// loops that it takes the place of come to. One that may not be reached in a block of values, adds.
  virtual DenseValues dense_values(const Access& target, bool adds, const Scope& scope);
  /// Around a parallel loop, inside no other one, whose iterations come to stretches of the first variable's
  /// coordinates: what is appended in it, iteration by iteration, is put together after it. Nothing where results are
  /// stored in place.
  struct Sharing {
    const concrete::Forall* loop;
    loop::Expr iterations;
    loop::Expr entries;  // so many an iteration is expected to append
    std::function<Window(const loop::Expr& iteration)> stretch;
  };
  virtual void before_sharing(const Sharing& sharing, Statements& out);
  virtual void enter_share(const loop::Expr& iteration, Statements& out);
  virtual void leave_share(const loop::Expr& iteration, Statements& out);
  virtual void after_sharing(const Sharing& sharing, Statements& out);

  /// After the nest is lowered: what goes around it and back to the descriptor.
  virtual void end() = 0;

 protected:
  /// Whether an entry is to be stored (semantics.md, "Absence"): present, and structural or not zero.
  loop::Expr is_stored(const Computed& value) const;
  /// The body of the loop over the last coordinate above a block of values, and whether the block must be zero before.
  std::pair<loop::Stmt, bool> block_body(const Scope& scope, const std::function<loop::Stmt(const Scope&)>& body);
  /// Notes that something is stored in the block: in all of it and once, or else in any way.
  void note_in_block(bool whole, const Scope& scope);
  /// The position in the result's level above the next one.
  loop::Expr result_parent(const Scope& scope) const;
  /// Gives parents that no iteration came to an empty segment where the one before them ends.
  loop::Stmt carry_forward(const loop::Var& pos, const loop::Expr& parents);
  /// The position in a run of dense and bitmap levels from `first` to `last`, of the target's coordinates.
  loop::Expr dense_position_of(const Access& target, const Scope& scope, int first, int last, loop::Expr parent);

  /// The variable that indexes a level.
  const IndexVar& variable(int level) const {
    return access_.indices[static_cast<std::size_t>(result_.format.map().mode_of(level))];
  }
  /// What the result is called among the kernel's arguments.
  const std::string& argument_name() const { return context_.argument_name(result_.var); }

  Context& context_;
  const concrete::Tensor& result_;
  const Access access_;    // on the left of every assignment to the result
  bool counting_ = false;  // in this pass

 private:
  int stores_in_block_ = 0;
  bool stores_block_ = false;  // all of it
};

std::unique_ptr<Assembler> make_assembler(Context& context, const concrete::Tensor& result);
std::unique_ptr<Assembler> random_assembler(Context& context, const concrete::Tensor& result);
std::unique_ptr<Assembler> append_assembler(Context& context, const concrete::Tensor& result);
std::unique_ptr<Assembler> nodes_assembler(Context& context,
                                           const concrete::Tensor& result);  // Append, where some level is dynamic
std::unique_ptr<Assembler> insert_assembler(Context& context, const concrete::Tensor& result);
std::unique_ptr<Assembler> shared_pattern_assembler(Context& context, const concrete::Tensor& result);
std::unique_ptr<Assembler> stream_assembler(Context& context, const concrete::Tensor& result);

}  // namespace lacuna
