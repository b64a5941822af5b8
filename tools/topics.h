#pragma once

#include <string>
#include <vector>

namespace lacuna::tool {

/// A page of `lacuna help`.
struct Topic {
  std::string name;
  std::string about;  // one line
  std::string (*text)();
};

const std::vector<Topic>& help_topics();

}  // namespace lacuna::tool
