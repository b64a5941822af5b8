#include "tools/outputs.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "lacuna/io/atomic_write.h"
#include "lacuna/io/io.h"

namespace lacuna::tool {

Files read_outputs(const Problem& problem, const std::vector<std::string>& outputs) {
  Files files;
  for (const std::string& text : outputs) {
    const NamedValue named = split_named("-o", text, '=', "-o y=result.tns");
    check_tensor_name(problem, "-o", named);
    if (!files.emplace(named.name, named.value).second) {
      throw Error(fmt::format("two -o for '{}'; give one", named.name), {0, text.size()}, text);
    }
    const auto same = [&, path = std::filesystem::path(named.value).lexically_normal()](const auto& other) {
      return other.first != named.name && std::filesystem::path(other.second).lexically_normal() == path;
    };
    if (const auto other = std::find_if(files.begin(), files.end(), same); other != files.end())
      throw Error(fmt::format("{} and {} would both be written to {}; give each a file of its own", other->first,
                              named.name, named.value),
                  {0, text.size()}, text);
  }
  return files;
}

void write_text(const std::string& path, const std::string& text) {
  if (path == standard_output) {
    fmt::print("{}", text);
    return;
  }
  AtomicFile file(path);
  file.append(text);
  file.commit();
}

bool goes_to_standard_output(const Files& files) {
  return std::any_of(files.begin(), files.end(), [](const auto& each) { return each.second == standard_output; });
}

}  // namespace lacuna::tool
