#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lacuna/explain/explanation.h"
#include "lacuna/support/quantity_text.h"
#include "lacuna/support/text_table.h"

namespace lacuna {
namespace {

constexpr std::size_t widest = 76;  // of a sentence

/// A sentence in lines.
std::vector<std::string> wrapped(const std::string& text) {
  std::vector<std::string> lines{""};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!lines.back().empty() && width_of_text(lines.back()) + 1 + width_of_text(word) > widest) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    at = end + 1;
  }
  return lines;
}

std::string size_text(const std::vector<std::int64_t>& dimensions) {
  return fmt::format("{}", fmt::join(dimensions, " x "));
}

std::string entries_text(const ExplainedTensor& t) {
  if (t.part == Part::Scalar || t.dimensions.empty()) return "";
  const std::string about = t.assumed ? "assumed " : t.expected ? "about " : "";
  return fmt::format("{}{} entries", about, number_text(t.entries));
}

std::string tensors_text(const Explanation& e) {
  TextTable table("lllllrl");
  for (const ExplainedTensor& t : e.tensors) {
    const std::string what = t.part == Part::Scalar ? "register" : t.format;
    table.add({t.name, what, t.type, size_text(t.dimensions), entries_text(t), bytes_text(t.bytes), t.remark});
  }
  return table.text();
}

std::string lattice_text(const std::vector<std::vector<std::string>>& points) {
  std::string text;
  for (const auto& p : points) text += fmt::format("{}{{{}}}", text.empty() ? "" : " > ", fmt::join(p, " "));
  return text;
}

std::string blank_or(double value, std::string (*text)(double)) { return value == 0 ? "" : text(value); }

void add_step(const Step& step, int depth, TextTable& table) {
  std::string indent;
  for (int d = 0; d < depth; ++d) indent += "│ ";
  if (step.kind == Step::Kind::Assignment) return table.add({indent + step.text, "", "", "", ""});
  if (step.kind == Step::Kind::Loop) {
    std::string text = indent + step.text + ": " + step.visits;
    for (const std::string& m : step.manners) text += ", " + m;
    const Work& own = step.cost.own;
    table.add({text, number_text(step.cost.turns), blank_or(own.operations, number_text),
               blank_or(own.bytes_read, bytes_text<double>), blank_or(own.bytes_written, bytes_text<double>)});
    if (!step.points.empty()) table.add({indent + "│   lattice " + lattice_text(step.points), "", "", "", ""});
  }
  for (const Step& inner : step.steps) add_step(inner, step.kind == Step::Kind::Loop ? depth + 1 : depth, table);
}

std::string steps_text(const Explanation& e) {
  TextTable table("lrrrr");
  table.add({"", "iterations", "operations", "read", "written"});
  add_step(e.root, 0, table);
  const Work& outside = e.root.cost.own;
  if (outside.bytes_read + outside.bytes_written > 0)
    table.add({"before and after", "", "", blank_or(outside.bytes_read, bytes_text<double>),
               blank_or(outside.bytes_written, bytes_text<double>)});
  table.add({"in all", "", number_text(e.total.operations), bytes_text(e.total.bytes_read),
             bytes_text(e.total.bytes_written)});
  return table.text();
}

std::string needs_text(const Explanation& e) {
  std::string parts;
  for (const ExplainedTensor& t : e.tensors)
    if (t.needed > 0) parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", t.name, bytes_text(t.needed));
  return fmt::format("  {} at least, whatever the loops: {}\n  {:.3g} operations for each byte of them\n",
                     bytes_text(e.compulsory_bytes), parts, e.intensity());
}

std::string candidates_text(const Explanation& e) {
  constexpr std::size_t most_ways = 8;
  TextTable ways("lrl");
  std::size_t told = 0;
  for (const Candidate& c : e.candidates) {
    const bool is_one_nest = &c == &e.candidates.back() || c.way == "one nest";
    if (++told > most_ways && !c.chosen && !is_one_nest) continue;
    ways.add({c.chosen ? "chosen" : "", seconds_text(c.seconds), c.way});
  }
  return ways.text();
}

}  // namespace

std::string to_text(const Explanation& e) {
  std::string text = e.statement + "\n";
  if (!e.directives.empty())
    text += fmt::format("\n{} schedule\n  {}\n", e.chosen ? "chosen" : "given", fmt::join(e.directives, "\n  "));
  const std::string loops = e.expected ? "loops, expected of entries spread evenly" : "loops";
  text += "\ntensors\n" + tensors_text(e) + "\n" + loops + "\n" + steps_text(e) + "\nbytes to move\n" + needs_text(e);
  if (!e.candidates.empty()) text += "\nways to compute it, expected on one thread\n" + candidates_text(e);
  TextTable why("ll");
  for (const Reason& r : e.reasons) {
    std::string about = r.about;
    for (const std::string& line : wrapped(r.why)) why.add({std::exchange(about, ""), line});
  }
  if (!e.reasons.empty()) text += "\nwhy\n" + why.text();
  if (e.assumed) text += "\nnote: entries that no -i gives are assumed, 8 a row\n";
  for (const std::string& note : e.notes) text += "note: " + note + "\n";
  return text;
}

}  // namespace lacuna
