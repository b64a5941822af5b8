#pragma once

#include <string>

#include "lacuna/io/mapped_file.h"

namespace lacuna {

/// What a compressed file holds, in a temporary file that has no name and goes away with the result: any of it can be
/// read at any time, and nobody has all of it in memory (where temporary files are not). `path` appears in messages.
/// Throws as GunzipStream, and RuntimeFailure where there is no room for the file.
MappedFile unzipped_file(const std::string& path, const MappedFile& compressed);

}  // namespace lacuna
