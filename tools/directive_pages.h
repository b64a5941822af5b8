#pragma once

#include <string_view>
#include <vector>

namespace lacuna::tool {

/// A statement under two schedules that differ by the directive explained.
struct DirectiveExample {
  std::string_view about;  // what it is good for here
  std::string_view statement;
  std::vector<std::string_view> formats;  // NAME:FORMAT, as -f takes them
  std::string_view before;                // what is scheduled already; empty: nothing, plain loops
  std::string_view directive;             // written after `before`
  std::string_view machine = {};          // of several processors; then plans are shown
};

/// What `lacuna help DIRECTIVE` says of a directive besides its form and summary (schedule/help.h).
struct DirectivePage {
  std::string_view name;
  std::string_view does;   // lines of at most 110 characters
  std::string_view legal;  // what must hold, "- " a condition
  DirectiveExample example;
};

/// A page for every directive, in the order of directive_help().
const std::vector<DirectivePage>& directive_pages();

}  // namespace lacuna::tool
