#include "lacuna/distribute/run/pieces.h"

#include <algorithm>
#include <utility>

#include "lacuna/distribute/parts/dense_view.h"
#include "lacuna/distribute/plan/position_cut.h"
#include "lacuna/distribute/run/parts_in_place.h"
#include "lacuna/format/distribution/leave_out.h"

namespace lacuna {
namespace {

using Kind = OperandSource::Kind;
using Region = std::vector<IndexSet>;

class Cutter {
 public:
  Cutter(const PreparedLaunch& prepared, std::size_t task, const InPlace& in_place)
      : prepared_(prepared),
        in_place_(in_place),
        plan_(prepared.plan),
        step_(plan_.steps.front()),
        number_(task),
        task_(plan_.tasks[task]) {
    fetched_.resize(operands().size());
    for (const Transfer& transfer : step_.transfers) {
      const auto o = static_cast<std::size_t>(transfer.operand);
      if (static_cast<std::size_t>(transfer.task) == plan_.fetcher(o, task)) fetched_[o].push_back(&transfer);
    }
  }

  TaskPieces undivided() const {
    TaskPieces out{{{task_, {}}}, {}};
    for (std::size_t o = 0; o < operands().size(); ++o) {
      out.pieces[0].sources.push_back(source(o));
      if (out.pieces[0].sources[o].kind == Kind::Brought && is_one_step())
        out.brought[o] = plan_.region_of(operands()[o], task_, step_);
    }
    return out;
  }

  TaskPieces run() const {
    TaskPieces out = undivided();
    for (std::size_t o = 0; o < operands().size(); ++o)
      if (out.brought.count(o) != 0 && !operands()[o].indices.empty()) read_in_place(outermost(o).name(), out);
    if (!is_one_plain_sum()) return out;
    const std::vector<IndexVar> sums = terms_of(plan_.launch.statement)[0].sums;
    for (const IndexVar& v : sums)
      if (split(v.name(), out)) break;
    return out;
  }

 private:
  const std::vector<launch::Operand>& operands() const { return plan_.launch.operands; }
  bool is_dense(std::size_t o) const { return prepared_.tensor(o).shape().format.is_dense(); }
  bool is_dealt(std::size_t o) const { return plan_.launch.deals_out(o); }
  const LocalPart& part(std::size_t o, std::int64_t number) const { return prepared_.tensor(o).part(number); }
  bool is_here(std::size_t o, std::int64_t number) const { return prepared_.tensor(o).parts().count(number) != 0; }
  const Region& sets_of(std::size_t o, std::int64_t number) const {
    return is_here(o, number)
               ? part(o, number).sets
               : prepared_.tensor(o).placement().parts[static_cast<std::size_t>(number)].what.coordinates;
  }

  /// The part that the processor has of an operand, or one beside it, and fetches from.
  const Transfer* own(std::size_t o) const {
    for (const Transfer* transfer : fetched_[o])
      if (transfer->from == plan_.tasks[plan_.fetcher(o, number_)].processor) return transfer;
    return nullptr;
  }

  bool is_one_step() const { return plan_.steps.size() == 1; }

  OperandSource source(std::size_t o) const {
    const Kind fetched = fetched_as(prepared_, o);
    const bool is_brought = fetched == Kind::Brought;
    const Transfer* lies_here = fetched_[o].size() == 1 && !is_dealt(o) ? own(o) : nullptr;
    if (lies_here != nullptr && (is_one_step() || fetched == Kind::Entries)) {
      const Region used =
          is_one_step() ? plan_.used_of(operands()[o], task_, step_) : plan_.region_of(operands()[o], task_, step_);
      const Region& lies = sets_of(o, *lies_here->part);
      // A part that is cut by counts may have fewer coordinates: what is used has to be all there.
      if (is_brought ? is_one_stretch(lies, used, prepared_.tensor(o).shape().format) : common(used, lies) == used)
        return {Kind::Part, *lies_here->part};
    }
    return {fetched, 0};
  }

  /// Sums of parts of which are the sum: of one term, in the type in which it is computed.
  bool is_one_plain_sum() const {
    const Statement& s = plan_.launch.statement;
    return terms_of(s).size() == 1 && prepared_.local_format().is_dense() &&
           prepared_.sum_type == prepared_.computed_type && prepared_.sum_type != Type::Bool &&
           plan_.launch.local_schedule.empty();
  }

  /// The variable of a dense operand's outermost level.
  const IndexVar& outermost(std::size_t o) const {
    return operands()[o].indices[static_cast<std::size_t>(prepared_.tensor(o).shape().format.map().mode_of(0))];
  }

  /// Dense operands with this outermost variable, where others have them, if that can be: then no value of it is left
  /// out, so that all operands number them alike, and parts of the others are used as they lie.
  void read_in_place(const std::string& v, TaskPieces& out) const {
    Piece& piece = out.pieces[0];
    const IndexSet values = plan_.launch.variables.values_of(v, task_.at);
    std::vector<std::size_t> dense;
    for (std::size_t o = 0; o < operands().size(); ++o) {
      if (!launch::has_name(operands()[o].indices, v)) continue;
      if (piece.sources[o].kind == Kind::Entries || !can_leave_out(o, v)) return;
      if (piece.sources[o].kind == Kind::Brought) dense.push_back(o);
    }
    const auto is_readable = [&](std::size_t o) { return can_read_in_place(o, v, values); };
    if (dense.empty() || !std::all_of(dense.begin(), dense.end(), is_readable)) return;
    if (!lie_in_parts(values, v, piece)) return;
    const bool is_of_result = launch::has_name(plan_.launch.result.indices, v);
    if (is_of_result && plan_.used_of(operands()[dense[0]], task_, step_)[mode_of(dense[0], v)] != values) return;
    piece.task.narrowed[v] = values;
    for (const std::size_t o : dense) {
      piece.sources[o] = {Kind::InPlace, 0};
      out.brought.erase(o);
    }
  }

  bool can_read_in_place(std::size_t o, const std::string& v, const IndexSet& values) const {
    if (outermost(o).name() != v || !in_place_.may_serve(prepared_, fetched_[o])) return false;
    const DistributedTensor& tensor = prepared_.tensor(o);
    Region read = plan_.used_of(operands()[o], task_, step_);
    for (std::size_t m = 0; m < read.size(); ++m) {
      if (m != mode_of(o, v) && operands()[o].indices[m].name() == v) return false;
    }
    read[mode_of(o, v)] = values;
    IndexSet there;
    for (const Transfer* transfer : fetched_[o]) {
      const Region& lies = sets_of(o, *transfer->part);
      if (!begin_in_whole(lies, tensor.dimensions(), tensor.shape().format)) return false;
      there = there | lies[mode_of(o, v)];
    }
    if (is_gone_through(v) && (values & there) != values) return false;
    return is_one_stretch(all_of(tensor.dimensions()), read, tensor.shape().format);
  }

  /// In two along a variable, if that is of use.
  bool split(const std::string& v, TaskPieces& out) const {
    std::vector<std::size_t> dense;
    bool is_stored = false;
    for (std::size_t o = 0; o < operands().size(); ++o) {
      if (!launch::has_name(operands()[o].indices, v)) continue;
      const Kind kind = out.pieces[0].sources[o].kind;
      if (kind == Kind::Entries) return false;
      if (kind == Kind::Brought) dense.push_back(o);
      if (kind == Kind::Brought && !plan_.fetches_alone(o, number_)) return false;  // the others may use all of it
      is_stored = is_stored || !is_dense(o);
      if (!can_leave_out(o, v)) return false;
    }
    if (dense.empty() || !is_stored) return false;
    const std::optional<IndexSet> here = own_values(v, dense);
    if (!here || !lie_in_parts(*here, v, out.pieces[0])) return false;
    const std::size_t first = dense.front();
    const IndexSet used = plan_.used_of(operands()[first], task_, step_)[mode_of(first, v)];
    if ((used & *here).size() <= here->size() / 2) return false;  // to go through all of it would take longer
    const IndexSet elsewhere = used - *here;
    Piece own_piece = out.pieces[0], others = out.pieces[0];
    own_piece.task.narrowed[v] = *here;
    others.task.narrowed[v] = elsewhere;
    cut_between_rows(v, own_piece, others);
    out.pieces = {std::move(own_piece)};
    for (const std::size_t o : dense) {
      out.pieces[0].sources[o] = {Kind::Part, *own(o)->part};
      out.brought.erase(o);
      if (!elsewhere.empty()) out.brought[o] = plan_.region_of(operands()[o], others.task, step_);
    }
    if (elsewhere.empty()) return true;
    narrow_to_stored(others);
    out.pieces.push_back(std::move(others));
    return true;
  }

  /// Leaves whole rows of an operand to the others, if all the rest needs only what is here.
  void cut_between_rows(const std::string& v, Piece& own_piece, Piece& others) const {
    for (std::size_t o = 0; o < operands().size(); ++o) {
      if (is_dense(o) || own_piece.sources[o].kind != Kind::Part || !can_be_cut_between_rows(o, v)) continue;
      const std::optional<LocalPart> entries = entries_of(o, own_piece.sources[o].part);
      const std::size_t mode = mode_of(o, v);
      if (!entries || !is_used_but_for(mode, *entries, o)) continue;
      std::optional<RowsWithin> rows = RowsWithin::of(*entries, static_cast<int>(mode), own_piece.task.narrowed.at(v));
      if (!rows || !leave(rows->others(), v, o, *entries, others)) continue;
      own_piece.rows.emplace(o, std::move(*rows));
      return;
    }
  }

  /// Gives the others some rows of an operand, with all that is used there; whether they can be given that, for there
  /// are no others where everything is here.
  bool leave(const IndexSet& rows, const std::string& v, std::size_t o, const LocalPart& entries, Piece& others) const {
    if (rows.empty()) return true;
    const std::size_t mode = mode_of(o, v), row_mode = mode_of(o, outermost(o).name());
    Region region = plan_.used_of(operands()[o], task_, step_);
    region[row_mode] = rows;
    const LocalPart left = cut(entries, region);
    const IndexSet stored = stored_in(left, row_mode);
    if (stored.empty()) return true;
    std::map<std::string, IndexSet>& narrowed = others.task.narrowed;
    if (narrowed.at(v).empty()) return false;
    narrowed[v] = narrowed[v] | stored_in(left, mode);
    narrowed[outermost(o).name()] = stored;
    others.cut.emplace(o, cut(entries, plan_.used_of(operands()[o], others.task, step_)));
    return true;
  }

  /// Whether the sum over a variable is one over rows of an operand, too: what these do not store adds nothing, and no
  /// other operand has their variable.
  bool can_be_cut_between_rows(std::size_t o, const std::string& v) const {
    const std::vector<IndexVar>& indices = operands()[o].indices;
    const auto is_v = [&](const IndexVar& w) { return w.name() == v; };
    return std::count_if(indices.begin(), indices.end(), is_v) == 1 && !is_v(outermost(o)) &&
           operands_with(outermost(o).name()).size() == 1 &&
           launch::is_factor_once(terms_of(plan_.launch.statement)[0].expr, operands()[o]);
  }

  std::vector<std::size_t> operands_with(const std::string& v) const {
    std::vector<std::size_t> have;
    for (std::size_t o = 0; o < operands().size(); ++o)
      if (launch::has_name(operands()[o].indices, v)) have.push_back(o);
    return have;
  }

  /// A part, if it is known here.
  std::optional<LocalPart> entries_of(std::size_t o, std::int64_t number) const {
    const DistributedTensor& tensor = prepared_.tensor(o);
    if (is_here(o, number)) return part(o, number);
    if (!tensor.is_whole()) return std::nullopt;
    return local_part(tensor.whole(), tensor.placement().parts[static_cast<std::size_t>(number)].what);
  }

  /// Whether the task uses all of a part, whatever it uses of one mode.
  bool is_used_but_for(std::size_t mode, const LocalPart& part, std::size_t o) const {
    const Region used = plan_.used_of(operands()[o], task_, step_);
    for (std::size_t m = 0; m < used.size(); ++m)
      if (m != mode && used[m] != part.sets[m]) return false;
    return true;
  }

  static IndexSet stored_in(const LocalPart& part, std::size_t mode) {
    Restriction all = whole_of(part.storage.dimensions);
    all.coordinates = part.sets;
    return stored_coordinates(part, all, part.storage.format.map().level_of(static_cast<int>(mode)));
  }

  /// Whether the operand can be stored with fewer values of a variable.
  bool can_leave_out(std::size_t o, const std::string& v) const {
    return lacuna::can_leave_out(prepared_.tensor(o).shape().format, static_cast<int>(mode_of(o, v)));
  }

  std::size_t mode_of(std::size_t o, const std::string& v) const {
    return launch::place_of(operands()[o].indices, v).value();
  }

  /// Whether kernels look at all values of a variable, and not only at those that have entries.
  bool is_gone_through(const std::string& v) const {
    for (std::size_t o = 0; o < operands().size(); ++o) {
      if (is_dense(o) || !launch::has_name(operands()[o].indices, v)) continue;
      const Format& format = prepared_.tensor(o).shape().format;
      const int level = format.map().level_of(static_cast<int>(mode_of(o, v)));
      if (!format.level(level).full()) return false;
    }
    return true;
  }

  /// The values of a variable of which the processor has all that is used of some dense operands, in parts that are
  /// used as they lie.
  std::optional<IndexSet> own_values(const std::string& v, const std::vector<std::size_t>& dense) const {
    std::optional<IndexSet> here;
    for (const std::size_t o : dense) {
      const std::size_t mode = mode_of(o, v);
      const Transfer* from = own(o);
      if (from == nullptr) return std::nullopt;
      const Region used = plan_.used_of(operands()[o], task_, step_);
      const Region& lies = sets_of(o, *from->part);
      for (std::size_t m = 0; m < used.size(); ++m)
        if (m != mode && (used[m] != lies[m] || operands()[o].indices[m].name() == v)) return std::nullopt;
      if (here && *here != lies[mode]) return std::nullopt;
      here = lies[mode];
    }
    const IndexSet all = plan_.launch.variables.values_of(v, task_.at);
    return (*here & all) == *here ? here : std::nullopt;
  }

  /// Whether the parts of the other operands that are used have these values of a variable, too.
  bool lie_in_parts(const IndexSet& values, const std::string& v, const Piece& piece) const {
    for (std::size_t o = 0; o < operands().size(); ++o) {
      if (!launch::has_name(operands()[o].indices, v) || piece.sources[o].kind != Kind::Part) continue;
      for (std::size_t m = 0; m < operands()[o].indices.size(); ++m)
        if (operands()[o].indices[m].name() == v && (values & sets_of(o, piece.sources[o].part)[m]) != values)
          return false;
    }
    return true;
  }

  /// What is fetched is mostly used in few rows: variables of the result that one operand has, a factor, keep the
  /// values under which it stores something.
  void narrow_to_stored(Piece& piece) const {
    for (const IndexVar& v : plan_.launch.result.indices) {
      const std::vector<std::size_t> have = operands_with(v.name());
      if (have.size() != 1 || is_dense(have[0]) || piece.sources[have[0]].kind != Kind::Part) continue;
      if (!launch::is_factor(terms_of(plan_.launch.statement)[0].expr, operands()[have[0]])) continue;
      const std::size_t o = have[0], mode = mode_of(o, v.name());
      auto at = piece.cut.find(o);
      if (at == piece.cut.end()) {
        const std::optional<LocalPart> entries = entries_of(o, piece.sources[o].part);
        if (!entries) continue;
        at = piece.cut.emplace(o, cut(*entries, plan_.used_of(operands()[o], piece.task, step_))).first;
      }
      const IndexSet stored = stored_in(at->second, mode);
      if (!stored.empty() && stored.size() <= at->second.sets[mode].size() * 3 / 4)
        piece.task.narrowed[v.name()] = stored;
    }
  }

  const PreparedLaunch& prepared_;
  const InPlace& in_place_;
  const LaunchPlan& plan_;
  const LaunchStep& step_;
  std::size_t number_;
  const Task& task_;
  std::vector<std::vector<const Transfer*>> fetched_;  // by operand: what the task gets, or another for it
};

}  // namespace

OperandSource::Kind fetched_as(const PreparedLaunch& prepared, std::size_t o) {
  if (prepared.tensor(o).shape().format.is_dense() && !prepared.plan.launch.deals_out(o)) return Kind::Brought;
  return prepared.plan.is_fetched_once(prepared.plan.launch.operands[o]) ? Kind::Entries : Kind::Moving;
}

TaskPieces pieces_of(const PreparedLaunch& prepared, std::size_t task, const InPlace& in_place) {
  return Cutter(prepared, task, in_place).run();
}

TaskPieces undivided(const PreparedLaunch& prepared, std::size_t task) {
  return Cutter(prepared, task, InPlace()).undivided();
}

bool reads_in_place(const TaskPieces& pieces, std::size_t operand) {
  return std::any_of(pieces.pieces.begin(), pieces.pieces.end(),
                     [&](const Piece& piece) { return piece.sources[operand].kind == Kind::InPlace; });
}

}  // namespace lacuna
