#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/distribute/execute/cut_operand.h"
#include "lacuna/distribute/execute/dense_exchange.h"
#include "lacuna/distribute/execute/entry_exchange.h"
#include "lacuna/distribute/execute/launch_runner.h"
#include "lacuna/distribute/execute/parts_in_place.h"
#include "lacuna/distribute/execute/pieces.h"
#include "lacuna/distribute/execute/result_memory.h"
#include "lacuna/distribute/part/dense_view.h"

namespace lacuna {

/// What a rank does of a plan of one step that is run again and again, in which nothing that was fetched moves on. What
/// is sent, where it goes, and what of it each kernel reads is looked up in the first run.
class SettledLaunch : public LaunchRunner {
 public:
  using LaunchRunner::LaunchRunner;

  void release() override {}

 private:
  /// A piece, its kernel and what that reads.
  struct Work {
    std::size_t task = 0;
    Piece piece;
    std::vector<std::vector<IndexSet>> used = {};  // by operand
    std::vector<IndexSet> computed = {};           // of the result
    bool waits = false;                            // for what other ranks send
    std::optional<std::size_t> adds_to = {};       // another piece of the task, in whose result this one's goes
    DenseCopy adding = {};
    std::optional<Bound> kernel = {};             // once it was run
    std::map<std::size_t, CutOperand> cuts = {};  // of operands that changed since
    std::map<std::size_t, DenseView> views = {};  // of dense operands: stretches of what lies there
    ResultMemory results = {};                    // of the task
  };

  void run_tasks() override;
  void begin_fetching();
  void use_what_came();
  void finish_fetching();
  void look_up();
  void add_works(std::size_t task, TaskPieces pieces);
  void bring_entries();
  void compute(Work& work);
  const LocalPart& source_of(const Work& work, std::size_t operand) const;
  Storage first_storage(Work& work, std::size_t operand) const;
  void prepare(Work& work);
  void refresh(Work& work);

  bool is_looked_up_ = false;
  std::vector<std::optional<PartsInPlace>> in_place_;    // by operand
  std::vector<std::optional<DenseExchange>> exchanges_;  // likewise
  std::vector<std::optional<EntryExchange>> entries_;    // likewise
  std::vector<Work> works_;                              // of this rank; pieces of a task in their order
};

}  // namespace lacuna
