#pragma once

#include <vector>

#include "lacuna/distribute/parts/rows_within.h"
#include "lacuna/distribute/run/in_place.h"
#include "lacuna/distribute/run/prepare.h"

namespace lacuna {

/// Where a task gets an operand from.
struct OperandSource {
  enum class Kind : std::uint8_t {
    Part,     // in a part that its processor has: as it lies, or what of it is used; of a dense one, that is a stretch
    InPlace,  // dense, and read where ranks of the computer have its parts (PartsInPlace)
    Brought,  // dense, and brought together (DenseFetch)
    Entries,  // brought entry by entry in the first step, and kept (EntryFetch)
    Moving,   // so, in each step (SteppedEntries, GeneralFetch)
  };
  Kind kind = Kind::Entries;
  std::int64_t part = 0;
  bool operator==(const OperandSource&) const = default;
};

/// How an operand is fetched by tasks that neither have it nor read it in place: the same for all of them.
OperandSource::Kind fetched_as(const PreparedLaunch& prepared, std::size_t operand);

/// What of a task is computed at once: all of it, or, of sums over a variable, those over some of its values.
struct Piece {
  Task task;                                    // with its variables narrowed
  std::vector<OperandSource> sources;           // by operand
  std::map<std::size_t, LocalPart> cut = {};    // operands of which what is used was cut already, with more around it
  std::map<std::size_t, RowsWithin> rows = {};  // operands of which rows are used where they lie, and no others
};

/// A task in pieces, whose results are added up: first what its processor has, as it lies there, then what comes from
/// others meanwhile. So nothing is copied to bring both together (the way that PETSc multiplies matrices and vectors).
/// Where rows of a sparse operand that follow each other need nothing of others, and have nearly all of its entries,
/// these are the first piece, and the other rows the second one; else each row is cut in two.
/// One piece where the task is no sum over something that is dense and comes from several processors.
struct TaskPieces {
  std::vector<Piece> pieces;
  std::map<std::size_t, std::vector<IndexSet>> brought;  // in a plan of one step, by operand: what is brought together
};

/// Where ranks read so much in place. Looks at entries that this rank knows.
TaskPieces pieces_of(const PreparedLaunch& prepared, std::size_t task, const InPlace& in_place = {});
/// Where all of it is one piece: in a plan of several steps, or one that is run once.
TaskPieces undivided(const PreparedLaunch& prepared, std::size_t task);

/// Whether the pieces of a task read an operand in place.
bool reads_in_place(const TaskPieces& pieces, std::size_t operand);

}  // namespace lacuna
