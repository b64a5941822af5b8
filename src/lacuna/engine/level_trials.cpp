#include "lacuna/engine/level_trials.h"

#include <algorithm>
#include <array>
#include <vector>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/dynamic/code/fill.h"
#include "lacuna/dynamic/code/load.h"
#include "lacuna/dynamic/update/find_entries.h"
#include "lacuna/dynamic/update/updated_tensor.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/entries.h"

namespace lacuna {
namespace {

/// How many elements the rows have of the tensor that a level is tried with. Blocks hold some ten to a hundred.
constexpr std::array<std::int64_t, 14> elements_of_row = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 65, 150};
constexpr std::int64_t row_count = elements_of_row.size();
constexpr std::int64_t longest = elements_of_row.back();
constexpr std::int64_t column_count = 3 * longest;
/// A kernel takes some ten thousand.
constexpr std::int64_t most_steps = 3'000'000;

enum class Order : std::uint8_t { Ascending, Descending, Mixed };

/// Which of a row's elements comes k-th.
std::int64_t element_at(Order order, std::int64_t k, std::int64_t count) {
  if (order == Order::Ascending) return k;
  return order == Order::Descending ? count - 1 - k : 7919 * k % count;  // a prime that divides no count
}

/// Elements with values that are all different.
class Elements {
 public:
  void add(std::int64_t row, std::int64_t element) {
    rows_.push_back(row);
    columns_.push_back(3 * element + element % 2);
    values_.push_back(static_cast<double>(1000 * row + element + 1));
  }
  CoordinateList list() const {
    return {{row_count, column_count},
            {Array::of<std::int64_t>(rows_), Array::of<std::int64_t>(columns_)},
            Array::of<double>(values_)};
  }

 private:
  std::vector<std::int64_t> rows_, columns_;
  std::vector<double> values_;
};

CoordinateList all_elements() {
  Elements all;
  for (std::int64_t r = 0; r < row_count; ++r)
    for (std::int64_t e = 0; e < elements_of_row[static_cast<std::size_t>(r)]; ++e) all.add(r, e);
  return all.list();
}

/// One element of each row that has so many.
CoordinateList batch(Order order, std::int64_t k) {
  Elements of_rows;
  for (std::int64_t r = 0; r < row_count; ++r)
    if (const std::int64_t count = elements_of_row[static_cast<std::size_t>(r)]; k < count)
      of_rows.add(r, element_at(order, k, count));
  return of_rows.list();
}

Options checking() {
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  options.interpret.max_steps = most_steps;
  return options;
}

/// One level, filled as results are, and changed as by updates.
class Trial {
 public:
  explicit Trial(const LevelFormat& level)
      : file_(*level.definition),
        format_({LevelFormat::dense(), level}),
        options_(checking()),
        engine_(JitOptions{}, [](const Format&) {}),
        all_(all_elements()) {}

  void run() {
    const auto way = schema::fill_way(file_.program);
    if (!way) return;
    naming(schema::functions_of(*way), [&] { filled(all_); });
    if (!has("insert")) return;
    for (const Order order : {Order::Ascending, Order::Descending, Order::Mixed}) {
      UpdatedTensor tensor(engine_, filled(Elements().list()), options_);
      change(tensor, UpdateOperation::Assign, "insert", order);
      if (has("erase")) change(tensor, UpdateOperation::Erase, "erase", order);
    }
  }

 private:
  bool has(const char* function) const { return schema::find_function(file_.program, function) != nullptr; }

  /// What fails in the interpreter is the file's mistake here: what calls its functions is tried by all other files.
  template <typename Part>
  void naming(const std::string& functions, const Part& part) const {
    try {
      part();
    } catch (const loop::CheckFailure& failure) {
      user_error("{}: its {} failed in a trial with up to {} elements: {}", file_.path.string(), functions, longest,
                 failure.what());
    } catch (const Error& error) {
      user_error("{} (in a trial, before the level is used)", error.what());
    }
  }

  Storage filled(const CoordinateList& list) {
    const Format arrays({LevelFormat::dense(), LevelFormat::compressed()});
    return stored_as(engine_, build(list, arrays), format_, options_);
  }

  void change(UpdatedTensor& tensor, UpdateOperation operation, const char* function, Order order) {
    naming(function, [&] {
      for (std::int64_t k = 0; k < longest; ++k) tensor.update(operation, batch(order, k));
      tensor.check_nodes();
    });
    if (has("find")) naming("find", [&] { find_all(tensor, operation != UpdateOperation::Erase, function); });
  }

  /// Looks for all elements, which are there, or not any more.
  void find_all(const UpdatedTensor& tensor, bool expected, const char* function) {
    const Entries entries = entries_by_level(all_, format_);
    const FoundEntries found = find_entries(engine_, tensor.storage(), entries.columns, options_);
    const auto present = found.present.view<std::uint8_t>();
    const auto values = found.values.view<double>(), wanted = all_.values.view<double>();
    for (std::size_t e = 0; e < present.size(); ++e)
      if ((present[e] != 0) != expected || (expected && values[e] != wanted[e]))
        user_error("{}: after its {}, find {}", file_.path.string(), function,
                   !expected         ? "finds an element that was erased"
                   : present[e] != 0 ? "leads to another value than the element's"
                                     : "does not find an element that was put in");
  }

  const schema::LevelFile& file_;
  const Format format_;
  const Options options_;
  Compiler engine_;
  const CoordinateList all_;
};

}  // namespace

void LevelTrials::require(const Format& format) {
  for (const LevelFormat& level : format.levels()) {
    if (!level.is_dynamic()) continue;
    const std::string key = level.definition->path.string() + '\n' + level.definition->text;
    {
      const std::scoped_lock lock(mutex_);
      if (passed_.contains(key)) continue;
    }
    Trial(level).run();
    const std::scoped_lock lock(mutex_);
    passed_.insert(key);
  }
}

}  // namespace lacuna
