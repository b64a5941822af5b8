#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/support/check.h"
#include "lacuna/tensor/hash.h"
#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/nodes.h"
#include "lacuna/tensor/range.h"
#include "lacuna/tensor/storage.h"
#include "lacuna/tensor/validate_chain.h"

namespace lacuna {

namespace {

/// Goes down the levels, knowing of the positions above: how many they are, the first one, and which of them exist.
class Validator {
 public:
  Validator(const Storage& storage, const std::string& name) : storage_(storage), name_(name) {}

  void run() {
    check_shape();
    for (level_ = 0; level_ < storage_.order(); ++level_) check_level();
    if (storage_.values.type() != storage_.type) {
      user_error("{}: the values are {}, but the tensor's type is {}", name_, type_name(storage_.values.type()),
                 type_name(storage_.type));
    }
    if (storage_.format.has_values_in_nodes()) {
      if (!storage_.values.empty())
        user_error("{}: {} values beside those in its nodes", name_, storage_.values.size());
      return;
    }
    if (storage_.values.size() != count_ || (count_ > 0 && storage_.values.base() != first_)) {
      user_error("{}: {} values from position {} on, but the last level has {} positions from {} on", name_,
                 storage_.values.size(), storage_.values.base(), count_, first_);
    }
  }

 private:
  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> message, Args&&... args) const {
    user_error("{}: level {}: {}", name_, level_, fmt::format(message, std::forward<Args>(args)...));
  }

  const LevelStorage& level() const { return storage_.levels[static_cast<std::size_t>(level_)]; }

  void check_shape() const {
    const auto order = static_cast<std::size_t>(storage_.order());
    if (storage_.dimensions.size() != order || storage_.levels.size() != order) {
      user_error("{}: a format of order {} with {} dimensions and {} levels", name_, order, storage_.dimensions.size(),
                 storage_.levels.size());
    }
    for (std::size_t k = 0; k < order; ++k) {
      const auto mode = static_cast<std::size_t>(storage_.format.map().mode_of(static_cast<int>(k)));
      const std::int64_t dimension = storage_.dimensions[mode];
      const LevelStorage& data = storage_.levels[k];
      if (dimension < 0) user_error("{}: dimension {} is {}", name_, mode, dimension);
      if (data.origin < 0 || data.extent < 0 || data.origin > dimension || data.extent > dimension - data.origin) {
        user_error("{}: level {} holds {} coordinates from {} on, but dimension {} is {}", name_, k, data.extent,
                   data.origin, mode, dimension);
      }
    }
  }

  void check_level() {
    switch (storage_.format.level(level_).kind) {
      case LevelKind::Dense: check_dense(); break;
      case LevelKind::Bitmap: check_bitmap(); break;
      case LevelKind::Compressed: check_compressed(); break;
      case LevelKind::Singleton: check_singleton(); break;
      case LevelKind::Hashed: check_hashed(); break;
      case LevelKind::Dynamic: check_dynamic(); break;
    }
    if (level().positions != count_) fail("says that it has {} positions, but has {}", level().positions, count_);
  }

  bool exists(std::int64_t index) const {
    return !existing_ || existing_->view<std::uint8_t>()[static_cast<std::size_t>(index)] != 0;
  }

  void check_dense() {
    const std::int64_t extent = level().extent;
    const std::int64_t parents = count_;
    count_ = multiply_sizes(parents, extent, "a dense level");
    if (first_ != 0) first_ = multiply_sizes(first_, extent, "a dense level");
    if (!existing_) return;
    Array below = Array::allocate(Type::UInt8, count_, false);
    auto to = below.mutable_view<std::uint8_t>();
    for (std::int64_t p = 0; p < parents; ++p) {
      std::fill_n(to.begin() + p * extent, extent, exists(p) ? std::uint8_t{1} : std::uint8_t{0});
    }
    existing_ = below;
  }

  void check_bitmap() {
    const std::int64_t extent = level().extent;
    const std::int64_t parents = count_;
    count_ = multiply_sizes(parents, extent, "a bitmap level");
    if (first_ != 0) first_ = multiply_sizes(first_, extent, "a bitmap level");
    if (level().present.type() != Type::UInt8 || level().present.size() != count_) {
      fail("needs {} bytes that say what is present, but has {} elements of {}", count_, level().present.size(),
           type_name(level().present.type()));
    }
    const auto present = level().present.view<std::uint8_t>();
    for (std::int64_t p = 0; p < parents; ++p) {
      if (exists(p)) continue;
      const auto row = present.subspan(static_cast<std::size_t>(p * extent), static_cast<std::size_t>(extent));
      if (std::any_of(row.begin(), row.end(), [](std::uint8_t byte) { return byte != 0; })) {
        fail("position {} above it is absent, but has entries", p);
      }
    }
    existing_ = level().present;
  }

  void check_integers(const Array& array, const char* what) const {
    if (!is_integer(array.type()) || array.type() == Type::Bool) {
      fail("{} is {}; it must be of an integer type", what, type_name(array.type()));
    }
  }

  /// Segments that ascend, one a parent, and together cover crd.
  void check_positions() const {
    const Array& pos = level().pos;
    const Array& crd = level().crd;
    check_integers(pos, "pos");
    check_integers(crd, "crd");
    if (pos.size() != count_ + 1 || pos.base() != first_) {
      fail("pos has {} elements from {} on; {} positions above it need {} from {} on", pos.size(), pos.base(), count_,
           count_ + 1, first_);
    }
    visit_integer_type(pos.type(), [&](auto zero) {
      const auto view = pos.view<decltype(zero)>();
      for (std::size_t p = 1; p < view.size(); ++p) {
        if (view[p] < view[p - 1]) fail("pos descends from {} to {} at element {}", view[p - 1], view[p], p);
      }
    });
    const std::int64_t begin = pos.integer(first_);
    const std::int64_t end = pos.integer(first_ + count_);
    if (begin != crd.base() || end - begin != crd.size() || begin < 0) {
      fail("pos covers [{}, {}), but crd holds the positions [{}, {})", begin, end, crd.base(),
           crd.base() + crd.size());
    }
    if (!existing_) return;
    const IntegerReader reader(pos);
    for (std::int64_t p = 0; p < count_; ++p) {
      if (!exists(p) && reader[first_ + p] != reader[first_ + p + 1]) {
        fail("position {} above it is absent, but has entries", p);
      }
    }
  }

  void check_range() const {
    const Array& crd = level().crd;
    visit_integer_type(crd.type(), [&](auto zero) {
      const auto view = crd.view<decltype(zero)>();
      const std::int64_t high = level().origin + level().extent;
      const std::int64_t p = first_outside(view, level().origin, high);
      if (p >= 0) {
        fail("coordinate {} at position {} is outside [{}, {})", view[static_cast<std::size_t>(p)], crd.base() + p,
             level().origin, high);
      }
    });
  }

  void check_compressed() {
    check_positions();
    check_range();
    complain(check_chain(storage_, level_));
    first_ = level().crd.base();
    count_ = level().crd.size();
    existing_.reset();
  }

  void check_dynamic() {
    complain(nodes::find_damage(storage_, level_, count_));
    count_ = level().positions;
  }

  void complain(const std::optional<std::string>& complaint) const {
    if (complaint) fail("{}", *complaint);
  }

  void check_singleton() const {
    const Array& crd = level().crd;
    check_integers(crd, "crd");
    if (crd.size() != count_ || (count_ > 0 && crd.base() != first_)) {
      fail("crd has {} elements from {} on, but there are {} positions above it from {} on", crd.size(), crd.base(),
           count_, first_);
    }
    if (!existing_) return check_range();
    const IntegerReader reader(crd);
    for (std::int64_t p = 0; p < count_; ++p) {
      const std::int64_t c = reader[first_ + p] - level().origin;
      if (exists(p) && (c < 0 || c >= level().extent)) {
        fail("coordinate {} at position {} is outside [{}, {})", c + level().origin, first_ + p, level().origin,
             level().origin + level().extent);
      }
    }
  }

  void check_hashed() {
    check_positions();
    const Array& crd = level().crd;
    if (!is_signed_integer(crd.type())) {
      fail("crd is {}; it must be signed, as negative marks an empty slot", type_name(crd.type()));
    }
    const IntegerReader pos(level().pos);
    for (std::int64_t p = first_; p < first_ + count_; ++p) check_region(pos[p], pos[p + 1] - pos[p]);
    complain(check_unique(storage_, level_));
    Array used = Array::allocate(Type::UInt8, crd.size(), false);
    auto to = used.mutable_view<std::uint8_t>();
    const IntegerReader slot(crd);
    for (std::int64_t s = 0; s < crd.size(); ++s) to[static_cast<std::size_t>(s)] = slot[crd.base() + s] >= 0;
    existing_ = used;
    first_ = crd.base();
    count_ = crd.size();
  }

  /// Every coordinate must be met by the search that starts at its own slot, and every search must end.
  void check_region(std::int64_t begin, std::int64_t size) const {
    if (size == 0) return;
    if (!std::has_single_bit(static_cast<std::uint64_t>(size)))
      fail("a table of {} slots; it must be a power of two", size);
    const IntegerReader crd(level().crd);
    std::int64_t empty = size;
    for (std::int64_t slot = 0; slot < size && empty == size; ++slot) {
      if (crd[begin + slot] < 0) empty = slot;
    }
    if (empty == size) fail("the table at position {} has no empty slot, so that a search in it would not end", begin);
    std::int64_t filled = 0;  // slots since the last empty one
    for (std::int64_t step = 1; step < size; ++step) {
      const std::int64_t slot = (empty + step) & (size - 1);
      const std::int64_t c = crd[begin + slot];
      if (c < 0) {
        filled = 0;
        continue;
      }
      if (c < level().origin || c - level().origin >= level().extent) {
        fail("coordinate {} at position {} is outside [{}, {})", c, begin + slot, level().origin,
             level().origin + level().extent);
      }
      if (((slot - hash_slot(c, size)) & (size - 1)) > filled) {
        fail("coordinate {} at position {} cannot be found from its own slot", c, begin + slot);
      }
      ++filled;
    }
  }

  const Storage& storage_;
  const std::string& name_;
  int level_ = 0;
  std::int64_t first_ = 0;
  std::int64_t count_ = 1;
  std::optional<Array> existing_;  // a byte a position; none where all exist
};

}  // namespace

void validate(const Storage& storage, const std::string& name) { Validator(storage, name).run(); }

}  // namespace lacuna
