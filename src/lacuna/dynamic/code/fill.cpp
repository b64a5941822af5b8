#include "lacuna/dynamic/code/fill.h"

#include "lacuna/support/error.h"

namespace lacuna::schema {

std::optional<FillWay> fill_way(const LevelProgram& program) {
  if (find_function(program, "append_first") != nullptr) return FillWay::Append;
  if (find_function(program, "build") != nullptr) return FillWay::Build;
  if (find_function(program, "insert") != nullptr) return FillWay::Insert;
  return std::nullopt;
}

std::string functions_of(FillWay way) {
  switch (way) {
    case FillWay::Append: return "append_first and append_rest";
    case FillWay::Build: return "build";
    case FillWay::Insert: return "insert";
  }
  throw InternalError("internal error: a FillWay outside its enumeration");
}

}  // namespace lacuna::schema
