#include "lacuna/jit/key_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "lacuna/jit/hash.h"

namespace lacuna {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds least_pause{1}, most_pause{20};

}  // namespace

KeyLock::KeyLock(const std::filesystem::path& folder, const std::string& key, milliseconds most) {
  file_ = ::open((folder / file_name).c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  const auto end = std::chrono::steady_clock::now() + most;
  milliseconds pause = least_pause;
  while (file_ >= 0 && !try_to_lock(key)) {
    const bool is_taken = errno == EAGAIN || errno == EACCES || errno == EINTR;
    has_waited_ = has_waited_ || is_taken;
    if (!is_taken || std::chrono::steady_clock::now() >= end) release();
    else std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, most_pause);
  }
  is_held_ = file_ >= 0;
}

/// Each key has a byte of the file, which need not be there. Locks of an open file, unlike those of a process, keep
/// threads apart, too.
bool KeyLock::try_to_lock(const std::string& key) {
#if defined(F_OFD_SETLK)
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(hash128(key).low >> 2U);
  lock.l_len = 1;
  return ::fcntl(file_, F_OFD_SETLK, &lock) == 0;
#else
  static_cast<void>(key);
  errno = ENOSYS;
  return false;
#endif
}

void KeyLock::release() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
  is_held_ = false;
}

}  // namespace lacuna
