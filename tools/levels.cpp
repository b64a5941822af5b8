#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "lacuna/dynamic/code/load.h"
#include "lacuna/dynamic/schema/layout.h"
#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/format/dynamic.h"
#include "lacuna/support/environment.h"
#include "lacuna/support/text_table.h"
#include "tools/command.h"
#include "tools/reporting.h"

namespace lacuna::tool {
namespace {

/// What the comment that a file begins with says first; empty without one.
std::string first_sentence(const std::string& text) {
  std::string comment;
  for (std::size_t at = 0; text.compare(at, 2, "//") == 0;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t begin = std::min(text.find_first_not_of("/ ", at), end);
    if (begin == end) break;
    comment += (comment.empty() ? "" : " ") + text.substr(begin, end - begin);
    at = end + 1;
    if (at >= text.size()) break;
  }
  return comment.substr(0, std::min(comment.find(". "), comment.find_last_not_of('.') + 1));
}

/// A level that a format may name.
struct Listed {
  std::string name;
  std::string about;  // what the file says of it, or why it cannot be used
  std::filesystem::path file;
  bool usable = true;
};

std::vector<Listed> listed_in(const std::vector<std::filesystem::path>& folders) {
  std::vector<Listed> all;
  for (const std::string& name : schema::names_of_levels(folders)) {
    Listed& each = all.emplace_back();
    each.name = name;
    each.file = schema::find_level_file(name, folders);
    try {
      check_name_is_free(name);
      each.about = first_sentence(schema::load_level(each.file).text);
    } catch (const Error& error) {
      each.about = fmt::format("cannot be used: {}", error.what());
      each.usable = false;
    }
  }
  return all;
}

int list_levels(const Reporting& reporting) {
  const auto folders = schema::level_folders(read_environment());
  const std::vector<Listed> levels = listed_in(folders);
  TextTable table("ll");
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Listed& each : levels) {
    json.push_back({{"name", each.name}, {"about", each.about}, {"file", each.file.string()}, {"usable", each.usable}});
    table.add({each.name, each.about});
  }
  write_json(reporting, json);
  if (!reporting.in_words()) return Success;
  std::vector<std::string> places;
  for (const std::filesystem::path& folder : folders) places.push_back(folder.string());
  fmt::print("{}\nfrom {}\n'lacuna levels NAME' shows one.\n", table.text(), fmt::join(places, ", "));
  return Success;
}

std::string bounds_text(const schema::Bounds& bounds) {
  if (!bounds.most) return fmt::format("{} or more", bounds.least);
  if (bounds.least == *bounds.most) return fmt::format("{}", bounds.least);
  return fmt::format("{} to {}", bounds.least, *bounds.most);
}

/// A property a line.
std::string properties_of(const schema::NodeSchema& nodes) {
  std::string text = fmt::format("root:      {}\n", schema::root_of(nodes).name.text);
  const auto gap = schema::find_order_gap(nodes);
  text += gap ? fmt::format("order:     none; {}\n", *gap)
              : std::string("order:     coordinates ascend, each there once\n");
  text += "elements:  ";
  std::vector<std::string> each;
  for (const schema::NodeType& node : nodes.nodes)
    each.push_back(fmt::format("{} in a {}", bounds_text(schema::elements_of(node)), node.name.text));
  text += fmt::format("{}{}\n", fmt::join(each, ", "), schema::has_empty_slots(nodes) ? "; slots may be empty" : "");
  switch (schema::recursion_of(nodes)) {
    case schema::Recursion::None: return text + "shape:     nodes of no type lead to others of theirs\n";
    case schema::Recursion::OneChild: return text + "shape:     a list: nodes lead to one other of their type\n";
    case schema::Recursion::SeveralChildren:
      return text + "shape:     a tree: nodes lead to several others of their type\n";
  }
  throw InternalError("internal error: a Recursion outside its enumeration");
}

/// The functions that have a meaning, and what a level can do with them.
struct Meaning {
  const char* function;
  const char* with;
};
constexpr std::array<Meaning, 7> meanings{{{"append_first", "filled, an element at a time"},
                                           {"append_rest", "filled, an element at a time"},
                                           {"build", "filled with a sequence"},
                                           {"find", "searched"},
                                           {"insert", "added to"},
                                           {"erase", "taken from"},
                                           {"check", "checked by tests"}}};

std::string functions_of(const schema::LevelDefinition& level) {
  std::string text;
  for (const Meaning& each : meanings)
    text += fmt::format("  {:<13} {}: {}\n", each.function,
                        schema::find_function(level, each.function) != nullptr ? "yes" : "no ", each.with);
  return text;
}

void print_level(const std::string& name, const std::string& about, const schema::LevelFile& file) {
  const schema::NodeSchema& nodes = file.definition.nodes;
  fmt::print("{}{}{}\n{}\n\n{}", name, about.empty() ? "" : ": ", about, file.path.string(), properties_of(nodes));
  fmt::print("\n== nodes ==\n{}\n== structs ==\n", schema::to_string(nodes));
  bool first = true;
  for (const schema::Struct& each : schema::layout_of(nodes)) {
    fmt::print("{}{}", first ? "" : "\n", schema::to_string(each));
    first = false;
  }
  fmt::print("\n== functions ==\n{}", functions_of(file.definition));
}

nlohmann::ordered_json json_of(const std::string& name, const std::string& about, const schema::LevelFile& file) {
  const schema::NodeSchema& nodes = file.definition.nodes;
  nlohmann::ordered_json json{{"name", name},
                              {"about", about},
                              {"file", file.path.string()},
                              {"root", schema::root_of(nodes).name.text},
                              {"ordered", !schema::find_order_gap(nodes)},
                              {"empty_slots", schema::has_empty_slots(nodes)}};
  for (const schema::NodeType& node : nodes.nodes) {
    const schema::Bounds elements = schema::elements_of(node);
    json["nodes"].push_back({{"name", node.name.text}, {"least_elements", elements.least}, {"most_elements", nullptr}});
    if (elements.most) json["nodes"].back()["most_elements"] = *elements.most;
  }
  for (const Meaning& each : meanings)
    json["functions"][each.function] = schema::find_function(file.definition, each.function) != nullptr;
  return json;
}

int show_level(const std::string& name, const Reporting& reporting) {
  const auto folders = schema::level_folders(read_environment());
  check_name_is_free(name);
  const schema::LevelFile file = schema::load_level(schema::find_level_file(name, folders));
  const std::string about = first_sentence(file.text);
  write_json(reporting, json_of(name, about, file));
  if (reporting.in_words()) print_level(name, about, file);
  return Success;
}

}  // namespace

void add_levels(CLI::App& root, Action& action) {
  auto name = std::make_shared<std::string>();
  auto reporting = std::make_shared<Reporting>();
  CLI::App* command = root.add_subcommand("levels", "List the dynamic levels, or show one: nodes, structs, functions");
  command->footer(R"(
Examples:
  lacuna levels          those in the folders of LACUNA_LEVELS and the built-in ones
  lacuna levels btree    what its nodes look like, and what it can do)");
  command->add_option("NAME", *name, "the level to show; none lists them");
  add_reporting_options(*command, *reporting);
  command->callback([name, reporting, &action] {
    action = [name, reporting] { return name->empty() ? list_levels(*reporting) : show_level(*name, *reporting); };
  });
}

}  // namespace lacuna::tool
