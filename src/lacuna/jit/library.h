#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "lacuna/codegen/prelude/lacuna_kernel.h"

namespace lacuna {

struct LoadedLibrary {
  std::shared_ptr<void> handle;  // unloads with its last copy
  lacuna_entry entry = nullptr;
};

/// Loads a shared library and finds its entry. Throws UnusableFile (folder.h) when the system refuses it.
LoadedLibrary load_library(const std::filesystem::path& path, const std::string& entry);

}  // namespace lacuna
