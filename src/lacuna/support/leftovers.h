#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lacuna {

// Temporary files and folders have the number of their process in their names, and are locked (flock) while that
// process has them open. So what a process left that was killed can be told from what one uses.

/// What the name of a temporary file or folder of this process begins with: "PREFIX1234-".
std::string name_of_this_process(std::string_view prefix);

/// Locks an open file or folder for this process. False, with errno EWOULDBLOCK, where somebody just removed it: then
/// another one is to be made. A file system without locks is no reason to fail.
bool lock_as_ours(int file);

/// Removes from a folder what processes of this user left whose names begin so and who have ended. Never throws: what
/// cannot be removed stays.
void remove_leftovers(const std::filesystem::path& folder, std::string_view prefix) noexcept;

/// Removes the temporary files and folders whose names begin so that this process has open, whichever of its threads
/// uses them: for when it is about to end. True where there were any. Never throws: what cannot be removed stays.
bool remove_open_temporaries(std::string_view prefix) noexcept;

}  // namespace lacuna
