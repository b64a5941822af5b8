#include <array>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "lacuna/format/schema/layout.h"
#include "lacuna/format/schema/load.h"
#include "lacuna/format/schema/properties.h"
#include "lacuna/support/environment.h"
#include "tools/command.h"

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

int list_levels() {
  const auto folders = schema::level_folders(read_environment());
  for (const std::string& name : schema::names_of_levels(folders)) {
    const std::filesystem::path file = schema::find_level_file(name, folders);
    std::string about;
    try {
      about = first_sentence(schema::load_level(file).text);
    } catch (const Error& error) {
      about = fmt::format("cannot be used: {}", error.what());
    }
    fmt::print("  {:<16} {}\n", name, about);
  }
  std::vector<std::string> places;
  for (const std::filesystem::path& folder : folders) places.push_back(folder.string());
  fmt::print("\nfrom {}\n'lacuna levels NAME' shows one.\n", fmt::join(places, ", "));
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
  text += gap ? fmt::format("order:     none; {}\n", gap->reason)
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

int print_level(const std::string& name) {
  const auto folders = schema::level_folders(read_environment());
  const schema::LevelFile file = schema::load_level(schema::find_level_file(name, folders));
  const schema::NodeSchema& nodes = file.definition.nodes;
  const std::string about = first_sentence(file.text);
  fmt::print("{}{}{}\n{}\n\n{}", name, about.empty() ? "" : ": ", about, file.path.string(), properties_of(nodes));
  fmt::print("\n== nodes ==\n{}\n== structs ==\n", schema::to_string(nodes));
  bool first = true;
  for (const schema::Struct& each : schema::layout_of(nodes)) {
    fmt::print("{}{}", first ? "" : "\n", schema::to_string(each));
    first = false;
  }
  fmt::print("\n== functions ==\n{}", functions_of(file.definition));
  return Success;
}

}  // namespace

void add_levels(CLI::App& root, Action& action) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = root.add_subcommand("levels", "List the dynamic levels, or show one: nodes, structs, functions");
  command->footer(R"(
Examples:
  lacuna levels          those in the folders of LACUNA_LEVELS and the built-in ones
  lacuna levels btree    what its nodes look like, and what it can do)");
  command->add_option("NAME", *name, "the level to show; none lists them");
  command->callback(
      [name, &action] { action = [name] { return name->empty() ? list_levels() : print_level(*name); }; });
}

}  // namespace lacuna::tool
