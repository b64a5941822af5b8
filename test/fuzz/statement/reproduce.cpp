#include "fuzz/statement/reproduce.h"

#include <filesystem>

#include <fmt/ranges.h>

#include "fuzz/machine/run_on_machine.h"
#include "lacuna/io/io.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/build.h"

namespace lacuna::fuzz {
namespace {

/// A coordinate tensor, so that the file lists entries, zeros included, whatever the format.
Storage listed(const Operand& operand) {
  CoordinateList list;
  list.dimensions = operand.dimensions;
  const auto count = static_cast<std::int64_t>(operand.entries.size());
  for (std::size_t m = 0; m < operand.dimensions.size(); ++m) {
    Array column = Array::allocate(Type::Int32, count, false);
    for (std::size_t e = 0; e < operand.entries.size(); ++e)
      column.mutable_view<std::int32_t>()[e] = static_cast<std::int32_t>(operand.entries[e].coordinate[m]);
    list.coordinates.push_back(std::move(column));
  }
  list.values = Array::allocate(operand.type, count, false);
  const auto width = static_cast<std::size_t>(size_of(operand.type));
  for (std::size_t e = 0; e < operand.entries.size(); ++e)
    operand.entries[e].value.convert(operand.type).store(static_cast<char*>(list.values.mutable_data()) + e * width);
  return build(list, coo_format(static_cast<int>(operand.dimensions.size())));
}

}  // namespace

std::string command_line(const Problem& p, const std::string& folder, bool interpret) {
  std::filesystem::create_directories(folder);
  std::string line = fmt::format("lacuna run '{}'", to_string(p.statement));
  for (const auto& [name, operand] : p.operands) {
    if (operand.dimensions.empty()) {
      const Scalar value = operand.entries.empty() ? Scalar::zero(operand.type) : operand.entries.front().value;
      line += fmt::format(" -i {}={}", name, value.convert(Type::Float64).to_string());
    } else {
      const std::string path = fmt::format("{}/{}.ttx", folder, name);
      write_file(path, listed(operand));
      line += fmt::format(" -i {}={} -f '{}:{}'", name, path, name, operand.format.to_string());
    }
    line += fmt::format(" -t {}:{}", name, type_name(operand.type));
  }
  if (p.result_format && !p.reads_result() && p.result_format->order() > 0)
    line += fmt::format(" -f '{}:{}'", p.result(), p.result_format->to_string());
  if (p.result_type && !p.reads_result()) line += fmt::format(" -t {}:{}", p.result(), type_name(*p.result_type));
  for (const auto& [variable, extent] : p.extents) line += fmt::format(" -d {}={}", variable, extent);
  if (!p.schedule.empty()) line += fmt::format(" -s '{}'", fmt::join(p.schedule, ", "));
  if (!p.machine.empty()) line += fmt::format(" --machine '{}'", machine_of(p)->to_string());
  for (const auto& [name, where] : p.placed) line += fmt::format(" --place '{}: {}'", name, where);
  return line + fmt::format(" --threads {}{} --verify", p.threads, interpret ? " --interpret" : "");
}

std::string describe(const Problem& p) {
  std::string text = to_string(p.statement) + "\n";
  for (const auto& [variable, extent] : p.extents) text += fmt::format("  {} < {}\n", variable, extent);
  text += fmt::format("  result {}: {}, {}; {} thread{}\n", p.result(),
                      p.result_format ? p.result_format->to_string() : "inferred",
                      p.result_type ? type_name(*p.result_type) : "inferred", p.threads, p.threads == 1 ? "" : "s");
  if (!p.schedule.empty()) text += fmt::format("  schedule: {}\n", fmt::join(p.schedule, ", "));
  if (!p.machine.empty()) text += fmt::format("  machine: {}\n", machine_of(p)->to_string());
  for (const auto& [name, where] : p.placed) text += fmt::format("  {}: {}\n", name, where);
  for (const auto& [name, o] : p.operands) {
    text += fmt::format("  {}: {}, {}", name, o.format.to_string(), type_name(o.type));
    if (o.pos) text += fmt::format(", pos {}", type_name(*o.pos));
    if (o.crd) text += fmt::format(", crd {}", type_name(*o.crd));
    for (const Entry& e : o.entries) text += fmt::format(" ({})={}", fmt::join(e.coordinate, ","), e.value.to_string());
    text += "\n";
  }
  return text;
}

}  // namespace lacuna::fuzz
