#include "lacuna/api/held_arrays.h"

#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// A piece of a larger tensor has positions that count from elsewhere.
const Array& whole_array(const Array& array, const std::string& name) {
  if (array.base() != 0)
    user_error("{} is a piece of a larger tensor, whose positions count from {}; convert it, or read storage()", name,
               array.base());
  return array;
}

const LevelStorage& level_of(const Storage& storage, int level, const std::string& name) {
  if (level < 0 || level >= storage.order())
    user_error("{} has {} level{}, counted from 0, and no level {}", name, storage.order(),
               storage.order() == 1 ? "" : "s", level);
  return storage.levels[static_cast<std::size_t>(level)];
}

const Array& array_of_type(const Array& array, Type type, const char* what, int level, const std::string& name) {
  if (array.type() != type)
    user_error("the {} of level {} of {} are {}: ask for {}<std::{}_t>({})", what, level, name, type_name(array.type()),
               what, type_name(array.type()), level);
  return whole_array(array, name);
}

}  // namespace

const Array& held_values(const Storage& storage, const std::string& name) {
  if (storage.format.has_values_in_nodes())
    user_error("the values of {} are in the nodes of its last level, {}, and not in an array; convert it, with to()",
               name, storage.format.levels().back().name());
  return whole_array(storage.values, name);
}

const Array& held_positions(const Storage& storage, int level, Type type, const std::string& name) {
  const LevelStorage& arrays = level_of(storage, level, name);
  const LevelFormat& format = storage.format.level(level);
  if (!format.has_pos())
    user_error("level {} of {} is {}, which has no array of positions; compressed and hashed levels have one", level,
               name, format.name());
  return array_of_type(arrays.pos, type, "positions", level, name);
}

const Array& held_coordinates(const Storage& storage, int level, Type type, const std::string& name) {
  const LevelStorage& arrays = level_of(storage, level, name);
  const LevelFormat& format = storage.format.level(level);
  if (!format.has_crd())
    user_error(
        "level {} of {} is {}, which has no array of coordinates; compressed, singleton and hashed levels have one",
        level, name, format.name());
  return array_of_type(arrays.crd, type, "coordinates", level, name);
}

}  // namespace lacuna
