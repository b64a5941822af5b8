#include "lacuna/runtime/level_kind.h"

#include "lacuna/codegen/prelude/lacuna_kernel.h"
#include "lacuna/support/error.h"

namespace lacuna {

LevelKindOfAbi level_kind_of_abi(LevelKind kind) {
  switch (kind) {
    case LevelKind::Dense: return {LACUNA_DENSE, "LACUNA_DENSE"};
    case LevelKind::Compressed: return {LACUNA_COMPRESSED, "LACUNA_COMPRESSED"};
    case LevelKind::Singleton: return {LACUNA_SINGLETON, "LACUNA_SINGLETON"};
    case LevelKind::Bitmap: return {LACUNA_BITMAP, "LACUNA_BITMAP"};
    case LevelKind::Hashed: return {LACUNA_HASHED, "LACUNA_HASHED"};
    case LevelKind::Dynamic: return {LACUNA_NODES, "LACUNA_NODES"};
  }
  throw InternalError("internal error: a level kind outside its enumeration");
}

}  // namespace lacuna
