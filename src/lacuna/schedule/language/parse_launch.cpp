#include "lacuna/schedule/language/parse_launch.h"

#include <charconv>

#include <fmt/core.h>

#include "lacuna/format/distribution/machine.h"

namespace lacuna {
namespace {

/// Reads "[1]" off the front of a text: a level of a machine. 0 where there is no bracket.
std::optional<int> take_level(std::string_view& text) {
  if (text.empty() || text.front() != '[') return 0;
  const std::size_t end = text.find(']');
  if (end == std::string_view::npos) return std::nullopt;
  int level = 0;
  const auto [stop, failure] = std::from_chars(text.data() + 1, text.data() + end, level);
  if (failure != std::errc() || stop != text.data() + end || level < 0 || level > 63) return std::nullopt;
  text.remove_prefix(end + 1);
  return level;
}

/// Reads "M" or "M[1]" off the front of a text: a level of the machine that a statement runs on.
std::optional<int> take_machine(std::string_view& text) {
  if (text.empty() || text.front() != 'M') return std::nullopt;
  text.remove_prefix(1);
  return take_level(text);
}

/// Reads "B" or "B[1]": a tensor, and a level of the machine on which it lies.
bool read_tensor(std::string_view text, directive::Distribute& d) {
  const std::string_view name = text.substr(0, text.find('['));
  if (!schedule_text::is_name(name)) return false;
  text.remove_prefix(name.size());
  const std::optional<int> level = take_level(text);
  if (!level || !text.empty()) return false;
  d.onto = name;
  d.machine_level = *level;
  return true;
}

/// What the compound form divides its targets by.
void read_grid(const Arguments& a, std::size_t k, directive::Distribute& d) {
  std::string_view text = a.text(k);
  if (text.starts_with("Grid")) {
    const Machine machine = parse_machine(text);
    if (machine.levels() != 1) a.fail(a.at(k), "distribute takes one grid; name an inner one of a machine by M[1]");
    d.pieces = machine.level(0).sizes();
    if (d.pieces.size() != d.variables.size())
      a.fail(a.at(k), fmt::format("{} has {} dimensions, but {} variables are distributed", a.text(k), d.pieces.size(),
                                  d.variables.size()));
    return;
  }
  const std::optional<int> level = take_machine(text);
  if (level && text.empty()) d.machine_level = *level;
  else if (!read_tensor(a.text(k), d))
    a.fail(a.at(k), fmt::format("{} is no machine: write M for the one that the statement runs on, M[1] for a grid "
                                "within it, Grid(4,4), or a tensor, as whose parts the loops are cut",
                                a.text(k)));
}

}  // namespace

std::optional<directive::MachineAxis> read_machine_axis(const Arguments& a, std::size_t k) {
  std::string_view text = a.text(k);
  const std::optional<int> level = take_machine(text);
  if (!level || text.size() != 2 || text[0] != '.' || text[1] < 'x' || text[1] > 'z') return std::nullopt;
  return directive::MachineAxis{*level, text[1] - 'x'};
}

DirectiveKind read_distribute(const Arguments& a) {
  directive::Distribute d;
  const bool compound = a.count() == 4 && a.text(0).starts_with('{');
  if (!compound) {
    for (std::size_t k = 0; k < a.count(); ++k)
      for (const SourceRange& item : a.items(k)) d.variables.push_back(a.variable(item));
    a.require_different(d.variables);
    return d;
  }
  d.variables = a.variables(0);
  d.outer = a.variables(1);
  d.inner = a.variables(2);
  if (d.outer.size() != d.variables.size() || d.inner.size() != d.variables.size())
    a.fail(a.at(1), fmt::format("{} variables are distributed, but they get {} outer and {} inner ones; the form is {}",
                                d.variables.size(), d.outer.size(), d.inner.size(), a.form()));
  std::vector<std::string> all = d.variables;
  all.insert(all.end(), d.outer.begin(), d.outer.end());
  all.insert(all.end(), d.inner.begin(), d.inner.end());
  a.require_different(all);
  read_grid(a, 3, d);
  return d;
}

DirectiveKind read_communicate(const Arguments& a) {
  directive::Communicate c;
  for (const SourceRange& item : a.items(0)) c.tensors.push_back(a.variable(item));
  a.require_different(c.tensors);
  c.variable = a.variable(1);
  return c;
}

DirectiveKind read_rotate(const Arguments& a) {
  directive::Rotate r{a.variable(0), a.variables(1), a.variable(2)};
  std::vector<std::string> all = r.by;
  all.push_back(r.variable);
  all.push_back(r.rotated);
  a.require_different(all);
  return r;
}

}  // namespace lacuna
