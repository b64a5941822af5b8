#include "lacuna/dynamic/kernels/levels.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "lacuna/dynamic/code/load.h"
#include "lacuna/format/dynamic.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

using dynamic::DynamicLevel;

void check(const UpdateRequest& request) {
  const Format& format = request.format;
  const int last = format.order() - 1;
  internal_check(updates_in_place(format), "{} is not updated in place", format.to_string());
  internal_check(request.part == UpdatePart::Whole || updates_in_shares(format), "{} is not updated in shares",
                 format.to_string());
  if (request.operation == UpdateOperation::Erase && !format.level(last).is_dynamic())
    user_error(
        "nothing can be erased from the format {}: its last level is dense, which stores every coordinate; assign 0 "
        "instead",
        format.to_string());
  for (int k = 0; k <= last; ++k) {
    if (!format.level(k).is_dynamic()) continue;
    const char* needed = function_at(request, k);
    const schema::LevelFile& file = *format.level(k).definition;
    if (find_function(file.program, needed) != nullptr) continue;
    if (request.operation == UpdateOperation::Find)
      user_error("entries of the format {} cannot be looked up: level {}, {}, has no function find", format.to_string(),
                 k + 1, file.path.string());
    user_error("level {} of the format {} cannot be changed so: {} has no function {}", k + 1, format.to_string(),
               file.path.string(), needed);
  }
}

}  // namespace

const char* function_at(const UpdateRequest& request, int k) {
  if (request.operation == UpdateOperation::Find) return "find";
  const bool above = k + 1 < request.format.order();
  const bool erases = request.operation == UpdateOperation::Erase;
  if (above && (erases || request.part == UpdatePart::Entries)) return "find";
  return erases ? "erase" : "insert";
}

bool updates_in_shares(const Format& format) {
  const int last = format.order() - 1;
  if (!updates_in_place(format) || last == 0 || !format.level(last).is_dynamic()) return false;
  for (int k = 0; k < last; ++k) {
    if (!format.level(k).is_dynamic()) continue;
    const schema::CodeFunction* find = find_function(format.level(k).definition->program, "find");
    if (find == nullptr || find->effects.changes) return false;
  }
  return true;
}

std::vector<std::int64_t> needs_of_update(const UpdateRequest& request) {
  loop::NameSupply names;
  const UpdateLevels levels(request, names);
  const DynamicLevel& level = levels[levels.last()];
  const std::string function = function_at(request, levels.last());
  const std::vector<dynamic::Need> needs = level.needs_of({function});
  const auto of = [&](const std::string& next, std::int64_t most) {
    const bool takes = std::any_of(needs.begin(), needs.end(), [&](const auto& each) { return each.next == next; });
    return takes ? most : 0;
  };
  std::vector<std::int64_t> all;
  for (const dynamic::NodeRecord& each : level.structure().nodes)
    all.push_back(of(each.next, level.nodes_of(function)));
  for (const dynamic::Pool& each : level.structure().pools) all.push_back(of(each.next, dynamic::most_segments));
  return all;
}

UpdateLevels::UpdateLevels(const UpdateRequest& request, loop::NameSupply& names) : format_(request.format) {
  check(request);
  levels_.resize(static_cast<std::size_t>(format_.order()));
  // Innermost first: the elements of a level above refer to roots.
  std::optional<loop::IrType> root;
  for (int k = last(); k >= 0; --k) {
    if (!is_dynamic(k)) {
      root.reset();
      continue;
    }
    const schema::ElementTypes types =
        schema::element_types(format_, k, request.coordinates[static_cast<std::size_t>(k)], request.type);
    dynamic::LevelTypes for_code{fmt::format("t{}", k + 1), types.coordinate,
                                 root ? *root : loop::scalar_type(types.value)};
    const schema::LevelFile& file = *format_.level(k).definition;
    auto code = std::make_unique<DynamicLevel>(file.nodes, file.program, std::move(for_code), names);
    root = code->root_type();
    levels_[static_cast<std::size_t>(k)] = std::move(code);
  }
}

int UpdateLevels::below(int k) const {
  for (++k; k <= last() && !is_dynamic(k);) ++k;
  return k;
}

loop::Expr UpdateLevels::reference(int k, const loop::Expr& position) const {
  const loop::IrType& type = (*this)[k].structure().types.value;
  return type.is_ref() ? loop::as_ref(position, type.record) : loop::convert(position, type.scalar);
}

std::vector<std::shared_ptr<const loop::Record>> UpdateLevels::records() const {
  std::vector<std::shared_ptr<const loop::Record>> all;
  for (const auto& level : levels_) {
    if (level == nullptr) continue;
    for (auto& record : level->records()) all.push_back(std::move(record));
  }
  return all;
}

std::vector<loop::Function> UpdateLevels::functions(const loop::NameSupply& names) const {
  std::vector<loop::Function> all;
  for (const auto& level : levels_) {
    if (level == nullptr) continue;
    for (loop::Function& each : level->functions(names)) all.push_back(std::move(each));
  }
  return all;
}

std::vector<loop::Var> UpdateLevels::states() const {
  std::vector<loop::Var> all;
  for (const auto& level : levels_)
    if (level != nullptr && !level->structure().state.empty()) all.push_back(level->structure().state.front());
  return all;
}

}  // namespace lacuna
