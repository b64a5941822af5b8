#pragma once

#include <optional>

#include "lacuna/lower/context/context.h"

namespace lacuna {

/// A level of one path, as code generation sees it.
struct LevelAt {
  const Path& path;
  int level;
  const LevelFormat& format;
  const Workspace* workspace = nullptr;  // of a path that reads one
  std::string position_name() const;     // pB2
};

/// What a level kind emits. One implementation a kind, each in its own file; `level_code` finds it. A level hands out
/// children either by a cursor (an ordered walk that can be merged) or by locate (the child at a given coordinate),
/// most by both.
class LevelCode {
 public:
  LevelCode() = default;
  LevelCode(const LevelCode&) = delete;
  LevelCode& operator=(const LevelCode&) = delete;
  virtual ~LevelCode() = default;

  /// Emits into `out` what finds the child of `parent` at `coordinate`; its handle's `present` says whether there is
  /// one.
  virtual Handle locate(Context& context, const LevelAt& at, const Handle& parent, const loop::Expr& coordinate,
                        Statements& out) const = 0;

  /// The range of positions that a cursor walks under `parent` (empty where the parent is absent). Only of levels that
  /// are walked (iteration/walks.h).
  virtual std::pair<loop::Expr, loop::Expr> range(Context& context, const LevelAt& at, const Handle& parent) const;
};

const LevelCode& level_code(LevelKind kind);

/// The coordinate that the level's array has at a position, Int64.
loop::Expr stored_coordinate(Context& context, const LevelAt& at, const loop::Expr& position);

// The kinds.
const LevelCode& dense_level();
const LevelCode& compressed_level();
const LevelCode& singleton_level();
const LevelCode& bitmap_level();
const LevelCode& hashed_level();
const LevelCode& dynamic_level_code();

/// parent*extent + (coordinate - origin): the child of a dense or bitmap level.
loop::Expr dense_position(Context& context, const TensorVar& tensor, int level, const loop::Expr& parent,
                          const loop::Expr& coordinate);
/// Searches the ascending coordinates of positions [low, high) for one: the handle of what is found.
Handle search(Context& context, const LevelAt& at, const loop::Expr& low, const loop::Expr& high,
              const loop::Expr& coordinate, Statements& out);
/// `if_present` where the handle is present, else zero; without a test where that is known.
loop::Expr where_present(const Handle& handle, const loop::Expr& if_present, const loop::Expr& otherwise);

}  // namespace lacuna
