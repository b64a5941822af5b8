#include "unit/io/io_testing.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace lacuna {

std::vector<std::string> entries_of(const CoordinateList& entries) {
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < entries.size(); ++i) {
    std::vector<std::int64_t> at;
    for (const Array& column : entries.coordinates) at.push_back(column.integer(i));
    const Type type = entries.values.type();
    const auto* address = static_cast<const char*>(entries.values.data()) + i * size_of(type);
    texts.push_back(fmt::format("({}) {}", fmt::join(at, ","), Scalar::load(type, address).to_string()));
  }
  return texts;
}

FileContents read_mtx(std::string_view text, const ReadOptions& options) {
  return read_text(FileFormat::MatrixMarket, "a.mtx", text, options);
}

FileContents read_tns(std::string_view text, const ReadOptions& options) {
  return read_text(FileFormat::Frostt, "a.tns", text, options);
}

FileContents read_rb(std::string_view text, const ReadOptions& options) {
  return read_text(FileFormat::RutherfordBoeing, "a.rb", text, options);
}

std::string refusal(FileFormat format, std::string_view text, const ReadOptions& options) {
  const char* const names[] = {"a.mtx", "a.tns", "a.rb", "a.npy", "a.npz"};
  try {
    read_text(format, names[static_cast<int>(format)], text, options);
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "was read: " << text.substr(0, 400);
  return "";
}

std::string mtx_refusal(std::string_view text) { return refusal(FileFormat::MatrixMarket, text); }
std::string tns_refusal(std::string_view text) { return refusal(FileFormat::Frostt, text); }
std::string rb_refusal(std::string_view text) { return refusal(FileFormat::RutherfordBoeing, text); }

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "lacuna-io-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw RuntimeFailure("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryFolder::files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void make_file(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  ASSERT_TRUE(file.good());
}

}  // namespace lacuna
