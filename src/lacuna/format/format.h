#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

namespace schema {
struct LevelFile;  // dynamic/code/load.h
}

/// How a level stores, for each parent position, its set of (coordinate, child) pairs.
enum class LevelKind : std::uint8_t {
  Dense,       // every coordinate of [origin, origin+extent); child = parent*extent + c - origin; no arrays
  Compressed,  // children of parent p are the positions [pos[p], pos[p+1]) with coordinates crd[…]
  Singleton,   // exactly one child a parent position, the same position: coordinate crd[p]
  Bitmap,      // child = parent*extent + c - origin, present where present[child] != 0 (one byte each)
  Hashed,   // open addressing: parent p owns slots [pos[p], pos[p+1]), a power of two or none; crd[slot] < 0 is empty
  Dynamic,  // nodes in arenas, as a level file says (dynamic/schema/memory_layout.h): root p is parent p's, elements
            // lead to the positions that their numbers in the order of appending are
};

/// One level's kind and properties. `ordered`: coordinates of one parent ascend. `unique`: they do not repeat.
struct LevelFormat {
  LevelKind kind = LevelKind::Dense;
  bool ordered = true;
  bool unique = true;
  /// What a dynamic level is, and null for all others. dynamic_level makes such a level.
  std::shared_ptr<const schema::LevelFile> definition = nullptr;

  static LevelFormat dense() { return {}; }
  static LevelFormat compressed(bool ordered = true, bool unique = true) {
    return {LevelKind::Compressed, ordered, unique};
  }
  static LevelFormat singleton(bool ordered = true, bool unique = true) {
    return {LevelKind::Singleton, ordered, unique};
  }

  // What a level can do, and which arrays it has: what all but those who make and read the arrays of a kind ask for.
  /// Stores every coordinate of its extent, so that a tensor has no absent entry because of it.
  bool full() const { return kind == LevelKind::Dense; }
  /// Has a child position for each coordinate of its extent, stored or not: parent*extent + c - origin.
  bool spans() const { return full() || has_present(); }
  /// The children of a parent are neighbours, and `pos` and `crd` say which.
  bool packed() const { return kind == LevelKind::Compressed; }
  /// One child a parent, at its parent's position.
  bool branchless() const { return kind == LevelKind::Singleton; }
  /// Finds a coordinate by its hash.
  bool hashes() const { return kind == LevelKind::Hashed; }
  /// Has an array of where each parent's positions begin.
  bool has_pos() const { return packed() || hashes(); }
  /// Has an array of coordinates, by position.
  bool has_crd() const { return packed() || branchless() || hashes(); }
  /// Has an array that says which positions are stored.
  bool has_present() const { return kind == LevelKind::Bitmap; }
  /// Has positions that store no entry: slots that are empty.
  bool has_gaps() const { return has_present() || hashes(); }
  /// Loops over its coordinates visit what it stores, child by child; into others they locate.
  bool walks() const { return packed() || branchless() || is_dynamic(); }
  /// A coordinate's child is found without a search through the siblings; of a dynamic level, by its `find`.
  bool locates() const;
  bool is_dynamic() const { return kind == LevelKind::Dynamic; }
  /// Dynamic levels are the same when name and text of their files are.
  bool operator==(const LevelFormat& other) const;
  /// "dense", or the name of a dynamic level.
  std::string name() const;
};

/// Which tensor modes the levels hold. Now a permutation; nothing outside this class may assume that a level is a mode.
class LevelMap {
 public:
  LevelMap() = default;
  /// `mode_of_level[k]` is the mode stored by level k. Throws Error unless it is a permutation of 0…n-1.
  explicit LevelMap(std::vector<int> mode_of_level);
  static LevelMap identity(int order);
  int size() const { return static_cast<int>(mode_of_level_.size()); }
  int mode_of(int level) const { return mode_of_level_[static_cast<std::size_t>(level)]; }
  int level_of(int mode) const;
  bool is_identity() const;
  const std::vector<int>& modes() const { return mode_of_level_; }
  bool operator==(const LevelMap&) const = default;

 private:
  std::vector<int> mode_of_level_;
};

/// How a tensor is stored, level by level, outermost first. An order-0 tensor has no levels.
class Format {
 public:
  Format() = default;
  /// Throws Error where the levels cannot nest (validate_levels says the rules) or the map has another size.
  Format(std::vector<LevelFormat> levels, LevelMap map);
  explicit Format(const std::vector<LevelFormat>& levels);

  int order() const { return static_cast<int>(levels_.size()); }
  const std::vector<LevelFormat>& levels() const { return levels_; }
  const LevelFormat& level(int k) const { return levels_[static_cast<std::size_t>(k)]; }
  const LevelMap& map() const { return map_; }
  /// Every level is full: no entry is ever absent.
  bool is_dense() const;
  /// How many levels are left without those at the end that are full.
  int levels_above_full() const;
  /// True for the COO family: compressed(not unique when order > 1), then singletons.
  bool is_coordinate() const;
  /// Some level is dynamic.
  bool has_nodes() const;
  /// The last level is dynamic: the tensor's values lie in its nodes.
  bool has_values_in_nodes() const { return order() > 0 && levels_.back().is_dynamic(); }
  bool operator==(const Format&) const = default;

  /// The text that parse_format reads back: a name where there is one, "dense,compressed:1,0" else.
  std::string to_string() const;

 private:
  std::vector<LevelFormat> levels_;
  LevelMap map_;
};

/// The rules of nesting: a level that is not unique is followed by a singleton or is the last; a singleton is not the
/// first; dynamic levels go with dense, compressed and dynamic ones. Returns the complaint, or an empty string.
std::string validate_levels(const std::vector<LevelFormat>& levels);

/// Reads a format: a name (dense, csr, csc, dcsr, dcsc, coo, csf, sparse, bitmap, hashed), letter codes ("ds", d s u q
/// c b h), or a list ("dense,compressed(unordered)", "d,mine", letters allowed in it), each with an optional mode
/// order ":1,0". `order` is the tensor's order; names that have a fixed order refuse another.
/// Names that are none of these are those of level files, which are read from the folders that the environment and
/// the installation say (dynamic.h reads others).
/// Throws Error with the column, or that of the level file.
Format parse_format(std::string_view text, int order);

// The named formats.
Format dense_format(int order);
Format csr_format();
Format csc_format();
Format dcsr_format();
Format dcsc_format();
Format coo_format(int order);     // compressed(not unique), singleton(not unique)…, singleton; order 1 is compressed
Format csf_format(int order);     // all compressed ("csf" and "sparse")
Format bitmap_format(int order);  // all bitmap
Format hashed_format(int order);  // all hashed

/// The dynamic levels made compressed ones: the arrays that nodes are filled from and turned into. The format itself
/// where it has no nodes.
Format array_format_of(const Format& format);

}  // namespace lacuna
